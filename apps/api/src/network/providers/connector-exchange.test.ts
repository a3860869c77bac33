// kills: act-in-progress-is-not-repeated
import type { Envelope } from '@causeway/connector/methods/contract'
import { provider } from '@causeway/connector/provider/provider'
import { beforeEach, expect, it, vi } from 'vitest'
import { createMetrics } from '../../platform/metrics.js'
import { testService } from '../../testing/service.js'
import { createConnectorExchange } from './connector-exchange.js'

let requests = 0
let isHeld = false
let release = () => {}
/** A bank whose answer to an act can be held. */
const bank = provider({
  name: 'bank',
  title: 'Bank',
  settings: {},
  hosts: () => [],
  environment: () => 'any',
  provides: {
    'rail/submit': async () => {
      requests++
      if (isHeld) await new Promise<void>(resolve => (release = resolve))
      return { status: 'accepted' }
    },
    'rail/managed_accounts': async () => ({ accounts: [] }),
    'network/discover': async () => ({ status: 'completed', liabilities: [] }),
  },
  outcomes: { 'rail/submit': { find: async () => ({ known: false }), duplicates: 'never' } },
  capabilities: () => ({ routes: ['ach'], discovery: 'link' }),
  async *check() {},
  proven: { level: 'emulator', on: '2026-11-29' },
})
const service = await testService()
const { store, deps } = service
const teams: string[] = []
const exchange = createConnectorExchange(
  {
    providers: [{ provider: bank, settings: {} }],
    routes: new Map([
      ['rail/submit', 'bank'],
      ['rail/managed_accounts', 'bank'],
      ['network/discover', 'bank'],
    ]),
  },
  {
    ...{ store, vault: deps.vault, log: deps.log, clock: deps.clock, metrics: createMetrics() },
    ...{ fetch, providerUsage: deps.providerUsage },
    addTeam: async id => void teams.push(id),
  },
)
const account = { id: 'acc_1', type: 'ach', routing: '1', number: '2', reference: null, mch_id: null }
const payment = {
  ...{ payment_id: 'pmt_1', amount: 100, fee: 0, source: null, destination: account, created_at: 0 },
  ...{ source_date: '2026-12-01', destination_date: '2026-12-02' },
}
let count = 0
const call = (question: unknown = payment): Envelope => ({
  ...{ request_id: `pmt_${count}`, team_id: service.team, now: deps.clock() },
  question,
})
beforeEach(() => {
  count++
  requests = 0
  isHeld = false
})

it('lists the methods that are routed, the ways in which the rail pays, and how accounts are found', async () => {
  expect(await exchange('capabilities', call({}))).toEqual({
    methods: ['rail/submit', 'rail/managed_accounts', 'network/discover'],
    routes: ['ach'],
    discovery: 'link',
    persons: 'any',
  })
})

it('an act in progress is neither repeated nor reported as unknown', async () => {
  isHeld = true
  const first = exchange('rail/submit', call())
  for (const [path, question] of [
    ['rail/submit', payment],
    ['outcome', { method: 'rail/submit', question: payment }],
  ] as const)
    await expect(exchange(path, call(question))).rejects.toMatchObject({ outcome: 'unknown', retryable: true })
  await vi.waitFor(() => expect(requests).toBe(1))
  release()
  expect(await first).toEqual({ status: 'accepted' })
  expect(await exchange('rail/submit', call())).toEqual({ status: 'accepted' })
  expect(requests).toBe(1)
})

it('a method that no provider serves has no effect', async () => {
  await expect(exchange('rail/reverse', call())).rejects.toMatchObject({ outcome: 'nothing', retryable: false })
})

it('a team is added before its first call', async () => {
  await exchange('rail/managed_accounts', call({}))
  expect(teams.at(-1)).toBe(service.team)
})
