/** Pays the accounts that a release could not pay, each at most once. */
import type { OpalSession, Payment, Team } from '@causeway/sdk'
import { type Api, Failure } from '../api.js'
import { words } from '../words.js'

/** The largest number of refusals that one account's payment can follow. */
const MAX_ATTEMPTS = 50
/** Statuses of a payment that did not pay its account, or no longer does. */
const lost: readonly string[] = [
  'failed',
  'canceled',
  'reversal_required',
  'reversal_processing',
  'reversed',
  'partial_reversal_processing',
  'partially_reversed',
]

/** Returns the unpaid accounts of a session, with their amounts in cents. */
export const restOf = ({ bt }: OpalSession): { account: string; amount: number }[] =>
  (bt?.unpaid ?? []).map(account => ({ account, amount: bt?.allocations[account] ?? 0 }))

export interface RestReport {
  paid: string[]
  /** The service's message for each account that was refused again. */
  refused: { account: string; message: string }[]
}

/**
 * Pays what is unpaid now, according to the service. A payment's key names the session, the account and the attempt, so
 * a repeated click, a retry after a lost response, or a second user repeats the payment instead of adding one. The
 * service stores refusals under the key as well: an attempt whose stored refusal is replayed is followed by the next.
 */
export async function payRest(api: Api, id: string, reason: string): Promise<RestReport> {
  const { data: session } = await api.get<{ data: OpalSession }>(`/opal/sessions/${id}`)
  const report: RestReport = { paid: [], refused: [] }
  const rest = restOf(session)
  if (rest.length === 0) return report
  const { source, description } = await payerOf(api, session)
  for (const { account, amount } of rest) {
    const body = { amount, source, destination: account, description, metadata: { session_id: id, reason } }
    const message = await payOnce(api, body, `rest-${id}-${account}`)
    if (message === null) report.paid.push(account)
    else report.refused.push({ account, message })
  }
  return report
}

/** Returns the account that paid the others, or the team's default, with the team's description of payments. */
async function payerOf(api: Api, { bt }: OpalSession): Promise<{ source: string; description: string }> {
  const team = await api.get<Team>('/team')
  const [made] = Object.values(bt?.payment_ids ?? {}).filter(each => each !== null)
  const sourceOf = ({ source }: Payment) => (typeof source === 'string' ? source : (source?.id ?? null))
  const source = made ? sourceOf(await api.get<Payment>(`/payments/${made}`)) : team.default_source_account
  if (!source) throw new Failure('refused', { message: words.session.rest.noSource })
  return { source, description: team.payment_description }
}

/** Returns null once the account is paid, or the message of a refusal. Other failures are thrown, to be retried. */
async function payOnce(api: Api, body: object, key: string): Promise<string | null> {
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1)
    try {
      const { value, isReplay } = await api.post<Payment>('/payments', body, `${key}-${attempt}`)
      if (!isReplay) return null
      const { status } = await api.get<Payment>(`/payments/${value.id}`)
      if (!lost.includes(status)) return null
    } catch (error) {
      if (!(error instanceof Failure) || error.kind !== 'refused') throw error
      if (!error.isReplay) return error.message
    }
  throw new Failure('refused')
}
