import { isLost, outcomeOf } from '@causeway/contract/outcome'
import { readJson } from '../../platform/db/json.js'
import type { Tables } from '../../platform/db/tables.js'
import type { Scope } from '../../platform/scope.js'
import { readAllocations, type SessionRow, sessionJson } from './session.js'

/**
 * Returns the status of each account's payment. If the release could not pay an account, or its payment failed later,
 * the customer can pay the account with `POST /payments`. That payment counts if it has the same amount and the
 * `session_id` in its metadata.
 */
export async function paymentStatuses(scope: Scope, session: SessionRow): Promise<Record<string, string | null>> {
  const ids = sessionJson.payment_ids.read(session.payment_ids)
  if (session.released_at === null || Object.keys(ids).length === 0) return {}
  const allocations = readAllocations(session)
  const rows = await scope.db
    .selectFrom('payments')
    .select(['id', 'destination', 'amount', 'status', 'metadata'])
    .where('team_id', '=', scope.team.id)
    .where('destination', 'in', Object.keys(ids))
    .where('created_at', '>=', session.released_at)
    .orderBy('id')
    .execute()
  const isOf = (row: (typeof rows)[number], account: string) =>
    row.id === ids[account] || (row.destination === account && paysRest(row, session.id, allocations[account]))
  return Object.fromEntries(
    Object.keys(ids).map(account => {
      const payments = rows.filter(row => isOf(row, account))
      const last = payments.filter(row => !isLost(outcomeOf(row.status))).at(-1) ?? payments.at(-1)
      return [account, last?.status ?? null]
    }),
  )
}

/** The payments made since the release to the accounts that it could not pay. */
export interface RestPayments {
  /** The accounts that no payment has paid. */
  unpaid: string[]
  /** The payment of each account that has one, keyed by account: the one that pays it, or else the latest. */
  rest_payment_ids: Record<string, string>
}

/**
 * Returns, by session, the payments made since a release to the accounts that it could not pay. Reads the payments of
 * all sessions in one query, and none if no release failed in part.
 */
export async function restPayments(
  { db, team }: Scope,
  sessions: readonly SessionRow[],
): Promise<ReadonlyMap<string, RestPayments>> {
  const partial = sessions.flatMap(session => {
    const accounts = Object.keys(sessionJson.payment_errors.read(session.payment_errors))
    return session.released_at === null || accounts.length === 0 ? [] : [{ session, accounts }]
  })
  if (partial.length === 0) return new Map()
  const rows = await db
    .selectFrom('payments')
    .select(['id', 'destination', 'amount', 'status', 'metadata'])
    .where('team_id', '=', team.id)
    .where('destination', 'in', [...new Set(partial.flatMap(({ accounts }) => accounts))])
    .where('created_at', '>=', Math.min(...partial.map(({ session }) => session.released_at!)))
    .orderBy('id')
    .execute()
  return new Map(
    partial.map(({ session, accounts }) => {
      const allocations = readAllocations(session)
      const rest: RestPayments = { unpaid: [], rest_payment_ids: {} }
      for (const account of accounts) {
        const payments = rows.filter(
          row => row.destination === account && paysRest(row, session.id, allocations[account]),
        )
        const live = payments.findLast(row => !isLost(outcomeOf(row.status)))
        const payment = live ?? payments.at(-1)
        if (payment) rest.rest_payment_ids[account] = payment.id
        if (!live) rest.unpaid.push(account)
      }
      return [session.id, rest] as const
    }),
  )
}

/** True if a payment replaces one that the release could not make. */
const paysRest = (
  { amount, metadata }: Pick<Tables['payments'], 'amount' | 'metadata'>,
  session: string,
  allocated: number | undefined,
): boolean => amount === allocated && namesSession(metadata, session)

const namesSession = (metadata: Tables['payments']['metadata'], session: string): boolean =>
  readJson('payments.metadata', metadata)?.['session_id'] === session
