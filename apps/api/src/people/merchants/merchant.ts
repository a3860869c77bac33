import type { Merchant } from '@causeway/connector/ports/network'
import { merchantTypes, type Merchant as Shown } from '@causeway/contract/fields/merchant'
import { foldText } from '../../platform/name-words.js'

/** The filters for a list of merchants. An absent or empty filter matches any merchant. */
export interface MerchantFilter {
  name?: string | null
  creditor_name?: string | null
  types: readonly string[]
  providers: Partial<Record<(typeof providers)[number], string | null>>
}

export const providers = ['plaid', 'mx', 'finicity', 'dpp', 'rpps'] as const

/** Returns a merchant's ids by provider. The network has no identifiers of RPPS billers. */
const providerIds = ({ provider_ids }: Merchant): Shown['provider_ids'] => ({ ...provider_ids, rpps: [] })

/** Returns text in one spelling, with single spaces between words. */
const normalize = (text: string) =>
  foldText(text)
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim()
const numberOf = (merchant: Merchant) => Number(merchant.id.replace(/\D/g, ''))

/** The folded names of each merchant, because the same merchants are searched again and again. */
const foldedNames = new WeakMap<Merchant, { names: string[]; creditors: string[] }>()
function namesOf(merchant: Merchant) {
  const { name, parent_name, creditor_names } = merchant
  const names = foldedNames.get(merchant) ?? {
    names: [name, parent_name].map(normalize),
    creditors: creditor_names.map(normalize),
  }
  foldedNames.set(merchant, names)
  return names
}

/** Returns a merchant's type. A type that the contract does not list becomes `unknown`. */
const typeOf = ({ type }: Merchant): Shown['type'] => merchantTypes.find(each => each === type) ?? 'unknown'

/** Returns the matching merchants, sorted by number, highest (latest) first. Pure. */
export function findMerchants(all: readonly Merchant[], filter: MerchantFilter): Merchant[] {
  const { types } = filter
  const [name, creditor] = [normalize(filter.name ?? ''), normalize(filter.creditor_name ?? '')]
  // Text without letters and digits, such as a hyphen, matches no merchant.
  if ((filter.name?.trim() && !name) || (filter.creditor_name?.trim() && !creditor)) return []
  return all
    .filter(
      merchant =>
        (!name || namesOf(merchant).names.some(each => each.includes(name))) &&
        (!creditor || namesOf(merchant).creditors.some(each => each.includes(creditor))) &&
        (types.length === 0 || types.includes(typeOf(merchant))) &&
        providers.every(provider => {
          const providerId = filter.providers[provider]
          return !providerId || providerIds(merchant)[provider].includes(providerId)
        }),
    )
    .sort((a, b) => numberOf(b) - numberOf(a))
}

/** Returns a merchant in its GET format. */
export function showMerchant(merchant: Merchant): Shown {
  const { creditor_names: _, ...shown } = merchant
  return { ...shown, type: typeOf(merchant), provider_ids: providerIds(merchant) }
}
