import type { OpalSession } from '@causeway/sdk'
import { expect, it } from 'vitest'
import { stuckSession } from '../../../dev/fixtures/people.js'
import { approval } from '../../../dev/scenes/approvals.js'
import { type Api, Failure, Waiting } from '../../api.js'
import type { Approval } from '../../shapes.js'
import { retryPayments } from './retry-payments.js'

const session: OpalSession = {
  ...stuckSession,
  bt: {
    ...stuckSession.bt!,
    completed: true,
    payout_status: 'released',
    allocations: { acc_a: 10_000, acc_b: 20_000, acc_c: 30_000 },
    payment_ids: { acc_a: null, acc_b: null, acc_c: 'pmt_c' },
    unpaid: ['acc_a', 'acc_b'],
  },
}

/** A service that stores each response under its key, as the API does. */
function service({
  refuses = new Set<string>(),
  unpaid = session.bt!.unpaid!,
  approvals = [] as Approval['status'][],
} = {}) {
  const stored = new Map<string, { id: string; body: Record<string, unknown> } | { message: string }>()
  const failed = new Set<string>()
  let isCut = false
  const api = {
    async get(path: string) {
      if (path === '/team') return { payment_description: 'Loan' }
      const live = [...stored.values()].flatMap(each =>
        'body' in each && !failed.has(each.id) ? each.body['destination'] : [],
      )
      return { data: { ...session, bt: { ...session.bt, unpaid: unpaid.filter(account => !live.includes(account)) } } }
    },
    async post(_: string, body: Record<string, unknown>, key: string) {
      const status = approvals.shift()
      if (status) throw new Waiting(approval({ status }))
      const isReplay = stored.has(key)
      if (!isReplay)
        stored.set(
          key,
          refuses.has(body['destination'] as string)
            ? { message: 'The rail refused it.' }
            : { id: `pmt_${stored.size}`, body },
        )
      const answer = stored.get(key)!
      if (isCut) {
        isCut = false
        throw new Failure('offline')
      }
      if ('message' in answer) throw new Failure('refused', { message: answer.message, isReplay })
      return { value: { id: answer.id }, isReplay }
    },
  } as unknown as Api
  const paid = () => [...stored.values()].flatMap(each => ('body' in each ? each.body['destination'] : []))
  return {
    api,
    stored,
    failed,
    paid,
    cut: () => {
      isCut = true
    },
  }
}
const pay = (api: Api) => retryPayments(api, session.id, { reason: 'The bank fixed it', source: 'acc_source' })

it('pays each unpaid account once, from the account that was chosen, for this session and with the reason', async () => {
  const { api, stored } = service()
  expect(await pay(api)).toEqual({ paid: ['acc_a', 'acc_b'], refused: [], waiting: [] })
  expect([...stored.keys()]).toEqual([`rest-${session.id}-acc_a-1`, `rest-${session.id}-acc_b-1`])
  expect([...stored.values()][0]).toMatchObject({
    body: {
      amount: 10_000,
      source: 'acc_source',
      destination: 'acc_a',
      description: 'Loan',
      metadata: { session_id: session.id, reason: 'The bank fixed it' },
    },
  })
})

// kills: console-pays-with-key
it('pays once for two users at the same time, for a repeated click and after a lost response', async () => {
  const { api, paid, cut } = service()
  cut()
  await expect(pay(api)).rejects.toMatchObject({ kind: 'offline' })
  await Promise.all([pay(api), pay(api)])
  await pay(api)
  expect(paid()).toEqual(['acc_a', 'acc_b'])
})

it('reports a refusal, pays the others, and pays the account after the cause is fixed', async () => {
  const refuses = new Set(['acc_a'])
  const { api, paid } = service({ refuses })
  const refused = [{ account: 'acc_a', message: 'The rail refused it.' }]
  expect(await pay(api)).toEqual({ paid: ['acc_b'], refused, waiting: [] })
  expect(await pay(api)).toEqual({ paid: [], refused, waiting: [] })
  refuses.clear()
  expect(await pay(api)).toEqual({ paid: ['acc_a'], refused: [], waiting: [] })
  expect(paid()).toEqual(['acc_b', 'acc_a'])
})

// kills: console-pays-lost-payment-again
it('pays again only if the earlier payment was lost', async () => {
  const { api, paid, failed } = service()
  await pay(api)
  failed.add('pmt_0')
  await pay(api)
  expect(paid()).toEqual(['acc_a', 'acc_b', 'acc_a'])
})

it('pays nothing if the service says that nothing is unpaid', async () => {
  const { api, stored } = service({ unpaid: [] })
  expect(await pay(api)).toEqual({ paid: [], refused: [], waiting: [] })
  expect(stored.size).toBe(0)
})

it('reports the accounts whose payment waits for a second person, and pays again after a request that was declined', async () => {
  const { api, paid } = service({ approvals: ['waiting', 'declined', 'waiting'] })
  expect(await pay(api)).toEqual({ paid: [], refused: [], waiting: ['acc_a', 'acc_b'] })
  expect(await pay(api)).toEqual({ paid: ['acc_a', 'acc_b'], refused: [], waiting: [] })
  expect(paid()).toEqual(['acc_a', 'acc_b'])
})

it('takes an approved payment for paid only if the service says so', async () => {
  const { api, paid } = service({ approvals: ['approved'] })
  expect(await pay(api)).toEqual({ paid: ['acc_a', 'acc_b'], refused: [], waiting: [] })
  expect(paid()).toEqual(['acc_a', 'acc_b'])
})
