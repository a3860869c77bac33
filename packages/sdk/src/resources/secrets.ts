import type { Secret } from '@causeway/contract/resources/secret'
import { at } from '../address.js'
import type { ListParams } from '../page.js'
import type { RequestOptions } from '../transport.js'
import type { Verbs } from '../verbs.js'

/** Values that are kept for forwarding. No answer ever holds one. */
export const createSecrets = (verbs: Verbs) => ({
  create: (params: { value: string; metadata?: Record<string, unknown> }, options?: RequestOptions) =>
    verbs.post<Secret>('/secrets', params, options),
  retrieve: (id: string, options?: RequestOptions) => verbs.get<Secret>(at`/secrets/${id}`, {}, options),
  list: (params?: ListParams, options?: RequestOptions) => verbs.list<Secret>('/secrets', params, options),
  delete: async (id: string, options?: RequestOptions): Promise<void> => {
    await verbs.delete(at`/secrets/${id}`, options)
  },
})
