// kills: unknown-outcome-is-queried

import { OutsideError } from '@causeway/connector/ports/outside-error'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { call, payment, testSandbox } from '../../sandbox/fixtures.js'
import { wire } from '../../testing/connector/wire.js'

const pay = { ...call, request_id: 'pmt_1', ...payment('123456789', 'sbd_0001') }
const lost = () => new TypeError('fetch failed')

/** The possible outcomes of sending a call once. */
const fates = [
  'arrives',
  'never arrives',
  'answer lost',
  'answer cut',
  'error page',
  'answer late',
  'arrives late',
] as const
type Fate = (typeof fates)[number]

/** Submits a payment repeatedly until an answer arrives. `fate` determines the outcome of each attempt. */
async function handOver(fate: readonly Fate[]): Promise<{ made: number; arrived: number }> {
  const sandbox = testSandbox()
  let made = 0
  let arrived = 0
  const inside = {
    ...sandbox,
    rail: {
      ...sandbox.rail,
      submit: (asked: typeof pay) => {
        made++
        return sandbox.rail.submit(asked)
      },
    },
  }
  const late: (() => Promise<unknown>)[] = []
  const { ports, between } = wire(inside)
  for (const each of fate)
    between.push(async (forward, path) => {
      const arrive = () => {
        if (path === 'rail/submit') arrived++
        return forward()
      }
      for (const letter of late.splice(0)) await letter()
      if (each === 'arrives') return arrive()
      if (each === 'arrives late') late.push(forward)
      if (each === 'never arrives' || each === 'arrives late') throw lost()
      const answer = await arrive()
      if (each === 'error page') return new Response('<h1>Bad gateway</h1>', { status: 502 })
      if (each === 'answer cut') return new Response((await answer.text()).slice(1), { headers: answer.headers })
      throw lost()
    })
  for (let runs = 0; ; runs++) {
    try {
      expect(await ports.rail.submit(pay)).toEqual({ status: 'accepted' })
      for (const letter of late.splice(0)) await letter()
      return { made, arrived }
    } catch (error) {
      if (!(error instanceof OutsideError)) throw error
      expect(runs).toBeLessThan(fate.length + 1)
    }
  }
}

it('makes a payment once, whatever happens to each attempt', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.constantFrom(...fates), { maxLength: 14 }), async fate => {
      const { made, arrived } = await handOver(fate)
      expect(made).toBe(1)
      expect(arrived).toBeLessThanOrEqual(1)
    }),
    { numRuns: 300 },
  )
})
