import { ServiceError } from '@causeway/contract/errors'
import type { Tables } from '../db/tables.js'
import type { Team } from '../teams/team.js'

export type AccountRow = Tables['accounts']

/** Products that an account of a type can have at all, in the order they are listed. */
const byType: Record<string, readonly string[]> = {
  credit_card: [
    'payment_instrument.card',
    'payment_instrument.network_token',
    'payment_instrument.inbound_achwire_payment',
    'card_brand',
    'attribute',
  ],
  auto_loan: ['payoff'],
  mortgage: ['payoff', 'attribute'],
  personal_loan: ['attribute'],
}
/** What the service offers today; a team can switch them on. The rest is restricted. */
const OFFERED = new Set(['balance', 'update', 'payment'])

/** Product lists of an account. Pure. Source: contract, name-lists. */
export function availability(team: Team, row: AccountRow): { products: string[]; restricted: string[] } {
  const products: string[] = []
  const restricted: string[] = []
  if (row.status === 'disabled') return { products, restricted }
  const add = (name: string, usable: boolean) => {
    if (usable && OFFERED.has(name) && team.settings.products.includes(name)) products.push(name)
    else restricted.push(name)
  }
  if (row.type === 'ach') {
    add('payment', row.status === 'active' && row.verified_at !== null)
    return { products, restricted }
  }
  const supports = new Set(JSON.parse(row.supports) as string[])
  const active = row.status === 'active'
  if (supports.has('balance') && active) add('balance', true)
  if (supports.has('update') && active) add('update', true)
  if (row.payable !== 'no' && active) add('payment', row.payable === 'yes')
  for (const name of ['sensitive', ...(byType[row.liability_type ?? ''] ?? [])]) add(name, false)
  return { products, restricted }
}

/** Whether a payment can reach the account now. */
export function isPayable(team: Team, row: AccountRow): boolean {
  return availability(team, row).products.includes('payment')
}

/** Throws the request error that keeps an account from using a product. Source: contract, order of checks. */
export function allowAccountProduct(team: Team, row: AccountRow, name: string): void {
  const supports = JSON.parse(row.supports) as string[]
  if (row.status !== 'active' || row.type !== 'liability' || !supports.includes(name))
    throw new ServiceError('PRODUCT_UNAVAILABLE')
  if (!team.settings.products.includes(name)) throw new ServiceError('TEAM_CAPABILITY_RESTRICTED')
}
