/** Card push transfers, which pay a card through its network. Mostly debit cards accept them. */
import type { RailAccount } from '@causeway/connector/ports/rail'
import type Increase from 'increase'
import { createCardToken, read } from './client.js'
import { REJECTED } from './codes.js'
import type { NoOrder, Order, OrderDetails } from './order.js'
import type { Context } from './settings.js'

/** Returns an amount in dollars, with two decimal places. */
const toDollars = (cents: number): string => `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`

/** Returns the token of a card. The number goes to Increase's vault once, and only the token is stored. */
async function findToken(context: Context, number: string, card: NonNullable<RailAccount['card']>) {
  const id = context.fingerprint(`${number} ${card.exp_month} ${card.exp_year}`)
  const stored = await context.store.get('card_token', id)
  if (typeof stored === 'string') return stored
  const token = await createCardToken(context, {
    primary_account_number: number,
    expiration_month: Number(card.exp_month),
    expiration_year: Number(card.exp_year),
  })
  return token === null ? null : ((await context.store.claim('card_token', id, token)) as string)
}

/** Returns true if the card's issuer accepts pushed payments. */
async function acceptsPush(context: Context, token: string): Promise<boolean> {
  const { routes } = ((await read(context, `/card_tokens/${token}/capabilities`)) ?? {}) as { routes?: unknown }
  return (
    Array.isArray(routes) &&
    routes.some(
      (route: Partial<Increase.CardTokenCapabilities.Route> | null) => route?.domestic_push_transfers === 'supported',
    )
  )
}

/** Creates the request that pays a card. */
export async function createCardOrder(
  context: Context,
  { amount, from }: OrderDetails,
  { number, card, holder }: RailAccount,
): Promise<Order | NoOrder> {
  const { INCREASE_CARD_PUSH, INCREASE_CARD_MERCHANT } = context.settings
  // mutant: card-push-is-off (false)
  if (INCREASE_CARD_PUSH === 'off') return { code: REJECTED, why: 'card_push' }
  const digits = (number ?? '').slice(0, 40).replace(/[ -]/g, '')
  const isDate = card && /^(?:0[1-9]|1[0-2])$/.test(card.exp_month) && /^20\d\d$/.test(card.exp_year)
  if (!/^\d{12,19}$/.test(digits) || !isDate) return { code: REJECTED, why: 'card' }
  const token = await findToken(context, digits, card)
  if (token === null) return { code: 10008, why: 'card' }
  if (!(await acceptsPush(context, token))) return { code: REJECTED, why: 'card_push' }
  const [name = '', prefix = '', category = '', street = '', city = '', state = '', zip = ''] =
    INCREASE_CARD_MERCHANT.split(';')
  const body = {
    business_application_identifier: 'card_bill_payment',
    card_token_id: token,
    source_account_number_id: from.account_number_id,
    presentment_amount: { currency: 'USD', value: toDollars(amount) },
    merchant_category_code: category,
    merchant_city_name: city,
    merchant_name: name,
    merchant_name_prefix: prefix,
    merchant_postal_code: zip,
    merchant_state: state,
    recipient_name: holder?.name ?? 'Cardholder',
    sender_name: name,
    sender_address_line1: street,
    sender_address_city: city,
    sender_address_postal_code: zip,
    sender_address_state: state,
  } satisfies Increase.CardPushTransferCreateParams
  return { route: 'card_push_transfers', body, account: from.account_id, amount }
}
