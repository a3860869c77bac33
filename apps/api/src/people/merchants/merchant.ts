import { merchantTypes, type Merchant as Shown } from '@causeway/contract/resources/merchant'
import type { Merchant } from '../../network/port.js'

/** The filters for a list of merchants. An absent or empty filter matches any merchant. */
export interface MerchantFilter {
  name?: string | null
  creditor_name?: string | null
  types: readonly string[]
  providers: Partial<Record<keyof Merchant['provider_ids'], string | null>>
}

export const providers = ['plaid', 'mx', 'finicity', 'dpp'] as const

const holds = (text: string, part: string) => text.toLowerCase().includes(part.trim().toLowerCase())
const number = (merchant: Merchant) => Number(merchant.id.replace(/\D/g, ''))

/** Returns a merchant's type. A type that the contract does not list becomes `unknown`. */
const typeOf = ({ type }: Merchant): Shown['type'] => merchantTypes.find(each => each === type) ?? 'unknown'

/** Returns the matching merchants, sorted by number, highest (latest) first. Pure. */
export function findMerchants(all: readonly Merchant[], filter: MerchantFilter): Merchant[] {
  const { name, creditor_name, types } = filter
  return all
    .filter(
      merchant =>
        (!name || holds(merchant.name, name) || holds(merchant.parent_name, name)) &&
        (!creditor_name || merchant.creditor_names.some(known => holds(known, creditor_name))) &&
        (types.length === 0 || types.includes(typeOf(merchant))) &&
        providers.every(provider => {
          const wanted = filter.providers[provider]
          return !wanted || merchant.provider_ids[provider].includes(wanted)
        }),
    )
    .sort((a, b) => number(b) - number(a))
}

/** Returns a merchant in its GET format. */
export function showMerchant(merchant: Merchant): Shown {
  const { creditor_names: _, ...shown } = merchant
  // The network has no identifiers of RPPS billers.
  return { ...shown, type: typeOf(merchant), provider_ids: { ...shown.provider_ids, rpps: [] } }
}
