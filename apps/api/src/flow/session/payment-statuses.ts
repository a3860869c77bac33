import { isLost, type Outcome, outcomeOf } from '@causeway/contract/outcome'
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
  /** True if nothing was paid: every payment, also of the release, was refused, failed or was returned. */
  none_paid: boolean
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
    const released = sessionJson.payment_ids.read(session.payment_ids)
    return session.released_at === null || accounts.length === 0 ? [] : [{ session, accounts, released }]
  })
  if (partial.length === 0) return new Map()
  const rows = await db
    .selectFrom('payments')
    .select(['id', 'destination', 'amount', 'status', 'metadata'])
    .where('team_id', '=', team.id)
    .where('destination', 'in', [...new Set(partial.flatMap(({ released }) => Object.keys(released)))])
    .where('created_at', '>=', Math.min(...partial.map(({ session }) => session.released_at!)))
    .orderBy('id')
    .execute()
  return new Map(
    partial.map(({ session, accounts, released }) => {
      const allocations = readAllocations(session)
      const rest: RestPayments = { unpaid: [], rest_payment_ids: {}, none_paid: true }
      for (const account of accounts) {
        const payments = rows.filter(
          row => row.destination === account && paysRest(row, session.id, allocations[account]),
        )
        const live = payments.findLast(row => !isLost(outcomeOf(row.status)))
        const payment = live ?? payments.at(-1)
        if (payment) rest.rest_payment_ids[account] = payment.id
        if (!live) rest.unpaid.push(account)
      }
      rest.none_paid = rows.every(
        row => !paysSession(row, { session, released, allocations }) || nothingPaid.has(outcomeOf(row.status)),
      )
      return [session.id, rest] as const
    }),
  )
}

/** The outcomes of payments that paid nothing, or whose money is returned in full. */
const nothingPaid: ReadonlySet<Outcome> = new Set(['not_made', 'returning', 'returned'])

/** True if a payment was made by a session's release, or replaces one that the release could not make. */
const paysSession = (
  row: Pick<Tables['payments'], 'id' | 'destination' | 'amount' | 'metadata'>,
  {
    session,
    released,
    allocations,
  }: {
    session: SessionRow
    released: Readonly<Record<string, string | null>>
    allocations: Readonly<Record<string, number>>
  },
): boolean =>
  row.destination !== null &&
  Object.hasOwn(released, row.destination) &&
  (released[row.destination] === row.id || paysRest(row, session.id, allocations[row.destination]))

/** True if a payment replaces one that the release could not make. */
const paysRest = (
  { amount, metadata }: Pick<Tables['payments'], 'amount' | 'metadata'>,
  session: string,
  allocated: number | undefined,
): boolean => amount === allocated && namesSession(metadata, session)

const namesSession = (metadata: Tables['payments']['metadata'], session: string): boolean =>
  readJson('payments.metadata', metadata)?.['session_id'] === session
