import { at } from '../address.js'
import type { RequestOptions } from '../transport.js'
import type { Verbs } from '../verbs.js'
import type { Person } from './entities.js'

export interface AccountFilters {
  include?: { account_types?: string[]; products?: string[] }
  exclude?: { account_types?: string[]; mch_ids?: string[]; unverified_account_numbers?: boolean }
}

/** The approved loan. All amounts in cents. */
export interface BalanceTransferTerms {
  /** At least 100. */
  loan_amount: number
  /** Least that one account can get; 100 unless told. */
  minimum_payment?: number
  /** Most that one account can get; loan_amount unless told. */
  maximum_payment?: number
  /** Most that may stay unallocated; loan_amount unless told. */
  residual_amount_max?: number
  account_filters?: AccountFilters
  /** Details that are not asked for. */
  skip_pii?: ('name' | 'dob' | 'address' | 'ssn_4')[]
  allow_over_balance?: boolean
}

interface TokenFor {
  /** Origins that may embed the element, exactly as `URL.origin` prints them; the team's list where absent. */
  allowed_origins?: string[]
}

export type ConnectTokenParams = TokenFor & {
  type: 'connect'
  connect?: {
    products?: string[]
    accounts?: string[]
    account_filters?: { selection_type?: 'single' | 'multiple'; liability_types?: string[] }
    /** A person who is created when the token is redeemed; not together with entity_id. */
    entity?: { type: 'individual'; individual: Person }
  }
  entity_id?: string
}

/** A new session, or with `session_id` the same one again; terms beside it are a counter-offer. */
export type BalanceTransferTokenParams = TokenFor & { type: 'balance_transfer' } & (
    | { entity_id: string; balance_transfer: BalanceTransferTerms; session_id?: never }
    | { session_id: string; balance_transfer?: BalanceTransferTerms; entity_id?: never }
  )

/** What became of a token. `entity_id` is null until an inline entity exists. */
export interface TokenResults {
  authenticated: boolean
  cxn_id: string | null
  accounts: string[]
  entity_id: string | null
  events: { type: string; timestamp: string; metadata: Record<string, unknown> | null }[]
}

/** One-time tokens, valid 30 minutes, that start an element in a customer's page. */
export const createElements = (verbs: Verbs) => {
  function create(params: ConnectTokenParams, options?: RequestOptions): Promise<{ element_token: string }>
  function create(
    params: BalanceTransferTokenParams,
    options?: RequestOptions,
  ): Promise<{ element_token: string; session_id: string }>
  function create(params: ConnectTokenParams | BalanceTransferTokenParams, options?: RequestOptions) {
    return verbs.post<{ element_token: string; session_id: string }>('/elements/token', params, options)
  }
  return {
    token: {
      create,
      /** Takes the token or its handle; only the handle travels, because an address may be logged. */
      results: (token: string, options?: RequestOptions) =>
        verbs.get<TokenResults>(at`/elements/token/${handle(token)}/results`, {}, options),
    },
  }
}

const handle = (token: string): string => /^(?:pk_elem_|otkn_)([0-9A-Za-z]{16})/.exec(token)?.[1] ?? token
