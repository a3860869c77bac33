import { OutsideError } from '@causeway/connector/ports/outside-error'
import type { AnswerOf, CallOf } from '@causeway/connector/provider/paths'
import type { Outcome } from '@causeway/connector/provider/provider'
import { resourceCodes } from '@causeway/contract/errors'
import { DAY_MS, MINUTE_MS } from '@causeway/contract/time'
import { isRouting } from '@causeway/contract/values/routing'
import type Increase from 'increase'
import { readAccountName } from './accounts.js'
import { createTransfer, list } from './client.js'
import { findLinked, linkTransfer } from './links.js'
import { toAscii } from './orders.js'
import { readState } from './payments.js'
import type { Context } from './settings.js'
import { nextRepeat } from './status.js'

type Deposit = Increase.ACHTransferCreateParams

/** The time between two checks of deposits, and the time after which no bank returns one. */
const CHECK_INTERVAL_MS = DAY_MS
const RETURN_WINDOW_MS = 7 * DAY_MS
/** A webhook can arrive before the time that Increase gives for the return, if the clocks differ. */
const CLOCK_SKEW_MS = MINUTE_MS

/** The keys of the two deposits of a verification. */
const keysOf = (id: string) => [`${id}.1`, `${id}.2`] as const
const failed = { status: 'failed', code: resourceCodes.MICRO_DEPOSITS_FAILED } as const

/** Returns the account that micro-deposits leave from. */
async function depositAccount(context: Context): Promise<string> {
  const { INCREASE_DEPOSIT_ACCOUNT } = context.settings
  if (INCREASE_DEPOSIT_ACCOUNT !== 'oldest') return INCREASE_DEPOSIT_ACCOUNT
  const accounts: { id: string; created_at: string }[] = []
  for await (const { id, status, created_at } of list(context, '/accounts'))
    if (status === 'open') accounts.push({ id: String(id), created_at: String(created_at) })
  const [oldest] = accounts.sort((a, b) => (a.created_at < b.created_at ? -1 : 1))
  if (!oldest) throw new OutsideError('Increase has no open account.', { outcome: 'nothing', retryable: false })
  return oldest.id
}

/** Sends two credits to a bank account. Their amounts prove that the person can read its statement. */
export async function deposit(
  context: Context,
  { request_id, routing, number, amounts, now }: CallOf<'network/deposit'>,
): Promise<AnswerOf<'network/deposit'>> {
  if (!isRouting(routing)) return failed
  let account = await context.store.get('deposit', request_id)
  if (account === undefined) account = await context.store.claim('deposit', request_id, await depositAccount(context))
  const company_name = toAscii(await readAccountName(context, String(account)), 16)
  for (const [i, key] of keysOf(request_id).entries()) {
    const body = {
      account_id: String(account),
      amount: amounts[i]!,
      statement_descriptor: company_name || 'ACCTVERIFY',
      ...(company_name && { company_name }),
      company_entry_description: 'ACCTVERIFY',
      account_number: number,
      routing_number: routing,
      standard_entry_class_code: 'prearranged_payments_and_deposit',
    } satisfies Deposit
    const { value, refusal } = await createTransfer(context, 'ach_transfers', body, key)
    if (!value) {
      context.log('warn', 'deposit_refused', { request_id, status: refusal.type })
      return failed
    }
    await linkTransfer(context, key, value, { kind: 'session', id: request_id })
  }
  return { status: 'sent', next_at: now + CHECK_INTERVAL_MS }
}

export async function findDeposits(
  context: Context,
  { request_id, now }: CallOf<'network/deposit'>,
): Promise<Outcome<AnswerOf<'network/deposit'>>> {
  for (const key of keysOf(request_id))
    if (!(await findLinked(context, key, 'ach_transfers', { kind: 'session', id: request_id }))) return { known: false }
  return { known: true, answer: { status: 'sent', next_at: now + CHECK_INTERVAL_MS } }
}

/** Reads both deposits. One that came back says that the account can't be credited. */
export async function depositStatus(
  context: Context,
  { request_id, now }: CallOf<'network/deposit_status'>,
): Promise<AnswerOf<'network/deposit_status'>> {
  let next_at: number | null = null
  for (const key of keysOf(request_id)) {
    const transfer = await findLinked(context, key, 'ach_transfers', { kind: 'session', id: request_id })
    if (!transfer) continue
    const { status, returned_as } = await readState(context, 'ach_transfers', transfer, now + CLOCK_SKEW_MS)
    // mutant: returned-deposit-is-reported (false)
    if (status === 'reversal_required' || status === 'failed')
      return { status: 'returned', code: returned_as?.code ?? transfer.status.slice(0, 40) }
    const createdAt = Date.parse(String(transfer['created_at']))
    const next = nextRepeat(createdAt, CHECK_INTERVAL_MS, now)
    if (next <= createdAt + RETURN_WINDOW_MS) next_at = Math.min(next_at ?? next, next)
  }
  return { status: 'sent', next_at }
}
