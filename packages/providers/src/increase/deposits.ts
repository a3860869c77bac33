import { OutsideError } from '@causeway/connector/ports/outside-error'
import type { AnswerOf, CallOf } from '@causeway/connector/provider/paths'
import type { Outcome } from '@causeway/connector/provider/provider'
import { resourceCodes } from '@causeway/contract/errors'
import { isRouting } from '@causeway/contract/values/routing'
import type Increase from 'increase'
import { readAccountName } from './accounts.js'
import { createTransfer, list } from './client.js'
import { findLinked, linkTransfer } from './links.js'
import { toAscii } from './orders.js'
import type { Context } from './settings.js'

type Deposit = Increase.ACHTransferCreateParams

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
  { request_id, routing, number, amounts }: CallOf<'network/deposit'>,
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
  return { status: 'sent' }
}

export async function findDeposits(
  context: Context,
  { request_id }: CallOf<'network/deposit'>,
): Promise<Outcome<AnswerOf<'network/deposit'>>> {
  for (const key of keysOf(request_id))
    if (!(await findLinked(context, key, 'ach_transfers', { kind: 'session', id: request_id }))) return { known: false }
  return { known: true, answer: { status: 'sent' } }
}
