import type { Body, Query } from '../endpoints.js'
import type { RequestOptions } from '../options.js'
import { createRecords } from '../records.js'
import type { Verbs } from '../verbs.js'

type NewEntity = Body<'POST /entities'>
/**
 * A person or a corporation, with its details in `individual` or `corporation`. Send either `ssn` (nine digits) or
 * `ssn_4`, not both. Responses never include either one.
 */
export type EntityCreateParams = Omit<NewEntity, 'type' | 'individual' | 'corporation'> &
  (
    | { type: 'individual'; individual: NonNullable<NewEntity['individual']> }
    | { type: 'corporation'; corporation: NonNullable<NewEntity['corporation']> }
  )
export type EntityUpdateParams = Body<'PUT /entities/:ent_id'>
export type EntityListParams = Query<'GET /entities'>
export type EntityExpand = Query<'GET /entities/:ent_id'>
export type ConsentParams = Body<'POST /entities/:ent_id/consent'>

export type EntityVerificationCreateParams =
  | { type: 'phone'; method: 'sms'; sms: Record<string, never> }
  | { type: 'phone'; method: 'sna'; sna: Record<string, never> }
  /** The time at which you verified the phone number. */
  | { type: 'phone'; method: 'byo_sms'; byo_sms: { timestamp: string } }
  | { type: 'identity'; method: 'kba'; kba: Record<string, never> }
  | { type: 'identity'; method: 'byo_kyc'; byo_kyc: Record<string, never> }

export type EntityVerificationUpdateParams =
  | { type: 'phone'; method: 'sms'; sms: { sms_code: string } }
  | { type: 'phone'; method: 'sna'; sna: Record<string, never> }
  | { type: 'identity'; method: 'kba'; kba: { answers: { question_id: string; answer_id: string }[] } }

const BASE = '/entities/:ent_id'

/** People and corporations, along with their verification and products. */
export const createEntities = (verbs: Verbs) => {
  const { one, data, list } = verbs
  return {
    /** Creates an entity. The service looks up the person in the network, which can take a few seconds. */
    create: ({ expand, ...params }: EntityCreateParams & EntityExpand, options?: RequestOptions) =>
      one('POST /entities', [], params, options, { expand }),
    retrieve: (id: string, params?: EntityExpand, options?: RequestOptions) =>
      one(`GET ${BASE}`, [id], params, options),
    list: (params?: EntityListParams, options?: RequestOptions) => list('GET /entities', [], params, options),
    /** Adds missing details. A detail that already has a value cannot be changed. `metadata` is replaced. */
    update: (id: string, { expand, ...params }: EntityUpdateParams & EntityExpand, options?: RequestOptions) =>
      one(`PUT ${BASE}`, [id], params, options, { expand }),
    /** Withdraws or grants consent. Withdrawing consent deletes the data about the entity and its accounts. */
    consent: (id: string, params: ConsentParams, options?: RequestOptions) =>
      one(`POST ${BASE}/consent`, [id], params, options),

    verificationSessions: {
      create: (entity: string, params: EntityVerificationCreateParams, options?: RequestOptions) =>
        one(`POST ${BASE}/verification_sessions`, [entity], params, options),
      retrieve: (entity: string, id: string, options?: RequestOptions) =>
        one(`GET ${BASE}/verification_sessions/:id`, [entity, id], {}, options),
      list: (entity: string, params?: Query<`GET ${typeof BASE}/verification_sessions`>, options?: RequestOptions) =>
        list(`GET ${BASE}/verification_sessions`, [entity], params, options),
      /**
       * Submits the code or the answers. Not retried after a lost response, because each failed attempt counts toward
       * the limit.
       */
      update: (entity: string, id: string, params: EntityVerificationUpdateParams, options?: RequestOptions) =>
        one(`PUT ${BASE}/verification_sessions/:id`, [entity, id], params, options),
    },

    /**
     * Finds a verified person's liability accounts. The first search finds all of them, and later searches find only
     * new ones.
     */
    connect: {
      create: (
        entity: string,
        { expand, ...params }: Body<`POST ${typeof BASE}/connect`> & Query<`POST ${typeof BASE}/connect`> = {},
        options?: RequestOptions,
      ) => one(`POST ${BASE}/connect`, [entity], params, options, { expand }),
      retrieve: (
        entity: string,
        id: string,
        params?: Query<`GET ${typeof BASE}/connect/:id`>,
        options?: RequestOptions,
      ) => one(`GET ${BASE}/connect/:id`, [entity, id], params, options),
      list: (entity: string, params?: Query<`GET ${typeof BASE}/connect`>, options?: RequestOptions) =>
        list(`GET ${BASE}/connect`, [entity], params, options),
    },
    /** Creates accounts from a credit report that you provide. */
    manualConnect: {
      create: (entity: string, params: Body<`POST ${typeof BASE}/manual_connect`>, options?: RequestOptions) =>
        one(`POST ${BASE}/manual_connect`, [entity], params, options),
      retrieve: (entity: string, id: string, options?: RequestOptions) =>
        one(`GET ${BASE}/manual_connect/:id`, [entity, id], {}, options),
    },

    creditScores: createRecords(verbs, `${BASE}/credit_scores`),
    /** The people who match an entity's details, each with a full Social Security number. */
    identities: createRecords(verbs, `${BASE}/identities`),
    attributes: createRecords(verbs, `${BASE}/attributes`),
    vehicles: createRecords(verbs, `${BASE}/vehicles`),

    /** The entity's products. */
    products: {
      retrieve: (entity: string, id: string, options?: RequestOptions) =>
        one(`GET ${BASE}/products/:prd_id`, [entity, id], {}, options),
      list: (entity: string, options?: RequestOptions) => data(`GET ${BASE}/products`, [entity], {}, options),
    },
    /** The entity's subscriptions. `list` returns the active subscriptions, by name. */
    subscriptions: {
      create: (entity: string, params: Body<`POST ${typeof BASE}/subscriptions`>, options?: RequestOptions) =>
        one(`POST ${BASE}/subscriptions`, [entity], params, options),
      retrieve: (entity: string, id: string, options?: RequestOptions) =>
        one(`GET ${BASE}/subscriptions/:sub_id`, [entity, id], {}, options),
      list: (entity: string, options?: RequestOptions) => data(`GET ${BASE}/subscriptions`, [entity], {}, options),
      delete: (entity: string, id: string, options?: RequestOptions) =>
        one(`DELETE ${BASE}/subscriptions/:sub_id`, [entity, id], {}, options),
    },
  }
}
