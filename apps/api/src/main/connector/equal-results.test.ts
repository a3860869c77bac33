/** The same payments have the same results whether the bank's provider runs in the service or in a connector. */

import { readSettings } from '@causeway/connector/provider/settings'
import { HOUR_MS, MINUTE_MS } from '@causeway/contract/time'
import { NEWEST_VERSION, VERSION_HEADER } from '@causeway/contract/versions'
import { createIncreaseEmulator } from '@causeway/providers/increase/emulator/emulator'
import { increase as provider } from '@causeway/providers/increase/provider'
import { expect, it } from 'vitest'
import { comparePages, compareResources, emptyProgress } from '../../money/reconciliation/reconcile.js'
import { createConnectorCaller } from '../../network/connectors/ask.js'
import { createSentCalls } from '../../network/connectors/sent-calls.js'
import { readPayee } from '../../network/payees/payee.js'
import { confirmPayee, proposePayees } from '../../network/payees/store.js'
import type { StatementSource } from '../../network/ports.js'
import { hookPath } from '../../network/providers/hooks.js'
import { combinePorts } from '../../network/providers/ports.js'
import { createConnectorStatement } from '../../network/providers/statements.js'
import { linkTransfers } from '../../network/providers/transfers.js'
import { createVault } from '../../platform/crypto/vault.js'
import { type ProviderConnector, startProviderConnector } from '../../testing/connector/provider-connector.js'
import { lender } from '../../testing/money.js'
import { masterKey, type TestService, testService } from '../../testing/service.js'

const BANK = 'http://127.0.0.1:4702'
const SECRET = 'the shared secret of the subscription'
const { values: settings } = readSettings(provider.settings, {
  INCREASE_API_URL: BANK,
  INCREASE_API_KEY: 'emulator_api_key',
  INCREASE_WEBHOOK_SECRET: SECRET,
})
const configured = { provider, settings: settings! }
const newest = { [VERSION_HEADER]: NEWEST_VERSION }

/** The fate of a request that creates a transfer: its answer is lost, or the request is, or the bank fails. */
type Fault = 'lost' | 'dropped' | 'failed' | 'failed after'

/** A service, the emulated bank, and between them a provider: in the service, or in a connector. */
async function startWorld(place: 'service' | 'connector') {
  let service: TestService
  let connector: ProviderConnector | undefined
  let statement: StatementSource
  let now = () => 0
  const clock = () => now()
  const faults: Fault[] = []
  const serviceNetwork = { isDown: false }
  const bank = createIncreaseEmulator({
    now: clock,
    accounts: [{ name: 'Lender', balance: 100_000_000, routing: '062103000', number: '123456789' }],
    webhooks: { url: 'https://api.example.com/hooks/increase', secret: SECRET },
  })
  const send: typeof fetch = async (input, init) => {
    const request = new Request(input, init)
    const isCreation = request.method === 'POST' && /^\/(ach|check)_transfers$/.test(new URL(request.url).pathname)
    const fault = isCreation ? faults.shift() : undefined
    if (fault === 'dropped') throw new TypeError('fetch failed')
    if (fault === 'failed') return new Response('', { status: 503 })
    const answer = await bank.answer(request)
    if (fault === 'lost') throw new TypeError('fetch failed')
    return fault === 'failed after' ? new Response('', { status: 500 }) : answer
  }
  if (place === 'service') {
    service = await testService({ paysByDirectory: true, providers: { list: [configured], fetch: send } })
    statement = service.deps.statements[0]!
  } else {
    let calls = 0
    connector = await startProviderConnector({
      ...{ providers: [configured], fetch: send, clock },
      async toService(input, init) {
        if (serviceNetwork.isDown) throw new TypeError('fetch failed')
        return service.app.api.fetch(new Request(input as URL, init))
      },
      // Loses some of the connector's answers.
      async network(forward) {
        const answer = await forward()
        if (++calls % 5 === 0) throw new TypeError('fetch failed')
        return answer
      },
    })
    const { exchange } = connector
    const { methods } = (await exchange('capabilities', {
      ...{ request_id: 'capabilities', team_id: '', now: 0, question: {} },
    }).catch(() => ({ methods: [] }))) as { methods: string[] }
    const routes = new Map(methods.map(path => [path, 'connector']))
    service = await testService({
      paysByDirectory: true,
      ports: sandbox => {
        const call = createConnectorCaller({
          exchange,
          sentCalls: { recordSend: (...call) => createSentCalls(service.store, clock).recordSend(...call) },
          sleep: async () => {},
          log: () => {},
        })
        const caller: typeof call = (...args) =>
          linkTransfers(call, 'connector', { store: service.store, clock })(...args)
        statement = createConnectorStatement(caller, { clock })
        const ports = combinePorts({ routes, callers: new Map([['connector', caller]]) })
        return { ...sandbox, rail: ports.rail, network: { ...sandbox.network, deposit: ports.network.deposit } }
      },
    })
  }
  now = service.deps.clock
  const team = lender(service)

  /** Delivers the bank's webhooks: each one twice, and the latest first. */
  async function deliver() {
    for (const { headers, body } of bank.takeWebhooks({ twice: true, reversed: true })) {
      const request = new Request(`http://127.0.0.1:4000${hookPath('increase')}`, { method: 'POST', headers, body })
      const { status } = connector ? await connector.receive(request) : await service.app.api.fetch(request)
      expect(status).toBe(200)
    }
    await connector?.sendPushes()
    await service.settle()
  }

  return {
    service,
    bank,
    team,
    faults,
    connector,
    deliver,
    serviceNetwork,
    /** Compares the bank's statement with the service's store. */
    async reconcile() {
      const deps = { store: service.store, clock }
      const day = (at: number) => new Date(at).toISOString().slice(0, 10)
      const input = {
        ...{ source: statement, team: { id: service.team, clockOffset: 0 }, resourcesSince: 0 },
        ...{ from: day(0), to: day(clock()) },
      }
      return compareResources(deps, input, await comparePages(deps, input, emptyProgress()))
    },
    get: async (path: string) => (await service.call('GET', path, undefined, newest)).body as Record<string, unknown>,
    /** Lets time pass, with webhooks and jobs. */
    async pass(hours: number) {
      await service.settle()
      for (let hour = 0; hour < hours; hour += 48) {
        service.advance(48 * HOUR_MS)
        bank.forward(0)
        await deliver()
      }
    },
  }
}
type World = Awaited<ReturnType<typeof startWorld>>

