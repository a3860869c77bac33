import { connectProducts } from '@causeway/contract/products/of-accounts'
import type { Scope } from '../../platform/scope.js'
import type { AccountRow } from '../holders/account.js'
import type { AccountProduct } from '../holders/product.js'
import { productAvailability } from '../holders/product-rules.js'
import { createRecord } from '../records/store.js'

/**
 * Products that require no further input, so a connect can run them on the accounts it finds. Source: contract,
 * connect.
 */
const automaticProducts: readonly string[] = connectProducts

/** Runs the named products that the account can use now. */
export async function runProducts(scope: Scope, account: AccountRow, names: readonly string[]): Promise<void> {
  const selected = scope.deps.offers.filter(
    (offer): offer is AccountProduct =>
      offer.holder === 'account' &&
      'path' in offer &&
      names.includes(offer.name) &&
      automaticProducts.includes(offer.name),
  )
  for (const product of selected)
    if (productAvailability(scope, product, account).status === 'available')
      await createRecord(scope, product, account, (await product.request?.({}, account, scope)) ?? {})
}
