/** Increase's words for returns, corrections and refusals, and the codes that they have here. */
import { resourceCodes } from '@causeway/contract/errors'
import type Increase from 'increase'
import type { Refusal } from './client.js'

export type ReturnReason = Increase.ACHTransfer.Return['return_reason_code']
export type ChangeCode = Increase.ACHTransfer.NotificationsOfChange['change_code']
type DeclineReason = Increase.CardPushTransfer.Decline['reason']
type PaymentCode = 10001 | 10007 | 10008 | 10009 | 10010

const INSUFFICIENT_FUNDS = resourceCodes.PAYMENT_INSUFFICIENT_FUNDS
const INVALID_SOURCE = resourceCodes.PAYMENT_INVALID_SOURCE_ACCOUNT
const INVALID_DESTINATION = resourceCodes.PAYMENT_INVALID_DESTINATION_ACCOUNT
/** The code that blames no account. Everything that is not in the tables gets it. */
export const REJECTED = resourceCodes.PAYMENT_REJECTED_BY_DESTINATION_INSTITUTION
const INVALID_AMOUNT = resourceCodes.PAYMENT_REJECTED_INVALID_AMOUNT

/**
 * The return code of each of Increase's reasons. Increase has one reason for R14 and R15, and the raw code tells them
 * apart.
 */
export const returnCodes = {
  insufficient_fund: 'R01',
  account_closed: 'R02',
  no_account: 'R03',
  invalid_account_number_structure: 'R04',
  unauthorized_debit_to_consumer_account_using_corporate_sec_code: 'R05',
  returned_per_odfi_request: 'R06',
  authorization_revoked_by_customer: 'R07',
  payment_stopped: 'R08',
  uncollected_funds: 'R09',
  customer_advised_unauthorized_improper_ineligible_or_incomplete: 'R10',
  customer_advised_not_within_authorization_terms: 'R11',
  account_sold_to_another_dfi: 'R12',
  invalid_ach_routing_number: 'R13',
  representative_payee_deceased_or_unable_to_continue_in_that_capacity: 'R14',
  beneficiary_or_account_holder_deceased: 'R15',
  account_frozen_entry_returned_per_ofac_instruction: 'R16',
  file_record_edit_criteria: 'R17',
  improper_effective_entry_date: 'R18',
  amount_field_error: 'R19',
  non_transaction_account: 'R20',
  invalid_company_id: 'R21',
  invalid_individual_id_number: 'R22',
  credit_entry_refused_by_receiver: 'R23',
  duplicate_entry: 'R24',
  addenda_error: 'R25',
  mandatory_field_error: 'R26',
  trace_number_error: 'R27',
  routing_number_check_digit_error: 'R28',
  corporate_customer_advised_not_authorized: 'R29',
  rdfi_participant_in_check_truncation_program: 'R30',
  permissible_return_entry: 'R31',
  rdfi_non_settlement: 'R32',
  return_of_xck_entry: 'R33',
  limited_participation_dfi: 'R34',
  return_of_improper_debit_entry: 'R35',
  return_of_improper_credit_entry: 'R36',
  source_document_presented_for_payment: 'R37',
  stop_payment_on_source_document: 'R38',
  improper_source_document_source_document_presented: 'R39',
  enr_return_of_enr_entry: 'R40',
  enr_invalid_transaction_code: 'R41',
  enr_routing_number_check_digit_error: 'R42',
  enr_invalid_dfi_account_number: 'R43',
  enr_invalid_individual_id_number: 'R44',
  enr_invalid_individual_name: 'R45',
  enr_invalid_representative_payee_indicator: 'R46',
  enr_duplicate_enrollment: 'R47',
  state_law_affecting_rck_acceptance: 'R50',
  item_related_to_rck_entry_is_ineligible: 'R51',
  stop_payment_on_item_related_to_rck_entry: 'R52',
  item_and_rck_entry_presented_for_payment: 'R53',
  misrouted_return: 'R61',
  return_of_erroneous_or_reversing_debit: 'R62',
  duplicate_return: 'R67',
  untimely_return: 'R68',
  field_error: 'R69',
  permissible_return_entry_not_accepted: 'R70',
  misrouted_dishonored_return: 'R71',
  untimely_dishonored_return: 'R72',
  timely_original_return: 'R73',
  corrected_return: 'R74',
  return_not_a_duplicate: 'R75',
  no_errors_found: 'R76',
  non_acceptance_of_r62_dishonored_return: 'R77',
  iat_entry_coding_error: 'R80',
  non_participant_in_iat_program: 'R81',
  invalid_foreign_receiving_dfi_identification: 'R82',
  foreign_receiving_dfi_unable_to_settle: 'R83',
  entry_not_processed_by_gateway: 'R84',
  incorrectly_coded_outbound_international_payment: 'R85',
} as const satisfies Record<ReturnReason, string>

