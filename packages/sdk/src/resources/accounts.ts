import type { Body, Query } from '../endpoints.js'
import { createRecords } from '../records.js'
import type { RequestOptions } from '../transport.js'
import type { Verbs } from '../verbs.js'

type NewAccount = Body<'POST /accounts'>
/** An ach account, or a liability account by its merchant and number. */
export type AccountCreateParams = Omit<NewAccount, 'ach' | 'liability'> &
  ({ ach: NonNullable<NewAccount['ach']> } | { liability: NonNullable<NewAccount['liability']> })
export type AccountUpdateParams = Body<'PUT /accounts/:acc_id'>
export type AccountListParams = Query<'GET /accounts'>
export type AccountExpand = Query<'GET /accounts/:acc_id'>
export type AccountConsentParams = Body<'POST /accounts/:acc_id/consent'>
export type AccountVerificationCreateParams = Body<'POST /accounts/:acc_id/verification_sessions'>
/** The details, under the name of the type of the session. */
export type AccountVerificationUpdateParams = Body<'PUT /accounts/:acc_id/verification_sessions/:id'>

const BASE = '/accounts/:acc_id'

/** Bank accounts that pay, and liability accounts that are paid. */
export const createAccounts = (verbs: Verbs) => {
  const { one, data, list } = verbs
  return {
    create: (params: AccountCreateParams, options?: RequestOptions) => one('POST /accounts', [], params, options),
    retrieve: (id: string, params?: AccountExpand, options?: RequestOptions) =>
      one(`GET ${BASE}`, [id], params, options),
    list: (params?: AccountListParams, options?: RequestOptions) => list('GET /accounts', [], params, options),
    update: (id: string, params: AccountUpdateParams, options?: RequestOptions) =>
      one(`PUT ${BASE}`, [id], params, options),
    /** Deletes the data of the account. Consent cannot be granted again. */
    consent: (id: string, params: AccountConsentParams, options?: RequestOptions) =>
      one(`POST ${BASE}/consent`, [id], params, options),

    verificationSessions: {
      create: (account: string, params: AccountVerificationCreateParams, options?: RequestOptions) =>
        one(`POST ${BASE}/verification_sessions`, [account], params, options),
      retrieve: (account: string, id: string, options?: RequestOptions) =>
        one(`GET ${BASE}/verification_sessions/:id`, [account, id], {}, options),
      list: (account: string, params?: Query<`GET ${typeof BASE}/verification_sessions`>, options?: RequestOptions) =>
        list(`GET ${BASE}/verification_sessions`, [account], params, options),
      /** Sends the missing details. It is not retried after a lost response, because a failed attempt counts. */
      update: (account: string, id: string, params: AccountVerificationUpdateParams, options?: RequestOptions) =>
        one(`PUT ${BASE}/verification_sessions/:id`, [account, id], params, options),
      /** Sandbox: the amounts of micro-deposits, as on a statement. */
      amounts: (account: string, id: string, options?: RequestOptions) =>
        one(`GET ${BASE}/verification_sessions/:id/amounts`, [account, id], {}, options),
    },

    /** The current amount owed, as the institution reports it. */
    balances: createRecords(verbs, `${BASE}/balances`),
    /** The details of a liability account, as the institution reports them. */
    updates: createRecords(verbs, `${BASE}/updates`),
    payoffs: createRecords(verbs, `${BASE}/payoffs`),
    cardBrands: createRecords(verbs, `${BASE}/card_brands`),
    /** Full numbers; `create` names which. */
    sensitive: createRecords(verbs, `${BASE}/sensitive`),
    attributes: createRecords(verbs, `${BASE}/attributes`),
    paymentInstruments: {
      ...createRecords(verbs, `${BASE}/payment_instruments`),
      /** The instrument no longer accepts payments. Returns it as `closed`. */
      delete: (account: string, id: string, options?: RequestOptions) =>
        one(`DELETE ${BASE}/payment_instruments/:id`, [account, id], {}, options),
    },
    /** Purchases with a card since it was subscribed to `transaction`. */
    transactions: {
      retrieve: (account: string, id: string, options?: RequestOptions) =>
        one(`GET ${BASE}/transactions/:id`, [account, id], {}, options),
      list: (account: string, params?: Query<`GET ${typeof BASE}/transactions`>, options?: RequestOptions) =>
        list(`GET ${BASE}/transactions`, [account], params, options),
    },

    /** The products of the account. */
    products: {
      retrieve: (account: string, id: string, options?: RequestOptions) =>
        one(`GET ${BASE}/products/:prd_id`, [account, id], {}, options),
      list: (account: string, options?: RequestOptions) => data(`GET ${BASE}/products`, [account], {}, options),
    },
    /** Subscriptions of the account. The list contains the active ones, by name. */
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
