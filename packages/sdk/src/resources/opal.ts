import type { OpalSession } from '../contract.gen.js'
import type { Body, Query } from '../endpoints.js'
import { type WithResponse, withLastResponse } from '../last-response.js'
import type { RequestOptions } from '../options.js'
import type { Verbs } from '../verbs.js'

export type OpalTokenParams = Body<'POST /opal/token'>
export type OpalSessionListParams = Query<'GET /opal/sessions'>

/** The outcome of a release, by account. */
export interface ReleaseOutcome {
  /** Accounts whose payment was created. A payment can still fail later, so listen for `payment.update` events. */
  paid: { account: string; amount: number; payment_id: string }[]
  /** Accounts that did not receive a payment, each with the reason. */
  failed: { account: string; amount: number; error: NonNullable<ReleaseErrors>[string] | null }[]
}
type ReleaseErrors = NonNullable<OpalSession['bt']>['payment_errors']

/**
 * Splits a session's accounts by the outcome of its release. Before the release, both lists are empty. Amounts are in
 * cents.
 */
export function releaseOutcome({ bt }: Pick<OpalSession, 'bt'>): ReleaseOutcome {
  const outcome: ReleaseOutcome = { paid: [], failed: [] }
  for (const [account, payment_id] of Object.entries(bt?.payment_ids ?? {})) {
    const amount = bt?.allocations[account] ?? 0
    if (payment_id !== null) outcome.paid.push({ account, amount, payment_id })
    else outcome.failed.push({ account, amount, error: bt?.payment_errors?.[account] ?? null })
  }
  return outcome
}

/** A person's sessions. After the person finishes a session, you can release its payments. */
export const createOpal = ({ one, data, list, as }: Verbs) => ({
  token: {
    create: (params: OpalTokenParams, options?: RequestOptions) => data('POST /opal/token', [], params, options),
    /** Retrieves a token's session with the fields that the token's holder can see. */
    retrieve: (token: string, options?: RequestOptions) => as(token).data('GET /opal/token', [], {}, options),
    /** Invalidates a token. Its session remains. */
    delete: (token: string, options?: RequestOptions) => as(token).data('DELETE /opal/token', [], {}, options),
  },
  events: {
    /** Lists all steps in a token's session. */
    list: (token: string, options?: RequestOptions) => as(token).data('GET /opal/events', [], {}, options),
  },
  sessions: {
    list: (params?: OpalSessionListParams, options?: RequestOptions) => list('GET /opal/sessions', [], params, options),
    /** Returns the person's current step, when it started, and what the session is waiting for. */
    progress: (id: string, options?: RequestOptions) => one('GET /opal/sessions/:id/progress', [id], {}, options),
    /** Retrieves what the person confirmed. Rely on this response: an event in a browser is not proof. */
    retrieve: (id: string, options?: RequestOptions) => data('GET /opal/sessions/:id', [id], {}, options),
    /**
     * Creates one payment for each allocated account, from `source` or from the team's default account. Returns the
     * session with `paid` and `failed`. Check `failed`, because a release can pay some accounts but not others.
     * Releasing a session again returns it unchanged and pays nothing.
     */
    release: async (
      id: string,
      params: { source?: string } = {},
      options?: RequestOptions,
    ): Promise<WithResponse<OpalSession & ReleaseOutcome>> => {
      const session = await data(
        'POST /opal/sessions/:id',
        [id],
        { action: 'release_payments', ...(params.source === undefined ? {} : { data: params }) },
        options,
      )
      return withLastResponse({ ...session, ...releaseOutcome(session) }, session.lastResponse)
    },
  },
})
