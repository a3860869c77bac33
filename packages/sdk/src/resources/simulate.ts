import type { Body } from '../endpoints.js'
import type { RequestOptions } from '../transport.js'
import type { Verbs } from '../verbs.js'

/** Controls of the sandbox. In production, each returns FORBIDDEN. */
export const createSimulate = ({ one, data, list }: Verbs) => ({
  payments: {
    /** Changes the status of a payment. A failed or returned one requires an error code, such as 10001. `amount` is the returned part. */
    update: (id: string, params: Body<'POST /simulate/payments/:pmt_id'>, options?: RequestOptions) =>
      one('POST /simulate/payments/:pmt_id', [id], params, options),
    /** Receives a payment through an open instrument of type `inbound_achwire_payment`. */
    receive: (
      instrument: string,
      params: Body<'POST /simulate/payments/payment_instruments/:id'>,
      options?: RequestOptions,
    ) => one('POST /simulate/payments/payment_instruments/:id', [instrument], params, options),
  },
  accounts: {
    /** Makes a purchase with a card that is subscribed to `transaction`. */
    purchase: (
      account: string,
      params: Body<'POST /simulate/accounts/:acc_id/transactions'> = {},
      options?: RequestOptions,
    ) => one('POST /simulate/accounts/:acc_id/transactions', [account], params, options),
    /** Replaces a card that is subscribed to `card_brand` with another one. */
    cardBrand: (
      account: string,
      params: Body<'POST /simulate/accounts/:acc_id/card_brands'> = {},
      options?: RequestOptions,
    ) => one('POST /simulate/accounts/:acc_id/card_brands', [account], params, options),
  },
  entities: {
    /** Opens accounts that the next connect finds. */
    connect: (entity: string, params: Body<'POST /simulate/entities/:ent_id/connect'>, options?: RequestOptions) =>
      data('POST /simulate/entities/:ent_id/connect', [entity], params, options),
    /** Adds inquiries that the next attributes count. */
    attributes: (
      entity: string,
      params: Body<'POST /simulate/entities/:ent_id/attributes'>,
      options?: RequestOptions,
    ) => data('POST /simulate/entities/:ent_id/attributes', [entity], params, options),
    /** Completes a pending credit score. */
    creditScore: (
      entity: string,
      id: string,
      params: Body<'POST /simulate/entities/:ent_id/credit_scores/:crs_id'>,
      options?: RequestOptions,
    ) => one('POST /simulate/entities/:ent_id/credit_scores/:crs_id', [entity, id], params, options),
  },
  events: {
    /** Creates an event without a change. */
    create: (params: Body<'POST /simulate/events'>, options?: RequestOptions) =>
      data('POST /simulate/events', [], params, options),
  },
  clock: {
    /** Moves the team's sandbox clock forward by an ISO 8601 duration, such as `P3D`, and runs what is due. */
    advance: (duration: string, options?: RequestOptions) =>
      one('POST /simulate/clock', [], { advance: duration }, options),
    retrieve: (options?: RequestOptions) => one('GET /simulate/clock', [], {}, options),
  },
  faults: {
    /** Simulates faults in a part of the service for this team, to test your own handling. */
    create: (params: Body<'POST /simulate/faults'>, options?: RequestOptions) =>
      one('POST /simulate/faults', [], params, options),
    /** Lists the faults that have not ended. */
    list: (options?: RequestOptions) => list('GET /simulate/faults', [], {}, options),
  },
  people: {
    /** Lists the people of the sandbox and their scenarios. */
    list: (options?: RequestOptions) => list('GET /simulate/people', [], {}, options),
  },
  opal: {
    /** Confirms allocations (cents by account) as the person would, under the same checks. */
    confirm: (session: string, allocations: Record<string, number>, options?: RequestOptions) =>
      data('POST /simulate/opal/sessions/:id', [session], { allocations }, options),
  },
})
