import { withFaults } from '@causeway/connector/emulator/faults'
import { DAY_MS, MINUTE_MS } from '@causeway/contract/time'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { callUntilAnswered } from '../testing/emulated.js'
import { achDebt, checkDebt, createWorld, payment, personAccount, sourceAccount } from '../testing/increase.js'
import type { Ach } from './emulator/transfers.js'

const rates = { slow: 0, twice: 0.2, silent: 0.3, broken: 0.2, inARow: 4 }

/** A world whose network drops, loses, breaks and doubles requests and answers. */
function createFaultyWorld(seed: string, isChecked = true) {
  const met: Record<string, number> = {}
  const world = createWorld({
    isChecked,
    network(answer) {
      const network = withFaults(answer, {
        faults: rates,
        seed,
        sleep: async () => undefined,
        keyOf: ({ url, method }) => `${method} ${url}`,
        groupOf: () => undefined,
      })
      return async request => {
        const response = await network.answer(request)
        Object.assign(met, network.met)
        return response
      }
    },
  })
  const ask = (path: string, id: string, question: unknown) =>
    callUntilAnswered(world.host.exchange, path, {
      request_id: id,
      team_id: 'tem_1',
      now: world.emulator.bank.now(),
      question,
    })
  return { ...world, met, ask }
}

it('pays each payment exactly once, whatever is lost, broken or doubled', async () => {
  const { ask, emulator, met, account, host } = createFaultyWorld('payments')
  const destinations = [personAccount, achDebt, checkDebt]
  emulator.setLag(5 * MINUTE_MS)
  for (let i = 0; i < 90; i++) {
    const id = `pmt_${i}`
    const question = payment({ payment_id: id, amount: 1_000 + i, destination: destinations[i % 3]! })
    expect(await ask('rail/submit', id, question)).toEqual({ status: 'accepted' })
    if (i % 10 === 0) emulator.forward(MINUTE_MS)
  }
  const transfers = [...emulator.transfers.all.values()] as Ach[]
  expect(transfers.length).toBe(90)
  expect(new Set(transfers.map(({ idempotency_key }) => idempotency_key)).size).toBe(90)
  const sum = transfers.reduce((total, { amount }) => total + amount, 0)
  expect(sum).toBe(90 * 500 + (89 * 90) / 2)
  expect(emulator.bank.availableBalance(account)).toBe(1_000_000_00 - sum)
  expect(transfers.every(({ id }) => host.links.has(id))).toBe(true)
  for (const fault of ['twice', 'dropped', 'lost', 'hung', 'broken']) expect(met[fault]).toBeGreaterThan(0)
})

const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constant('submit' as const), id: fc.nat(3) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('cancel' as const), id: fc.nat(3) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('status' as const), id: fc.nat(3) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('reverse' as const), id: fc.nat(3) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('wait' as const), id: fc.nat(3) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('approve' as const), id: fc.nat(3) }) },
)

it('never pays a canceled payment, never cancels a paid one, and never loses a cent', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25 }), fc.string(), fc.boolean(), async (steps, seed, approves) => {
      const { ask, emulator, transferOf, account } = createFaultyWorld(seed, false)
      emulator.bank.accounts.get(account)!.needsApproval = approves
      const canceled = new Set<string>()
      const destinations = [personAccount, { ...personAccount, number: '770003' }, checkDebt, achDebt]
      for (const each of steps) {
        const id = `pmt_${each.id}`
        const question = payment({ payment_id: id, destination: destinations[each.id]! })
        const reversal = {
          reversal_id: `rvs_${each.id}`,
          payment_id: id,
          amount: 49_500,
          direction: 'credit',
          target: sourceAccount,
          approved_at: 0,
          date: '2026-12-01',
        }
        if (each.do === 'wait') emulator.forward(DAY_MS)
        else if (each.do === 'approve') {
          const transfer = transferOf(id)
          if (transfer) emulator.transfers.approve(transfer)
        } else if (each.do === 'submit') {
          const { status } = (await ask('rail/submit', id, question)) as { status: string }
          expect(status === 'refused').toBe(canceled.has(id) && !transferOf(id))
        } else if (each.do === 'cancel') {
          const { status } = (await ask('rail/cancel', id, question)) as { status: string }
          if (status === 'canceled') canceled.add(id)
        } else if (each.do === 'status') await ask('rail/status', id, question)
        else await ask('rail/reverse', `rvs_${each.id}`, reversal)
      }
      for (const id of canceled) expect(['canceled', 'stopped', undefined]).toContain(transferOf(id)?.status)
      emulator.forward(100 * DAY_MS)
      const spent = ([...emulator.transfers.all.values()] as Ach[])
        .filter(({ status }) => ['submitted', 'deposited', 'complete'].includes(status as string))
        .reduce((total, { amount }) => total + amount, 0)
      expect(emulator.bank.currentBalance(account)).toBe(1_000_000_00 - spent)
      expect(emulator.bank.currentBalance(account)).toBeGreaterThanOrEqual(1_000_000_00 - 4 * 49_500)
    }),
    { numRuns: 40 },
  )
})
