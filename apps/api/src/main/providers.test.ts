/** The whole service with real providers in place of the sandbox, each against its emulator. */
import { readSettings } from '@causeway/connector/provider/settings'
import { createIncreaseEmulator } from '@causeway/providers/increase/emulator/emulator'
import { providers } from '@causeway/providers/index'
import { createTwilioEmulator, emulatorIds } from '@causeway/providers/twilio/emulator/emulator'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readPayee } from '../network/payees/payee.js'
import { confirmPayee, proposePayees } from '../network/payees/store.js'
import { hookPath } from '../network/providers/hooks.js'
import { createVault } from '../platform/crypto/vault.js'
import { fundingAccount, Person, someone, transferToken } from '../testing/frame.js'
import { masterKey, type TestService, testService } from '../testing/service.js'

const HOUR = 3_600_000
const TWILIO = 'http://127.0.0.1:4701'
const INCREASE = 'http://127.0.0.1:4702'
const SECRET = 'the shared secret of the subscription'
const env = {
  TWILIO_API_URL: TWILIO,
  TWILIO_ACCOUNT_SID: emulatorIds.account,
  TWILIO_API_KEY: emulatorIds.apiKey,
  TWILIO_API_SECRET: emulatorIds.apiSecret,
  TWILIO_VERIFY_SERVICE: emulatorIds.service,
  INCREASE_API_URL: INCREASE,
  INCREASE_API_KEY: 'emulator_api_key',
  INCREASE_WEBHOOK_SECRET: SECRET,
}
let service: TestService
let twilio: ReturnType<typeof createTwilioEmulator>
let increase: ReturnType<typeof createIncreaseEmulator>
let now = () => 0

const configure = (name: 'twilio' | 'increase') => {
  const provider = providers[name]!
  const { values, faults } = readSettings(provider.settings, env)
  if (faults) throw new Error(JSON.stringify(faults))
  return { provider, settings: values }
}

beforeAll(async () => {
  twilio = createTwilioEmulator({ now: () => now() })
  increase = createIncreaseEmulator({
    now: () => now(),
    accounts: [{ name: 'Lender', balance: 100_000_000, routing: '062103000', number: '123456789' }],
    webhooks: { url: 'https://api.example.com/hooks/increase', secret: SECRET },
  })
  service = await testService({
    paysByDirectory: true,
    providers: {
      list: [configure('twilio'), configure('increase')],
      fetch: async (input, init) => {
        const request = new Request(input, init)
        return (request.url.startsWith(TWILIO) ? twilio : increase).answer(request)
      },
    },
  })
  now = () => service.deps.clock()
})
afterAll(() => service.stop())

/** Delivers the bank's webhooks. */
async function deliver() {
  for (const { headers, body } of increase.takeWebhooks()) {
    const request = new Request(`http://127.0.0.1:4000${hookPath('increase')}`, { method: 'POST', headers, body })
    expect((await service.app.api.fetch(request)).status).toBe(200)
  }
}

/** Lets time pass, delivers the bank's webhooks and runs the jobs. */
async function pass(hours: number) {
  for (let hour = 0; hour < hours; hour += 6) {
    service.advance(6 * HOUR)
    increase.forward(0)
    await deliver()
    await service.settle()
    await deliver()
  }
}

it('a person verifies a phone by Twilio, and a release pays the debts by ACH and by check', async () => {
  const vault = createVault(masterKey)
  const merchants = service.deps.ports.network.merchants()
  const inputs = merchants.map((merchant, index) =>
    readPayee(
      index % 2 === 0
        ? {
            merchant: merchant.id,
            route: 'ach',
            routing: '021000021',
            account: '5550001',
            sec: 'ccd',
            addenda: 'REF {payment}',
          }
        : {
            ...{ merchant: merchant.id, route: 'check', name: 'Card Services', line1: 'PO Box 1', city: 'Dallas' },
            ...{ state: 'TX', zip: '75201', memo: 'Ref {payment}' },
          },
    ),
  )
  for (const id of await proposePayees({ store: service.store, vault }, inputs as never, 'Ana', now()))
    await confirmPayee(service.store, id, 'Ben', now())

  const entity = await someone(service, '+15125550100')
  const source = await fundingAccount(service)
  const { element_token, session_id } = await transferToken(service, entity, { loan_amount: 1_000_000 })
  const person = await Person.arrive(service, element_token)
  await person.consent()
  await person.send({ action: 'send' })
  await person.send({ action: 'verify', code: '000000' })
  expect(person.view.step).toBe('code')
  await person.send({ action: 'verify', code: twilio.codeOf('+15125550100')! })
  await person.wait()
  const eligible = person.data('selection').accounts.filter(account => account.status !== 'ineligible')
  await person.send({ action: 'select', accounts: eligible.map(account => account.id) })
  await person.send({ action: 'review', allocations: person.data('allocation').suggestion })
  await person.send({ action: 'confirm' })
  expect(person.view.step).toBe('done')

  const released = await service.call('POST', `/opal/sessions/${session_id}`, {
    action: 'release_payments',
    data: { source },
  })
  expect(released.status).toBe(200)
  await service.settle()
  await deliver()
  await pass(24 * 14)
  const payments = (await service.call('GET', '/payments')).body['data'] as { status: string; amount: number }[]
  expect(payments.length).toBeGreaterThan(1)
  expect(payments.map(payment => payment.status)).toEqual(payments.map(() => 'posted'))
  const sent = [...increase.transfers.all.values()]
  expect(sent.map(({ amount }) => Math.abs(Number(amount))).sort()).toEqual(payments.map(({ amount }) => amount).sort())
  expect(new Set(sent.map(({ type }) => type)).size).toBe(2)
})
