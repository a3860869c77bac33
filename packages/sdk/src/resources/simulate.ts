import type { Body } from '../endpoints.js'
import type { RequestOptions } from '../options.js'
import type { Verbs } from '../verbs.js'

/** Sandbox controls. In production, each call returns FORBIDDEN. */
export const createSimulate = ({ one, data, list }: Verbs) => ({
  payments: {
    /**
     * Changes a payment's status. The statuses `failed` and `returned` require an error code, such as 10001. `amount`
     * specifies how many cents to return.
     */
    update: (id: string, params: Body<'POST /simulate/payments/:pmt_id'>, options?: RequestOptions) =>
      one('POST /simulate/payments/:pmt_id', [id], params, options),
    /** Simulates an incoming payment through an open instrument of type `inbound_achwire_payment`. */
    receive: (
      instrument: string,
      params: Body<'POST /simulate/payments/payment_instruments/:id'>,
      options?: RequestOptions,
    ) => one('POST /simulate/payments/payment_instruments/:id', [instrument], params, options),
  },
  accounts: {
    /** Simulates a purchase with a card that is subscribed to `transaction`. */
    purchase: (
      account: string,
      params: Body<'POST /simulate/accounts/:acc_id/transactions'> = {},
      options?: RequestOptions,
    ) => one('POST /simulate/accounts/:acc_id/transactions', [account], params, options),
    /** Replaces a card that is subscribed to `card_brand`. */
    cardBrand: (
      account: string,
      params: Body<'POST /simulate/accounts/:acc_id/card_brands'> = {},
      options?: RequestOptions,
    ) => one('POST /simulate/accounts/:acc_id/card_brands', [account], params, options),
  },
  entities: {
    /** Opens accounts that the next connect will find. */
    connect: (entity: string, params: Body<'POST /simulate/entities/:ent_id/connect'>, options?: RequestOptions) =>
      data('POST /simulate/entities/:ent_id/connect', [entity], params, options),
    /** Adds credit inquiries, which the next attributes record will count. */
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
  managedAccounts: {
    /** Deposits money into a managed account, or withdraws it. */
    transaction: (
      account: string,
      params: Body<'POST /simulate/managed_accounts/:macc_id/transactions'>,
      options?: RequestOptions,
    ) => one('POST /simulate/managed_accounts/:macc_id/transactions', [account], params, options),
  },
  events: {
    /** Creates an event for a resource without changing the resource. */
    create: (params: Body<'POST /simulate/events'>, options?: RequestOptions) =>
      data('POST /simulate/events', [], params, options),
  },
  clock: {
    /**
     * Advances the team's sandbox clock by an ISO 8601 duration, such as `P3D`, and runs everything that becomes due.
     */
    advance: (duration: string, options?: RequestOptions) =>
      one('POST /simulate/clock', [], { advance: duration }, options),
    retrieve: (options?: RequestOptions) => one('GET /simulate/clock', [], {}, options),
  },
  faults: {
    /** Simulates faults in part of the service for this team, so that you can test how your code handles them. */
    create: (params: Body<'POST /simulate/faults'>, options?: RequestOptions) =>
      one('POST /simulate/faults', [], params, options),
    /** Lists the faults that have not ended. */
    list: (options?: RequestOptions) => list('GET /simulate/faults', [], {}, options),
  },
  people: {
    /** Lists the sandbox's test people and their scenarios. */
    list: (options?: RequestOptions) => list('GET /simulate/people', [], {}, options),
  },
  opal: {
    /** Confirms allocations (cents by account) on the person's behalf, with the same checks as in the flow. */
    confirm: (session: string, allocations: Record<string, number>, options?: RequestOptions) =>
      data('POST /simulate/opal/sessions/:id', [session], { allocations }, options),
  },
})
