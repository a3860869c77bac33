/** Test helper that runs a service whose rail is Increase, against its emulator. */
import { readSettings } from '@causeway/connector/provider/settings'
import { DAY_MS } from '@causeway/contract/time'
import { createIncreaseEmulator } from '@causeway/providers/increase/emulator/emulator'
import { increase } from '@causeway/providers/increase/provider'
import { applyPayee } from '../network/payees/materialize.js'
import { readPayee } from '../network/payees/payee.js'
import { confirmPayee, proposePayees } from '../network/payees/store.js'
import { hookPath } from '../network/providers/hooks.js'
import type { ConfiguredProvider } from '../network/providers/host.js'
import { createVault } from '../platform/crypto/vault.js'
import { consoleOf, type Reply } from './console.js'
import { lender } from './money.js'
import { masterKey, type TestService, testService } from './service.js'

const SECRET = 'the shared secret of the subscription'
const env = {
  INCREASE_API_URL: 'http://127.0.0.1:4702',
  INCREASE_API_KEY: 'emulator_api_key',
  INCREASE_WEBHOOK_SECRET: SECRET,
}

type Row = Record<string, unknown>

/** Starts a service that pays by Increase. `network` can break the connection between them. */
export async function bankService({
  network = answer => answer,
}: {
  network?: (answer: (request: Request) => Promise<Response>) => (request: Request) => Promise<Response>
} = {}) {
  const { values, faults } = readSettings(increase.settings, env)
  if (faults) throw new Error(JSON.stringify(faults))
  const configured: ConfiguredProvider = { provider: increase, settings: values }
  let now = () => 0
  const emulator = createIncreaseEmulator({
    now: () => now(),
    accounts: [{ name: 'Lender', balance: 100_000_000, routing: '062103000', number: '123456789' }],
    webhooks: { url: `https://api.example.com${hookPath('increase')}`, secret: SECRET },
  })
  const answer = network(emulator.answer)
  const send: typeof fetch = (input, init) => answer(new Request(input, init))
  const service: TestService = await testService({
    paysByDirectory: true,
    providers: { list: [configured], fetch: send },
  })
  now = service.deps.clock
  const team = lender(service)

  /** Delivers the bank's webhooks. */
  async function deliver(): Promise<void> {
    for (const { headers, body } of emulator.takeWebhooks()) {
      const request = new Request(`http://127.0.0.1:4000${hookPath('increase')}`, { method: 'POST', headers, body })
      const { status } = await service.app.api.fetch(request)
      if (status !== 200) throw new Error(`The webhook was answered with ${status}.`)
    }
  }
  const { send: sendToConsole, operator } = consoleOf(service)
  /** Sends a request to an operator's endpoint. Signs in anew, because sessions end as tests let days pass. */
  const sendAsOperator = async (method: string, path: string, body?: object): Promise<Reply> =>
    sendToConsole(method, `/api/operator/${path}`, { cookie: (await operator()).cookie, body })
  async function ask(method: string, path: string, body?: object) {
    const reply = await sendAsOperator(method, path, body)
    if (reply.status !== 200) throw new Error(`${method} ${path}: ${reply.text}`)
    return reply.body as Row & { data: Row[] }
  }
  const runs = async () => (await ask('GET', 'reconciliations')).data as (Row & { result: Row })[]
  return {
    sendAsOperator,
    ask,
    /** Lists the comparisons of statements, latest first. */
    runs,
    /** Compares the statement now, as an operator does. @returns the comparison */
    async compare() {
      service.advance(1)
      await ask('POST', 'reconciliations', { team: 'all' })
      await service.settle()
      return (await runs())[0]!
    },
    service,
    emulator,
    configured,
    send,
    team,
    deliver,
    /** Lets days pass, with webhooks and jobs. */
    async pass(days: number): Promise<void> {
      for (let at = 0; at < days * DAY_MS; at += DAY_MS) {
        service.advance(DAY_MS)
        emulator.forward(0)
        await deliver()
        await service.settle()
      }
      await deliver()
      await service.settle()
    },
    /** Sets how a merchant is paid. */
    async payBy(merchant: string, route: Record<string, string>): Promise<void> {
      const directory = { store: service.store, vault: createVault(masterKey) }
      const payee = readPayee({ merchant, ...route })
      if ('problems' in payee) throw new Error(payee.problems.join())
      const [id = ''] = await proposePayees(directory, [payee], 'Ana', now())
      await confirmPayee(service.store, id, 'Ben', now())
      await applyPayee(service.store, merchant, payee.details, ['ach', 'check', 'card_push'])
    },
    /** The transfer of a payment at the bank. */
    transferOf: (payment: string) =>
      [...emulator.transfers.all.values()].find(({ idempotency_key }) => idempotency_key === payment)!,
  }
}
