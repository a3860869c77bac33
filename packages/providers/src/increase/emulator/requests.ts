/** The emulated bank's rules for new transfers, and the objects that it makes of them. */
import { isRouting } from '@causeway/contract/values/routing'
import type Increase from 'increase'
import { type Bank, iso } from './bank.js'
import type { Ach, Card, Check, Internal, Transfer } from './transfers.js'

/** An error body, with its status. */
export interface ApiError {
  status: number
  type: string
  title: string
  detail?: string
  resource_id?: string
  retry_after?: number
  errors?: { field: string; message: string }[]
}

export const invalid = (...fields: string[]): ApiError => ({
  status: 400,
  type: 'invalid_parameters_error',
  title: "Your request contains parameters that aren't valid.",
  errors: fields.map(field => ({ field, message: 'This is not valid.' })),
})
export const notFound = (): ApiError => ({
  status: 404,
  type: 'object_not_found_error',
  title: 'Could not find the specified object.',
})
export const notAllowed = (detail: string): ApiError => ({
  status: 409,
  type: 'invalid_operation_error',
  title: 'The action you specified cannot be performed on the object in its current state.',
  detail,
})

type Body = Record<string, unknown>
type Made = { transfer: Transfer; error?: never } | { transfer?: never; error: ApiError }

const isText = (value: unknown, limit: number, isRequired = false) =>
  value === undefined ? !isRequired : typeof value === 'string' && value.length > 0 && value.length <= limit
const isCents = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) > 0

/** Checks what all transfers have in common. @returns the error, or the status of the new transfer */
function checkAccount(
  bank: Bank,
  { account_id, amount }: { account_id?: unknown; amount?: unknown },
): ApiError | { status: 'pending_approval' | 'pending_submission' } {
  if (!isCents(amount)) return invalid('amount')
  const account = bank.accounts.get(String(account_id))
  if (!account) return notFound()
  if (account.object.status !== 'open') return notAllowed('The account is closed.')
  if (bank.availableBalance(account.object.id) < amount) return notAllowed('The account has too little money.')
  return { status: account.needsApproval ? 'pending_approval' : 'pending_submission' }
}

const secCodes = new Set([
  'corporate_credit_or_debit',
  'corporate_trade_exchange',
  'prearranged_payments_and_deposit',
  'internet_initiated',
])

export function makeAch(bank: Bank, body: Body, key: string | null): Made {
  const given = body as unknown as Increase.ACHTransferCreateParams
  const sec = given.standard_entry_class_code ?? 'corporate_credit_or_debit'
  const entries = given.addenda?.freeform?.entries ?? []
  const faults = {
    statement_descriptor: isText(given.statement_descriptor, 200, true),
    account_number: isText(given.account_number, 17, true),
    routing_number: isText(given.routing_number, 9, true) && isRouting(given.routing_number!),
    company_name: isText(given.company_name, 16),
    company_entry_description: isText(given.company_entry_description, 10),
    individual_name: isText(given.individual_name, 22),
    individual_id: isText(given.individual_id, 15),
    standard_entry_class_code: secCodes.has(sec),
    addenda:
      entries.every(entry => isText(entry.payment_related_information, 80, true)) &&
      (entries.length <= 1 || sec === 'corporate_trade_exchange'),
  }
  const fields = Object.entries(faults).flatMap(([field, isValid]) => (isValid ? [] : [field]))
  if (fields.length > 0) return { error: invalid(...fields) }
  const checked = checkAccount(bank, body)
  if ('type' in checked) return { error: checked }
  const transfer: Ach = {
    id: bank.nextId('ach_transfer'),
    account_id: given.account_id,
    account_number: given.account_number!,
    acknowledgement: null,
    addenda: given.addenda ? { payment_order_remittance_advice: null, freeform: null, ...given.addenda } : null,
    amount: given.amount,
    approval: null,
    cancellation: null,
    company_descriptive_date: given.company_descriptive_date ?? null,
    company_discretionary_data: given.company_discretionary_data ?? null,
    company_entry_description: given.company_entry_description ?? null,
    company_id: '1234987601',
    company_name: given.company_name ?? null,
    created_at: iso(bank.now()),
    created_by: null,
    currency: 'USD',
    destination_account_holder: given.destination_account_holder ?? 'unknown',
    external_account_id: null,
    funding: given.funding ?? 'checking',
    idempotency_key: key,
    inbound_funds_hold: null,
    individual_id: given.individual_id ?? null,
    individual_name: given.individual_name ?? null,
    network: 'ach',
    notifications_of_change: [],
    pending_transaction_id: null,
    preferred_effective_date: { date: null, settlement_schedule: 'same_day' },
    return: null,
    routing_number: given.routing_number!,
    settlement: null,
    standard_entry_class_code: sec,
    statement_descriptor: given.statement_descriptor,
    status: checked.status,
    submission: null,
    transaction_id: null,
    type: 'ach_transfer',
  }
  return { transfer }
}

