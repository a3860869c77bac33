/** The sandbox's cards: products, their designs, and the details printed on a card. Data only. */
import type { CardBrand, CardProduct } from '@causeway/connector/ports/account-data'
import { cardPath } from '../art/draw.js'
import type { Debt } from './debts.js'
import { productOf as kindOf, products } from './institutions.js'

interface Design {
  merchant: string
  product: number
  issuer: string
  network: CardBrand['network']
  tiers: readonly string[]
  category: string
  /** The annual fee, in cents. */
  fee: number
  /** The card's name, if no person in the sandbox has the card. */
  name?: string
}

const design = (
  merchant: string,
  product: number,
  issuer: string,
  network: Design['network'],
  tiers: readonly string[],
  category: string,
  fee = 0,
): Design => ({ merchant, product, issuer, network, tiers, category, fee })

const designs: readonly Design[] = [
  design('mch_302086', 15, 'Chase', 'visa', ['infinite', 'signature'], 'travel', 55_000),
  design('mch_1', 16, 'Chase', 'visa', ['signature'], 'cash_back'),
  { ...design('mch_1', 17, 'Chase', 'visa', ['signature', 'platinum'], 'cash_back'), name: 'Chase Freedom' },
  design('mch_3', 21, 'American Express', 'amex', ['standard'], 'cash_back'),
  design('mch_300485', 22, 'American Express', 'amex', ['standard'], 'dining', 32_500),
  design('mch_301761', 31, 'Capital One', 'visa', ['signature'], 'travel', 9_500),
  design('mch_311289', 41, 'Citi', 'mastercard', ['world_elite', 'world'], 'cash_back'),
  design('mch_320006', 51, 'Discover', 'discover', ['standard'], 'cash_back'),
]

const DATA_AS_OF = '2026-01-01T00:00:00.000Z'

function detailsOf({ merchant, category, fee }: Design): Record<string, unknown> {
  const { rate } = products[merchant]!
  return {
    card_category: category,
    purchase_apr_min: Math.round((rate - 7) * 100) / 100,
    purchase_apr_max: rate,
    cash_advance_apr_min: 29.99,
    cash_advance_apr_max: 29.99,
    annual_fee: fee,
    late_payment_fee: 4_000,
    rewards: {},
    promotions: [],
    data_as_of: DATA_AS_OF,
  }
}

function productOf(design: Design): CardProduct {
  const name = design.name ?? products[design.merchant]!.name
  const id = `pdt_${design.product}`
  const brands = design.tiers.map((network_tier, index) => ({
    id: `${id}_brd_${index + 1}`,
    description: name,
    network: design.network,
    network_tier,
    image: cardPath(`${id}_brd_${index + 1}`),
    details: detailsOf(design),
  }))
  return { id, name, issuer: design.issuer, type: 'specific', brands, created_at: DATA_AS_OF, updated_at: DATA_AS_OF }
}

export const cardProducts: readonly CardProduct[] = designs.map(productOf)

/** Returns the id of a merchant's card design at index `place`. Returns undefined if the merchant has no cards. */
export const brandOf = (merchant: string, place = 0): string | undefined => {
  const design = designs.find(each => each.merchant === merchant)
  return design && `pdt_${design.product}_brd_${Math.min(place + 1, design.tiers.length)}`
}

/** Returns the design ids of a debt's card. */
export const brandsOf = ({ mch_id, brand }: Pick<Debt, 'mch_id' | 'brand'>): string[] => {
  const found = brandOf(mch_id, brand)
  return found === undefined ? [] : [found]
}

export interface Printed {
  exp_month: string
  exp_year: string
  /** Used only to check verification attempts. Never appears in a response. */
  cvv: string
  zip: string
}

const usual: Printed = { exp_month: '12', exp_year: '2030', cvv: '123', zip: '78701' }
const fixed: Readonly<Record<string, Printed>> = {
  mch_302086: { exp_month: '03', exp_year: '2028', cvv: '878', zip: '78758' },
  mch_311289: { exp_month: '09', exp_year: '2028', cvv: '539', zip: '78758' },
}

/** Returns the details printed on a merchant's cards, and the billing ZIP code. */
export const printedOn = (merchant: string): Printed => fixed[merchant] ?? usual

/** Returns a debt's card details without the verification value, or null if the debt has no card. */
export function cardOf(debt: Debt): { exp_month: string; exp_year: string; billing_zip_code: string } | null {
  if (kindOf(debt).type !== 'credit_card') return null
  const { exp_month, exp_year, zip } = printedOn(debt.mch_id)
  return { exp_month, exp_year, billing_zip_code: zip }
}
