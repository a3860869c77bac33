import { expect, it } from 'vitest'
import { describeApi } from '../../apps/api/src/main/openapi/document.js'
import { leftOut, rows } from './endpoints-rows.mjs'

/** Returns the same text for paths that differ only in their parameter names. */
const shapeOf = (method: string, path: string) => `${method} ${path.replace(/\{\w+\}/g, '{}')}`

it('The latest OpenAPI document names every endpoint of existing clients, except those that are left out with a reason', () => {
  const { paths } = describeApi('http://127.0.0.1:4000')
  const described = new Set(
    Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map(method => shapeOf(method.toUpperCase(), path)),
    ),
  )
  expect(rows.length).toBeGreaterThanOrEqual(149)
  const missing = rows
    .filter(({ method, path }) => !described.has(shapeOf(method, path ?? '')))
    .map(({ method, path }) => `${method} ${path}`)
  expect(missing.sort()).toEqual(Object.keys(leftOut).sort())
})
