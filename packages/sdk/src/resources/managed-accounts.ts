import type { Query } from '../endpoints.js'
import type { RequestOptions } from '../options.js'
import type { Verbs } from '../verbs.js'

/** Accounts at the rail that hold the team's own money. */
export const createManagedAccounts = ({ one, list }: Verbs) => ({
  list: (options?: RequestOptions) => list('GET /managed_accounts', [], {}, options),
  retrieve: (id: string, options?: RequestOptions) => one('GET /managed_accounts/:macc_id', [id], {}, options),
  /** Lists transactions, newest first. */
  transactions: (id: string, params?: Query<'GET /managed_accounts/:macc_id/transactions'>, options?: RequestOptions) =>
    list('GET /managed_accounts/:macc_id/transactions', [id], params, options),
})
