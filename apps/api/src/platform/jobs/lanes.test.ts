import { describe, expect, it } from 'vitest'
import { bounds, share } from './lanes.js'

const waiting = (count: number, failures = 0, from = 0) =>
  Array.from({ length: count }, (_, index) => ({
    lane: `${failures ? 'bad' : 'good'} ${from + index}`,
    failures,
    oldest: index,
  }))
const sum = (shares: Map<string, number>) => [...shares.values()].reduce((total, count) => total + count, 0)

describe('the places of lanes', () => {
  it('one lane gets no more than its limit, including running jobs', () => {
    expect(share(waiting(1), new Map())).toEqual(new Map([['good 0', bounds.lane]]))
    expect(share(waiting(1), new Map([['good 0', bounds.lane - 1]]))).toEqual(new Map([['good 0', 1]]))
    expect(share(waiting(1), new Map([['good 0', bounds.lane]]))).toEqual(new Map())
  })

  it('all lanes together get no more than the total, and each gets one place before any gets a second', () => {
    const shares = share(waiting(1_000), new Map())
    expect([...shares.values()]).toEqual(Array(bounds.all).fill(1))
    const fewer = share(waiting(bounds.all / 2), new Map())
    expect([...fewer.values()]).toEqual(Array(bounds.all / 2).fill(2))
  })

  it('failing lanes leave half of the places to the others, no matter how many are failing', () => {
    const failing = waiting(500, 9)
    const shares = share(failing, new Map())
    expect([...shares.values()]).toEqual(Array(bounds.all / 2).fill(1))
    const running = new Map(shares)
    const next = share([...failing, ...waiting(4)], running)
    expect(sum(next)).toBe(4 * bounds.lane)
    expect([...next.keys()].every(lane => lane.startsWith('good'))).toBe(true)
  })

  it('a lane that has failed once or twice still has its full limit', () => {
    expect(sum(share(waiting(1, 2), new Map()))).toBe(bounds.lane)
    expect(sum(share(waiting(1, 3), new Map()))).toBe(bounds.failing)
  })

  it('the lane that has waited longest comes first if the lanes are otherwise equal', () => {
    const [first] = share([...waiting(300)].reverse(), new Map()).keys()
    expect(first).toBe('good 0')
  })
})
