// biome-ignore-all lint/style/noExcessiveLinesPerFile: it contains two complete lookup tables.
/** The single table of request errors, which maps each `sub_type` to an HTTP status, a type and a default message. */
import { MAX_DESCRIPTION_LENGTH } from './money.js'

type ErrorType = 'INVALID_REQUEST' | 'INVALID_AUTHORIZATION' | 'API_ERROR'
interface ErrorRow {
  readonly status: number
  readonly type: ErrorType
  readonly message: string
  /** The `sub_type` that clients see, if it differs from the row's name. */
  readonly shown?: 'INVALID_REQUEST'
}

const bad = (message: string): ErrorRow => ({ status: 400, type: 'INVALID_REQUEST', message })

export const errors = {
  // every endpoint
  INVALID_REQUEST: bad('The request is invalid. Compare it with the endpoint in /openapi.json.'),
  UNAUTHORIZED: {
    status: 401,
    type: 'INVALID_AUTHORIZATION',
    message: 'No valid API key was sent. Send the header "Authorization: Bearer sk_...".',
  },
  FORBIDDEN: { status: 403, type: 'INVALID_REQUEST', message: 'This key is not allowed to make this request.' },
  NOT_FOUND: {
    status: 404,
    type: 'INVALID_REQUEST',
    message: 'No resource exists at this path. Check the path and the ids in it.',
  },
  TOO_MANY_REQUESTS: {
    status: 429,
    type: 'INVALID_REQUEST',
    message: 'Too many requests. Wait the number of seconds in Retry-After, then retry.',
  },
  UNSUPPORTED_MEDIA_TYPE: {
    status: 415,
    type: 'INVALID_REQUEST',
    shown: 'INVALID_REQUEST',
    message: 'The body must be JSON in UTF-8. Send the header "Content-Type: application/json".',
  },
  REQUEST_TOO_LARGE: { status: 413, type: 'INVALID_REQUEST', message: 'The body must be at most 1 MB.' },
  INTERNAL_ERROR: {
    status: 500,
    type: 'API_ERROR',
    message: 'The service failed to process the request. Include the Request-Id when you report it.',
  },
  SERVICE_UNAVAILABLE: {
    status: 503,
    type: 'API_ERROR',
    message: 'The service is starting or shutting down. Retry the request.',
  },
  INVALID_VERSION: bad('The version must be a version of this API, such as 2026-03-30.'),
  INVALID_SEARCH_PARAMETERS: bad('Send either page or page_cursor, not both.'),
  // idempotency
  IDEMPOTENCY_UNAVAILABLE: {
    status: 503,
    type: 'API_ERROR',
    message:
      'The service cannot check idempotency keys right now. Nothing was changed. Retry later with the same Idempotency-Key. Send the request without a key only if no earlier attempt can have succeeded.',
  },
  IDEMPOTENCY_KEY_IN_USE: {
    status: 409,
    type: 'INVALID_REQUEST',
    message: 'A request with this Idempotency-Key is still in progress. Retry in a few seconds.',
  },
  // metadata
  MAX_ENTITY_METADATA_SIZE_EXCEEDED: bad('metadata must be smaller than 1,024 bytes of JSON.'),
  MAX_ACCOUNT_METADATA_SIZE_EXCEEDED: bad('metadata must be smaller than 1,024 bytes of JSON.'),
  MAX_PAYMENT_METADATA_SIZE_EXCEEDED: bad('metadata must be smaller than 1,024 bytes of JSON.'),
  MAX_WEBHOOK_METADATA_SIZE_EXCEEDED: bad('metadata must be smaller than 1,024 bytes of JSON.'),
  MAX_SECRET_METADATA_SIZE_EXCEEDED: bad('metadata must be smaller than 1,024 bytes of JSON.'),
  MAX_REPORT_METADATA_SIZE_EXCEEDED: bad('metadata must be smaller than 1,024 bytes of JSON.'),
  MAX_PREAUTH_METADATA_SIZE_EXCEEDED: bad('metadata must be smaller than 1,024 bytes of JSON.'),
  MAX_INTENT_METADATA_SIZE_EXCEEDED: bad('metadata must be smaller than 1,024 bytes of JSON.'),
  // entities
  INVALID_ENTITY: bad('entity_id must be the id of an entity of this team.'),
  INVALID_ENTITY_TYPE: bad('The entity must be of type individual.'),
  INVALID_ENTITY_PHONE_NUMBER: bad(
    'individual.phone must be a United States number in E.164 form, such as +12025550123. The area code and the three digits after it begin with 2 to 9. Toll-free, premium and service numbers are not accepted.',
  ),
  INVALID_ENTITY_EMAIL_ADDRESS: bad('individual.email must be an email address, such as ana@example.com.'),
  ENTITY_INVALID_SSN: bad('individual.ssn must be nine digits and must not be sent together with ssn_4.'),
  ENTITY_INVALID_SSN4: bad('individual.ssn_4 must be four digits.'),
  ENTITY_UPDATE_RESTRICTED: bad('The entity has not consented, so it cannot be updated.'),
  ENTITY_UPDATE_DISABLED: bad('The entity is disabled, so it cannot be updated.'),
  ENTITY_UPDATE_INVALID: bad('A field that already has a value cannot be changed.'),
  ENTITY_UPDATE_UNSUPPORTED: bad(
    'Send individual for an individual, and corporation for a corporation. The type of an entity cannot change.',
  ),
  ENTITY_CONSENT_ALREADY_WITHDRAWN: bad('Consent was already withdrawn.'),
  ENTITY_CONSENT_ALREADY_GRANTED: bad('Consent was already granted.'),
  ENTITY_HAS_PAYMENTS_IN_PROGRESS: bad('The entity has payments in progress. Retry after they finish.'),
  ENTITY_VERIFICATION_MISSING: bad('The entity must have a verified phone and a verified identity.'),
  ENTITY_IDENTITY_VERIFICATION_MISSING: bad('The entity must have a verified phone and a verified identity.'),
  TEAM_CAPABILITY_RESTRICTED: bad('This product is not enabled for the team.'),
  // entity verification sessions
  EXISTING_VERIFIED_SESSION: bad('The phone, identity or account is already verified.'),
  MISSING_IDENTITY_MATCH: bad("The entity's details must match exactly one person. Add or correct details first."),
  MISSING_PHONE_VERIFICATION: bad("The entity's phone must be verified first."),
  UNAUTHORIZED_VERIFICATION_METHOD: bad('This verification method is not available to the entity.'),
  ENTITY_PHONE_VERIFICATION_MAX_ATTEMPTS: bad('Too many codes were sent to this number.'),
  ENTITY_PHONE_VERIFICATION_ADDRESS_LIMIT: bad('Too many codes were requested from this network address.'),
  VERIFICATION_SESSION_EXPIRED: bad('The verification session expired after ten minutes. Create a new one.'),
  // accounts
  INVALID_HOLDER_ID: bad('holder_id must be an entity of this team that is not disabled.'),
  INVALID_MERCHANT_ID: bad('liability.mch_id must be the id of a merchant. GET /merchants lists them.'),
  INVALID_ACH_ACCOUNT_NUMBER: bad('ach.number must be 4 to 17 digits.'),
  INVALID_ACH_ACCOUNT_ROUTING: bad('ach.routing must be a nine-digit routing number with a correct check digit.'),
  INVALID_ACH_ACCOUNT_TYPE: bad('ach.type must be checking or savings.'),
  INVALID_ACCOUNT_NUMBER: bad('The account number must be 4 to 25 digits. Spaces and dashes are ignored.'),
  INVALID_ACCOUNT_DETAILS: bad('The institution has no account with these details. Check the merchant and the number.'),
  EXISTING_ACCOUNT_DISABLED: bad(
    'The holder has a disabled account with these details, so the account cannot be created again.',
  ),
  ACCOUNT_CONSENT_ALREADY_WITHDRAWN: bad('Consent was already withdrawn.'),
  ACCOUNT_CONSENT_ALREADY_GRANTED: bad('Consent was already granted.'),
  ACCOUNT_HAS_PAYMENT_IN_PROGRESS: bad('The account has payments in progress. Retry after they finish.'),
  EXISTING_VERIFICATION_SESSION: bad('A verification session for this account is already open. Complete it first.'),
  VERIFICATION_TYPE_NOT_SUPPORTED: bad('This verification type is not supported for this account.'),
  VERIFICATION_SESSION_ATTEMPT_LIMIT_REACHED: bad('No attempts are left for this verification.'),
  INVALID_VERIFICATION_AMOUNTS: bad('micro_deposits.amounts must be two whole numbers of cents.'),
  INVALID_VERIFICATION_STATUS: bad('The verification session is already finished.'),
  // products
  PRODUCT_UNAVAILABLE: bad('This product is not available for this entity or account.'),
  PRODUCT_CONSENT_MISSING: bad('The person did not agree to share this product.'),
  PRODUCT_VERIFICATION_MISSING: bad('The account must be verified before this product can be used.'),
  // simulations
  SIMULATION_RESTRICTED_MISSING_SUBSCRIPTION: bad(
    'The holder has no active subscription to the product that you want to simulate. Create the subscription first.',
  ),
  SIMULATION_RESTRICTED_MISSING_PRODUCT_REQUEST: bad(
    'The product was never requested for this holder. Request it before you simulate it.',
  ),
  // payments
  INVALID_AMOUNT_TYPE: bad('amount must be a whole number of cents, such as 5000 for $50.00.'),
  INVALID_AMOUNT: bad('amount must be between 100 ($1.00) and 100000000 ($1,000,000.00).'),
  INVALID_ACH_DESCRIPTION: bad(
    `description must be a string of at most ${MAX_DESCRIPTION_LENGTH} characters: printable ASCII with at least one letter or digit.`,
  ),
  INVALID_SOURCE: bad('source must be an active account of this team.'),
  INVALID_SOURCE_LIABILITY: bad('source must be an ach account, not a liability.'),
  INVALID_SOURCE_HOLDER: bad('The holder of the source account must be active.'),
  INVALID_SOURCE_HOLDER_CAPABILITIES: bad('The holder of the source account is not allowed to send payments.'),
  INVALID_SOURCE_CAPABILITIES: bad('The source account must be verified before it can send payments.'),
  INVALID_DESTINATION: bad('destination must be an active account of this team.'),
  INVALID_DESTINATION_HOLDER: bad('The holder of the destination account must be active.'),
  INVALID_DESTINATION_CAPABILITIES: bad('The destination account cannot receive payments.'),
  INVALID_ACH_DESTINATION_NOT_ALLOWED: bad('This team is not allowed to send payments to ACH accounts.'),
  INVALID_DESTINATION_BALANCE: bad('The destination account has a balance of zero, so there is nothing to pay.'),
  INVALID_TRANSFER: bad('source and destination must be different accounts.'),
  INSUFFICIENT_FUNDS: bad("The source account's last known balance is less than the amount."),
  MAX_AMOUNT_EXCEEDED: bad("The amount exceeds this team's limit for a single payment."),
  MAX_REQUEST_LIMIT: bad('The team has reached its limit on payments per month.'),
  PAYMENT_REFUSED_BY_RAIL: bad('The payment rail rejected this payment.'),
  INVALID_STATUS: bad('The current status does not allow this change.'),
  INVALID_REVERSAL_STATUS: bad(
    'Only a reversal in pending_approval can be approved. Approve it by setting status to pending.',
  ),
  PAYMENTS_STOPPED: {
    status: 503,
    type: 'API_ERROR',
    message: 'Payments are stopped, so no payment was created. Retry the same request after payments resume.',
  },
  // forwarding
  URL_NOT_ALLOWED: bad("url must be under an address in the team's forwarding_allow_list."),
  INVALID_METHOD: bad('method must be GET, POST, PUT, PATCH or DELETE.'),
  INVALID_CONTENT_TYPE: bad('The Content-Type header must be application/json, because the body is JSON.'),
  BODY_JSON_INVALID: bad('body must be a string of valid JSON.'),
  INVALID_TEMPLATE: bad('A template must consist of a name from bindings and a path, such as {{secret.value}}.'),
  TEMPLATE_IN_KEYS_NOT_ALLOWED: bad('Templates are allowed in values only, not in the names of headers or fields.'),
  BINDING_NAME_MISSING: bad('A template uses a name that is not in bindings.'),
  BINDING_NAME_NOT_REFERENCED: bad('bindings has a name that no template uses. Remove it.'),
  BINDING_NOT_FOUND: bad('Each id in bindings must identify a resource of this team.'),
  UNSUPPORTED_BINDING_VALUE: bad(
    'Each id in bindings must identify a secret (sec_) or a payment instrument (pmt_inst_).',
  ),
  DISALLOWED_TEMPLATE_PATH: bad('A template names a field that cannot be forwarded.'),
  REFERENCED_VALUE_IS_NULL: bad('A template names a field that has no value.'),
  FORWARDED_REQUEST_TIMEOUT: {
    status: 504,
    type: 'API_ERROR',
    message: 'The destination did not respond in time. The request was sent once and will not be retried.',
  },
  FORWARDED_REQUEST_NETWORK_ERROR: {
    status: 500,
    type: 'API_ERROR',
    message: 'The destination could not be reached, or it closed the connection. The request will not be retried.',
  },
  // element and Opal tokens
  INVALID_TOKEN: bad('The token does not exist. Create a new one.'),
  EXPIRED_TOKEN: bad('The token has been used or has expired. Create a new one for the same session.'),
  TOKEN_REQUIRED: bad('A new token is required.'),
  ORIGIN_NOT_ALLOWED: {
    status: 403,
    type: 'INVALID_REQUEST',
    message: 'The origin of the page is not in allowed_origins.',
  },
  SESSION_EXPIRED: {
    status: 401,
    type: 'INVALID_AUTHORIZATION',
    message: 'The session has expired. To resume it, create a new token with its session_id.',
  },
  STALE_REVISION: {
    status: 409,
    type: 'INVALID_REQUEST',
    message: 'The session has changed since the revision that was sent.',
  },
  // Opal sessions
  INVALID_MODE_CONFIG: bad('The session is not a balance transfer session.'),
  BT_NO_ALLOCATIONS: bad('The user has not confirmed the allocations yet.'),
  BT_MISSING_SOURCE: bad('data.source is required, because the team has no default source account.'),
  BT_ACCOUNT_NOT_PAYABLE: bad('An allocated account can no longer receive payments.'),
  BT_AMOUNT_OUT_OF_BOUNDS: bad('Each allocation must be between minimum_payment and maximum_payment.'),
  BT_ALLOCATIONS_EXCEED_LOAN: bad('The allocations must total at most loan_amount.'),
  BT_RESIDUAL_EXCEEDS_MAX: bad('The unallocated amount must be at most residual_amount_max.'),
} as const satisfies Record<string, ErrorRow>

