import type { MethodPath } from '@causeway/connector/provider/paths'
import { DAY_MS } from '@causeway/contract/time'
import { expect, it } from 'vitest'
import { callUntilAnswered } from '../testing/emulated.js'
import { achDebt, checkDebt, createWorld, payment, personAccount, sourceAccount } from '../testing/increase.js'
import { increase } from './provider.js'
import type { Context } from './settings.js'

class Crash extends Error {}

/** Ends the process at one step of a call: before the step has an effect, or after it. */
function crashAt(context: Context, step: number, when: 'before' | 'after'): { context: Context; steps(): number } {
  let steps = 0
  const wrap =
    <Args extends unknown[], Result>(run: (...args: Args) => Promise<Result>) =>
    async (...args: Args): Promise<Result> => {
      const isLast = steps++ === step
      if (isLast && when === 'before') throw new Crash()
      const result = await run(...args)
      if (isLast) throw new Crash()
      return result
    }
  const { store } = context
  return {
    steps: () => steps,
    context: {
      ...context,
      fetch: wrap(context.fetch),
      link: wrap(context.link),
      store: {
        get: wrap(store.get),
        put: wrap(store.put),
        claim: wrap(store.claim),
        delete: wrap(store.delete),
      },
    },
  }
}

const reversal = {
  reversal_id: 'rvs_1',
  payment_id: 'pmt_1',
  amount: 49_500,
  direction: 'credit',
  target: { ...personAccount, number: '222222' },
  approved_at: 0,
  date: '2026-12-02',
}
const returned = payment({ destination: { ...personAccount, number: '770003' } })
const acts: [MethodPath, string, object, number][] = [
  ['rail/submit', 'pmt_1', payment(), 1],
  ['rail/submit', 'pmt_1', payment({ destination: achDebt }), 1],
  ['rail/submit', 'pmt_1', payment({ destination: checkDebt }), 1],
  ['network/deposit', 'ver_1', { routing: '021000021', number: '123456789', amounts: [11, 22] }, 2],
  ['rail/reverse', 'rvs_1', reversal, 2],
]

it.each(acts)('%s happens once, at whatever step the process ends', async (path, id, question, transfers) => {
  const handler = increase.provides[path as 'rail/submit']
  let steps = 0
  for (let step = 0; step <= steps; step++)
    for (const when of ['before', 'after'] as const) {
      const { host, context, emulator, account } = createWorld({ isChecked: false })
      const call = { request_id: id, team_id: 'tem_1', now: emulator.bank.now() }
      if (path === 'rail/reverse') {
        await callUntilAnswered(host.exchange, 'rail/submit', { ...call, request_id: 'pmt_1', question: returned })
        emulator.forward(3 * DAY_MS)
      }
      const crashing = crashAt(context, step, when)
      const attempt = handler(crashing.context, { ...question, ...call } as never)
      const error = await attempt.then(
        () => null,
        (reason: unknown) => reason,
      )
      steps = Math.max(steps, crashing.steps())
      expect(error === null || error instanceof Crash).toBe(true)
      // The service asks for the outcome after a crash, and sends the act again if it is unknown.
      const outcome = { ...call, question: { method: path, question } }
      const { known } = (await host.exchange('outcome', outcome)) as { known: boolean }
      if (!known) await callUntilAnswered(host.exchange, path, { ...call, question })
      const all = [...emulator.transfers.all.values()]
      expect(all.length).toBe(transfers)
      expect(all.every(each => host.links.has(each.id))).toBe(true)
      const sent = all.filter(each => each.status !== 'returned' && each.type !== 'card_push_transfer')
      const amount = sent.reduce((sum, each) => sum + Number(each['amount']), 0)
      expect(emulator.bank.availableBalance(account)).toBe(1_000_000_00 - amount)
    }
  expect(steps).toBeGreaterThan(4)
})

it('a payment is either canceled or sent, at whatever step a cancellation crosses its submission', async () => {
  const { submit, cancel } = { submit: increase.provides['rail/submit'], cancel: increase.provides['rail/cancel'] }
  for (let step = 0; step < 12; step++) {
    const { context, emulator, account } = createWorld({ isChecked: false })
    const call = {
      ...payment({ source: sourceAccount }),
      request_id: 'pmt_1',
      team_id: 'tem_1',
      now: emulator.bank.now(),
    }
    let steps = 0
    let canceled: string | undefined
    const attempt = async () => {
      const answer = await cancel(context, call).catch(() => null)
      if (answer) canceled = answer.status
    }
    const crossing: Context = {
      ...context,
      async fetch(request) {
        if (steps++ === step) await attempt()
        return context.fetch(request)
      },
      store: {
        ...context.store,
        async claim(kind, id, value) {
          if (steps++ === step) await attempt()
          return context.store.claim(kind, id, value)
        },
      },
    }
    const { status } = await submit(crossing, call)
    const isSent = emulator.transfers.all.size === 1
    expect(status).toBe(isSent ? 'accepted' : 'refused')
    if (canceled === 'canceled') expect(isSent).toBe(false)
    expect(emulator.bank.availableBalance(account)).toBe(1_000_000_00 - (isSent ? 49_500 : 0))
  }
})
