import type { RailAccount, RailPayee } from '@causeway/connector/ports/rail'
import { isRouting } from '@causeway/contract/values/routing'
import type Increase from 'increase'
import { findSource, readAccountName, type SourceAccount } from './accounts.js'
import { createCardOrder } from './cards.js'
import type { Route } from './client.js'
import { REJECTED } from './codes.js'
import type { NoOrder, Order, OrderDetails } from './order.js'
import type { Context } from './settings.js'

export interface OrderInput {
  /** The amount that arrives, in cents. */
  amount: number
  source: RailAccount | null
  destination: RailAccount
}

/** The limits of an ACH record's fields, in characters. */
const fieldLimits = { company_name: 16, individual_id: 15, individual_name: 22, addenda: 80 }
/** The maximum number of addenda that an entry carries here. The ACH network allows 9,999 for CTX. */
const MAX_ADDENDA = 12
const MAX_NAME_LENGTH = 200

const secCodes = {
  ccd: 'corporate_credit_or_debit',
  ctx: 'corporate_trade_exchange',
  ppd: 'prearranged_payments_and_deposit',
} as const satisfies Record<string, Increase.ACHTransferCreateParams['standard_entry_class_code']>

/** Returns text in the form of an ACH record: printable ASCII, shortened to a limit. */
export const toAscii = (value: string, limit: number): string =>
  value
    .slice(0, 1_000)
    .normalize('NFD')
    .replace(/\p{Mn}/gu, '')
    .replace(/[^\x20-\x7e]/g, ' ')
    .trim()
    .slice(0, limit)
    .trim()

/** Returns an account number without spaces and dashes, or null if it can't be in an ACH record. */
function readNumber(number: string | null): string | null {
  if (number === null || number.length > 40) return null
  const compact = number.replace(/[ -]/g, '')
  return /^[0-9A-Za-z]{1,17}$/.test(compact) ? compact : null
}

type AchPayee = Omit<Extract<RailPayee, { route: 'ach' }>, 'sec'> & { sec?: 'ccd' | 'ctx' | 'ppd' }

/** Returns how a payment reaches its destination. An `ach` account is its own payee. */
function payeeOf({ type, routing, number, account_type, holder, payee }: RailAccount): RailPayee | AchPayee | null {
  if (type === 'liability') return payee ?? null
  if (routing === null || number === null) return null
  return {
    route: 'ach',
    routing,
    account: number,
    account_type: account_type ?? 'checking',
    sec: holder?.kind === 'business' ? 'ccd' : 'ppd',
  }
}

/** Creates the request for a payment. Sends nothing that changes anything. */
export async function createOrder(
  context: Context,
  { amount, source, destination }: OrderInput,
): Promise<{ order: Order; source: SourceAccount } | NoOrder> {
  if (amount < 1) return { code: 10010, why: 'amount' }
  const from = source && (await findSource(context, source))
  if (!from) return { code: REJECTED, why: 'source' }
  const name = toAscii(source.holder?.name ?? (await readAccountName(context, from.account_id)), MAX_NAME_LENGTH)
  const details = { amount, from, name }
  const isCard = destination.type === 'liability' && destination.payee?.route === 'card_push'
  const order = isCard ? await createCardOrder(context, details, destination) : orderFrom(details, destination)
  return 'why' in order ? order : { order, source: from }
}

/** Creates the request that pays a destination by ACH or by check from an account at Increase. */
export function orderFrom(details: OrderDetails, destination: RailAccount): Order | NoOrder {
  const payee = payeeOf(destination)
  switch (payee?.route) {
    case 'ach':
      return achOrder(payee, details, destination)
    case 'check':
      return toOrder('check_transfers', details, checkBody(payee, details))
    default:
      return { code: REJECTED, why: 'payee' }
  }
}

const toOrder = (route: Route, { from, amount }: OrderDetails, body: object): Order => ({
  route,
  body,
  account: from.account_id,
  amount,
})

function achOrder(payee: AchPayee, details: OrderDetails, destination: RailAccount): Order | NoOrder {
  const { amount, from, name } = details
  const number = readNumber(payee.account === 'number' ? destination.number : payee.account)
  if (number === null || !isRouting(payee.routing)) return { code: 10008, why: 'number' }
  const addenda = splitAddenda(payee.addenda ?? '')
  const sec = payee.sec === 'ccd' && addenda.length > 1 ? 'ctx' : (payee.sec ?? 'ppd')
  if (addenda.length > (sec === 'ctx' ? MAX_ADDENDA : 1)) return { code: REJECTED, why: 'addenda' }
  const company = toAscii(name, fieldLimits.company_name)
  const individual = destination.holder && toAscii(destination.holder.name, fieldLimits.individual_name)
  // The receiver finds the borrower by the number of the debt.
  const reference = payee.account === 'number' || destination.type === 'ach' ? null : readNumber(destination.number)
  const body = {
    account_id: from.account_id,
    amount,
    statement_descriptor: company || 'PAYMENT',
    ...(company && { company_name: company }),
    account_number: number,
    routing_number: payee.routing,
    funding: payee.account_type ?? 'checking',
    standard_entry_class_code: secCodes[sec],
    destination_account_holder: sec === 'ppd' ? (destination.holder ? 'individual' : 'unknown') : 'business',
    ...(individual && { individual_name: individual }),
    ...(reference !== null && reference.length <= fieldLimits.individual_id && { individual_id: reference }),
    ...(addenda.length > 0 && {
      addenda: {
        category: 'freeform',
        freeform: { entries: addenda.map(payment_related_information => ({ payment_related_information })) },
      },
    }),
  } satisfies Increase.ACHTransferCreateParams
  return toOrder('ach_transfers', details, body)
}

/** Splits remittance information into records. Spaces at the end of a record would be lost, so a record never ends with one. */
function splitAddenda(text: string): string[] {
  const rest = toAscii(text, MAX_ADDENDA * fieldLimits.addenda + 1)
  const records: string[] = []
  for (let at = 0; at < rest.length; ) {
    let end = Math.min(at + fieldLimits.addenda, rest.length)
    while (end < rest.length && end > at + 1 && rest[end - 1] === ' ') end--
    records.push(rest.slice(at, end))
    at = end
  }
  return records
}

const checkBody = (payee: Extract<RailPayee, { route: 'check' }>, { amount, from, name }: OrderDetails) =>
  ({
    account_id: from.account_id,
    amount,
    fulfillment_method: 'physical_check',
    source_account_number_id: from.account_number_id,
    physical_check: {
      recipient_name: payee.name,
      mailing_address: {
        line1: payee.address.line1,
        ...(payee.address.line2 && { line2: payee.address.line2 }),
        city: payee.address.city,
        state: payee.address.state,
        postal_code: payee.address.zip,
      },
      memo: payee.memo,
      payer: [{ contents: name || 'Payer' }],
    },
  }) satisfies Increase.CheckTransferCreateParams