/** Confirms a payee for each of these merchants. */
async function confirmPayees({ service }: World, merchants: readonly string[], details: object) {
  const vault = createVault(masterKey)
  const now = service.deps.clock()
  const inputs = merchants.map(merchant => readPayee({ merchant, ...details }))
  for (const id of await proposePayees({ store: service.store, vault }, inputs as never, 'Ana', now))
    await confirmPayee(service.store, id, 'Ben', now)
}
const byAch = { route: 'ach', routing: '021000021', account: '5550001', sec: 'ccd', addenda: 'REF {payment}' }
const byCheck = {
  ...{ route: 'check', name: 'Card Services', line1: 'PO Box 1', city: 'Dallas', state: 'TX', zip: '75201' },
  memo: 'Ref {payment}',
}

/** Makes the scripted payments. @returns what the lender and the bank see */
async function runScript(world: World) {
  const { service, bank, team, faults, get, pass } = world
  const merchants = service.deps.ports.network.merchants().map(({ id }) => id)
  await confirmPayees(world, merchants, byAch)
  await team.must('PATCH', '/team', { ach_destinations: true })
  const source = (await team.source()).id
  const debts = (await team.debts()).accounts as unknown as { id: string; liability: { mch_id: string } }[]
  const second = debts.find(({ liability }) => liability.mch_id !== debts[0]!.liability.mch_id)!
  await confirmPayees(world, [second.liability.mch_id], byCheck)
  const payments: Record<string, string> = {}
  const accounts: Record<string, string> = {}
  async function pay(name: string, destination: string, ...fates: Fault[]) {
    faults.push(...fates)
    payments[name] = (await team.must('POST', '/payments', { amount: 5_000, source, destination, description: 'x' })).id
    await service.settle()
    expect(faults).toEqual([])
  }
  async function payNumber(name: string, number: string, ...fates: Fault[]) {
    accounts[name] = (await team.source(number)).id
    await pay(name, accounts[name], ...fates)
  }
  await pay('by ACH', debts[0]!.id)
  await pay('by check', second.id)
  await payNumber('returned', '770002')
  await payNumber('with a notice of change', '779801')
  await payNumber('whose answer is lost', '555001', 'lost')
  await payNumber('whose request is lost', '555002', 'dropped', 'dropped')
  await payNumber('that fails', '555003', 'failed', 'failed after')
  const canceled = await team.call('DELETE', `/payments/${payments['by ACH']}`)
  await pass(24 * 8)

  const reversalId = String((await get(`/payments/${payments['returned']}`))['reversal_id'])
  const reversalPath = `/payments/${payments['returned']}/reversals/${reversalId}`
  const approved = await team.call('PUT', reversalPath, { status: 'pending' })
  await pass(24)

  const results: Record<string, unknown> = {}
  for (const [name, id] of Object.entries(payments)) {
    const { status, error, returned_as, source_trace_id, destination_trace_id } = await get(`/payments/${id}`)
    const postings = await get(`/payments/${id}/postings`)
    const events = (await get(`/events?resource_id=${id}`))['data'] as { type: string; data: { status?: string } }[]
    results[name] = {
      ...{ status, error, returned_as, source_trace_id, destination_trace_id },
      ...{ agrees: postings['agrees'], sum: postings['sum'] },
      lines: (postings['data'] as { account: string; amount: number }[]).map(({ account, amount }) => [
        account.replace(/^acc_.*/, 'account'),
        amount,
      ]),
      events: events.map(({ type }) => type),
    }
  }
  const reversal = approved.status === 200 ? await get(reversalPath) : {}
  return {
    results,
    canceled: [canceled.status, canceled.body.error?.sub_type],
    reversal: [approved.status, reversal['status'], reversal['error']],
    corrected: ((await get(`/accounts/${accounts['with a notice of change']}`))['ach'] as { number: string }).number,
    transfers: [...bank.transfers.all.values()].map(({ type, amount, status }) => [type, amount, status]),
    reconciliation: await world.reconcile(),
    balance: bank.bank.availableBalance(bank.accounts[0]!),
  }
}

