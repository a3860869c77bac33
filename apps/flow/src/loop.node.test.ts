import type { ToHost } from '@causeway/contract/frame'
import type { SessionView } from '@causeway/contract/session'
import { expect, test } from 'vitest'
import { gallery } from '../dev/fixtures.js'
import { createLoop, type LoopDeps } from './loop.js'

const wait = gallery.discovering['plain']!
const found = { ...gallery.selection['plain']!, revision: 5 } as SessionView

/** Creates a loop with scripted views and with timers that the test triggers. */
function begin(views: SessionView[], visible = () => true) {
  const told: ToHost[] = []
  const timers: { run: () => void; ms: number }[] = []
  const asked: string[] = []
  const next = () => Promise.resolve({ ok: true as const, value: views.shift()! })
  const calls: LoopDeps['calls'] = {
    redeem: async request => {
      asked.push(`redeem ${request.exchange_id}`)
      return { ok: true, value: { bearer: 'b', view: views.shift()! } }
    },
    open: bearer => {
      asked.push(`open ${bearer}`)
      return next()
    },
    view: bearer => {
      asked.push(`view ${bearer}`)
      return next()
    },
    step: (_bearer, step) => {
      asked.push(`step ${step}`)
      return next()
    },
    leave: bearer => asked.push(`leave ${bearer}`),
  }
  const loop = createLoop({
    calls,
    tell: message => told.push(message),
    draw: () => undefined,
    setTimeout: (run, ms) => timers.push({ run, ms }),
    clearTimeout: timer => {
      if (timer) timers[timer - 1] = { run: () => undefined, ms: 0 }
    },
    visible,
  })
  loop.dispatch({
    type: 'opened',
    origin: 'https://lender.example',
    mode: 'balance_transfer',
    view: null,
    hidden: false,
  })
  loop.dispatch({ type: 'token', token: 't', exchange_id: 'e1' })
  return { loop, told, timers, asked, settled: () => new Promise(resolve => setTimeout(resolve)) }
}

test('polls a waiting step until there is something to choose, then stops', async () => {
  const { loop, timers, asked, settled } = begin([wait, wait, found])
  await settled()
  expect(timers.map(timer => timer.ms)).toEqual([700])
  timers[0]!.run()
  await settled()
  timers[1]!.run()
  await settled()
  expect(asked).toEqual(['redeem e1', 'view b', 'view b'])
  expect(loop.state().view?.step).toBe('selection')
  expect(timers).toHaveLength(2)
})

test("does not poll for a page that can't be seen", async () => {
  const { timers, asked, settled } = begin([wait, wait], () => false)
  await settled()
  timers[0]!.run()
  await settled()
  expect(asked).toEqual(['redeem e1'])
})

test('closing stops the polling', async () => {
  const { loop, timers, asked, settled } = begin([wait, wait])
  await settled()
  loop.dispatch({ type: 'close' })
  for (const timer of timers) timer.run()
  await settled()
  expect(asked).toEqual(['redeem e1', 'leave b'])
})
