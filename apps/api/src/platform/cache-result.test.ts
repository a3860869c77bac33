import { expect, it } from 'vitest'
import { cacheResult } from './cache-result.js'

it('shares a result among simultaneous requests, and recomputes it after a second if the computation was fast', async () => {
  const store = {}
  let count = 0
  const read = (now: number, name = 'x') => cacheResult(store, name, now, async () => ++count)
  expect(await Promise.all([read(0), read(0), read(0)])).toEqual([1, 1, 1])
  expect(await read(999)).toBe(1)
  expect(await read(60_000)).toBe(2)
  expect(await read(60_000, 'y')).toBe(3)
})

it('caches a result that took long to compute for a minute', async () => {
  const store = {}
  let count = 0
  const read = (now: number) =>
    cacheResult(store, 'x', now, async () => {
      const end = performance.now() + 320
      while (performance.now() < end);
      return ++count
    })
  expect(await read(0)).toBe(1)
  expect(await read(59_999)).toBe(1)
  expect(await read(60_000)).toBe(2)
})

it('does not cache failures', async () => {
  const store = {}
  const fail = () => cacheResult(store, 'x', 0, () => Promise.reject(new Error('No answer')))
  await expect(fail()).rejects.toThrow('No answer')
  expect(await cacheResult(store, 'x', 0, async () => 1)).toBe(1)
})