/** The internal name of a request error. */
export type ErrorSubType = keyof typeof errors

/** Returns the `sub_type` that clients see for an error. */
export const publicSubType = (name: ErrorSubType): ErrorSubType => (errors[name] as ErrorRow).shown ?? name

/** The fields of every error body. `code` is the HTTP status. */
export interface ErrorBody {
  type: ErrorType
  code: number
  sub_type: ErrorSubType
  message: string
}

/**
 * The only error that features throw for a request. `message` may be more specific than the table's message. The
 * message never contains personal data.
 */
export class ServiceError extends Error {
  override readonly name = 'ServiceError'
  readonly subType: ErrorSubType
  readonly headers: Readonly<Record<string, string>>
  constructor(subType: ErrorSubType, message?: string, headers: Readonly<Record<string, string>> = {}) {
    super(message ?? errors[subType].message)
    this.subType = subType
    this.headers = headers
  }
  get status(): number {
    return errors[this.subType].status
  }
  body(): ErrorBody {
    const row = errors[this.subType]
    return { type: row.type, code: row.status, sub_type: publicSubType(this.subType), message: this.message }
  }
}

/** The `error` field of a resource that failed. Never returned as an HTTP error. */
export interface ResourceError {
  type: string
  code: ResourceErrorCode
  sub_type: string
  message: string
}

