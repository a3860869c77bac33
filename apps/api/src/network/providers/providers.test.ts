// kills: hook-is-signed, hook-counts-once

import type { RailStatus } from '@causeway/connector/ports/rail'
import { provider } from '@causeway/connector/provider/provider'
import { secret } from '@causeway/connector/provider/settings'
import { beforeEach, describe, expect, it } from 'vitest'
import { lender } from '../../testing/money.js'
import { testService } from '../../testing/service.js'
import { hookPath } from './hooks.js'

/** The bank's own records: transfers by payment id, with the number of times that each was requested. */
const transfers = new Map<string, { id: string; status: RailStatus; requests: number }>()
/** The fate of the next request to create a transfer. */
let nextAnswer: 'given' | 'lost' | 'dropped' | 401 = 'given'

/** The bank's API: creates a transfer once per key, and returns it. */
const bankApi: typeof fetch = async (input, init) => {
  const { pathname } = new URL(String(input))
  const key = pathname.split('/')[2]!
  if (init?.method === 'POST') {
    const fate = nextAnswer
    nextAnswer = 'given'
    if (fate === 401) return new Response(null, { status: 401 })
    if (fate === 'dropped') throw new TypeError('fetch failed')
    const known = transfers.get(key)
    if (known) known.requests++
    else transfers.set(key, { id: `transfer_${transfers.size}`, status: 'pending', requests: 1 })
    if (fate === 'lost') throw new TypeError('fetch failed')
  }
  const transfer = transfers.get(key)
  return transfer ? Response.json(transfer) : new Response(null, { status: 404 })
}

const HOOK_SECRET = 'the secret of the hooks'
const bank = provider({
  name: 'bank',
  title: 'Bank',
  settings: { BANK_KEY: secret({ what: 'the key', pattern: /^\w+$/, mustBe: 'a key' }) },
  hosts: () => ['https://bank.example'],
  environment: () => 'any',
  provides: {
    async 'rail/submit'({ fetch, link, store }, { payment_id, destination }) {
      await store.put('sent', payment_id, { number: destination.number })
      const { json } = await fetch({ method: 'POST', url: `https://bank.example/transfers/${payment_id}` })
      await link((json as { id: string }).id, { kind: 'payment', id: payment_id })
      return { status: 'accepted' }
    },
    async 'rail/status'({ fetch }, { payment_id }) {
      const { json } = await fetch({ method: 'GET', url: `https://bank.example/transfers/${payment_id}` })
      const { status } = json as { status: 'pending' | 'sent' }
      return { status, code: null, source_trace_id: null, destination_trace_id: null, returned: null, next_at: null }
    },
    'rail/accepts': async () => ({ accepted: true }),
    'rail/cancel': async () => ({ status: 'too_late' }),
  },
  outcomes: {
    'rail/submit': {
      async find({ fetch }, { payment_id }) {
        const { status } = await fetch({ method: 'GET', url: `https://bank.example/transfers/${payment_id}` })
        return status === 200 ? { known: true, answer: { status: 'accepted' } } : { known: false }
      },
      duplicates: 'never',
    },
    'rail/cancel': { find: async () => ({ known: false }), duplicates: 'never' },
  },
  hooks: {
    verify: async ({ headers }) => headers.get('x-secret') === HOOK_SECRET,
    read: ({ body }) => JSON.parse(body.toString()),
  },
  capabilities: () => ({ routes: ['ach'] }),
  async *check() {},
  proven: { level: 'emulator', on: '2026-11-29' },
})

const service = await testService({
  providers: { list: [{ provider: bank, settings: { BANK_KEY: 'key' } }], fetch: bankApi },
})
const customer = lender(service)
const accounts = { source: (await customer.source()).id, destination: (await customer.debts()).accounts[0]!.id }
beforeEach(() => {
  nextAnswer = 'given'
})

async function pay(): Promise<string> {
  const { id } = await customer.must('POST', '/payments', { amount: 5_000, ...accounts, description: 'x' })
  await service.settle()
  return id
}
const statusOf = async (id: string) => (await customer.must('GET', `/payments/${id}`))['status']

describe('a payment through a provider in this process', () => {
  it('is made once, and follows the provider', async () => {
    const id = await pay()
    expect(transfers.get(id)).toMatchObject({ requests: 1 })
    expect(await statusOf(id)).toBe('pending')
  })

  it('is made once if the answer is lost: the provider is asked for the outcome', async () => {
    nextAnswer = 'lost'
    const id = await pay()
    expect(transfers.get(id)).toMatchObject({ requests: 1 })
  })

  it('is made once if the request never arrived', async () => {
    nextAnswer = 'dropped'
    const id = await pay()
    expect(transfers.get(id)).toMatchObject({ requests: 1 })
  })

  it('is not retried at once if the provider rejects the key, which is logged', async () => {
    nextAnswer = 401
    const id = await pay()
    expect(transfers.get(id)).toBeUndefined()
    expect(service.lines.join('\n')).toContain('"event":"provider_key_rejected","provider":"bank"')
    service.advance(60 * 60_000)
    await service.settle()
    expect(transfers.get(id)).toMatchObject({ requests: 1 })
  })
})

describe("a provider's webhook", () => {
  const post = async (body: unknown, headers: Record<string, string> = { 'x-secret': HOOK_SECRET }) => {
    const response = await service.app.api.fetch(
      new Request(`http://127.0.0.1:4000${hookPath('bank')}`, { method: 'POST', body: JSON.stringify(body), headers }),
    )
    await service.settle()
    return { status: response.status, body: await response.json() }
  }

  it('makes the service read the payment, once for each id', async () => {
    const id = await pay()
    const transfer = transfers.get(id)!
    transfer.status = 'sent'
    expect(await post({ id: 'hook_1', changed: [transfer.id] })).toEqual({ status: 200, body: { status: 'accepted' } })
    expect(await statusOf(id)).toBe('sent')
    expect(await post({ id: 'hook_1', changed: [transfer.id] })).toEqual({ status: 200, body: { status: 'duplicate' } })
  })

  it('is rejected without a signature, before its body is read', async () => {
    expect(await post({ id: 'hook_2', changed: [] }, { 'x-secret': 'wrong' })).toEqual({
      status: 401,
      body: { error: { code: 'INVALID_SIGNATURE' } },
    })
  })

  it('about an unknown object is accepted and has no effect', async () => {
    expect(await post({ id: 'hook_3', changed: ['transfer_none'] })).toEqual({
      status: 200,
      body: { status: 'unknown' },
    })
  })

  it('is rejected if it is larger than 64 kB', async () => {
    expect(await post({ id: 'hook_4', changed: ['x'.repeat(70_000)] })).toMatchObject({ status: 413 })
  })
})
