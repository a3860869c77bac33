import type { OpalSession } from '../contract.gen.js'
import type { Body, Query } from '../endpoints.js'
import type { RequestOptions } from '../transport.js'
import type { Verbs } from '../verbs.js'

export type OpalTokenParams = Body<'POST /opal/token'>
export type OpalSessionListParams = Query<'GET /opal/sessions'>

/** What a release did for each account. */
export interface ReleaseOutcome {
  /** Accounts whose payment was made. It can still fail later: watch `payment.update`. */
  paid: { account: string; amount: number; payment_id: string }[]
  /** Accounts that got no payment, with the reason. */
  failed: { account: string; amount: number; error: NonNullable<ReleaseErrors>[string] | null }[]
}
type ReleaseErrors = NonNullable<OpalSession['bt']>['payment_errors']

/** Splits a session by the outcome of its release; both lists are empty before it. Amounts in cents. */
export function releaseOutcome({ bt }: Pick<OpalSession, 'bt'>): ReleaseOutcome {
  const outcome: ReleaseOutcome = { paid: [], failed: [] }
  for (const [account, payment_id] of Object.entries(bt?.payment_ids ?? {})) {
    const amount = bt?.allocations[account] ?? 0
    if (payment_id !== null) outcome.paid.push({ account, amount, payment_id })
    else outcome.failed.push({ account, amount, error: bt?.payment_errors?.[account] ?? null })
  }
  return outcome
}

/** Sessions that a person walks through, and what you do when they are through. */
export const createOpal = ({ data, list, as }: Verbs) => ({
  token: {
    create: (params: OpalTokenParams, options?: RequestOptions) => data('POST /opal/token', [], params, options),
    /** The session of a token, as its holder may see it. */
    retrieve: (token: string, options?: RequestOptions) => as(token).data('GET /opal/token', [], {}, options),
    /** Ends a token. */
    delete: (token: string, options?: RequestOptions) => as(token).data('DELETE /opal/token', [], {}, options),
  },
  events: {
    /** The steps of a token's session, whole. */
    list: (token: string, options?: RequestOptions) => as(token).data('GET /opal/events', [], {}, options),
  },
  sessions: {
    list: (params?: OpalSessionListParams, options?: RequestOptions) => list('GET /opal/sessions', [], params, options),
    /** What the person confirmed, from the service itself: an event in a browser is no proof. */
    retrieve: (id: string, options?: RequestOptions) => data('GET /opal/sessions/:id', [id], {}, options),
    /**
     * Sends the money: one payment for each allocated account, from `source` or the team's default. Returns the session with
     * `paid` and `failed`: check `failed`, because a release can pay some accounts and not others. A released session is
     * returned as it is, and nothing is sent again.
     */
    release: async (
      id: string,
      params: { source?: string } = {},
      options?: RequestOptions,
    ): Promise<OpalSession & ReleaseOutcome> => {
      const session = await data(
        'POST /opal/sessions/:id',
        [id],
        { action: 'release_payments', ...(params.source === undefined ? {} : { data: params }) },
        options,
      )
      return { ...session, ...releaseOutcome(session) }
    },
  },
})
