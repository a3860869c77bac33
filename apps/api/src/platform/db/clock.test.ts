import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { followClock } from './clock.js'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance', 'setInterval', 'clearInterval'] })
})
afterEach(() => {
  clock?.stop()
  vi.useRealTimers()
})

let clock: Awaited<ReturnType<typeof followClock>> | undefined
/** The difference between the clocks, in ms. */
let difference = 0
/** The times, in ms, that the next samples' requests and responses take. */
let trips: [there: number, back: number][] = []

const follow = async () => {
  clock = await followClock(async () => {
    const [there, back] = trips.shift() ?? [0, 0]
    return { least: difference - back, most: difference + there }
  })
  return clock
}
const compareAgain = () => vi.advanceTimersByTimeAsync(30_000)
const error = () => clock!.now() - Math.floor(performance.now() + difference)

it('the clock follows the sample with the shortest round trip of three', async () => {
  difference = 5_000
  trips = [
    [0, 180],
    [2, 2],
    [190, 0],
  ]
  await follow()
  expect(error()).toBe(0)
})

it('samples with round trips over 200 ms do not move the clock', async () => {
  difference = 5_000
  await follow()
  const slow: [number, number] = [0, 4_000]
  trips = [slow, slow, slow]
  await compareAgain()
  expect(error()).toBe(0)
  difference += 100
  trips = [slow, [30, 30], slow]
  await compareAgain()
  expect(error()).toBe(0)
})

it('slow samples correct a clock that is outside their limits, such as after the machine was suspended', async () => {
  difference = 5_000
  await follow()
  difference += 60_000
  trips = [
    [300, 300],
    [300, 300],
    [300, 300],
  ]
  await compareAgain()
  expect(error()).toBe(-300)
})

it('the clock starts with the best sample even if every round trip is slow', async () => {
  difference = 5_000
  trips = [
    [2_000, 2_000],
    [400, 400],
    [3_000, 3_000],
  ]
  await follow()
  expect(error()).toBe(0)
})

it('a failed comparison keeps the clock', async () => {
  difference = 5_000
  let fails = false
  clock = await followClock(async () => {
    if (fails) throw new Error('no connection')
    return { least: difference, most: difference }
  })
  fails = true
  await compareAgain()
  expect(error()).toBe(0)
})
