import { describe, expect, it } from 'vitest'
import { routes } from '../../../main/app.js'
import { SegmentRouter } from './router.js'

function routerOf(...paths: string[]) {
  const router = new SegmentRouter<string>()
  for (const path of paths) router.add('GET', path, path)
  return (path: string, method = 'GET') => router.match(method, path)[0][0]
}

describe('the router', () => {
  it("finds each of the service's routes by its path", () => {
    const router = new SegmentRouter<string>()
    for (const { method, path } of routes) router.add(method, path, `${method} ${path}`)
    for (const { method, path } of routes) {
      const names = [...path.matchAll(/:(\w+)/g)].map(([, name]) => name!)
      const params = Object.fromEntries(names.map(name => [name, `a value of ${name}`]))
      const asked = path.replace(/:(\w+)/g, (_, name) => `a value of ${name}`)
      expect(router.match(method, asked)).toEqual([[[`${method} ${path}`, params]]])
    }
  })

  it('prefers a literal to a parameter in each segment, regardless of the order of the routes', () => {
    for (const paths of [
      ['/a/:id', '/a/b', '/a/b/:id', '/a/:id/c'],
      ['/a/:id/c', '/a/b/:id', '/a/b', '/a/:id'],
    ]) {
      const match = routerOf(...paths)
      expect(match('/a/b')).toEqual(['/a/b', {}])
      expect(match('/a/x')).toEqual(['/a/:id', { id: 'x' }])
      expect(match('/a/b/c')).toEqual(['/a/b/:id', { id: 'c' }])
      expect(match('/a/x/c')).toEqual(['/a/:id/c', { id: 'x' }])
    }
  })

  it('falls back to a parameter if the literal leads nowhere, and drops the values read there', () => {
    const match = routerOf('/a/b/:one/end', '/a/:two/:three/last')
    expect(match('/a/b/c/last')).toEqual(['/a/:two/:three/last', { two: 'b', three: 'c' }])
  })

  it('finds nothing for a different method, a shorter or longer path, or an empty parameter', () => {
    const match = routerOf('/a/:id')
    for (const path of ['/a', '/a/', '/a/b/', '/a/b/c', '/', '']) expect(match(path)).toBeUndefined()
    expect(match('/a/b', 'POST')).toBeUndefined()
  })

  it('finds nothing under built-in property names', () => {
    const match = routerOf('/a', '/a/:id/b')
    for (const path of ['/constructor', '/a/constructor/toString', '/__proto__']) expect(match(path)).toBeUndefined()
    expect(match('/a/__proto__/b')).toEqual(['/a/:id/b', { id: '__proto__' }])
  })

  it('takes a final wildcard for any path below, and only if no other route fits', () => {
    const match = routerOf('/*', '/a/*', '/a/b', '/a/:id/c')
    for (const path of ['/', '', '/x', '//', '/b/a']) expect(match(path)).toEqual(['/*', {}])
    for (const path of ['/a', '/a/', '/a/x', '/a/b/x', '/a/x/d', '/a/x/c/d']) expect(match(path)).toEqual(['/a/*', {}])
    expect(match('/a/b')).toEqual(['/a/b', {}])
    expect(match('/a/x/c')).toEqual(['/a/:id/c', { id: 'x' }])
  })

  it('rejects a path that contains a pattern, or a wildcard before its end', () => {
    for (const path of ['/*/a', '/a*', '/a/:id{[0-9]+}', '/a/:id?']) expect(() => routerOf(path)).toThrow(path)
  })
})
