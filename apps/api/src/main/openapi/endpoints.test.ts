import { endpoints } from '@causeway/contract/endpoints/table'
import { expect, it } from 'vitest'
import { routes } from '../app.js'

const names = (all: readonly { method: string; path: string }[]) => all.map(({ method, path }) => `${method} ${path}`)

it('every route is described', () => {
  const described = new Set(names(endpoints))
  const missing = names(routes).filter(name => !described.has(name))
  expect(missing, 'describe these in packages/contract/src/endpoints').toEqual([])
})

it('every described endpoint is a route', () => {
  const served = new Set(names(routes))
  const missing = names(endpoints).filter(name => !served.has(name))
  expect(missing, 'described in packages/contract/src/endpoints, but no route of app.ts').toEqual([])
})

it('nothing is described or routed twice', () => {
  expect(new Set(names(endpoints)).size).toBe(endpoints.length)
  expect(new Set(names(routes)).size).toBe(routes.length)
})

it("the description's callers and locations match the routes", () => {
  const facts = (all: readonly { method: string; path: string; auth?: string; sandbox?: true }[]) =>
    Object.fromEntries(
      all.map(({ method, path, auth = 'secret', sandbox = false }) => [`${method} ${path}`, { auth, sandbox }]),
    )
  expect(facts(endpoints)).toEqual(facts(routes))
})
