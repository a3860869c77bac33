import { randomInt } from 'node:crypto'
import { accountAnswers } from '@causeway/contract/endpoints/accounts'
import { type ResourceErrorCode, resourceCodes, ServiceError } from '@causeway/contract/errors'
import type { CardDetails } from '../../network/account-data.js'
import { parse } from '../../platform/http/body.js'
import type { Limit } from '../../platform/limits/limit.js'
import type { Scope } from '../../platform/scope.js'
import type { Proof } from '../products/account-rules.js'
import type { AccountRow } from './account.js'
import { depositSends, numberGuesses } from './attempts.js'
import { instant, network, preAuth } from './card-methods.js'
import { readNumber } from './show.js'

/** What a session knows: sealed as the record's data. A card's verification value is never in it. */
export interface SessionData extends Record<string, unknown> {
  tries: number
}

/** What one answer made of a session, and of its account where it is verified. */
export interface Verdict {
  status: 'pending' | 'verified' | 'failed'
  data?: Record<string, unknown>
  code?: ResourceErrorCode
  number?: string
  card?: CardDetails
}

/** A session while it is answered. `request_id` is another one for each try. */
export interface Asked {
  scope: Scope
  account: AccountRow
  data: SessionData
  request_id: string
}

/** One way to verify an account: everything that makes it one. */
export interface Method<Answer = unknown> {
  /** What a verified session proves. */
  proves: readonly Proof[]
  /** How often it can be answered. */
  tries: number
  /** Limits wrong answers per account, across its sessions. */
  guesses?: Limit
  /** Limits sessions per account, where beginning one costs money. */
  begins?: Limit
  /** Whether a team can begin one; the others are the service's own. */
  creatable: boolean
  /** Whether such an account can be verified so. Pure. */
  fits(account: AccountRow): boolean
  /** What a new session knows. */
  begin(scope: Scope, account: AccountRow): Record<string, unknown>
  /** What is done outside once it has begun: `sent` makes it in progress. */
  start?(asked: Asked): Promise<{ status: 'sent' } | { status: 'failed'; code: ResourceErrorCode }>
  /** Reads the block of an answer. Throws INVALID_REQUEST before the try is counted. */
  read(block: unknown, data: SessionData): Answer
  /** Judges an answer, asking the outside. */
  judge(asked: Asked, answer: Answer): Promise<Verdict>
  show(data: SessionData, verified: boolean): Record<string, unknown>
  /** The block in an event, where that is less. */
  tell?(): Record<string, unknown>
}

/** A definition with its answer's type put aside, for what treats all alike. */
export const method = <Answer>(definition: Method<Answer>): Method => definition as Method

const ach = (account: AccountRow) => account.type === 'ach'

/** What the service verifies by itself, when the account is made. */
const own = (): Method =>
  method<never>({
    proves: [],
    tries: 0,
    creatable: false,
    fits: ach,
    begin: () => ({}),
    read() {
      throw new ServiceError('INVALID_VERIFICATION_STATUS')
    },
    judge: async () => ({ status: 'verified' }),
    show: () => ({}),
  })

const standard = method<{ number: string }>({
  proves: ['number'],
  tries: 5,
  guesses: numberGuesses,
  creatable: true,
  fits: account => account.type === 'liability' && account.reference !== null,
  begin: (_scope, account) => ({ number: account.number !== null }),
  read: block => parse(accountAnswers.standard, block, 'standard'),
  async judge({ scope, account, request_id }, { number }) {
    const { deps, team, now } = scope
    const call = { request_id, team_id: team.id, now, account: account.reference ?? '', number }
    const verdict = await deps.ports.network.verifyNumber(call)
    if (verdict.status === 'verified') return { status: 'verified', data: { number: true }, number }
    return {
      status: verdict.code === resourceCodes.VERIFICATION_TYPE_NOT_SUPPORTED ? 'failed' : 'pending',
      data: { number: false },
      code: verdict.code,
    }
  },
  show: data => ({ number: data['number'] ? 'xxxxxxxxxxxxxxxx' : null }),
})

const LEAST = 20
const MOST = 99

const microDeposits = method<{ amounts: number[] }>({
  proves: ['owner'],
  tries: 5,
  begins: depositSends,
  creatable: true,
  fits: ach,
  begin() {
    const first = randomInt(LEAST, MOST + 1)
    const second = randomInt(LEAST, MOST)
    return { amounts: [first, second < first ? second : second + 1] }
  },
  start: ({ scope, account, data, request_id }) =>
    scope.deps.ports.network.deposit({
      request_id,
      team_id: scope.team.id,
      now: scope.now,
      routing: account.routing ?? '',
      number: readNumber(scope, account) ?? '',
      amounts: data['amounts'] as [number, number],
    }),
  read(block) {
    const read = accountAnswers.micro_deposits.safeParse(block)
    if (!read.success) throw new ServiceError('INVALID_VERIFICATION_AMOUNTS')
    return read.data
  },
  async judge({ data }, { amounts }) {
    const sorted = (list: readonly number[]) => [...list].sort((a, b) => a - b).join()
    const right = sorted(amounts) === sorted(data['amounts'] as number[])
    return right ? { status: 'verified' } : { status: 'pending', code: resourceCodes.INVALID_DETAILS }
  },
  show: (data, verified) => ({ amounts: verified ? (data['amounts'] ?? []) : [] }),
})

/** What a linking provider told the customer, kept and shown as it is. */
function linked(name: 'plaid' | 'mx' | 'teller', one: 'balances' | 'account'): Method {
  const blank = { [one]: {}, transactions: [] }
  return method<Record<string, unknown>>({
    proves: ['owner'],
    tries: 1,
    creatable: true,
    fits: ach,
    begin: () => ({ block: blank }),
    read: block => parse(accountAnswers[name], block, name),
    judge: async (_asked, block) => ({ status: 'verified', data: { block } }),
    show: data => (data['block'] as Record<string, unknown> | undefined) ?? blank,
    tell: () => blank,
  })
}

/** Every way to verify an account, by the type of its session. */
export const methods: Readonly<Record<string, Method>> = {
  micro_deposits: microDeposits,
  plaid: linked('plaid', 'balances'),
  mx: linked('mx', 'account'),
  teller: linked('teller', 'balances'),
  auto_verify: own(),
  trusted_provisioner: own(),
  standard,
  instant,
  pre_auth: preAuth,
  network,
}
