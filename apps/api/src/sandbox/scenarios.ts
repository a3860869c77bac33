// biome-ignore-all lint/style/noExcessiveLinesPerFile: it is a complete reference.
/**
 * Steps that produce each status and error of entities, accounts and their products in the sandbox. docs/sandbox.md
 * shows this table, and scenarios.test.ts runs it.
 */
import { achNumbers, codes, deniedPhone, refusedDetails, refusedPhone, screened } from './tables/inputs.js'

/** Each key names a resource and a result. The result is a code, a status, or the `sub_type` of a rejected request. */
type Table = Readonly<Record<string, string>>

const ach = (test: (row: (typeof achNumbers)[number]) => unknown) => achNumbers.find(test)!.number
const ssn = (code: number) => Object.entries(screened).find(([, each]) => each === code)![0]

export const statuses = {
  'entity incomplete': 'create an individual with only a name',
  'entity active': 'verify the phone and identity of +15125550101',
  'entity disabled': 'withdraw consent for an entity',
  'account active': 'use any debt of +15125550101',
  'account closed':
    'enroll the loan of +15125550120 in update, and advance the clock by P31D, or use the third account of +15121231112',
  'account disabled': 'withdraw consent for an account',
  'entity_verification_session in_progress': 'start an sms session',
  'entity_verification_session verified': 'create a byo_sms session',
  'entity_verification_session failed': `answer an sms session with ${codes.expired}`,
  'account_verification_session pending': 'start a standard session',
  'account_verification_session in_progress': `start a micro_deposits session for ${ach(row => row.unknown && !row.refusesDeposits)}, and wait until the deposits are sent`,
  'account_verification_session verified': 'answer a standard session with the full number',
  'account_verification_session failed': `start a micro_deposits session for ${ach(row => row.refusesDeposits)}`,
  'connect pending': 'connect an entity with the header Prefer: respond-async',
  'connect completed': 'connect +15125550101',
  'connect failed': 'connect +15125550106',
  'balance pending': 'request any balance; it is pending at first',
  'balance completed': 'request any balance, and wait until it is completed',
  'balance failed': 'request the balance of the third account of +15125550109',
  'card_brand in_progress': 'request any card brand; it is in progress at first',
  'credit_score pending': 'request any credit score; it is pending until you simulate its scores',
  'transaction pending': 'enroll a card in transaction, and move the clock to the day of a purchase',
  'transaction posted': 'same as for pending, one day later',
  'transaction voided': 'same as for posted; about one in eight purchases is voided instead',
  'payment_instrument closed': 'delete an inbound_achwire_payment instrument',
  'product available': 'list the products of any debt of +15125550101, and check balance',
  'product restricted': 'list the products of an entity that is not verified, and check connect',
  'product unavailable': 'list the products of a card, and check payoff',
  'subscription active': 'enroll an account or an entity',
  'subscription inactive': 'delete a subscription',
} as const satisfies Table

export const resourceCodes = {
  'account 11001': `make a payment from ACH account ${ach(row => row.pull?.code === 10007)}, and wait a week`,
  'account 11003': `make a payment from ACH account ${ach(row => row.pull?.code === 10005)}, and wait a week`,
  'account 11004': 'withdraw consent for an account',
  'account 11006': 'retrieve another account of the entity with the error 12001',
  'entity 12001': `make a payment from ACH account ${ach(row => row.pull?.code === 10005)}, wait a week, and retrieve the account’s holder`,
  'entity 12002': `create an individual with the SSN ${ssn(12002)}`,
  'entity 12003': `create an individual with the SSN ${ssn(12003)}`,
  'entity 12004': 'withdraw consent for an entity',
  'entity 12005': `create an individual with the SSN ${ssn(12005)}`,
  'entity 12006': `create an individual with the SSN ${ssn(12006)}`,
  'account_verification_session 16001': 'start a standard session for the fourth account of +15125550100',
  'account_verification_session 16002': 'answer a standard session for the first account of +15125550108',
  'account_verification_session 16003': 'answer a standard session for the first account of +15125550108 five times',
  'account_verification_session 16004': `start a micro_deposits session for ACH account ${ach(row => row.refusesDeposits)}`,
  'payoff 18001': 'request the payoff of the fourth account of +15125550101',
  'entity_verification_session 19001': `answer an sms session with ${codes.expired}, or advance the clock by PT10M`,
  'entity_verification_session 19002': `answer an sms session with ${codes.incorrect}`,
  'entity_verification_session 19003': `use sna for ${deniedPhone}`,
  'entity_verification_session 19004': 'answer a kba session of +15125550104 incorrectly',
  'balance 20001': 'request the balance of the third account of +15125550109',
  'update 21001': 'request an update of the third account of +15125550109',
  'credit_score 23001': 'request a credit score for +15125550106',
  'entity_verification_session 24001': `start an sms session for ${refusedPhone}`,
  'card_brand 24001':
    'set the fault mode failing for network, and request a card brand; the service stops retrying after about 15 seconds',
  'connect 26001': 'connect +15125550106',
  'connect 26002': 'connect +15125550107',
  'entity_attribute 27001': 'request the attributes of +15125550105 with API version 2026-03-30',
  'account_attribute 28001': 'request the attribute heloc_utilization of a card with API version 2026-03-30',
} as const satisfies Table

