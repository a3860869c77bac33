/**
 * Describes how to produce every status and error of entities, accounts and their products in the sandbox.
 * docs/sandbox.md shows this table, and scenarios.test.ts runs it. The file is long because it is one complete
 * reference table.
 */
import { achNumbers, codes, deniedPhone, refusedDetails, refusedPhone, screened } from './inputs.js'

/** Each key names a resource and a result. The result is a code, a status, or the `sub_type` of a rejected request. */
type Table = Readonly<Record<string, string>>

const ach = (test: (row: (typeof achNumbers)[number]) => unknown) => achNumbers.find(test)!.number
const ssn = (code: number) => Object.entries(screened).find(([, each]) => each === code)![0]

export const statuses = {
  'entity incomplete': 'an individual with only a name',
  'entity active': 'verify phone and identity of +15125550101',
  'entity disabled': 'withdraw consent',
  'account active': 'any debt of +15125550101',
  'account closed':
    'the loan of +15125550120: enroll it in update and move the clock by P31D; or the third account of +15121231112',
  'account disabled': 'withdraw consent to an account',
  'entity_verification_session in_progress': 'begin sms',
  'entity_verification_session verified': 'byo_sms',
  'entity_verification_session failed': `answer sms with ${codes.expired}`,
  'account_verification_session pending': 'begin standard',
  'account_verification_session in_progress': `micro_deposits to ${ach(row => row.unknown && !row.refusesDeposits)}, once they are sent`,
  'account_verification_session verified': 'standard with the full number',
  'account_verification_session failed': `micro_deposits to ${ach(row => row.refusesDeposits)}`,
  'connect pending': 'connect with Prefer: respond-async',
  'connect completed': 'connect +15125550101',
  'connect failed': 'connect +15125550106',
  'balance pending': 'any balance, at first',
  'balance completed': 'any balance, in the end',
  'balance failed': 'the third account of +15125550109',
  'card_brand in_progress': 'any card brand, at first',
  'credit_score pending': 'any requested credit score, until it is simulated',
  'transaction pending': 'a card that is enrolled in transaction, on the day of a purchase',
  'transaction posted': 'the same a day later',
  'transaction voided': 'the same, for about one of eight purchases',
  'payment_instrument closed': 'delete an inbound_achwire_payment',
  'product available': 'balance of any debt of +15125550101',
  'product restricted': 'connect of an entity that is not verified',
  'product unavailable': 'payoff of a card',
  'subscription active': 'enroll',
  'subscription inactive': 'delete the subscription',
} as const satisfies Table

export const resourceCodes = {
  'account 11001': `a payment from ach ${ach(row => row.pull?.code === 10007)}, a week later`,
  'account 11003': `a payment from ach ${ach(row => row.pull?.code === 10005)}, a week later`,
  'account 11004': 'withdraw consent to an account',
  'account 11006': 'another account of the holder of 12001',
  'entity 12001': `a payment from ach ${ach(row => row.pull?.code === 10005)}, a week later: its holder`,
  'entity 12002': `an individual with the ssn ${ssn(12002)}`,
  'entity 12003': `an individual with the ssn ${ssn(12003)}`,
  'entity 12004': 'withdraw consent of an entity',
  'entity 12005': `an individual with the ssn ${ssn(12005)}`,
  'entity 12006': `an individual with the ssn ${ssn(12006)}`,
  'account_verification_session 16001': 'standard, for the fourth account of +15125550100',
  'account_verification_session 16002': 'standard, for the first account of +15125550108',
  'account_verification_session 16003': 'the same, five times',
  'account_verification_session 16004': `micro_deposits to ach ${ach(row => row.refusesDeposits)}`,
  'payoff 18001': 'the fourth account of +15125550101',
  'entity_verification_session 19001': `answer sms with ${codes.expired}, or move the clock by PT10M`,
  'entity_verification_session 19002': `answer sms with ${codes.incorrect}`,
  'entity_verification_session 19003': `sna for ${deniedPhone}`,
  'entity_verification_session 19004': 'kba of +15125550104, answered incorrectly',
  'balance 20001': 'the third account of +15125550109',
  'update 21001': 'the third account of +15125550109',
  'credit_score 23001': 'a credit score of +15125550106',
  'entity_verification_session 24001': `sms to ${refusedPhone}`,
  'card_brand 24001': 'a card brand while the fault network is failing, until the service gives up after about 15 s',
  'connect 26001': 'connect +15125550106',
  'connect 26002': 'connect +15125550107',
  'entity_attribute 27001': 'the attributes of +15125550105, in 2026-03-30',
  'account_attribute 28001': 'the attribute heloc_utilization of a card, in 2026-03-30',
} as const satisfies Table

