/** Pays the accounts that a release could not pay, each at most once. */
import type { OpalSession, Payment, Team } from '@causeway/sdk'
import { type Api, Failure, Waiting } from '../../api.js'

/** The largest number of refusals that one account's payment can follow. */
const MAX_ATTEMPTS = 50

/** Returns the unpaid accounts of a session, with their amounts in cents. */
export const unpaidOf = ({ bt }: Pick<OpalSession, 'bt'>): { account: string; amount: number }[] =>
  (bt?.unpaid ?? []).map(account => ({ account, amount: bt?.allocations[account] ?? 0 }))

/** Returns the amount in cents that a partly paid session still owes to its accounts. */
export const owedOf = (session: Pick<OpalSession, 'bt'>): number =>
  unpaidOf(session).reduce((sum, { amount }) => sum + amount, 0)

export interface RetryReport {
  paid: string[]
  /** The service's message for each account that was refused again. */
  refused: { account: string; message: string }[]
  /** The accounts whose payment waits for a second person. */
  waiting: string[]
}

/**
 * Pays what is unpaid now, according to the service. A payment's key names the session, the account and the attempt, so
 * a repeated click, a retry after a lost response, or a second user repeats the payment instead of adding one. The
 * service stores refusals under the key as well: an attempt whose stored refusal is replayed is followed by the next.
 * @param source the account that pays
 */
export async function retryPayments(
  api: Api,
  id: string,
  { reason, source }: { reason: string; source: string },
): Promise<RetryReport> {
  const session = await readSession(api, id)
  const report: RetryReport = { paid: [], refused: [], waiting: [] }
  const rest = unpaidOf(session)
  if (rest.length === 0) return report
  const { payment_description: description } = await api.get<Team>('/team')
  for (const { account, amount } of rest) {
    const body = { amount, source, destination: account, description, metadata: { session_id: id, reason } }
    const isUnpaid = async () => unpaidOf(await readSession(api, id)).some(each => each.account === account)
    const message = await payOnce(api, body, { key: `rest-${id}-${account}`, reason, isUnpaid })
    if (message === null) report.paid.push(account)
    else if (message === waits) report.waiting.push(account)
    else report.refused.push({ account, message })
  }
  return report
}

async function readSession(api: Api, id: string): Promise<OpalSession> {
  return (await api.get<{ data: OpalSession }>(`/opal/sessions/${id}`)).data
}

/** The outcome of a payment that a second person must approve. */
const waits = Symbol('waits')

interface Attempts {
  /** The start of the key of each attempt. */
  key: string
  /** Why the account is paid. A second person, if one is needed, reads it. */
  reason: string
  /** Asks the service whether the account is still unpaid. */
  isUnpaid: () => Promise<boolean>
}

/**
 * Returns null once the account is paid, {@link waits} if a second person must approve the payment, or the message of a
 * refusal. Other failures are thrown, to be retried.
 */
async function payOnce(
  api: Api,
  body: object,
  { key, reason, isUnpaid }: Attempts,
): Promise<string | typeof waits | null> {
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1)
    try {
      const { isReplay } = await api.post<Payment>(
        '/payments',
        body,
        // mutant: console-pays-with-key (remove)
        `${key}-${attempt}`,
        reason,
      )
      // The payment of an earlier attempt may have failed or been returned since.
      // mutant: console-pays-lost-payment-again (true)
      if (!isReplay || !(await isUnpaid())) return null
    } catch (error) {
      if (error instanceof Waiting) {
        if (error.approval.status === 'waiting') return waits
        // The request of an earlier attempt ended. If it was approved, its payment may have failed since.
        if (error.approval.status === 'approved' && !(await isUnpaid())) return null
        continue
      }
      if (!(error instanceof Failure) || error.kind !== 'refused') throw error
      if (!error.isReplay) return error.message
    }
  throw new Failure('refused')
}
