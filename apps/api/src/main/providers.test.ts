/** The whole service with real providers in place of the sandbox, each against its emulator. */
import { readSettings } from '@causeway/connector/provider/settings'
import { HOUR_MS } from '@causeway/contract/time'
import { NEWEST_VERSION, VERSION_HEADER } from '@causeway/contract/versions'
import { returnCode, returnCodes } from '@causeway/providers/increase/codes'
import { createIncreaseEmulator } from '@causeway/providers/increase/emulator/emulator'
import type { Ach } from '@causeway/providers/increase/emulator/transfers'
import { providers } from '@causeway/providers/index'
import { createTwilioEmulator, emulatorIds } from '@causeway/providers/twilio/emulator/emulator'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readPayee } from '../network/payees/payee.js'
import { confirmPayee, proposePayees } from '../network/payees/store.js'
import { hookPath } from '../network/providers/hooks.js'
import { createVault } from '../platform/crypto/vault.js'
import { fundingAccount, Person, someone, transferToken } from '../testing/frame.js'
import { lender } from '../testing/money.js'
import { masterKey, type TestService, testService } from '../testing/service.js'
import type { Config } from './config.js'
import { checkProviders } from './operator/provider-checks.js'
import { checkStatements } from './operator/statement.js'

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
  INCREASE_CARD_PUSH: 'on',
  INCREASE_TOKENIZATION_KEY: 'emulator_tokenization_key',
  INCREASE_CARD_MERCHANT: 'Example Lending;EXAM;6012;1 Main St;Austin;TX;78701',
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
    service.advance(6 * HOUR_MS)
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

  const day = (at: number) => new Date(at).toISOString().slice(0, 10)
  const routes = new Map([['rail/submit', 'increase']])
  const config = { masterKey, routes, providers: [configure('increase')], connector: null } as unknown as Config
  const days = [day(now() - 30 * 24 * HOUR_MS), day(now())]
  const statement = () =>
    checkStatements(service.store, config, now(), days, async (input, init) =>
      increase.answer(new Request(input, init)),
    )
  expect(await statement()).toMatchObject({
    ok: true,
    runs: [{ provider: 'increase', matched: payments.length, exceptions: 0, open: [] }],
  })
})