const knownReturnCodes = new Set<string>(Object.values(returnCodes))
/** The returns that mean that the destination account does not exist, is closed or can't be credited. */
const invalidDestination = new Set(['R02', 'R03', 'R04', 'R12', 'R13', 'R14', 'R15', 'R16', 'R20', 'R22', 'R28', 'R34'])

export const isKnownReturn = (raw: string): boolean => knownReturnCodes.has(raw)

/** Returns the code of a credit that was returned. No return of a credit blames the account's holder. */
export function returnCode(raw: string): PaymentCode {
  if (invalidDestination.has(raw)) return INVALID_DESTINATION
  return raw === 'R19' ? INVALID_AMOUNT : REJECTED
}

/** The code of each notification of change. Codes from C61 refuse a notification, and correct nothing. */
export const changeCodes = {
  incorrect_account_number: 'C01',
  incorrect_routing_number: 'C02',
  incorrect_routing_number_and_account_number: 'C03',
  incorrect_transaction_code: 'C05',
  incorrect_account_number_and_transaction_code: 'C06',
  incorrect_routing_number_account_number_and_transaction_code: 'C07',
  incorrect_receiving_depository_financial_institution_identification: 'C08',
  incorrect_individual_identification_number: 'C09',
  addenda_format_error: 'C13',
  incorrect_standard_entry_class_code_for_outbound_international_payment: 'C14',
  misrouted_notification_of_change: 'C61',
  incorrect_trace_number: 'C62',
  incorrect_company_identification_number: 'C63',
  incorrect_identification_number: 'C64',
  incorrectly_formatted_corrected_data: 'C65',
  incorrect_discretionary_data: 'C66',
  routing_number_not_from_original_entry_detail_record: 'C67',
  depository_financial_institution_account_number_not_from_original_entry_detail_record: 'C68',
  incorrect_transaction_code_by_originating_depository_financial_institution: 'C69',
} as const satisfies Record<ChangeCode, string>

/** The declines of a card that mean that the card can't be paid any more. */
const invalidCard = new Set<string>([
  'invalid_account_number',
  'no_such_issuer',
  'no_credit_account',
  'no_checking_account',
  'no_savings_account',
  'closed_account',
  'pick_up_card',
  'pick_up_card_special',
  'pick_up_card_lost',
  'pick_up_card_stolen',
  'expired_card',
  'financial_institution_cannot_be_found',
] satisfies DeclineReason[])

const invalidCardAmount = new Set<string>([
  'invalid_amount',
  'activity_amount_limit_exceeded',
  'valid_account_but_amount_not_supported',
  'transaction_amount_exceeds_pre_authorized_approval_amount',
] satisfies DeclineReason[])

/** Returns the code of a card push that was declined. */
export function declineCode(reason: string): PaymentCode {
  if (invalidCard.has(reason)) return INVALID_DESTINATION
  return invalidCardAmount.has(reason) ? INVALID_AMOUNT : REJECTED
}

const destinationFields = new Set(['account_number', 'routing_number', 'card_token_id'])
const sourceFields = new Set(['account_id', 'source_account_number_id'])

/** Returns the code of a payment that Increase did not accept. */
export function refusalCode({ type, fields }: Refusal, isShort: boolean): PaymentCode {
  if (isShort) return INSUFFICIENT_FUNDS
  if (type === 'object_not_found_error' || fields.some(field => sourceFields.has(field))) return INVALID_SOURCE
  if (fields.some(field => destinationFields.has(field))) return INVALID_DESTINATION
  return fields.includes('amount') ? INVALID_AMOUNT : REJECTED
}
