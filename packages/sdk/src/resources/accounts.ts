import type { Body, Query } from '../endpoints.js'
import type { RequestOptions } from '../options.js'
import { createRecords } from '../records.js'
import type { Verbs } from '../verbs.js'

type NewAccount = Body<'POST /accounts'>
/** An ACH account, or a liability account identified by its merchant and number. */
export type AccountCreateParams = Omit<NewAccount, 'ach' | 'liability'> &
  ({ ach: NonNullable<NewAccount['ach']> } | { liability: NonNullable<NewAccount['liability']> })
export type AccountUpdateParams = Body<'PUT /accounts/:acc_id'>
export type AccountListParams = Query<'GET /accounts'>
export type AccountExpand = Query<'GET /accounts/:acc_id'>
export type AccountConsentParams = Body<'POST /accounts/:acc_id/consent'>
export type AccountVerificationCreateParams = Body<'POST /accounts/:acc_id/verification_sessions'>
/** The details to submit, in a field named after the session's type. */
export type AccountVerificationUpdateParams = Body<'PUT /accounts/:acc_id/verification_sessions/:id'>

const BASE = '/accounts/:acc_id'

/** Bank accounts to pay from and liability accounts to pay. */
export const createAccounts = (verbs: Verbs) => {
  const { one, data, list } = verbs
  return {
    create: (params: AccountCreateParams, options?: RequestOptions) => one('POST /accounts', [], params, options),
    retrieve: (id: string, params?: AccountExpand, options?: RequestOptions) =>
      one(`GET ${BASE}`, [id], params, options),
    list: (params?: AccountListParams, options?: RequestOptions) => list('GET /accounts', [], params, options),
    update: (id: string, params: AccountUpdateParams, options?: RequestOptions) =>
      one(`PUT ${BASE}`, [id], params, options),
    /** Withdraws consent and deletes the account's data. Consent cannot be granted again. */
    consent: (id: string, params: AccountConsentParams, options?: RequestOptions) =>
      one(`POST ${BASE}/consent`, [id], params, options),

    verificationSessions: {
      create: (account: string, params: AccountVerificationCreateParams, options?: RequestOptions) =>
        one(`POST ${BASE}/verification_sessions`, [account], params, options),
      retrieve: (account: string, id: string, options?: RequestOptions) =>
        one(`GET ${BASE}/verification_sessions/:id`, [account, id], {}, options),
      list: (account: string, params?: Query<`GET ${typeof BASE}/verification_sessions`>, options?: RequestOptions) =>
        list(`GET ${BASE}/verification_sessions`, [account], params, options),
      /**
       * Submits the missing details. Not retried after a lost response, because each failed attempt counts toward the
       * limit.
       */
      update: (account: string, id: string, params: AccountVerificationUpdateParams, options?: RequestOptions) =>
        one(`PUT ${BASE}/verification_sessions/:id`, [account, id], params, options),
      /** Sandbox: the micro-deposit amounts, as they would appear on a statement. */
      amounts: (account: string, id: string, options?: RequestOptions) =>
        one(`GET ${BASE}/verification_sessions/:id/amounts`, [account, id], {}, options),
    },

    /** The current amount owed, as reported by the institution. */
    balances: createRecords(verbs, `${BASE}/balances`),
    /** A liability account's details, as reported by the institution. */
    updates: createRecords(verbs, `${BASE}/updates`),
    payoffs: createRecords(verbs, `${BASE}/payoffs`),
    cardBrands: createRecords(verbs, `${BASE}/card_brands`),
    /** Full account numbers. `create` specifies which numbers to return. */
    sensitive: createRecords(verbs, `${BASE}/sensitive`),
    attributes: createRecords(verbs, `${BASE}/attributes`),
    paymentInstruments: {
      ...createRecords(verbs, `${BASE}/payment_instruments`),
      /** Stops the instrument from accepting payments. Returns the instrument with the `closed` status. */
      delete: (account: string, id: string, options?: RequestOptions) =>
        one(`DELETE ${BASE}/payment_instruments/:id`, [account, id], {}, options),
    },
    /** Card purchases since the account was subscribed to `transaction`. */
    transactions: {
      retrieve: (account: string, id: string, options?: RequestOptions) =>
        one(`GET ${BASE}/transactions/:id`, [account, id], {}, options),
      list: (account: string, params?: Query<`GET ${typeof BASE}/transactions`>, options?: RequestOptions) =>
        list(`GET ${BASE}/transactions`, [account], params, options),
    },

    /** The account's products. */
    products: {
      retrieve: (account: string, id: string, options?: RequestOptions) =>
        one(`GET ${BASE}/products/:prd_id`, [account, id], {}, options),
      list: (account: string, options?: RequestOptions) => data(`GET ${BASE}/products`, [account], {}, options),
    },
    /** The account's subscriptions. `list` returns the active subscriptions, by name. */
    subscriptions: {
      create: (account: string, params: Body<`POST ${typeof BASE}/subscriptions`>, options?: RequestOptions) =>
        one(`POST ${BASE}/subscriptions`, [account], params, options),
      retrieve: (account: string, id: string, options?: RequestOptions) =>
        one(`GET ${BASE}/subscriptions/:sub_id`, [account, id], {}, options),
      list: (account: string, options?: RequestOptions) => data(`GET ${BASE}/subscriptions`, [account], {}, options),
      delete: (account: string, id: string, options?: RequestOptions) =>
        one(`DELETE ${BASE}/subscriptions/:sub_id`, [account, id], {}, options),
    },
  }
}
