import { ServiceError } from '@causeway/contract/errors'
import type { Tables } from '../db/tables.js'
import { showJson, showTime } from '../http/metadata.js'
import { type Scope, sealer } from '../scope.js'
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

/** An account as its GET shows it. @param latest ids of its latest records by product */
export function showAccount(
  scope: Scope,
  row: AccountRow,
  latest: Record<string, string>,
): Record<string, unknown> & { id: string } {
  const { products, restricted } = availability(scope.team, row)
  const head = { id: row.id, holder_id: row.holder_id, status: row.status }
  const tail = {
    error: showJson(row.error),
    metadata: showJson(row.metadata),
    created_at: showTime(row.created_at),
    updated_at: showTime(row.updated_at),
  }
  const session = latest['account_verification_session'] ?? null
  if (row.type === 'ach')
    return {
      ...head,
      type: row.type,
      ach: { routing: row.routing, number: readNumber(scope, row), type: row.ach_type },
      latest_verification_session: session,
      products,
      restricted_products: restricted,
      ...tail,
    }
  return {
    ...head,
    type: row.type,
    liability: {
      mch_id: row.mch_id,
      mask: row.mask,
      ownership: row.ownership,
      fingerprint: row.fingerprint,
      type: row.liability_type,
      sub_type: row.sub_type,
      name: row.name,
    },
    latest_verification_session: session,
    update: latest['update'] ?? null,
    balance: latest['balance'] ?? null,
    card_brand: latest['card_brand'] ?? null,
    payment_instrument: latest['payment_instrument'] ?? null,
    payoff: latest['payoff'] ?? null,
    attribute: latest['attribute'] ?? null,
    products,
    restricted_products: restricted,
    subscriptions: [],
    available_subscriptions: [],
    restricted_subscriptions: JSON.parse(row.supports).includes('update') ? ['update', 'update.snapshot'] : [],
    ...tail,
  }
}

/** The full number, in clear; null where none is known. For the owner's own ach account, and for the rail. */
export function readNumber(scope: Scope, row: AccountRow): string | null {
  return row.number === null ? null : sealer(scope).open({ id: row.id, field: 'number' }, row.number)
}