describe('an ACH credit', () => {
  const newest = { [VERSION_HEADER]: NEWEST_VERSION }
  const get = async (path: string) => (await service.call('GET', path, undefined, newest)).body
  const transferTo = (number: string) =>
    [...increase.transfers.all.values()].find(each => 'account_number' in each && each.account_number === number) as Ach
  let bank: ReturnType<typeof lender>
  let source: string
  beforeAll(async () => {
    bank = lender(service)
    await bank.must('PATCH', '/team', { ach_destinations: true })
    source = (await bank.source()).id
  })

  async function pay(destination: string): Promise<string> {
    const { id } = await bank.must('POST', '/payments', { amount: 5_000, source, destination, description: 'x' })
    return id
  }
  /** Pays an account whose number tells the emulator what happens to the payment. */
  async function payNumber(number: string) {
    const { id: account } = await bank.source(number)
    return { account, id: await pay(account) }
  }

  it("that is returned has our code and the bank's for every return code, and the ledger agrees", async () => {
    const returned: { id: string; raw: string; number: string }[] = []
    for (const raw of Object.values(returnCodes)) {
      const number = `7700${raw.slice(1)}`
      returned.push({ raw, number, id: (await payNumber(number)).id })
    }
    await service.settle()
    await pass(24 * 7)
    for (const { id, raw, number } of returned) {
      const { return: back } = transferTo(number)
      expect(await get(`/payments/${id}`), raw).toMatchObject({
        status: 'reversal_required',
        error: { code: returnCode(raw) },
        returned_as: { code: raw, at: back!.created_at, trace: back!.trace_number },
      })
      expect(await get(`/payments/${id}/postings`), raw).toMatchObject({ agrees: true, sum: 0 })
    }
    const codeOf = async (code: string) =>
      (await get(`/payments/${returned.find(({ raw }) => raw === code)!.id}`))['error']
    expect(await codeOf('R02')).toMatchObject({ code: 10008 })
    expect(await codeOf('R19')).toMatchObject({ code: 10010 })
    expect(await codeOf('R23')).toMatchObject({ code: 10009 })
  }, 120_000)

  it('with a notice of change arrives, and corrects the account', async () => {
    const { id, account } = await payNumber('779801')
    await service.settle()
    await pass(24 * 7)
    expect(await get(`/payments/${id}`)).toMatchObject({ status: 'posted', error: null, returned_as: null })
    expect(await get(`/accounts/${account}`)).toMatchObject({ ach: { number: '987654321' } })
    expect((await get(`/events?resource_id=${account}&type=account.number.update`))['data']).toHaveLength(1)
  })

  it('that is returned and then has a notice of change leaves the disabled account as it is', async () => {
    const { id, account } = await payNumber('779701')
    await service.settle()
    await pass(24 * 7)
    expect(await get(`/payments/${id}`)).toMatchObject({ status: 'reversal_required', returned_as: { code: 'R03' } })
    expect(await get(`/accounts/${account}`)).toMatchObject({ status: 'disabled', ach: { number: '779701' } })
    expect(service.lines.find(line => line.includes('payee_correction_reported') && line.includes(id))).toBeDefined()
  })

  it('to a payee with a notice of change is listed by doctor until the payee is replaced', async () => {
    const debts = (await get('/accounts?type=liability'))['data'] as { id: string; liability: { mch_id: string } }[]
    const { id: debt, liability } = debts.find(each => each.liability)!
    const confirm = async (account: string) => {
      const merchant = liability.mch_id
      const payee = readPayee({ merchant, route: 'ach', routing: '021000021', account, sec: 'ccd' })
      const vault = createVault(masterKey)
      for (const id of await proposePayees({ store: service.store, vault }, [payee as never], 'Ana', now()))
        await confirmPayee(service.store, id, 'Ben', now())
    }
    const findings = async () => {
      const found: string[] = []
      for await (const { message } of checkProviders(
        { providers: [], routes: new Map(), environment: 'sandbox' } as unknown as Config,
        service.store,
        now(),
      ))
        found.push(message)
      return found.join()
    }
    await confirm('7798011')
    const id = await pay(debt)
    await service.settle()
    await pass(24 * 7)
    expect(await get(`/payments/${id}`)).toMatchObject({ status: 'posted' })
    expect(await findings()).toContain(`${id} (C01)`)
    await confirm('987654321')
    expect(await findings()).not.toContain(id)
  })
})

it('a card whose expiration date is known is paid through its network, and others are refused', async () => {
  const bank = lender(service)
  const source = await bank.source()
  const vault = createVault(masterKey)
  const payees = service.deps.ports.network
    .merchants()
    .map(({ id }) => readPayee({ merchant: id, route: 'card_push' }) as never)
  for (const id of await proposePayees({ store: service.store, vault }, payees, 'Ana', now()))
    await confirmPayee(service.store, id, 'Ben', now())
  const { entity, accounts } = await bank.debts('+15125550100')
  const pay = (destination: string) => ({ amount: 5_000, source: source.id, destination, description: 'x' })

  const loan = await bank.must('POST', '/accounts', {
    holder_id: entity,
    liability: { mch_id: 'mch_302086', account_number: '4936494462408721' },
  })
  expect(await bank.rejection('POST', '/payments', pay(loan.id))).toBe('PAYMENT_REFUSED_BY_RAIL')
  await bank.must('PUT', `/accounts/${accounts[1]!.id}`, {
    liability: { credit_card: { number: '4000000000090342' } },
  })
  const { id } = await bank.must('POST', '/payments', pay(accounts[1]!.id))
  await service.settle()
  await pass(24)
  expect((await service.call('GET', `/payments/${id}`)).body).toMatchObject({ status: 'posted' })
  const pushed = [...increase.transfers.all.values()].find(({ type }) => type === 'card_push_transfer')
  expect(pushed).toMatchObject({ idempotency_key: id, status: 'complete', presentment_amount: { value: '50.00' } })
})
