import type { Connect } from '@causeway/contract/resources/connect'
import type { Entity } from '@causeway/contract/resources/entity'
import type { EntityVerificationSession } from '@causeway/contract/resources/verification'
import { at, query } from '../address.js'
import type { ListParams } from '../page.js'
import type { RequestOptions } from '../transport.js'
import type { ExpandParams, Verbs } from '../verbs.js'

export interface Address {
  line1?: string
  line2?: string | null
  city?: string
  /** Two letters. */
  state?: string
  zip?: string
}

export interface Person {
  first_name?: string
  last_name?: string
  /** United States, E.164: `+15125550100`. */
  phone?: string
  email?: string
  /** `YYYY-MM-DD` */
  dob?: string
}

export type EntityCreateParams = { address?: Address; metadata?: Record<string, unknown> } & (
  | {
      type: 'individual'
      /** `ssn` (nine digits) or `ssn_4`, not both; neither is ever returned. */
      individual: Person & { ssn?: string; ssn_4?: string }
    }
  | {
      type: 'corporation'
      corporation: { name: string; dba?: string; ein: string; owners?: (Person & { address?: Address })[] }
    }
)

export interface EntityListParams extends ListParams, ExpandParams {
  status?: Entity['status']
  type?: 'individual' | 'corporation'
}

export type EntityVerificationCreateParams =
  | { type: 'phone'; method: 'sms'; sms: Record<string, never> }
  | { type: 'phone'; method: 'sna'; sna: Record<string, never> }
  /** The time at which you verified the phone yourself. */
  | { type: 'phone'; method: 'byo_sms'; byo_sms: { timestamp: string } }
  | { type: 'identity'; method: 'kba'; kba: Record<string, never> }
  | { type: 'identity'; method: 'byo_kyc'; byo_kyc: Record<string, never> }

export type EntityVerificationUpdateParams =
  | { type: 'phone'; method: 'sms'; sms: { sms_code: string } }
  | { type: 'phone'; method: 'sna'; sna: Record<string, never> }
  | { type: 'identity'; method: 'kba'; kba: { answers: { question_id: string; answer_id: string }[] } }

export interface ConnectCreateParams {
  /** Run on each account that is found; the answer is then `pending`. */
  products?: ('attribute' | 'balance' | 'card_brand' | 'update' | 'payoff')[]
  subscriptions?: ('card_brand' | 'update' | 'update.snapshot' | 'transaction')[]
}

/** People and corporations, what proves them, and what they owe. */
export const createEntities = (verbs: Verbs) => ({
  create: (params: EntityCreateParams, options?: RequestOptions) => verbs.post<Entity>('/entities', params, options),
  retrieve: (id: string, params?: ExpandParams, options?: RequestOptions) =>
    verbs.get<Entity>(at`/entities/${id}`, params, options),
  list: (params?: EntityListParams, options?: RequestOptions) => verbs.list<Entity>('/entities', params, options),

  verificationSessions: {
    create: (entity: string, params: EntityVerificationCreateParams, options?: RequestOptions) =>
      verbs.post<EntityVerificationSession>(at`/entities/${entity}/verification_sessions`, params, options),
    retrieve: (entity: string, id: string, options?: RequestOptions) =>
      verbs.get<EntityVerificationSession>(at`/entities/${entity}/verification_sessions/${id}`, {}, options),
    list: (entity: string, params?: ListParams, options?: RequestOptions) =>
      verbs.list<EntityVerificationSession>(at`/entities/${entity}/verification_sessions`, params, options),
    /** Hands in the code or the answers. It is never repeated after a lost answer, because a wrong one counts. */
    update: (entity: string, id: string, params: EntityVerificationUpdateParams, options?: RequestOptions) =>
      verbs.put<EntityVerificationSession>(at`/entities/${entity}/verification_sessions/${id}`, params, options),
  },

  connect: {
    /** Finds the liabilities of a verified person. The first run brings all, a later one what is new. */
    create: (entity: string, params: ConnectCreateParams & ExpandParams = {}, options?: RequestOptions) => {
      const { expand, ...body } = params
      return verbs.post<Connect>(at`/entities/${entity}/connect` + query({ expand }), body, options)
    },
    retrieve: (entity: string, id: string, params?: ExpandParams, options?: RequestOptions) =>
      verbs.get<Connect>(at`/entities/${entity}/connect/${id}`, params, options),
    list: (entity: string, params?: ListParams & ExpandParams, options?: RequestOptions) =>
      verbs.list<Connect>(at`/entities/${entity}/connect`, params, options),
  },
})