const resource = (type: string, sub_type: string, message: string) => ({ type, sub_type, message })

/** The single table of resource errors, by five-digit code. */
export const resourceErrors = {
  10001: resource('PAYMENT_FAILED', 'PAYMENT_INSUFFICIENT_FUNDS', 'The source account had insufficient funds.'),
  10002: resource('PAYMENT_FAILED', 'PAYMENT_UNAUTHORIZED', 'The payment was returned as not authorized.'),
  10003: resource('PAYMENT_FAILED', 'PAYMENT_INVALID_ACCOUNT', 'The source or destination account does not exist.'),
  10004: resource(
    'PAYMENT_CANCELED',
    'PAYMENT_INSUFFICIENT_FUNDS',
    'Canceled: the source account has insufficient funds.',
  ),
  10005: resource(
    'PAYMENT_FAILED',
    'PAYMENT_UNAUTHORIZED_SOURCE',
    'The holder of the source account did not authorize the payment.',
  ),
  10006: resource(
    'PAYMENT_FAILED',
    'PAYMENT_UNAUTHORIZED_DESTINATION',
    'The holder of the destination account did not authorize the payment.',
  ),
  10007: resource('PAYMENT_FAILED', 'PAYMENT_INVALID_SOURCE_ACCOUNT', 'The source account does not exist.'),
  10008: resource('PAYMENT_FAILED', 'PAYMENT_INVALID_DESTINATION_ACCOUNT', 'The destination account does not exist.'),
  10009: resource(
    'PAYMENT_FAILED',
    'PAYMENT_REJECTED_BY_DESTINATION_INSTITUTION',
    'The destination institution returned the payment.',
  ),
  10010: resource(
    'PAYMENT_FAILED',
    'PAYMENT_REJECTED_INVALID_AMOUNT',
    'The destination institution rejected the amount.',
  ),
  11001: resource('ACCOUNT_DISABLED', 'ACCOUNT_INVALID_DETAILS', 'The institution reported invalid account details.'),
  11002: resource('ACCOUNT_DISABLED', 'ACCOUNT_CLOSED', 'The underlying account was closed.'),
  11003: resource('ACCOUNT_DISABLED', 'ACCOUNT_UNAUTHORIZED_PAYMENT', 'A payment was returned as not authorized.'),
  11004: resource('ACCOUNT_DISABLED', 'ACCOUNT_CONSENT_WITHDRAWN', 'Account was disabled due to consent withdrawal.'),
  11005: resource('ACCOUNT_DISABLED', 'ACCOUNT_DISABLED_INVALID_STATE', 'The account is in an invalid state.'),
  11006: resource(
    'ACCOUNT_DISABLED',
    'ACCOUNT_DISABLED_HOLDER_ENTITY_DISABLED',
    'The holder of the account is disabled.',
  ),
  12001: resource('ENTITY_DISABLED', 'ENTITY_UNAUTHORIZED_PAYMENT', 'A payment was returned as not authorized.'),
  12002: resource('ENTITY_DISABLED', 'ENTITY_INVALID_DETAILS', "The entity's details are invalid."),
  12003: resource('ENTITY_DISABLED', 'ENTITY_SSN_MISMATCH', 'The SSN does not match this person.'),
  12004: resource('ENTITY_DISABLED', 'ENTITY_CONSENT_WITHDRAWN', 'Entity was disabled due to consent withdrawal.'),
  12005: resource('ENTITY_DISABLED', 'ENTITY_PENDING_KYC_REVIEW', 'The entity is pending review.'),
  12006: resource('ENTITY_DISABLED', 'ENTITY_CANNOT_PERFORM_ACTION', 'The entity cannot perform this action.'),
  14001: resource(
    'PAYMENT_REVERSAL_FAILED',
    'PAYMENT_REVERSAL_INSUFFICIENT_FUNDS',
    'The account that the reversal debits had insufficient funds.',
  ),
  14002: resource(
    'PAYMENT_REVERSAL_FAILED',
    'PAYMENT_REVERSAL_UNAUTHORIZED',
    'The reversal was returned as not authorized.',
  ),
  14003: resource(
    'PAYMENT_REVERSAL_FAILED',
    'PAYMENT_REVERSAL_INVALID_ACCOUNT',
    "The reversal's target account does not exist.",
  ),
  16001: resource(
    'ACCOUNT_VERIFICATION_SESSION_FAILED',
    'VERIFICATION_TYPE_NOT_SUPPORTED',
    'The institution does not support this verification type.',
  ),
  16002: resource(
    'ACCOUNT_VERIFICATION_SESSION_FAILED',
    'INVALID_DETAILS',
    'The institution does not recognize these details for this account.',
  ),
  16003: resource(
    'ACCOUNT_VERIFICATION_SESSION_FAILED',
    'VERIFICATION_SESSION_ATTEMPT_LIMIT_REACHED',
    'No attempts are left for this verification.',
  ),
  16004: resource('ACCOUNT_VERIFICATION_SESSION_FAILED', 'MICRO_DEPOSITS_FAILED', 'The micro-deposits were returned.'),
  17001: resource(
    'SENSITIVE_FAILED',
    'SENSITIVE_FAILED_VERIFICATION_REQUIRED',
    'Sensitive failed due to missing required verification.',
  ),
  18001: resource(
    'PAYOFF_FAILED',
    'PAYOFF_TEMPORARILY_UNAVAILABLE',
    'Payoff is temporarily unavailable for this account.',
  ),
  19001: resource(
    'VERIFICATION_SESSION_FAILED',
    'VERIFICATION_SESSION_EXPIRED',
    'The verification session expired after ten minutes.',
  ),
  19002: resource(
    'VERIFICATION_SESSION_FAILED',
    'VERIFICATION_SESSION_FAILED_INCORRECT_SMS_CODE',
    'The code was incorrect.',
  ),
  19003: resource(
    'VERIFICATION_SESSION_FAILED',
    'VERIFICATION_SESSION_FAILED_SNA',
    'The carrier could not confirm the phone number.',
  ),
  19004: resource(
    'VERIFICATION_SESSION_FAILED',
    'VERIFICATION_SESSION_FAILED_INVALID_ANSWER',
    'An answer was missing or incorrect.',
  ),
  20001: resource(
    'BALANCE_FAILED',
    'BALANCE_TEMPORARILY_UNAVAILABLE',
    'Balance is temporarily unavailable for this account.',
  ),
  21001: resource(
    'UPDATE_FAILED',
    'UPDATE_TEMPORARILY_UNAVAILABLE',
    'Update is temporarily unavailable for this account.',
  ),
  23001: resource(
    'CREDIT_SCORE_FAILED',
    'CREDIT_SCORE_FAILED_TEMPORARILY_UNAVAILABLE',
    'Credit score is temporarily unavailable for this entity.',
  ),
  24001: resource('PRODUCT_EXECUTION_FAILED', 'PRODUCT_EXECUTION_FAILED', 'The request could not be completed.'),
  25001: resource('WEBHOOK_DISABLED', 'WEBHOOK_DISABLED_FAILED_OTHER', 'Disabled: deliveries failed.'),
  25002: resource(
    'WEBHOOK_DISABLED',
    'WEBHOOK_DISABLED_RECEIVED_4XX_ERROR',
    'Disabled: the endpoint responded to deliveries with a 4xx status.',
  ),
  25003: resource(
    'WEBHOOK_DISABLED',
    'WEBHOOK_DISABLED_RECEIVED_5XX_ERROR',
    'Disabled: the endpoint responded to deliveries with a 5xx status.',
  ),
  25004: resource(
    'WEBHOOK_DISABLED',
    'WEBHOOK_DISABLED_TIMEOUT_ON_RESPONSE',
    'Disabled: the endpoint did not respond to deliveries in time.',
  ),
  25005: resource('WEBHOOK_DISABLED', 'WEBHOOK_DISABLED_BY_USER', 'Disabled by request.'),
  25006: resource('WEBHOOK_REQUIRES_ATTENTION', 'WEBHOOK_REQUIRES_ATTENTION_FAILED_OTHER', 'A delivery failed.'),
  25007: resource(
    'WEBHOOK_REQUIRES_ATTENTION',
    'WEBHOOK_REQUIRES_ATTENTION_RECEIVED_4XX_ERROR',
    'The endpoint responded to a delivery with a 4xx status.',
  ),
  25008: resource(
    'WEBHOOK_REQUIRES_ATTENTION',
    'WEBHOOK_REQUIRES_ATTENTION_RECEIVED_5XX_ERROR',
    'The endpoint responded to a delivery with a 5xx status.',
  ),
  25009: resource(
    'WEBHOOK_REQUIRES_ATTENTION',
    'WEBHOOK_REQUIRES_ATTENTION_TIMEOUT_ON_RESPONSE',
    'The endpoint did not respond to a delivery in time.',
  ),
  26001: resource('CONNECT_FAILED', 'THIN_CREDIT_FILE', 'The bureau has no accounts for this person.'),
  26002: resource(
    'CONNECT_FAILED',
    'CREDIT_FREEZE',
    'The credit file is frozen. The person can lift the freeze and try again.',
  ),
  26003: resource(
    'CONNECT_FAILED',
    'NO_LINKED_INSTITUTION',
    'The person has not linked an institution. Create a token for a session, in which they can link one.',
  ),
  27001: resource(
    'ENTITY_ATTRIBUTE_INSUFFICIENT_DATA',
    'ENTITY_ATTRIBUTE_INSUFFICIENT_DATA',
    'There is not enough data about the entity to compute this attribute.',
  ),
  28001: resource(
    'ACCOUNT_ATTRIBUTE_INSUFFICIENT_DATA',
    'ACCOUNT_ATTRIBUTE_INSUFFICIENT_DATA',
    'There is not enough data about the account to compute this attribute.',
  ),
} as const

