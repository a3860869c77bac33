import type { CardProduct } from '@causeway/connector/ports/account-data'
import { cardBrandProduct } from '@causeway/contract/products/card-brand'
import type { Scope } from '../../../platform/scope.js'
import type { AccountRow } from '../../holders/account.js'
import { forConnectedDebt, forDebt } from '../../holders/account-rules.js'
import { type AccountProduct, declaredAs } from '../../holders/product.js'
import { changeFeed, changeOf } from '../change-feeds.js'
import { networkCall } from '../network-call.js'
import { storeReissuedCard } from '../reissue.js'

/** Returns a card design in the format of card brand records, or undefined if no product has the design. */
function showBrand(products: readonly CardProduct[], id: string): Record<string, unknown> | undefined {
  for (const product of products) {
    const brand = product.brands.find(each => each.id === id)
    if (brand)
      return {
        id: brand.id,
        card_product_id: product.id,
        description: brand.description,
        name: product.name,
        issuer: product.issuer,
        network: brand.network,
        network_tier: brand.network_tier,
        type: product.type,
        url: brand.image,
        details: brand.details,
      }
  }
  return undefined
}

/** Returns the data to store for the designs that were found. */
export function brandData(scope: Scope, ids: readonly string[]): Record<string, unknown> {
  const products = scope.deps.ports.network.cardProducts()
  return { brands: ids.flatMap(id => showBrand(products, id) ?? []), source: 'network' }
}

/**
 * Returns a card's network and issuer. Until the brand is known, the network is derived from the issuer's card
 * products. The issuer never changes, because it comes from the merchant.
 */
function networkAndIssuer(
  { deps }: Scope,
  { mch_id }: AccountRow,
  brands: readonly { network: string; issuer: string }[] = [],
): { network: string | null; issuer: string | null } {
  const merchant = mch_id === null ? undefined : deps.ports.network.merchants([mch_id])[0]
  const issuer = merchant?.parent_name ?? brands[0]?.issuer ?? null
  if (brands[0]) return { network: brands[0].network, issuer }
  const networks = new Set(
    deps.ports.network
      .cardProducts()
      .filter(product => product.issuer === issuer)
      .flatMap(product => product.brands.map(brand => brand.network)),
  )
  return { network: networks.size === 1 ? [...networks][0]! : null, issuer }
}

/** A card's product, network and image. */
export const cardBrand: AccountProduct = {
  ...declaredAs(cardBrandProduct),
  initialStatus: 'in_progress',
  waits: false,
  creatable: true,
  unreachable: 24001,
  subscriptions: [
    {
      name: 'card_brand',
      availability: (team, account) => forConnectedDebt(team, account, { supports: 'card_brand' }),
      feed: changeFeed('card', (scope, _account, change) =>
        storeReissuedCard(
          change,
          changeOf(cardBrand, change, {}, { status: 'completed', data: brandData(scope, change.brands) }),
        ),
      ),
    },
  ],
  availability: (team, account) => forDebt(team, account, { supports: 'card_brand' }),
  async fetchData(scope, account, record) {
    const answer = await scope.deps.ports.network.cardBrand(networkCall(scope, account, record))
    return answer.status === 'failed' ? answer : { status: 'completed', data: brandData(scope, answer.brands) }
  },
  show: ({ data }, account, scope) => ({
    brands: data?.['brands'] ?? [],
    source: data?.['source'] ?? null,
    // Only older versions show the fields below: see versions/2025-07-04.ts and versions/2024-04-04.ts.
    shared: false,
    last4: account.mask,
    ...networkAndIssuer(scope, account, data?.['brands'] as { network: string; issuer: string }[] | undefined),
  }),
  // A subscription creates a record only if the card was replaced by a different one.
  extraEvents: (_data, _before, subscribed) => (subscribed ? ['card_brand.available'] : []),
}
