import { endpoints } from '@causeway/contract/endpoints/merchants'
import { ServiceError } from '@causeway/contract/errors'
import { sameLiability } from '@causeway/contract/fields/liability'
import { implement } from '../../platform/http/endpoint/implement.js'
import { pageOf } from '../../platform/http/endpoint/paging.js'
import { one, type Route } from '../../platform/http/endpoint/route.js'
import { hasBehavior } from '../../versions/chain.js'
import { findMerchants, providers, showMerchant } from './merchant.js'

/** Merchants come from the network and are the same for every team. */
export const merchantRoutes: Route[] = [
  implement(endpoints.listMerchants, {
    async handle({ deps, version, query: paging }, { query }) {
      const ids = providers.map(name => [name, query.get(`provider_id.${name}`)] as const)
      const merchants = findMerchants(deps.ports.network.merchants(), {
        name: query.get('name'),
        creditor_name: query.get('creditor_name'),
        types: query.all('type').flatMap(sameLiability),
        providers: Object.fromEntries(ids),
      })
      const isOne = hasBehavior(version, 'one_merchant_per_provider_id') && ids.some(([, id]) => id)
      const { rows, headers } = pageOf(paging, isOne ? merchants.slice(0, 1) : merchants)
      return { shape: 'list', body: rows.map(showMerchant), headers }
    },
  }),
  implement(endpoints.retrieveMerchant, {
    async handle({ deps }, { params }) {
      const [merchant] = deps.ports.network.merchants([params.mch_id])
      if (!merchant) throw new ServiceError('NOT_FOUND')
      return one(showMerchant(merchant))
    },
  }),
]