export const refusals = {
  INVALID_ENTITY_PHONE_NUMBER: 'create an individual with the phone 5125550100',
  INVALID_ENTITY_EMAIL_ADDRESS: 'create an individual with the email ana',
  ENTITY_INVALID_SSN: 'create an individual with the SSN 12',
  ENTITY_INVALID_SSN4: 'create an individual with the ssn_4 12',
  MAX_ENTITY_METADATA_SIZE_EXCEEDED: 'create an entity with 1,024 bytes of metadata',
  ENTITY_UPDATE_RESTRICTED: 'change an entity whose consent was withdrawn',
  ENTITY_UPDATE_DISABLED: `change an entity with the SSN ${ssn(12002)}`,
  ENTITY_UPDATE_INVALID: 'change a name that already has a value',
  ENTITY_UPDATE_UNSUPPORTED: 'set the corporation of an individual',
  ENTITY_CONSENT_ALREADY_WITHDRAWN: 'withdraw consent twice',
  ENTITY_CONSENT_ALREADY_GRANTED: 'grant consent without withdrawing it first',
  ENTITY_HAS_PAYMENTS_IN_PROGRESS: 'withdraw consent while a payment is pending',
  ENTITY_VERIFICATION_MISSING: 'connect an entity that is not verified',
  TEAM_CAPABILITY_RESTRICTED: 'request manual_connect, which a new team does not have',
  ENTITY_PHONE_VERIFICATION_MAX_ATTEMPTS: 'create an sms session 61 times within an hour',
  EXISTING_VERIFIED_SESSION: 'verify a phone that is already verified',
  MISSING_IDENTITY_MATCH: `start a kba session for a person whose last name is ${refusedDetails.last_name}`,
  MISSING_PHONE_VERIFICATION: 'start a kba session before the phone is verified',
  UNAUTHORIZED_VERIFICATION_METHOD: 'create a byo_kyc session, which a new team cannot use',
  INVALID_ENTITY_TYPE: 'connect a corporation',
  INVALID_HOLDER_ID: 'create an account with a holder_id that does not exist',
  INVALID_MERCHANT_ID: 'create a liability account with a merchant that does not exist',
  INVALID_ACH_ACCOUNT_NUMBER: 'create an ACH account with the account number 12',
  INVALID_ACH_ACCOUNT_ROUTING: 'create an ACH account with the routing number 123456789',
  INVALID_ACH_ACCOUNT_TYPE: 'create an ACH account of the type loan',
  EXISTING_ACCOUNT_DISABLED: 'create an ACH account again after it was disabled with 11001',
  INVALID_ACCOUNT_NUMBER: 'change a card’s number to one that does not end in its mask',
  MAX_ACCOUNT_METADATA_SIZE_EXCEEDED: 'create an account with 1,024 bytes of metadata',
  ACCOUNT_CONSENT_ALREADY_WITHDRAWN: 'withdraw consent for an account twice',
  ACCOUNT_CONSENT_ALREADY_GRANTED: 'grant consent for an account that already has it',
  ACCOUNT_HAS_PAYMENT_IN_PROGRESS: 'withdraw consent for an account while a payment to it is pending',
  EXISTING_VERIFICATION_SESSION: 'create a standard session twice',
  VERIFICATION_TYPE_NOT_SUPPORTED: 'create a micro_deposits session for a card',
  INVALID_VERIFICATION_AMOUNTS: 'answer a micro_deposits session with only one amount',
  INVALID_VERIFICATION_STATUS: 'answer a session that has failed',
  VERIFICATION_SESSION_ATTEMPT_LIMIT_REACHED:
    'answer a pre_auth session incorrectly five times, and create another one on the same day',
  PRODUCT_UNAVAILABLE: 'request the payoff of a card',
  PRODUCT_VERIFICATION_MISSING: 'request the product sensitive for a card that is not verified',
  INVALID_SEARCH_PARAMETERS: 'request a list with both page and page_cursor',
  SIMULATION_RESTRICTED_MISSING_SUBSCRIPTION: 'simulate a transaction on a card that is not enrolled',
  SIMULATION_RESTRICTED_MISSING_PRODUCT_REQUEST:
    'simulate credit_score.increased for an enrolled entity without a score',
} as const satisfies Table

/** Errors that can't occur in the sandbox, with the reason for each. */
export const unreachable = {
  'connect 26003': 'the sandbox finds accounts without linking institutions',
  'account processing': 'ACH accounts are active while they are being verified; only their capabilities are pending',
  'account pending_exchange': 'the sandbox has no exchange step: an account has its id from the start',
  'account 11002':
    'a closed account has the status closed and no error, and in the sandbox, a closed account never causes a payment to be returned',
  'account 11005': 'no sandbox institution puts an account in an invalid state',
  'entity 12007': 'the contract mentions seven codes but names only six',
  'sensitive 17001': 'the request is rejected first, with PRODUCT_VERIFICATION_MISSING',
  DUPLICATE_ENTITY_DETAILS: 'no team can enable this check: two entities can have the same details',
  RESTRICTED_ENTITY_DETAILS: 'no team can restrict its entities’ data',
  ACCOUNT_CONSENT_UNAVAILABLE: 'there is no organization between a team and a holder',
  INVALID_ACCOUNT_DETAILS: 'every sandbox merchant can describe a debt by its number',
  ENTITY_CREDIT_SCORE_NOT_FOUND: 'a request for a score that does not exist returns NOT_FOUND',
  VERIFICATION_SESSION_EXPIRED: 'the request succeeds, and the expired session has the error 19001',
  ENTITY_PHONE_VERIFICATION_ADDRESS_LIMIT:
    'only the frame counts codes by network address, and it shows too_many_codes_from_network',
} as const satisfies Table
