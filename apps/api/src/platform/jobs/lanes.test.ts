import { describe, expect, it } from 'vitest'
import { allocateSlots, laneLimits } from './lanes.js'

const waiting = (count: number, failures = 0, from = 0) =>
  Array.from({ length: count }, (_, index) => ({
    lane: `${failures ? 'bad' : 'good'} ${from + index}`,
    failures,
    oldest: index,
  }))
const sum = (shares: Map<string, number>) => [...shares.values()].reduce((total, count) => total + count, 0)

describe('the places of lanes', () => {
  it('one lane gets no more than its limit, including running jobs', () => {
    expect(allocateSlots(waiting(1), new Map())).toEqual(new Map([['good 0', laneLimits.lane]]))
    expect(allocateSlots(waiting(1), new Map([['good 0', laneLimits.lane - 1]]))).toEqual(new Map([['good 0', 1]]))
    expect(allocateSlots(waiting(1), new Map([['good 0', laneLimits.lane]]))).toEqual(new Map())
  })

  it('all lanes together get no more than the total, and each gets one place before any gets a second', () => {
    const shares = allocateSlots(waiting(1_000), new Map())
    expect([...shares.values()]).toEqual(Array(laneLimits.all).fill(1))
    const fewer = allocateSlots(waiting(laneLimits.all / 2), new Map())
    expect([...fewer.values()]).toEqual(Array(laneLimits.all / 2).fill(2))
  })

  it('failing lanes leave half of the places to the others, no matter how many are failing', () => {
    const failing = waiting(500, 9)
    const shares = allocateSlots(failing, new Map())
    expect([...shares.values()]).toEqual(Array(laneLimits.all / 2).fill(1))
    const running = new Map(shares)
    const next = allocateSlots([...failing, ...waiting(4)], running)
    expect(sum(next)).toBe(4 * laneLimits.lane)
    expect([...next.keys()].every(lane => lane.startsWith('good'))).toBe(true)
  })

  it('a lane that has failed once or twice still has its full limit', () => {
    expect(sum(allocateSlots(waiting(1, 2), new Map()))).toBe(laneLimits.lane)
    expect(sum(allocateSlots(waiting(1, 3), new Map()))).toBe(laneLimits.failing)
  })

  it('the lane that has waited longest comes first if the lanes are otherwise equal', () => {
    const [first] = allocateSlots([...waiting(300)].reverse(), new Map()).keys()
    expect(first).toBe('good 0')
  })
})