it('payments have equal results in the service and in a connector, whatever fails on the way', async () => {
  const [inService, inConnector] = [await startWorld('service'), await startWorld('connector')]
  const [expected, results] = await Promise.all([runScript(inService), runScript(inConnector)])
  expect(results).toEqual(expected)
  expect(expected.results).toMatchObject({
    'by ACH': { status: 'posted', agrees: true },
    'by check': { status: 'posted', agrees: true },
    returned: { status: 'reversed', error: { code: 10008 }, returned_as: { code: 'R02' }, agrees: true },
    'with a notice of change': { status: 'posted', agrees: true },
    'whose answer is lost': { status: 'posted', agrees: true },
    'whose request is lost': { status: 'posted', agrees: true },
    'that fails': { status: 'posted', agrees: true },
  })
  expect(expected).toMatchObject({
    canceled: [400, 'INVALID_STATUS'],
    reversal: [200, 'sent', null],
    corrected: '987654321',
  })
  expect(expected.transfers.map(([type]) => type).filter(type => type === 'check_transfer')).toHaveLength(1)
  expect(expected.reconciliation).toMatchObject({ matched: expected.transfers.length + 1, exceptions: 0 })
  expect(expected.transfers).toHaveLength(Object.keys(expected.results).length)
  expect(inConnector.connector!.lines.filter(line => line.includes('"fault"'))).toEqual([])
}, 120_000)

it('a webhook reaches the service through the connector, even if the service is down at first', async () => {
  const { service, team, bank, get, connector, deliver, serviceNetwork } = await startWorld('connector')
  await team.must('PATCH', '/team', { ach_destinations: true })
  const [source, destination] = [(await team.source()).id, (await team.source('555001')).id]
  const { id } = await team.must('POST', '/payments', { amount: 5_000, source, destination, description: 'x' })
  await service.settle()
  expect(await get(`/payments/${id}`)).toMatchObject({ status: 'pending' })
  const [transfer] = bank.transfers.all.keys()
  const request = new Request(`${BANK}/simulations/ach_transfers/${transfer}/submit`, {
    method: 'POST',
    headers: { authorization: 'Bearer emulator_api_key' },
  })
  expect((await bank.answer(request)).status).toBe(200)
  serviceNetwork.isDown = true
  await deliver()
  expect(await get(`/payments/${id}`)).toMatchObject({ status: 'pending' })
  serviceNetwork.isDown = false
  service.advance(MINUTE_MS)
  await connector!.sendPushes()
  await service.settle()
  expect(await get(`/payments/${id}`)).toMatchObject({ status: 'processing' })
})