export type ResourceErrorCode = keyof typeof resourceErrors

/** Error codes by name. Each code is named for its `sub_type`, except 10004, which has the same `sub_type` as 10001. */
export const resourceCodes = {
  PAYMENT_INSUFFICIENT_FUNDS: 10001,
  PAYMENT_UNAUTHORIZED: 10002,
  PAYMENT_INVALID_ACCOUNT: 10003,
  PAYMENT_CANCELED_INSUFFICIENT_FUNDS: 10004,
  PAYMENT_UNAUTHORIZED_SOURCE: 10005,
  PAYMENT_UNAUTHORIZED_DESTINATION: 10006,
  PAYMENT_INVALID_SOURCE_ACCOUNT: 10007,
  PAYMENT_INVALID_DESTINATION_ACCOUNT: 10008,
  PAYMENT_REJECTED_BY_DESTINATION_INSTITUTION: 10009,
  PAYMENT_REJECTED_INVALID_AMOUNT: 10010,
  ACCOUNT_INVALID_DETAILS: 11001,
  ACCOUNT_CLOSED: 11002,
  ACCOUNT_UNAUTHORIZED_PAYMENT: 11003,
  ACCOUNT_CONSENT_WITHDRAWN: 11004,
  ACCOUNT_DISABLED_INVALID_STATE: 11005,
  ACCOUNT_DISABLED_HOLDER_ENTITY_DISABLED: 11006,
  ENTITY_UNAUTHORIZED_PAYMENT: 12001,
  ENTITY_INVALID_DETAILS: 12002,
  ENTITY_SSN_MISMATCH: 12003,
  ENTITY_CONSENT_WITHDRAWN: 12004,
  ENTITY_PENDING_KYC_REVIEW: 12005,
  ENTITY_CANNOT_PERFORM_ACTION: 12006,
  PAYMENT_REVERSAL_INSUFFICIENT_FUNDS: 14001,
  PAYMENT_REVERSAL_UNAUTHORIZED: 14002,
  PAYMENT_REVERSAL_INVALID_ACCOUNT: 14003,
  VERIFICATION_TYPE_NOT_SUPPORTED: 16001,
  INVALID_DETAILS: 16002,
  VERIFICATION_SESSION_ATTEMPT_LIMIT_REACHED: 16003,
  MICRO_DEPOSITS_FAILED: 16004,
  SENSITIVE_FAILED_VERIFICATION_REQUIRED: 17001,
  PAYOFF_TEMPORARILY_UNAVAILABLE: 18001,
  VERIFICATION_SESSION_EXPIRED: 19001,
  VERIFICATION_SESSION_FAILED_INCORRECT_SMS_CODE: 19002,
  VERIFICATION_SESSION_FAILED_SNA: 19003,
  VERIFICATION_SESSION_FAILED_INVALID_ANSWER: 19004,
  BALANCE_TEMPORARILY_UNAVAILABLE: 20001,
  UPDATE_TEMPORARILY_UNAVAILABLE: 21001,
  CREDIT_SCORE_FAILED_TEMPORARILY_UNAVAILABLE: 23001,
  PRODUCT_EXECUTION_FAILED: 24001,
  WEBHOOK_DISABLED_FAILED_OTHER: 25001,
  WEBHOOK_DISABLED_RECEIVED_4XX_ERROR: 25002,
  WEBHOOK_DISABLED_RECEIVED_5XX_ERROR: 25003,
  WEBHOOK_DISABLED_TIMEOUT_ON_RESPONSE: 25004,
  WEBHOOK_DISABLED_BY_USER: 25005,
  WEBHOOK_REQUIRES_ATTENTION_FAILED_OTHER: 25006,
  WEBHOOK_REQUIRES_ATTENTION_RECEIVED_4XX_ERROR: 25007,
  WEBHOOK_REQUIRES_ATTENTION_RECEIVED_5XX_ERROR: 25008,
  WEBHOOK_REQUIRES_ATTENTION_TIMEOUT_ON_RESPONSE: 25009,
  THIN_CREDIT_FILE: 26001,
  CREDIT_FREEZE: 26002,
  NO_LINKED_INSTITUTION: 26003,
  ENTITY_ATTRIBUTE_INSUFFICIENT_DATA: 27001,
  ACCOUNT_ATTRIBUTE_INSUFFICIENT_DATA: 28001,
} as const satisfies Record<string, ResourceErrorCode>

/** Returns the `error` object for a code in the table. */
export function resourceError(code: ResourceErrorCode): ResourceError {
  const row = resourceErrors[code]
  return { type: row.type, code, sub_type: row.sub_type, message: row.message }
}