export const refusals = {
  INVALID_ENTITY_PHONE_NUMBER: 'create an individual with the phone 5125550100',
  INVALID_ENTITY_EMAIL_ADDRESS: 'create an individual with the email ana',
  ENTITY_INVALID_SSN: 'create an individual with the ssn 12',
  ENTITY_INVALID_SSN4: 'create an individual with the ssn_4 12',
  MAX_ENTITY_METADATA_SIZE_EXCEEDED: 'create an entity with 1,024 bytes of metadata',
  ENTITY_UPDATE_RESTRICTED: 'change an entity that withdrew consent',
  ENTITY_UPDATE_DISABLED: `change an entity with the ssn ${ssn(12002)}`,
  ENTITY_UPDATE_INVALID: 'change a name that already has a value',
  ENTITY_UPDATE_UNSUPPORTED: 'change the corporation of an individual',
  ENTITY_CONSENT_ALREADY_WITHDRAWN: 'withdraw twice',
  ENTITY_CONSENT_ALREADY_GRANTED: 'grant consent without withdrawing it first',
  ENTITY_HAS_PAYMENTS_IN_PROGRESS: 'withdraw while a payment is pending',
  ENTITY_VERIFICATION_MISSING: 'connect an entity that is not verified',
  TEAM_CAPABILITY_RESTRICTED: 'manual_connect, which a new team does not have',
  ENTITY_PHONE_VERIFICATION_MAX_ATTEMPTS: 'create an sms session 61 times within an hour',
  EXISTING_VERIFIED_SESSION: 'verify a phone that is verified',
  MISSING_IDENTITY_MATCH: `kba of a person whose last name is ${refusedDetails.last_name}`,
  MISSING_PHONE_VERIFICATION: 'kba before the phone is verified',
  UNAUTHORIZED_VERIFICATION_METHOD: 'byo_kyc, which a new team does not have',
  INVALID_ENTITY_TYPE: 'connect a corporation',
  INVALID_HOLDER_ID: 'create an account of a holder who is not there',
  INVALID_MERCHANT_ID: 'create a liability at a merchant who is not there',
  INVALID_ACH_ACCOUNT_NUMBER: 'create an ach account with the number 12',
  INVALID_ACH_ACCOUNT_ROUTING: 'create an ach account with the routing 123456789',
  INVALID_ACH_ACCOUNT_TYPE: 'create an ach account of the type loan',
  EXISTING_ACCOUNT_DISABLED: 'create an ach account anew after 11001',
  INVALID_ACCOUNT_NUMBER: 'change a card’s number to one that does not end in its mask',
  MAX_ACCOUNT_METADATA_SIZE_EXCEEDED: 'create an account with 1,024 bytes of metadata',
  ACCOUNT_CONSENT_ALREADY_WITHDRAWN: 'withdraw consent to an account twice',
  ACCOUNT_CONSENT_ALREADY_GRANTED: 'grant consent to an account that has it',
  ACCOUNT_HAS_PAYMENT_IN_PROGRESS: 'withdraw consent to an account while a payment to it is pending',
  EXISTING_VERIFICATION_SESSION: 'create a standard session twice',
  VERIFICATION_TYPE_NOT_SUPPORTED: 'create a micro_deposits session for a card',
  INVALID_VERIFICATION_AMOUNTS: 'answer micro_deposits with one amount',
  INVALID_VERIFICATION_STATUS: 'answer a session that failed',
  VERIFICATION_SESSION_ATTEMPT_LIMIT_REACHED:
    'answer pre_auth incorrectly five times, and create it again the same day',
  PRODUCT_UNAVAILABLE: 'a payoff of a card',
  PRODUCT_VERIFICATION_MISSING: 'sensitive of a card that is not verified',
  INVALID_SEARCH_PARAMETERS: 'a list with page and page_cursor',
  SIMULATION_RESTRICTED_MISSING_SUBSCRIPTION: 'simulate a transaction of a card that is not enrolled',
  SIMULATION_RESTRICTED_MISSING_PRODUCT_REQUEST:
    'simulate credit_score.increased of an enrolled entity without a score',
} as const satisfies Table

/** Errors that can't occur in the sandbox, with the reason for each. */
export const unreachable = {
  'account processing': 'ach accounts are active while they are being verified; only their capabilities are pending',
  'account pending_exchange': 'nothing is exchanged here: an account has its id from the start',
  'account 11002': 'a closed account has the status closed and no error, and no payment is returned because of it',
  'account 11005': 'no institution of the sandbox leaves an account in a state that has no name',
  'entity 12007': 'the contract counts seven codes and names six',
  'sensitive 17001': 'the request is rejected first, with PRODUCT_VERIFICATION_MISSING',
  DUPLICATE_ENTITY_DETAILS: 'no team can request it: two entities can have the same details',
  RESTRICTED_ENTITY_DETAILS: 'no team can restrict the data of its entities',
  ACCOUNT_CONSENT_UNAVAILABLE: 'no organization is between a team and a holder',
  INVALID_ACCOUNT_DETAILS: 'every merchant of the sandbox can describe a debt by its number',
  ENTITY_CREDIT_SCORE_NOT_FOUND: 'a score that does not exist is NOT_FOUND',
  VERIFICATION_SESSION_EXPIRED: 'an expired session has the error 19001, and the request is not rejected',
  ENTITY_PHONE_VERIFICATION_ADDRESS_LIMIT:
    'only the frame counts network addresses, and it shows too_many_codes_from_network',
} as const satisfies Table