export function makeCheck(bank: Bank, body: Body, key: string | null): Made {
  const given = body as unknown as Increase.CheckTransferCreateParams
  const physical = given.physical_check
  const address = physical?.mailing_address
  const isAddress =
    isText(address?.line1, 100, true) && isText(address?.city, 50, true) && /^[A-Z]{2}$/.test(address?.state ?? '')
  const faults = {
    fulfillment_method: given.fulfillment_method === 'physical_check',
    'physical_check.recipient_name': isText(physical?.recipient_name, 200, true),
    'physical_check.memo': isText(physical?.memo, 200, true),
    'physical_check.mailing_address': isAddress && /^\d{5}(?:-\d{4})?$/.test(address?.postal_code ?? ''),
  }
  const fields = Object.entries(faults).flatMap(([field, isValid]) => (isValid ? [] : [field]))
  if (fields.length > 0) return { error: invalid(...fields) }
  const checked = checkAccount(bank, body)
  if ('type' in checked) return { error: checked }
  const number = bank.numbers.find(
    ({ id, account_id, status }) =>
      id === given.source_account_number_id && account_id === given.account_id && status === 'active',
  )
  if (!number) return { error: invalid('source_account_number_id') }
  const transfer: Check = {
    id: bank.nextId('check_transfer'),
    account_id: given.account_id,
    account_number: number.account_number,
    amount: given.amount,
    approval: null,
    approved_inbound_check_deposit_id: null,
    balance_check: 'full',
    cancellation: null,
    check_number: bank.nextTrace().slice(-7),
    created_at: iso(bank.now()),
    created_by: null,
    currency: 'USD',
    fulfillment_method: 'physical_check',
    idempotency_key: key,
    mailing: null,
    pending_transaction_id: null,
    physical_check: {
      attachment_file_id: null,
      check_voucher_image_file_id: null,
      mailing_address: { line2: null, name: null, phone: null, ...address! },
      memo: physical!.memo,
      note: physical!.note ?? null,
      payer: physical!.payer,
      recipient_name: physical!.recipient_name,
      return_address: null,
      return_address_name: null,
      shipping_method: 'usps_first_class',
      signature: { image_file_id: null, text: null },
      tracking_updates: [],
    },
    routing_number: number.routing_number,
    source_account_number_id: number.id,
    status: checked.status,
    stop_payment_request: null,
    submission: null,
    third_party: null,
    type: 'check_transfer',
    valid_until_date: null,
  }
  return { transfer }
}

export function makeInternal(bank: Bank, body: Body, key: string | null): Made {
  const given = body as unknown as Increase.AccountTransferCreateParams
  if (!isText(given.description, 200, true)) return { error: invalid('description') }
  if (!bank.accounts.has(given.destination_account_id)) return { error: notFound() }
  const checked = checkAccount(bank, body)
  if ('type' in checked) return { error: checked }
  const transfer: Internal = {
    id: bank.nextId('account_transfer'),
    account_id: given.account_id,
    amount: given.amount,
    approval: null,
    cancellation: null,
    created_at: iso(bank.now()),
    created_by: null,
    currency: 'USD',
    description: given.description,
    destination_account_id: given.destination_account_id,
    destination_transaction_id: null,
    idempotency_key: key,
    pending_transaction_id: null,
    status: checked.status === 'pending_approval' ? 'pending_approval' : 'complete',
    transaction_id: null,
    type: 'account_transfer',
  }
  return { transfer }
}

const dollars = /^\d{1,9}\.\d\d$/

export function makeCard(bank: Bank, body: Body, key: string | null): Made {
  const given = body as unknown as Increase.CardPushTransferCreateParams
  const { currency, value } = given.presentment_amount ?? {}
  const faults = {
    presentment_amount: currency === 'USD' && typeof value === 'string' && dollars.test(value),
    merchant_category_code: /^\d{4}$/.test(String(given.merchant_category_code)),
    merchant_name: isText(given.merchant_name, 40, true),
    merchant_name_prefix: isText(given.merchant_name_prefix, 4, true),
    merchant_city_name: isText(given.merchant_city_name, 40, true),
    recipient_name: isText(given.recipient_name, 200, true),
    sender_name: isText(given.sender_name, 200, true),
  }
  const fields = Object.entries(faults).flatMap(([field, isValid]) => (isValid ? [] : [field]))
  if (fields.length > 0) return { error: invalid(...fields) }
  if (!bank.cardTokens.has(given.card_token_id)) return { error: notFound() }
  const number = bank.numbers.find(({ id, status }) => id === given.source_account_number_id && status === 'active')
  if (!number) return { error: invalid('source_account_number_id') }
  const checked = checkAccount(bank, { account_id: number.account_id, amount: Number(value!.replace('.', '')) })
  if ('type' in checked) return { error: checked }
  const transfer = {
    merchant_legal_business_name: null,
    merchant_street_address: null,
    recipient_address_city: null,
    recipient_address_line1: null,
    recipient_address_postal_code: null,
    recipient_address_state: null,
    ...given,
    id: bank.nextId('card_push_transfer'),
    acceptance: null,
    account_id: number.account_id,
    approval: null,
    cancellation: null,
    created_at: iso(bank.now()),
    created_by: null,
    decline: null,
    idempotency_key: key,
    route: 'visa',
    status: checked.status,
    submission: null,
    type: 'card_push_transfer',
  } satisfies Card
  return { transfer }
}
