/** Test helper that runs a service whose rail is Increase, against its emulator. */
import { readSettings } from '@causeway/connector/provider/settings'
import { DAY_MS, HOUR_MS } from '@causeway/contract/time'
import { createIncreaseEmulator } from '@causeway/providers/increase/emulator/emulator'
import { increase } from '@causeway/providers/increase/provider'
import { readPayee } from '../network/payees/payee.js'
import { confirmPayee, proposePayees } from '../network/payees/store.js'
import { hookPath } from '../network/providers/hooks.js'
import type { ConfiguredProvider } from '../network/providers/host.js'
import { createVault } from '../platform/crypto/vault.js'
import { lender } from './money.js'
import { masterKey, type TestService, testService } from './service.js'

const SECRET = 'the shared secret of the subscription'
const env = {
  INCREASE_API_URL: 'http://127.0.0.1:4702',
  INCREASE_API_KEY: 'emulator_api_key',
  INCREASE_WEBHOOK_SECRET: SECRET,
}

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
  return {
    service,
    emulator,
    configured,
    send,
    team,
    deliver,
    /** Lets days pass, with webhooks and jobs. */
    async pass(days: number): Promise<void> {
      for (let at = 0; at < days * DAY_MS; at += 12 * HOUR_MS) {
        service.advance(12 * HOUR_MS)
        emulator.forward(0)
        await deliver()
        await service.settle()
      }
      await deliver()
      await service.settle()
    },
    /** Sets how every merchant is paid. */
    async payBy(route: Record<string, string>): Promise<void> {
      const vault = createVault(masterKey)
      const { store } = service
      const inputs = service.deps.ports.network.merchants().map(({ id }) => readPayee({ merchant: id, ...route }))
      for (const id of await proposePayees({ store, vault }, inputs as never, 'Ana', now()))
        await confirmPayee(store, id, 'Ben', now())
    },
    /** The transfer of a payment at the bank. */
    transferOf: (payment: string) =>
      [...emulator.transfers.all.values()].find(({ idempotency_key }) => idempotency_key === payment)!,
  }
}
