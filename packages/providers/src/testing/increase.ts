/** Increase with its emulator, for tests. */
import type { FaultyAnswer } from '@causeway/connector/emulator/faults'
import type { RailAccount, RailPayment } from '@causeway/connector/ports/rail'
import type { AnswerOf, MethodPath } from '@causeway/connector/provider/paths'
import { createMemoryHost } from '@causeway/connector/testing/memory-host'
import { createIncreaseEmulator, type EmulatorOptions } from '../increase/emulator/emulator.js'
import { increase } from '../increase/provider.js'
import type { Context } from '../increase/settings.js'
import { checked } from './checked.js'
import { readDocument } from './document.js'
import { fetchFrom } from './emulated.js'

export const START = Date.parse('2026-11-30T15:10:00Z')
const SECRET = 'a shared secret of the subscription'

export const sourceAccount: RailAccount = {
  id: 'acc_source',
  type: 'ach',
  routing: '101050001',
  number: '987654321',
  reference: null,
  mch_id: null,
  holder: { name: 'Example Lending', kind: 'business' },
}

/** An `ach` account of a person. */
export const personAccount: RailAccount = {
  id: 'acc_person',
  type: 'ach',
  routing: '021000021',
  number: '123456789',
  reference: null,
  mch_id: null,
  holder: { name: 'Zoë Ångström-Fitzgerald Johansson', kind: 'person' },
  account_type: 'savings',
}

const debt: RailAccount = {
  id: 'acc_debt',
  type: 'liability',
  routing: null,
  number: '4000 1234-5678',
  reference: 'ref',
  mch_id: 'a_merchant',
}

/** A debt whose merchant is paid by ACH into one account, with the debt's number in the addenda. */
export const achDebt: RailAccount = {
  ...debt,
  payee: { route: 'ach', routing: '021000021', account: '5550001', sec: 'ccd', addenda: 'LOAN 400012345678' },
}

/** A card that is paid by card push. */
export const cardDebt: RailAccount = {
  ...debt,
  number: '4000 1234 5678 9010',
  holder: { name: 'Ana Diaz', kind: 'person' },
  card: { exp_month: '07', exp_year: '2030' },
  payee: { route: 'card_push' },
}

export const cardEnv = {
  INCREASE_CARD_PUSH: 'on',
  INCREASE_TOKENIZATION_KEY: 'emulator_tokenization_key',
  INCREASE_CARD_MERCHANT: 'Example Lending;EXAM;6012;1 Main St;Austin;TX;78701',
}

export const checkDebt: RailAccount = {
  ...debt,
  payee: {
    route: 'check',
    name: 'Card Services',
    address: { line1: 'PO Box 15123', line2: null, city: 'Wilmington', state: 'DE', zip: '19850' },
    memo: 'Account 400012345678',
  },
}

export const payment = (changes: Partial<RailPayment> = {}): RailPayment => ({
  payment_id: 'pmt_1',
  amount: 50_000,
  fee: 500,
  source: sourceAccount,
  destination: personAccount,
  created_at: START,
  source_date: '2026-11-30',
  destination_date: '2026-12-01',
  ...changes,
})

const env = { INCREASE_API_KEY: 'emulator_api_key', INCREASE_WEBHOOK_SECRET: SECRET }

interface WorldOptions extends EmulatorOptions {
  env?: Record<string, string>
  /** False for answers that Increase's document does not know. */
  isChecked?: boolean
  /** The network between the provider and Increase. */
  network?: (answer: (request: Request) => Promise<Response>) => (request: Request) => Promise<FaultyAnswer>
}

/** A provider and its emulator. Every request and answer is checked against Increase's document. */
export function createWorld({ isChecked = true, network = answer => answer, ...options }: WorldOptions = {}) {
  const emulator = createIncreaseEmulator({
    now: () => START,
    webhooks: { url: 'https://api.example.com/hooks/increase', secret: SECRET },
    ...options,
  })
  const { answer } = isChecked ? checked([readDocument('increase')], emulator.answer) : emulator
  const requests: { method: string; path: string; body: string }[] = []
  const host = createMemoryHost(increase, {
    env: { ...env, ...options.env },
    now: () => emulator.bank.now(),
    // Ends the connections that the network hangs.
    timeoutMs: 5,
    fetch: fetchFrom(
      network(async request => {
        const { pathname } = new URL(request.url)
        requests.push({ method: request.method, path: pathname, body: await request.clone().text() })
        // The document leaves out the vault, which has a host of its own.
        return pathname === '/card_tokens' ? emulator.answer(request) : answer(request)
      }),
    ),
  })
  const callOf = (request_id: string, question: unknown) => ({
    request_id,
    team_id: 'tem_1',
    now: emulator.bank.now(),
    question,
  })

  return {
    emulator,
    host,
    requests,
    account: emulator.accounts[0]!,
    context: host.contextOf('tem_1') as Context,
    /** Calls a method as the service does, and returns its answer. */
    call: <Path extends MethodPath>(path: Path, question: unknown, id = 'r1', now?: number) =>
      host.exchange(path, { ...callOf(id, question), ...(now !== undefined && { now }) }) as Promise<AnswerOf<Path>>,
    /** Asks for the outcome of an act. */
    outcome: (method: MethodPath, question: unknown, id = 'r1') =>
      host.exchange('outcome', callOf(id, { method, question })) as Promise<{ known: boolean; answer?: unknown }>,
    /** Sends a request to the emulator, such as a simulation. */
    async send(
      method: string,
      path: string,
      body?: object,
      headers: Record<string, string> = {},
    ): Promise<{ status: number; isReplayed: boolean; body: Record<string, unknown> }> {
      const response = await answer(
        new Request(`https://api.increase.com${path}`, {
          method,
          headers: {
            authorization: `Bearer ${env.INCREASE_API_KEY}`,
            ...(body && { 'content-type': 'application/json' }),
            ...headers,
          },
          ...(body && { body: JSON.stringify(body) }),
        }),
      )
      return {
        status: response.status,
        isReplayed: response.headers.has('idempotent-replayed'),
        body: (await response.json()) as Record<string, unknown>,
      }
    },
    /** The transfer that a payment caused. */
    transferOf: (id = 'pmt_1') =>
      [...emulator.transfers.all.values()].find(({ idempotency_key }) => idempotency_key === id),
  }
}
