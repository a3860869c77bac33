import { ServiceError } from '@causeway/contract/errors'
import { pageOf } from '../http/paging.js'
import { one, type Route } from '../http/route.js'
import { findMerchants, providers, showMerchant } from './merchant.js'

/** Merchants are the network's, the same for every team. */
export const merchantRoutes: Route[] = [
  {
    method: 'GET',
    path: '/merchants',
    async handle({ deps, query }) {
      const found = findMerchants(deps.ports.network.merchants(), {
        name: query.get('name'),
        creditor_name: query.get('creditor_name'),
        type: query.get('type'),
        providers: Object.fromEntries(providers.map(name => [name, query.get(`provider_id.${name}`)])),
      })
      const { rows, headers } = pageOf(query, found)
      return { shape: 'list', body: rows.map(showMerchant), headers }
    },
  },
  {
    method: 'GET',
    path: '/merchants/:mch_id',
    async handle({ deps, params }) {
      const [merchant] = deps.ports.network.merchants([params['mch_id'] ?? ''])
      if (!merchant) throw new ServiceError('NOT_FOUND')
      return one(showMerchant(merchant))
    },
  },
]
