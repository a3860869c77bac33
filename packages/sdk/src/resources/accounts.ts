import type { Account } from '@causeway/contract/resources/account'
import type { Balance } from '@causeway/contract/resources/product'
import type { Update } from '@causeway/contract/resources/update'
import type { AccountVerificationSession } from '@causeway/contract/resources/verification'
import { at } from '../address.js'
import type { ListParams } from '../page.js'
import type { RequestOptions } from '../transport.js'
import type { ExpandParams, Verbs } from '../verbs.js'

export type AccountCreateParams = { holder_id: string; metadata?: Record<string, unknown> } & (
  | { ach: { routing: string; number: string; type: 'checking' | 'savings' } }
  | { liability: { mch_id: string; account_number: string } }
)

export interface AccountListParams extends ListParams, ExpandParams {
  holder_id?: string
  type?: 'ach' | 'liability'
  status?: Account['status']
  'liability.type'?: string
  'liability.mch_id'?: string
  'liability.ownership'?: string
}

/** `type`, and what it needs under a key of that name. */
export interface AccountVerificationParams {
  type: 'micro_deposits' | 'plaid' | 'mx' | 'teller' | 'standard' | 'instant' | 'pre_auth' | 'network'
  [method: string]: unknown
}

/** Bank accounts that pay and liabilities that are paid. */
export const createAccounts = (verbs: Verbs) => ({
  create: (params: AccountCreateParams, options?: RequestOptions) => verbs.post<Account>('/accounts', params, options),
  retrieve: (id: string, params?: ExpandParams, options?: RequestOptions) =>
    verbs.get<Account>(at`/accounts/${id}`, params, options),
  list: (params?: AccountListParams, options?: RequestOptions) => verbs.list<Account>('/accounts', params, options),

  verificationSessions: {
    create: (account: string, params: AccountVerificationParams, options?: RequestOptions) =>
      verbs.post<AccountVerificationSession>(at`/accounts/${account}/verification_sessions`, params, options),
    retrieve: (account: string, id: string, options?: RequestOptions) =>
      verbs.get<AccountVerificationSession>(at`/accounts/${account}/verification_sessions/${id}`, {}, options),
    list: (account: string, params?: ListParams, options?: RequestOptions) =>
      verbs.list<AccountVerificationSession>(at`/accounts/${account}/verification_sessions`, params, options),
    /** Hands in what is still missing. It is never repeated after a lost answer, because a wrong one counts. */
    update: (account: string, id: string, params: Record<string, unknown>, options?: RequestOptions) =>
      verbs.put<AccountVerificationSession>(at`/accounts/${account}/verification_sessions/${id}`, params, options),
  },

  /** What is owed now, asked at the institution. */
  balances: records<Balance>(verbs, 'balances'),
  /** The details of a liability, asked at the institution. */
  updates: records<Update>(verbs, 'updates'),
})

function records<T>(verbs: Verbs, name: string) {
  return {
    create: (account: string, options?: RequestOptions) => verbs.post<T>(at`/accounts/${account}/${name}`, {}, options),
    retrieve: (account: string, id: string, options?: RequestOptions) =>
      verbs.get<T>(at`/accounts/${account}/${name}/${id}`, {}, options),
    list: (account: string, params?: ListParams, options?: RequestOptions) =>
      verbs.list<T>(at`/accounts/${account}/${name}`, params, options),
  }
}
