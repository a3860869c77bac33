/** Written by scripts/build/sdk-types.ts from the contract and package.json; do not edit. */

/** The version of this package. */
export const SDK_VERSION = '0.1.0'

/** The API version that the types of this SDK describe. The SDK sends it with every request. */
export const VERSION = '2026-03-30'

/** The `type` of an error: the general reason that a request was rejected. */
export type ErrorType =
  | 'INVALID_REQUEST'
  | 'INVALID_AUTHORIZATION'
  | 'API_ERROR'

/** The `sub_type` of an error: the exact reason that a request was rejected. */
export type ErrorSubType =
  | 'INVALID_REQUEST'
  | 'UNAUTHORIZED'
  | 'FORBIDDEN'
  | 'NOT_FOUND'
  | 'TOO_MANY_REQUESTS'
  | 'UNSUPPORTED_MEDIA_TYPE'
  | 'REQUEST_TOO_LARGE'
  | 'INTERNAL_ERROR'
  | 'SERVICE_UNAVAILABLE'
  | 'INVALID_VERSION'
  | 'INVALID_SEARCH_PARAMETERS'
  | 'IDEMPOTENCY_UNAVAILABLE'
  | 'IDEMPOTENCY_KEY_IN_USE'
  | 'MAX_ENTITY_METADATA_SIZE_EXCEEDED'
  | 'MAX_ACCOUNT_METADATA_SIZE_EXCEEDED'
  | 'MAX_PAYMENT_METADATA_SIZE_EXCEEDED'
  | 'MAX_WEBHOOK_METADATA_SIZE_EXCEEDED'
  | 'MAX_SECRET_METADATA_SIZE_EXCEEDED'
  | 'MAX_REPORT_METADATA_SIZE_EXCEEDED'
  | 'INVALID_ENTITY'
  | 'INVALID_ENTITY_TYPE'
  | 'INVALID_ENTITY_PHONE_NUMBER'
  | 'INVALID_ENTITY_EMAIL_ADDRESS'
  | 'ENTITY_INVALID_SSN'
  | 'ENTITY_INVALID_SSN4'
  | 'ENTITY_UPDATE_RESTRICTED'
  | 'ENTITY_UPDATE_DISABLED'
  | 'ENTITY_UPDATE_INVALID'
  | 'ENTITY_UPDATE_UNSUPPORTED'
  | 'ENTITY_CONSENT_ALREADY_WITHDRAWN'
  | 'ENTITY_CONSENT_ALREADY_GRANTED'
  | 'ENTITY_HAS_PAYMENTS_IN_PROGRESS'
  | 'ENTITY_VERIFICATION_MISSING'
  | 'ENTITY_IDENTITY_VERIFICATION_MISSING'
  | 'TEAM_CAPABILITY_RESTRICTED'
  | 'EXISTING_VERIFIED_SESSION'
  | 'MISSING_IDENTITY_MATCH'
  | 'MISSING_PHONE_VERIFICATION'
  | 'UNAUTHORIZED_VERIFICATION_METHOD'
  | 'ENTITY_PHONE_VERIFICATION_MAX_ATTEMPTS'
  | 'ENTITY_PHONE_VERIFICATION_ADDRESS_LIMIT'
  | 'VERIFICATION_SESSION_EXPIRED'
  | 'INVALID_HOLDER_ID'
  | 'INVALID_MERCHANT_ID'
  | 'INVALID_ACH_ACCOUNT_NUMBER'
  | 'INVALID_ACH_ACCOUNT_ROUTING'
  | 'INVALID_ACH_ACCOUNT_TYPE'
  | 'INVALID_ACCOUNT_NUMBER'
  | 'INVALID_ACCOUNT_DETAILS'
  | 'EXISTING_ACCOUNT_DISABLED'
  | 'ACCOUNT_CONSENT_ALREADY_WITHDRAWN'
  | 'ACCOUNT_CONSENT_ALREADY_GRANTED'
  | 'ACCOUNT_HAS_PAYMENT_IN_PROGRESS'
  | 'EXISTING_VERIFICATION_SESSION'
  | 'VERIFICATION_TYPE_NOT_SUPPORTED'
  | 'VERIFICATION_SESSION_ATTEMPT_LIMIT_REACHED'
  | 'INVALID_VERIFICATION_AMOUNTS'
  | 'INVALID_VERIFICATION_STATUS'
  | 'PRODUCT_UNAVAILABLE'
  | 'PRODUCT_VERIFICATION_MISSING'
  | 'SIMULATION_RESTRICTED_MISSING_SUBSCRIPTION'
  | 'SIMULATION_RESTRICTED_MISSING_PRODUCT_REQUEST'
  | 'INVALID_AMOUNT_TYPE'
  | 'INVALID_AMOUNT'
  | 'INVALID_ACH_DESCRIPTION'
  | 'INVALID_SOURCE'
  | 'INVALID_SOURCE_LIABILITY'
  | 'INVALID_SOURCE_HOLDER'
  | 'INVALID_SOURCE_HOLDER_CAPABILITIES'
  | 'INVALID_SOURCE_CAPABILITIES'
  | 'INVALID_DESTINATION'
  | 'INVALID_DESTINATION_HOLDER'
  | 'INVALID_DESTINATION_CAPABILITIES'
  | 'INVALID_ACH_DESTINATION_NOT_ALLOWED'
  | 'INVALID_DESTINATION_BALANCE'
  | 'INVALID_TRANSFER'
  | 'INSUFFICIENT_FUNDS'
  | 'MAX_AMOUNT_EXCEEDED'
  | 'MAX_REQUEST_LIMIT'
  | 'PAYMENT_REFUSED_BY_RAIL'
  | 'INVALID_STATUS'
  | 'INVALID_REVERSAL_STATUS'
  | 'PAYMENTS_STOPPED'
  | 'URL_NOT_ALLOWED'
  | 'INVALID_METHOD'
  | 'INVALID_CONTENT_TYPE'
  | 'BODY_JSON_INVALID'
  | 'INVALID_TEMPLATE'
  | 'TEMPLATE_IN_KEYS_NOT_ALLOWED'
  | 'BINDING_NAME_MISSING'
  | 'BINDING_NAME_NOT_REFERENCED'
  | 'BINDING_NOT_FOUND'
  | 'UNSUPPORTED_BINDING_VALUE'
  | 'DISALLOWED_TEMPLATE_PATH'
  | 'REFERENCED_VALUE_IS_NULL'
  | 'FORWARDED_REQUEST_TIMEOUT'
  | 'FORWARDED_REQUEST_NETWORK_ERROR'
  | 'INVALID_TOKEN'
  | 'EXPIRED_TOKEN'
  | 'TOKEN_REQUIRED'
  | 'ORIGIN_NOT_ALLOWED'
  | 'SESSION_EXPIRED'
  | 'STALE_REVISION'
  | 'INVALID_MODE_CONFIG'
  | 'BT_NO_ALLOCATIONS'
  | 'BT_MISSING_SOURCE'
  | 'BT_ACCOUNT_NOT_PAYABLE'
  | 'BT_AMOUNT_OUT_OF_BOUNDS'
  | 'BT_ALLOCATIONS_EXCEED_LOAN'
  | 'BT_RESIDUAL_EXCEEDS_MAX'

/** An event type that a webhook can subscribe to. */
export type EventType =
  | 'entity.create'
  | 'entity.update'
  | 'entity.new_accounts_pending_consent'
  | 'entity_verification_session.create'
  | 'entity_verification_session.update'
  | 'connect.create'
  | 'connect.update'
  | 'connect.available'
  | 'credit_score.create'
  | 'credit_score.update'
  | 'credit_score.available'
  | 'credit_score.increased'
  | 'credit_score.decreased'
  | 'identity.create'
  | 'identity.update'
  | 'entity_attribute.create'
  | 'entity_attribute.update'
  | 'entity_attribute.usage_pattern.changed'
  | 'entity_attribute.delinquency_flag_credit_cards.set'
  | 'entity_attribute.delinquency_flag_credit_cards.cleared'
  | 'entity_vehicle.create'
  | 'entity_vehicle.update'
  | 'manual_connect.create'
  | 'manual_connect.update'
  | 'account.create'
  | 'account.update'
  | 'account.opened'
  | 'account.closed'
  | 'account.balance_increased'
  | 'account.balance_decreased'
  | 'account.credit_limit_increased'
  | 'account.credit_limit_decreased'
  | 'account_verification_session.create'
  | 'account_verification_session.update'
  | 'balance.create'
  | 'balance.update'
  | 'update.create'
  | 'update.update'
  | 'payoff.create'
  | 'payoff.update'
  | 'card_brand.create'
  | 'card_brand.update'
  | 'card_brand.available'
  | 'sensitive.create'
  | 'sensitive.update'
  | 'account_attribute.create'
  | 'account_attribute.update'
  | 'payment_instrument.create'
  | 'payment_instrument.update'
  | 'transaction.create'
  | 'transaction.update'
  | 'account.number.update'
  | 'product.create'
  | 'product.update'
  | 'subscription.create'
  | 'subscription.update'
  | 'payment.create'
  | 'payment.update'
  | 'payment_reversal.create'
  | 'payment_reversal.update'
  | 'report.create'
  | 'report.update'
  | 'opal_session.update'
  | 'element_session.update'
  | 'service_jwk.create'
  | 'service_jwk.update'
  | 'account_verification.create'
  | 'account_verification.update'
  | 'connection.create'
  | 'connection.update'
  | 'attribute.create'
  | 'attribute.update'
  | 'entity_attribute.revolving_credit_card_balance_total.increased'
  | 'entity_attribute.revolving_credit_card_balance_total.decreased'
  | 'entity_attribute.credit_limit_total.increased'
  | 'entity_attribute.credit_limit_total.decreased'
  | 'entity_attribute.credit_card_utilization.increased'
  | 'entity_attribute.credit_card_utilization.decreased'
  | 'entity_attribute.available_credit_limit_total.increased'
  | 'entity_attribute.available_credit_limit_total.decreased'
  | 'entity_attribute.available_credit_total.increased'
  | 'entity_attribute.available_credit_total.decreased'
  | 'entity_attribute.weighted_average_apr_credit_card.increased'
  | 'entity_attribute.weighted_average_apr_credit_card.decreased'
  | 'entity_attribute.utilization.increased'
  | 'entity_attribute.utilization.decreased'
  | 'entity_attribute.purchasing_power.increased'
  | 'entity_attribute.purchasing_power.decreased'
  | 'entity_attribute.healthy_cards_count.increased'
  | 'entity_attribute.healthy_cards_count.decreased'
  | 'entity_attribute.dormant_cards_count.increased'
  | 'entity_attribute.dormant_cards_count.decreased'
  | 'entity_attribute.delinquent_cards_count.increased'
  | 'entity_attribute.delinquent_cards_count.decreased'
  | 'entity_attribute.net_active_cards_count.increased'
  | 'entity_attribute.net_active_cards_count.decreased'
  | 'entity_attribute.next_payment_minimum_total_credit_cards.increased'
  | 'entity_attribute.next_payment_minimum_total_credit_cards.decreased'
  | 'entity_attribute.payment_to_minimum_ratio_avg_credit_cards.increased'
  | 'entity_attribute.payment_to_minimum_ratio_avg_credit_cards.decreased'
  | 'entity_attribute.revolving_credit_card_balance_change_30d.increased'
  | 'entity_attribute.revolving_credit_card_balance_change_30d.decreased'
  | 'entity_attribute.revolving_credit_card_balance_change_60d.increased'
  | 'entity_attribute.revolving_credit_card_balance_change_60d.decreased'
  | 'entity_attribute.revolving_credit_card_balance_change_90d.increased'
  | 'entity_attribute.revolving_credit_card_balance_change_90d.decreased'
  | 'entity_attribute.revolving_credit_card_utilization_trend_30d.increased'
  | 'entity_attribute.revolving_credit_card_utilization_trend_30d.decreased'
  | 'entity_attribute.revolving_credit_card_utilization_trend_90d.increased'
  | 'entity_attribute.revolving_credit_card_utilization_trend_90d.decreased'
  | 'entity_attribute.revolving_credit_card_utilization_delta_30d.increased'
  | 'entity_attribute.revolving_credit_card_utilization_delta_30d.decreased'
  | 'entity_attribute.revolving_credit_card_utilization_delta_60d.increased'
  | 'entity_attribute.revolving_credit_card_utilization_delta_60d.decreased'
  | 'entity_attribute.revolving_credit_card_utilization_delta_90d.increased'
  | 'entity_attribute.revolving_credit_card_utilization_delta_90d.decreased'
  | 'entity_attribute.delinquency_accounts_count.increased'
  | 'entity_attribute.delinquency_accounts_count.decreased'
  | 'entity_attribute.delinquent_balance_total.increased'
  | 'entity_attribute.delinquent_balance_total.decreased'
  | 'entity_attribute.personal_loan_balance_total.increased'
  | 'entity_attribute.personal_loan_balance_total.decreased'
  | 'entity_attribute.personal_loan_amount_total.increased'
  | 'entity_attribute.personal_loan_amount_total.decreased'
  | 'entity_attribute.available_loan_amount_personal_loans.increased'
  | 'entity_attribute.available_loan_amount_personal_loans.decreased'
  | 'entity_attribute.personal_loan_monthly_installments_estimate.increased'
  | 'entity_attribute.personal_loan_monthly_installments_estimate.decreased'
  | 'entity_attribute.personal_loan_utilization.increased'
  | 'entity_attribute.personal_loan_utilization.decreased'
  | 'entity_attribute.weighted_average_apr_personal_loan.increased'
  | 'entity_attribute.weighted_average_apr_personal_loan.decreased'
  | 'entity_attribute.personal_loan_balance_change_30d.increased'
  | 'entity_attribute.personal_loan_balance_change_30d.decreased'
  | 'entity_attribute.personal_loan_balance_change_60d.increased'
  | 'entity_attribute.personal_loan_balance_change_60d.decreased'
  | 'entity_attribute.personal_loan_balance_change_90d.increased'
  | 'entity_attribute.personal_loan_balance_change_90d.decreased'
  | 'entity_attribute.personal_loan_utilization_trend_30d.increased'
  | 'entity_attribute.personal_loan_utilization_trend_30d.decreased'
  | 'entity_attribute.personal_loan_utilization_trend_90d.increased'
  | 'entity_attribute.personal_loan_utilization_trend_90d.decreased'
  | 'entity_attribute.personal_loan_utilization_delta_30d.increased'
  | 'entity_attribute.personal_loan_utilization_delta_30d.decreased'
  | 'entity_attribute.personal_loan_utilization_delta_60d.increased'
  | 'entity_attribute.personal_loan_utilization_delta_60d.decreased'
  | 'entity_attribute.personal_loan_utilization_delta_90d.increased'
  | 'entity_attribute.personal_loan_utilization_delta_90d.decreased'
  | 'entity_attribute.mortgage_balance_total.increased'
  | 'entity_attribute.mortgage_balance_total.decreased'
  | 'entity_attribute.mortgage_loan_amount_total.increased'
  | 'entity_attribute.mortgage_loan_amount_total.decreased'
  | 'entity_attribute.weighted_average_apr_mortgage.increased'
  | 'entity_attribute.weighted_average_apr_mortgage.decreased'
  | 'entity_attribute.mortgage_balance_change_30d.increased'
  | 'entity_attribute.mortgage_balance_change_30d.decreased'
  | 'entity_attribute.mortgage_balance_change_60d.increased'
  | 'entity_attribute.mortgage_balance_change_60d.decreased'
  | 'entity_attribute.mortgage_balance_change_90d.increased'
  | 'entity_attribute.mortgage_balance_change_90d.decreased'
  | 'entity_attribute.mortgage_utilization_trend_30d.increased'
  | 'entity_attribute.mortgage_utilization_trend_30d.decreased'
  | 'entity_attribute.mortgage_utilization_trend_90d.increased'
  | 'entity_attribute.mortgage_utilization_trend_90d.decreased'
  | 'entity_attribute.mortgage_utilization_delta_30d.increased'
  | 'entity_attribute.mortgage_utilization_delta_30d.decreased'
  | 'entity_attribute.mortgage_utilization_delta_60d.increased'
  | 'entity_attribute.mortgage_utilization_delta_60d.decreased'
  | 'entity_attribute.mortgage_utilization_delta_90d.increased'
  | 'entity_attribute.mortgage_utilization_delta_90d.decreased'
  | 'entity_attribute.heloc_balance_total.increased'
  | 'entity_attribute.heloc_balance_total.decreased'
  | 'entity_attribute.heloc_utilization.increased'
  | 'entity_attribute.heloc_utilization.decreased'
  | 'entity_attribute.overall_loan_amount_total.increased'
  | 'entity_attribute.overall_loan_amount_total.decreased'
  | 'entity_attribute.overall_utilization.increased'
  | 'entity_attribute.overall_utilization.decreased'
  | 'entity_attribute.overall_utilization_trend_30d.increased'
  | 'entity_attribute.overall_utilization_trend_30d.decreased'
  | 'entity_attribute.overall_utilization_trend_90d.increased'
  | 'entity_attribute.overall_utilization_trend_90d.decreased'
  | 'entity_attribute.overall_utilization_delta_30d.increased'
  | 'entity_attribute.overall_utilization_delta_30d.decreased'
  | 'entity_attribute.overall_utilization_delta_60d.increased'
  | 'entity_attribute.overall_utilization_delta_60d.decreased'
  | 'entity_attribute.overall_utilization_delta_90d.increased'
  | 'entity_attribute.overall_utilization_delta_90d.decreased'
  | 'entity_attribute.installment_balance_total.increased'
  | 'entity_attribute.installment_balance_total.decreased'
  | 'entity_attribute.installment_balance_change_30d.increased'
  | 'entity_attribute.installment_balance_change_30d.decreased'
  | 'entity_attribute.installment_balance_change_60d.increased'
  | 'entity_attribute.installment_balance_change_60d.decreased'
  | 'entity_attribute.installment_balance_change_90d.increased'
  | 'entity_attribute.installment_balance_change_90d.decreased'
  | 'entity_attribute.other_balance_total.increased'
  | 'entity_attribute.other_balance_total.decreased'
  | 'entity_attribute.other_balance_change_30d.increased'
  | 'entity_attribute.other_balance_change_30d.decreased'
  | 'entity_attribute.other_balance_change_60d.increased'
  | 'entity_attribute.other_balance_change_60d.decreased'
  | 'entity_attribute.other_balance_change_90d.increased'
  | 'entity_attribute.other_balance_change_90d.decreased'
  | 'entity_attribute.last_direct_pay_amount.increased'
  | 'entity_attribute.last_direct_pay_amount.decreased'
  | 'entity_attribute.number_of_direct_pay_in_12_months.increased'
  | 'entity_attribute.number_of_direct_pay_in_12_months.decreased'
  | 'attribute.credit_health_credit_card_usage.increased'
  | 'attribute.credit_health_credit_card_usage.decreased'
  | 'attribute.credit_health_derogatory_marks.increased'
  | 'attribute.credit_health_derogatory_marks.decreased'
  | 'attribute.credit_health_hard_inquiries.increased'
  | 'attribute.credit_health_hard_inquiries.decreased'
  | 'attribute.credit_health_total_accounts.increased'
  | 'attribute.credit_health_total_accounts.decreased'
  | 'attribute.credit_health_credit_age.increased'
  | 'attribute.credit_health_credit_age.decreased'
  | 'attribute.credit_health_payment_history.increased'
  | 'attribute.credit_health_payment_history.decreased'
  | 'attribute.credit_health_open_accounts.increased'
  | 'attribute.credit_health_open_accounts.decreased'
  | 'entity_attribute.credit_health_credit_card_usage_value.increased'
  | 'entity_attribute.credit_health_credit_card_usage_value.decreased'
  | 'entity_attribute.credit_health_derogatory_marks_value.increased'
  | 'entity_attribute.credit_health_derogatory_marks_value.decreased'
  | 'entity_attribute.credit_health_hard_inquiries_value.increased'
  | 'entity_attribute.credit_health_hard_inquiries_value.decreased'
  | 'entity_attribute.credit_health_total_accounts_value.increased'
  | 'entity_attribute.credit_health_total_accounts_value.decreased'
  | 'entity_attribute.credit_health_credit_age_value.increased'
  | 'entity_attribute.credit_health_credit_age_value.decreased'
  | 'entity_attribute.credit_health_payment_history_value.increased'
  | 'entity_attribute.credit_health_payment_history_value.decreased'
  | 'entity_attribute.credit_health_open_accounts_value.increased'
  | 'entity_attribute.credit_health_open_accounts_value.decreased'
  | 'entity_attribute.credit_health_soft_inquiries_value.increased'
  | 'entity_attribute.credit_health_soft_inquiries_value.decreased'

/** The resource of an event, by the first segment of the event type. */
export interface EventResources {
  entity: Entity
  entity_verification_session: EntityVerificationSession
  connect: Connect
  credit_score: CreditScore
  identity: Identity
  entity_attribute: EntityAttribute
  entity_vehicle: Vehicles
  manual_connect: ManualConnect
  account: Account
  account_verification_session: AccountVerificationSession
  balance: Balance
  update: Update
  payoff: Payoff
  card_brand: CardBrand
  sensitive: Sensitive
  account_attribute: AccountAttribute
  payment_instrument: PaymentInstrument
  transaction: Transaction
  product: Product
  subscription: Subscription
  payment: Payment
  payment_reversal: PaymentReversal
  report: Report
  opal_session: OpalSession
  element_session: OpalSession
  service_jwk: ServiceKey
  account_verification: Record<string, unknown>
  connection: Record<string, unknown>
  attribute: Record<string, unknown>
}

/** An event about a resource: `EventOf<'payment'>`. */
export interface EventOf<Noun extends keyof EventResources> {
  id: string
  type: Extract<EventType, `${Noun}.${string}`>
  resource_id: string
  /** The first segment of the type. We may add values. Ignore the ones that you do not recognize */
  resource_type: Noun
  /** The resource as it was at the time of the event, in the API version of the request. Never contains an account number, a name or an address */
  data: Partial<EventResources[Noun]> & Record<string, unknown>
  /** The fields that changed. `before` is null for a new resource. Both are null after consent is withdrawn */
  diff: {
    before: Record<string, unknown> | null
    after: Record<string, unknown> | null
  }
  /** The ids of the entity, the account and the payment that the resource belongs to */
  related_ids: Array<string>
  created_at: string
  updated_at: string
}

/** A change to a resource. The `type` determines the resource in `data`. */
export type Event = { [Noun in keyof EventResources]: EventOf<Noun> }[keyof EventResources]

export interface Entity {
  id: string
  /** Null after consent is withdrawn */
  type: 'individual' | 'corporation' | null
  individual?: {
    first_name: string | null
    last_name: string | null
    /** A United States number in E.164 format */
    phone: string | null
    /** YYYY-MM-DD */
    dob: string | null
    email: string | null
    /** Never returned */
    ssn: null
    /** Masked as `xxxx`; null if unknown */
    ssn_4: string | null
  } | null
  corporation?: {
    name: string
    /** The trade name */
    dba: string | null
    /** Nine digits */
    ein: string | null
    owners: Array<Record<string, unknown>>
  } | null
  address: {
    line1: string | null
    line2: string | null
    city: string | null
    state: string | null
    zip: string | null
  } | Record<string, never>
  status: 'active' | 'incomplete' | 'disabled'
  verification: {
    identity: {
      verified: boolean
      /** True if the entity's details match exactly one person */
      matched?: boolean
      latest_verification_session: string | EntityVerificationSession | null
      /** The methods that are still available; empty after verification */
      methods: Array<'element' | 'opal' | 'kba' | 'sna' | 'sms' | 'byo_sms' | 'byo_kyc'>
    }
    phone: {
      verified: boolean
      /** True if the entity's details match exactly one person */
      matched?: boolean
      latest_verification_session: string | EntityVerificationSession | null
      /** The methods that are still available; empty after verification */
      methods: Array<'element' | 'opal' | 'kba' | 'sna' | 'sms' | 'byo_sms' | 'byo_kyc'>
    }
  } | null
  connect?: string | Connect | null
  credit_score?: string | CreditScore | null
  attribute?: string | EntityAttribute | null
  vehicle?: string | Vehicles | null
  /** Returned only if expanded */
  identity?: Identity | null
  products?: Array<ProductName>
  restricted_products?: Array<ProductName>
  subscriptions?: Array<SubscriptionName>
  available_subscriptions?: Array<SubscriptionName>
  restricted_subscriptions?: Array<SubscriptionName>
  error: ResourceError | null
  metadata: Record<string, unknown> | null
  created_at: string
  updated_at: string
}

export interface EntityVerificationSession {
  id: string
  entity_id: string
  status: 'pending' | 'in_progress' | 'verified' | 'failed'
  type: 'phone' | 'identity'
  method: 'sms' | 'sna' | 'byo_sms' | 'kba' | 'byo_kyc'
  sms?: {
    /** When the code was verified */
    timestamp?: string
  }
  byo_sms?: {
    /** When you verified the phone. `phone_proof_days` counts from this time */
    timestamp: string | null
  }
  sna?: {
    /** URLs to open on the handset */
    urls: Array<string>
  }
  byo_kyc?: {
    authenticated: boolean
  }
  kba?: {
    /** The current questions; empty after the session ends */
    questions: Array<{
      id: string
      text: string
      answers: Array<{
        id: string
        text: string
      }>
    }>
    authenticated?: boolean
  }
  error: ResourceError | null
  created_at: string
  updated_at: string
}

export interface Connect {
  id: string
  entity_id: string
  status: 'pending' | 'in_progress' | 'completed' | 'failed'
  /** The accounts first found by this search; null until completed */
  accounts: Array<string | Account> | null
  requested_products: Array<ProductName>
  requested_subscriptions: Array<SubscriptionName>
  /** The credit reports that the search returned; empty if the network does not share them */
  files: Array<{
    id: string
    type: 'raw_credit_report' | 'credit_report_pdf'
    bureau: 'equifax' | 'transunion'
    mime_type: string
  }>
  credit_reports: Record<string, unknown> | null
  error: ResourceError | null
  created_at: string
  updated_at: string
}

export interface CreditScore {
  id: string
  entity_id: string
  status: 'pending' | 'in_progress' | 'completed' | 'failed'
  scores: Array<{
    score: number
    source: 'equifax' | 'experian' | 'transunion'
    model: 'vantage_3' | 'vantage_4'
    factors: Array<{
      code: string
      description: string
    }>
    created_at: string
  }> | null
  error: ResourceError | null
  created_at: string
  updated_at: string
}

export interface Identity {
  id: string
  entity_id: string
  status: 'pending' | 'in_progress' | 'completed' | 'failed'
  identities: Array<{
    first_name: string | null
    last_name: string | null
    phone: string | null
    dob: string | null
    address: {
      address: string | null
      city: string | null
      state: string | null
      postal_code: string | null
    }
    /** Nine digits, in full */
    ssn: string | null
  }> | null
  error: ResourceError | null
  created_at: string
  updated_at: string
}

export interface EntityAttribute {
  id: string
  entity_id: string
  status: 'pending' | 'in_progress' | 'completed' | 'failed'
  attributes: Record<string, {
    value: number | string | boolean | null
    /** The reason that the attribute could not be computed. From version 2026-03-30 */
    error?: ResourceError | null
    /** Returned only in versions up to 2025-12-01 */
    rating?: 'excellent' | 'good' | 'fair' | 'needs_work' | null
    metadata?: Record<string, unknown> | null
  }> | null
  error: ResourceError | null
  created_at: string
  updated_at: string
}

export interface Vehicles {
  id: string
  entity_id: string
  status: 'pending' | 'in_progress' | 'completed' | 'failed'
  vehicles: Array<{
    vin: string | null
    year: string | null
    make: string | null
    model: string | null
    series: string | null
    major_color: string | null
    style: string | null
  }> | null
  error: ResourceError | null
  created_at: string
  updated_at: string
}

export interface ManualConnect {
  id: string
  entity_id: string
  status: 'pending' | 'in_progress' | 'completed' | 'failed'
  accounts: Array<{
    account_id: string
    external_id: string | null
  }> | null
  error: ResourceError | null
  created_at: string
  updated_at: string
}

export interface Account {
  id: string
  holder_id: string
  status: 'active' | 'processing' | 'disabled' | 'closed'
  /** `pending`: the account was found after the holder chose accounts in an element. Lists include it only on request */
  consent_status: 'approved' | 'withdrawn' | 'pending'
  /** Null after consent is withdrawn */
  type: 'ach' | 'liability' | null
  ach?: {
    routing: string
    number: string | null
    type: 'checking' | 'savings'
  } | null
  liability?: {
    /** The merchant that holds the account */
    mch_id: string | Merchant
    /** The last four digits of the account number */
    mask: string | null
    ownership: 'primary' | 'authorized' | 'joint' | 'unknown' | null
    /** Identifies the account. The same account has the same fingerprint in every team */
    fingerprint: string | null
    type: 'credit_card' | 'auto_loan' | 'mortgage' | 'personal_loan' | 'student_loan' | 'student_loans' | 'loan' | 'bnpl' | 'collection' | 'credit_builder' | 'fintech' | 'insurance' | 'medical' | 'utility'
    sub_type: string | null
    name: string | null
  } | null
  latest_verification_session?: string | AccountVerificationSession | null
  balance?: string | Balance | null
  update?: string | Update | null
  /** Returned only for auto loans and mortgages */
  payoff?: string | Payoff | null
  card_brand?: string | CardBrand | null
  attribute?: string | AccountAttribute | null
  payment_instrument?: string | PaymentInstrument | null
  /** Returned only if expanded */
  sensitive?: Sensitive | null
  /** Returned only if expanded */
  transactions?: Array<Transaction>
  /** An alias of transactions. Returned only if expanded */
  transaction?: Array<Transaction>
  products: Array<ProductName>
  /** Products that the account supports but cannot use yet */
  restricted_products: Array<ProductName>
  subscriptions?: Array<SubscriptionName>
  available_subscriptions?: Array<SubscriptionName>
  restricted_subscriptions?: Array<SubscriptionName>
  error: ResourceError | null
  metadata: Record<string, unknown> | null
  created_at: string
  updated_at: string
}

export interface AccountVerificationSession {
  id: string
  account_id: string
  status: 'pending' | 'in_progress' | 'verified' | 'failed'
  type: 'standard' | 'instant' | 'pre_auth' | 'network' | 'micro_deposits' | 'plaid' | 'mx' | 'teller' | 'auto_verify' | 'trusted_provisioner'
  standard?: {
    /** Masked; null until you send it */
    number: string | null
  }
  instant?: {
    /** Masked; null until you send it */
    number: string | null
    /** Masked; null until you send it */
    exp_month: string | null
    /** Masked; null until you send it */
    exp_year: string | null
    /** Null until checked */
    exp_check: 'pass' | 'fail' | 'unavailable' | null
  }
  pre_auth?: {
    /** Masked; null until you send it */
    number: string | null
    /** Masked; null until you send it */
    exp_month: string | null
    /** Masked; null until you send it */
    exp_year: string | null
    /** Null until checked */
    exp_check: 'pass' | 'fail' | 'unavailable' | null
    /** Masked; null until you send it */
    cvv: string | null
    /** Null until checked */
    cvv_check: 'pass' | 'fail' | 'unavailable' | null
    /** Masked; null until you send it */
    billing_zip_code: string | null
    /** Null until checked */
    billing_zip_code_check: 'pass' | 'fail' | 'unavailable' | null
    /** Null until checked */
    pre_auth_check: 'pass' | 'fail' | 'unavailable' | null
  }
  network?: {
    /** Masked; null until you send it */
    number: string | null
    /** Masked; null until you send it */
    exp_month: string | null
    /** Masked; null until you send it */
    exp_year: string | null
    /** Null until checked */
    exp_check: 'pass' | 'fail' | 'unavailable' | null
    /** Masked; null until you send it */
    cvv: string | null
    /** Null until checked */
    cvv_check: 'pass' | 'fail' | 'unavailable' | null
    /** Masked; null until you send it */
    billing_zip_code: string | null
    /** Null until checked */
    billing_zip_code_check: 'pass' | 'fail' | 'unavailable' | null
    /** Null until checked */
    network_check: 'pass' | 'fail' | 'unavailable' | null
  }
  micro_deposits?: {
    /** In cents; empty until verified */
    amounts: Array<number>
  }
  plaid?: {
    balances: Record<string, unknown>
    transactions: Array<Record<string, unknown>>
  }
  mx?: {
    account: Record<string, unknown>
    transactions: Array<Record<string, unknown>>
  }
  teller?: {
    balances: Record<string, unknown>
    transactions: Array<Record<string, unknown>>
  }
  auto_verify?: Record<string, never>
  trusted_provisioner?: Record<string, never>
  error: ResourceError | null
  created_at: string
  updated_at: string
}

export interface Balance {
  id: string
  account_id: string
  status: 'pending' | 'in_progress' | 'completed' | 'failed'
  /** In cents; null until completed */
  amount: number | null
  error: ResourceError | null
  created_at: string
  updated_at: string
}

export interface Update {
  id: string
  account_id: string
  status: 'pending' | 'in_progress' | 'completed' | 'failed'
  /** `direct`: the data is from the institution. `snapshot`: the data is from the monthly report */
  source: 'direct' | 'snapshot'
  /** Null, with no block, after consent for the account is withdrawn */
  type: 'credit_card' | 'auto_loan' | 'mortgage' | 'personal_loan' | 'student_loan' | 'student_loans' | 'loan' | 'bnpl' | 'collection' | 'credit_builder' | 'fintech' | 'insurance' | 'medical' | 'utility' | null
  credit_card?: {
    sub_type: string | null
    opened_at: string | null
    closed_at: string | null
    balance: number | null
    last_payment_amount: number | null
    last_payment_date: string | null
    next_payment_due_date: string | null
    next_payment_minimum_amount: number | null
    interest_rate_type: 'fixed' | 'variable' | null
    interest_rate_percentage_max: number | null
    interest_rate_percentage_min: number | null
    available_credit: number | null
    credit_limit: number | null
    usage_pattern: 'transactor' | 'revolver' | 'dormant' | 'unknown' | null
    delinquent_status?: string | null
    delinquent_period?: string | null
    delinquent_start_date?: string | null
    delinquent_action?: string | null
    delinquent_amount?: number | null
    delinquent_history?: Array<Record<string, unknown>> | null
  }
  auto_loan?: {
    sub_type: string | null
    opened_at: string | null
    closed_at: string | null
    balance: number | null
    last_payment_amount: number | null
    last_payment_date: string | null
    next_payment_due_date: string | null
    next_payment_minimum_amount: number | null
    interest_rate_type: 'fixed' | 'variable' | null
    interest_rate_percentage: number | null
    interest_rate_source: 'financial_institution' | 'public_data' | 'method' | null
    original_loan_amount: number | null
    /** In months */
    term_length: number | null
    expected_payoff_date: string | null
    delinquent_status?: string | null
    delinquent_period?: string | null
    delinquent_start_date?: string | null
    delinquent_action?: string | null
    delinquent_amount?: number | null
    delinquent_history?: Array<Record<string, unknown>> | null
  }
  mortgage?: {
    sub_type: string | null
    opened_at: string | null
    closed_at: string | null
    balance: number | null
    last_payment_amount: number | null
    last_payment_date: string | null
    next_payment_due_date: string | null
    next_payment_minimum_amount: number | null
    interest_rate_type: 'fixed' | 'variable' | null
    interest_rate_percentage: number | null
    interest_rate_source: 'financial_institution' | 'public_data' | 'method' | null
    original_loan_amount: number | null
    /** In months */
    term_length: number | null
    expected_payoff_date: string | null
    delinquent_status?: string | null
    delinquent_period?: string | null
    delinquent_start_date?: string | null
    delinquent_action?: string | null
    delinquent_amount?: number | null
    delinquent_history?: Array<Record<string, unknown>> | null
  }
  personal_loan?: {
    sub_type: string | null
    opened_at: string | null
    closed_at: string | null
    balance: number | null
    last_payment_amount: number | null
    last_payment_date: string | null
    next_payment_due_date: string | null
    next_payment_minimum_amount: number | null
    interest_rate_type: 'fixed' | 'variable' | null
    interest_rate_percentage: number | null
    interest_rate_source: 'financial_institution' | 'public_data' | 'method' | null
    original_loan_amount: number | null
    /** In months */
    term_length: number | null
    expected_payoff_date: string | null
    available_credit: number | null
    delinquent_status?: string | null
    delinquent_period?: string | null
    delinquent_start_date?: string | null
    delinquent_action?: string | null
    delinquent_amount?: number | null
    delinquent_history?: Array<Record<string, unknown>> | null
  }
  student_loan?: {
    sub_type: string | null
    opened_at: string | null
    closed_at: string | null
    balance: number | null
    last_payment_amount: number | null
    last_payment_date: string | null
    next_payment_due_date: string | null
    next_payment_minimum_amount: number | null
    interest_rate_type: 'fixed' | 'variable' | null
    interest_rate_percentage: number | null
    interest_rate_source: 'financial_institution' | 'public_data' | 'method' | null
    original_loan_amount: number | null
    /** In months */
    term_length: number | null
    expected_payoff_date: string | null
    delinquent_status?: string | null
    delinquent_period?: string | null
    delinquent_start_date?: string | null
    delinquent_action?: string | null
    delinquent_amount?: number | null
    delinquent_history?: Array<Record<string, unknown>> | null
  }
  student_loans?: {
    sub_type: string | null
    opened_at: string | null
    closed_at: string | null
    balance: number | null
    last_payment_amount: number | null
    last_payment_date: string | null
    next_payment_due_date: string | null
    next_payment_minimum_amount: number | null
    interest_rate_type: 'fixed' | 'variable' | null
    interest_rate_percentage: number | null
    interest_rate_source: 'financial_institution' | 'public_data' | 'method' | null
    original_loan_amount: number | null
    /** In months */
    term_length: number | null
    expected_payoff_date?: string | null
    disbursements: Array<{
      sequence: number
      disbursed_at: string | null
      opened_at: string | null
      closed_at: string | null
      balance: number | null
      last_payment_amount: number | null
      last_payment_date: string | null
      next_payment_due_date: string | null
      next_payment_minimum_amount: number | null
      interest_rate_type: 'fixed' | 'variable' | null
      interest_rate_percentage: number | null
      interest_rate_source: 'financial_institution' | 'public_data' | 'method' | null
      original_loan_amount: number | null
      /** In months */
      term_length: number | null
      expected_payoff_date: string | null
    }> | null
  }
  loan?: {
    sub_type?: string | null
    opened_at?: string | null
    closed_at?: string | null
    balance?: number | null
    last_payment_amount?: number | null
    last_payment_date?: string | null
    next_payment_due_date?: string | null
    next_payment_minimum_amount?: number | null
  }
  bnpl?: {
    sub_type?: string | null
    opened_at?: string | null
    closed_at?: string | null
    balance?: number | null
    last_payment_amount?: number | null
    last_payment_date?: string | null
    next_payment_due_date?: string | null
    next_payment_minimum_amount?: number | null
  }
  collection?: {
    sub_type?: string | null
    opened_at?: string | null
    closed_at?: string | null
    balance?: number | null
    last_payment_amount?: number | null
    last_payment_date?: string | null
    next_payment_due_date?: string | null
    next_payment_minimum_amount?: number | null
  }
  credit_builder?: {
    sub_type?: string | null
    opened_at?: string | null
    closed_at?: string | null
    balance?: number | null
    last_payment_amount?: number | null
    last_payment_date?: string | null
    next_payment_due_date?: string | null
    next_payment_minimum_amount?: number | null
  }
  fintech?: {
    sub_type?: string | null
    opened_at?: string | null
    closed_at?: string | null
    balance?: number | null
    last_payment_amount?: number | null
    last_payment_date?: string | null
    next_payment_due_date?: string | null
    next_payment_minimum_amount?: number | null
  }
  insurance?: {
    sub_type?: string | null
    opened_at?: string | null
    closed_at?: string | null
    balance?: number | null
    last_payment_amount?: number | null
    last_payment_date?: string | null
    next_payment_due_date?: string | null
    next_payment_minimum_amount?: number | null
  }
  medical?: {
    sub_type?: string | null
    opened_at?: string | null
    closed_at?: string | null
    balance?: number | null
    last_payment_amount?: number | null
    last_payment_date?: string | null
    next_payment_due_date?: string | null
    next_payment_minimum_amount?: number | null
  }
  utility?: {
    sub_type?: string | null
    opened_at?: string | null
    closed_at?: string | null
    balance?: number | null
    last_payment_amount?: number | null
    last_payment_date?: string | null
    next_payment_due_date?: string | null
    next_payment_minimum_amount?: number | null
  }
  /** Null until completed */
  data_as_of: string | null
  error: ResourceError | null
  created_at: string
  updated_at: string
}

export interface Payoff {
  id: string
  account_id: string
  status: 'pending' | 'in_progress' | 'completed' | 'failed'
  /** In cents; null until completed */
  amount: number | null
  /** The amount added per day, in cents */
  per_diem_amount: number | null
  /** The number of days for which the amount is valid */
  term: number | null
  error: ResourceError | null
  created_at: string
  updated_at: string
}

export interface CardBrand {
  id: string
  account_id: string
  status: 'pending' | 'in_progress' | 'completed' | 'failed'
  /** Empty until completed */
  brands: Array<{
    id: string
    /** Returned only in version 2024-04-04 */
    art_id?: string
    card_product_id?: string | null
    description?: string
    name: string
    issuer?: string
    network?: 'visa' | 'mastercard' | 'amex' | 'discover'
    network_tier?: string
    type?: 'specific' | 'generic' | 'in_review'
    /** The URL of an image of the card */
    url: string
    /** Rates are in percent, fees in cents */
    details?: Record<string, unknown> | null
  }>
  source: 'network' | 'method' | null
  shared: boolean
  last4: string | null
  /** Returned only in version 2024-04-04. Later versions return it in each brand */
  network?: 'visa' | 'mastercard' | 'amex' | 'discover' | null
  /** Returned only in version 2024-04-04. Later versions return it in each brand */
  issuer?: string | null
  error: ResourceError | null
  created_at: string
  updated_at: string
}

export interface CardProduct {
  id: string
  name: string
  issuer: string
  type: 'specific' | 'generic' | 'in_review'
  brands: Array<{
    id: string
    description: string
    network: 'visa' | 'mastercard' | 'amex' | 'discover'
    network_tier: string
    default_image: string
  }>
  error: ResourceError | null
  created_at: string
  updated_at: string
}

export interface Sensitive {
  id: string
  account_id: string
  status: 'pending' | 'in_progress' | 'completed' | 'failed'
  /** Null, with no block, after consent for the account is withdrawn */
  type: 'credit_card' | 'auto_loan' | 'mortgage' | 'personal_loan' | 'student_loan' | 'student_loans' | 'loan' | 'bnpl' | 'collection' | 'credit_builder' | 'fintech' | 'insurance' | 'medical' | 'utility' | null
  credit_card?: {
    billing_zip_code: string | null
    number: string | null
    exp_month: string | null
    exp_year: string | null
    cvv: null
  }
  auto_loan?: {
    number: string | null
  }
  mortgage?: {
    number: string | null
  }
  personal_loan?: {
    number: string | null
  }
  collection?: {
    number: string | null
  }
  error: ResourceError | null
  created_at: string
  updated_at: string
}

export interface AccountAttribute {
  id: string
  account_id: string
  status: 'pending' | 'in_progress' | 'completed' | 'failed'
  /** Null until completed */
  attributes: Record<string, {
    value: string | number | boolean | null
    /** The reason that the value is missing. From version 2026-03-30 */
    error?: ResourceError | null
  }> | null
  error: ResourceError | null
  created_at: string
  updated_at: string
}

export interface PaymentInstrument {
  id: string
  account_id: string
  type: 'card' | 'network_token' | 'inbound_achwire_payment'
  card: {
    number: string | null
    exp_month: string | null
    exp_year: string | null
    billing_zip_code: string | null
  } | null
  network_token: {
    token: string | null
  } | null
  inbound_achwire_payment: {
    account_number: string | null
    routing_number: string | null
  } | null
  chargeable: boolean
  status: 'pending' | 'in_progress' | 'completed' | 'failed' | 'closed'
  error: ResourceError | null
  created_at: string
  updated_at: string
}

export interface Transaction {
  id: string
  account_id: string
  status: 'pending' | 'posted' | 'voided'
  descriptor: string
  merchant: {
    name: string
    logo: string | null
  } | null
  merchant_category_code: string
  amount: number
  auth_amount: number
  currency_code: string
  transaction_amount: number
  transaction_auth_amount: number
  transaction_currency_code: string
  transacted_at: string
  posted_at: string | null
  voided_at: string | null
  original_txn_id: string | null
  created_at: string
  updated_at: string
}

export interface Product {
  /** Returned only in versions up to 2024-04-04. Later versions identify products by name */
  id?: string
  name: ProductName
  status: 'available' | 'restricted' | 'unavailable'
  /** The reason that the product is not available */
  status_error: RequestError | null
  latest_request_id: string | null
  latest_successful_request_id: string | null
  is_subscribable: boolean
  created_at: string
  updated_at: string
}

export interface Subscription {
  id: string
  name: SubscriptionName
  status: 'active' | 'inactive'
  payload: Record<string, unknown> | null
  latest_request_id: string | null
  created_at: string
  updated_at: string
}

export interface Merchant {
  id: string
  parent_name: string
  name: string
  logo: string | null
  /** `unknown` if the network reports none of the other types. We may add values. Ignore the ones that you do not recognize */
  type: 'auto_loan' | 'bank' | 'bnpl' | 'business_loan' | 'city' | 'collection' | 'county' | 'credit_builder' | 'credit_card' | 'electric_utility' | 'fintech' | 'home_equity_loan' | 'home_loan' | 'insurance' | 'internet_utility' | 'loan' | 'medical' | 'mortgage' | 'personal_loan' | 'student_loan' | 'student_loans' | 'subscription' | 'telephone_utility' | 'television_utility' | 'unknown' | 'utility' | 'waste_utility' | 'water_utility'
  provider_ids: {
    plaid: Array<string>
    mx: Array<string>
    finicity: Array<string>
    dpp: Array<string>
    rpps: Array<string>
  }
  is_temp: boolean
  /** The formats of account numbers, with a `#` for each digit */
  account_number_formats: Array<string>
}

export interface Payment {
  id: string
  source: string | Account | null
  destination: string | Account | null
  amount: number
  description: string
  status: 'pending' | 'canceled' | 'processing' | 'failed' | 'sent' | 'posted' | 'cashed' | 'settled' | 'reversal_required' | 'reversal_processing' | 'reversed' | 'partial_reversal_processing' | 'partially_reversed'
  /** Returned only in events and when you retrieve a payment. Remains `requested` while a payment is processing. `clearing` and `unknown` are never returned, because rails do not report them */
  fund_status?: 'pending' | 'hold' | 'requested' | 'clearing' | 'sent' | 'posted' | 'cashed' | 'failed' | 'unknown'
  estimated_completion_date: string | null
  source_trace_id: string | null
  source_settlement_date: string | null
  source_status: 'pending' | 'canceled' | 'processing' | 'failed' | 'sent' | 'posted' | 'cashed' | 'settled' | 'reversed' | null
  destination_trace_id: string | null
  destination_settlement_date: string | null
  destination_status: 'pending' | 'canceled' | 'processing' | 'failed' | 'sent' | 'posted' | 'cashed' | 'settled' | 'reversed' | null
  destination_payment_method?: 'electronic' | 'paper' | null
  destination_posted_date?: string | null
  reversal_id: string | null
  reversal_account?: string | null
  payment_instrument?: string | null
  fee: {
    type: 'total' | 'markup'
    amount: number
  } | null
  type: 'standard' | 'clearing'
  error: ResourceError | null
  /** The Idempotency-Key of the request that created the payment */
  idempotency_key?: string | null
  metadata: Record<string, unknown> | null
  created_at: string
  updated_at: string
}

export interface PaymentPostings {
  /** The postings, in the order in which they were made */
  data: Array<{
    /** The payment status that caused this posting */
    leg: 'pending' | 'canceled' | 'processing' | 'failed' | 'sent' | 'posted' | 'cashed' | 'settled' | 'reversal_required' | 'reversal_processing' | 'reversed' | 'partial_reversal_processing' | 'partially_reversed'
    /** The id of an account, or `clearing`, `transit`, `fees`, `receivable` or `outside` */
    account: string
    /** In cents; negative if money left the account */
    amount: number
    created_at: string
  }>
  /** The sum of the postings; always 0 */
  sum: number
  /** True if the postings match the status of the payment and of its reversal */
  agrees: boolean
}

export interface PaymentExplanation {
  /** Null if nothing is wrong */
  cause: {
    /** The code of the `error`, or the reason that the payment is held */
    code: number | 'PAYMENTS_STOPPED' | 'HELD'
    side: 'source' | 'destination' | 'rail' | 'team'
  } | null
  money: {
    /** `receivable`: the destination has the money, and `account` will be debited for it */
    place: 'source' | 'clearing' | 'transit' | 'destination' | 'receivable' | 'returned'
    amount: number
    /** The account that holds the money or will receive it next. For `receivable`, the account that will be debited */
    account: string | null
  }
  /** Null if the payment was not returned */
  reversal: {
    /** `debit`: the reversal debits an account. `credit`: the reversal credits the payer */
    direction: 'debit' | 'credit'
    status: 'pending_approval' | 'pending' | 'processing' | 'sent' | 'failed'
  } | null
  consequences: Array<'destination_unpaid' | 'destination_paid' | 'destination_paid_in_part' | 'others_unaffected' | 'account_disabled' | 'source_disabled'>
  actions: Array<{
    /** To `retry`, create a new payment */
    name: 'cancel' | 'approve_reversal' | 'retry'
    allowed: boolean
    why_not: 'ALREADY_SUBMITTED' | 'PAYMENTS_STOPPED' | 'NEEDS_PAYMENTS_SCOPE' | null
  }>
}

export interface PaymentReversal {
  id: string
  pmt_id: string
  /** The account that the reversal debits or credits */
  target_account: string | null
  trace_id: string | null
  direction: 'debit' | 'credit'
  description: string
  /** The amount of the payment, or of the part that was returned */
  amount: number
  status: 'pending_approval' | 'pending' | 'processing' | 'sent' | 'failed'
  /** Always null: the service charges no fee for a return */
  fee: null
  error: ResourceError | null
  created_at: string
  updated_at: string
}

export interface TokenResults {
  /** True if the person verified their phone */
  authenticated: boolean
  cxn_id: string | null
  /** The accounts that the person chose; empty until they finish */
  accounts: Array<string>
  entity_id: string | null
  events: Array<{
    type: string
    timestamp: string
    metadata: Record<string, unknown> | null
  }>
}

export interface OpalSession {
  id: string
  /** We may add values. Ignore the ones that you do not recognize */
  mode: 'identity_verification' | 'connect' | 'card_connect' | 'account_verification' | 'transactions' | 'balance_transfer' | 'manage'
  /** Null until the person opens a session whose token was created without an entity */
  entity_id: string | null
  /** The last screen that the person saw; null if they have not opened the session. We may add values. Ignore the ones that you do not recognize */
  step: 'consent' | 'phone' | 'code' | 'details' | 'questions' | 'discovering' | 'selection' | 'number' | 'deposits' | 'card' | 'allocation' | 'review' | 'done' | 'manage' | 'blocked' | null
  bt: {
    loan_amount: number
    minimum_payment: number
    maximum_payment: number
    residual_amount_max: number
    allocations: Record<string, number>
    payout_status: 'pending_release' | 'released'
    payment_ids: Record<string, string | null>
    /** The error for each account whose payment could not be created. Omitted if there is none */
    payment_errors?: Record<string, RequestError>
    /** The accounts that the release could not pay and that no later payment has paid. A later payment counts if it has the same amount and the `session_id` in its metadata, unless it failed or was returned. Omitted if there is none, and in events */
    unpaid?: Array<string>
    released_at: string | null
    completed: boolean
  } | null
  /** When the person finished the session. Omitted until then, and for sessions with a loan, which use `bt.completed` */
  completed_at?: string
  /** When the person closed the flow before finishing it. Omitted otherwise, and omitted again once they return */
  exited_at?: string
  /** When the person who opened the session said that they were not the entity. Omitted otherwise, and once another token opens the session */
  not_me_at?: string
  created_at: string
  updated_at: string
}

export interface SessionProgress {
  /** The screen that the person sees now or will see next. We may add values. Ignore the ones that you do not recognize */
  step: 'consent' | 'phone' | 'code' | 'details' | 'questions' | 'discovering' | 'selection' | 'number' | 'deposits' | 'card' | 'allocation' | 'review' | 'done' | 'manage' | 'blocked'
  since: string
  /** The number of attempts left at `code`, `details`, `questions`, `number`, `deposits` or `card`; null at other steps */
  tries_left: number | null
  /** The number of incorrect attempts at that step that count toward the limit */
  tries_used: number | null
  /** The account for the `number`, `deposits` or `card` step; null at other steps */
  account: string | null
  /** `release`: the person is done, and you must release the payments */
  waits_for: 'person' | 'network' | 'release' | 'nothing'
  /** The reason that the flow is `blocked` */
  last_code: string | null
  /** The steps that were shown, in the order shown */
  steps: Array<{
    step: 'consent' | 'phone' | 'code' | 'details' | 'questions' | 'discovering' | 'selection' | 'number' | 'deposits' | 'card' | 'allocation' | 'review' | 'done' | 'manage' | 'blocked'
    /** When the step was first shown */
    at: string
    /** The number of times the step was shown */
    tries: number
  }>
}

export interface OpalTokenSession {
  id: string
  /** We may add values. Ignore the ones that you do not recognize */
  mode: 'identity_verification' | 'connect' | 'card_connect' | 'account_verification' | 'transactions' | 'balance_transfer' | 'manage'
  /** Null until the person opens a session whose token was created without an entity */
  entity_id: string | null
  /** The last screen that the person saw; null if they have not opened the session. We may add values. Ignore the ones that you do not recognize */
  step: 'consent' | 'phone' | 'code' | 'details' | 'questions' | 'discovering' | 'selection' | 'number' | 'deposits' | 'card' | 'allocation' | 'review' | 'done' | 'manage' | 'blocked' | null
  bt: {
    loan_amount: number
    minimum_payment: number
    maximum_payment: number
    residual_amount_max: number
    allocations: Record<string, number>
    payout_status: 'pending_release' | 'released'
    payment_ids: Record<string, string | null>
    /** The error for each account whose payment could not be created. Omitted if there is none */
    payment_errors?: Record<string, RequestError>
    /** The accounts that the release could not pay and that no later payment has paid. A later payment counts if it has the same amount and the `session_id` in its metadata, unless it failed or was returned. Omitted if there is none, and in events */
    unpaid?: Array<string>
    released_at: string | null
    completed: boolean
  } | null
  completed_at: string | null
  /** When the person closed the flow before finishing it. Omitted otherwise, and omitted again once they return */
  exited_at?: string
  /** When the person who opened the session said that they were not the entity. Omitted otherwise, and once another token opens the session */
  not_me_at?: string
  created_at: string
  updated_at: string
  config: {
    name: string
    logo: string | null
    opal_should_prefill_entities: boolean
    primary_color: string | null
    event_channel: null
    accounts_liability_allow_number_update: boolean
    appearance: 'light' | 'dark' | 'system'
  }
  entity: {
    id: string
    individual: {
      first_name: string | null
      last_name: string | null
      /** A United States number in E.164 format */
      phone: string | null
      /** YYYY-MM-DD */
      dob: string | null
      email: string | null
      /** Never returned */
      ssn: null
      /** Masked as `xxxx`; null if unknown */
      ssn_4: string | null
    } | null
    address: {
      line1: string | null
      line2: string | null
      city: string | null
      state: string | null
      zip: string | null
    } | null
    status: 'active' | 'incomplete' | 'disabled'
    verification: {
      identity: {
        matched: boolean
        verified: boolean
      }
      phone: {
        verified: boolean
      }
    }
  } | null
  idv: {
    completed: boolean
  } | null
  cxn: {
    completed: boolean
    /** Empty until completed */
    accounts: Array<string>
  } | null
  avf: {
    completed: boolean
    /** Empty until completed */
    accounts: Array<string>
  } | null
  txn: {
    completed: boolean
    /** Empty until completed */
    accounts: Array<string>
  } | null
}

export interface OpalEvent {
  type: string
  mode?: string
  object?: string
  action?: string
  timestamp: string
  data: Record<string, unknown> | null
}

export interface Webhook {
  id: string
  type: EventType
  url: string
  metadata: Record<string, unknown> | null
  expand_event: boolean
  /** The API version of the events; null to use the team's version */
  api_version: '2020-12-06' | '2024-04-04' | '2025-07-04' | '2025-12-01' | '2026-03-30' | null
  /** If true, the service stores the first 512 bytes of each response for 30 days, encrypted */
  store_responses: boolean
  /** True if `hmac_secret` has fewer than 24 characters. Only the `/enveloped` mount accepts such a secret. Rotate it */
  weak_secret: boolean
  status: 'active' | 'requires_attention' | 'disabled' | 'deleted'
  error: ResourceError | null
  created_at: string
  updated_at: string
}

export interface NewWebhook {
  id: string
  type: EventType
  url: string
  metadata: Record<string, unknown> | null
  expand_event: boolean
  /** The API version of the events; null to use the team's version */
  api_version: '2020-12-06' | '2024-04-04' | '2025-07-04' | '2025-12-01' | '2026-03-30' | null
  /** If true, the service stores the first 512 bytes of each response for 30 days, encrypted */
  store_responses: boolean
  /** True if `hmac_secret` has fewer than 24 characters. Only the `/enveloped` mount accepts such a secret. Rotate it */
  weak_secret: boolean
  status: 'active' | 'requires_attention' | 'disabled' | 'deleted'
  error: ResourceError | null
  created_at: string
  updated_at: string
  /** The generated secret, returned only once. Null if you sent your own, or if the response is a replay */
  hmac_secret: string | null
}

export interface Delivery {
  /** The id of the delivery, sent as the `webhook-id` header. The same on every attempt */
  id: string
  webhook_id: string
  event_id: string
  type: EventType
  /** The id of the resource that the event is about */
  resource_id: string
  /** `failed`: the last attempt failed. `canceled`: the webhook was disabled before the event was delivered. Both can be redelivered */
  status: 'pending' | 'delivered' | 'failed' | 'canceled'
  /** The number of attempts since the delivery was last queued */
  attempts: number
  /** The status of the last attempt; null if there was no response */
  response_status: number | null
  /** The reason that the last attempt failed; null if there was none, if it succeeded, or if the response status shows the reason. `internal`: the service gave up because of an error of its own */
  failure: 'refused' | 'lookup' | 'timeout' | 'connection' | 'redirect' | 'internal' | null
  next_attempt_at: string | null
  attempted_at: string | null
  finished_at: string | null
  created_at: string
  updated_at: string
}

export interface DeliveryAttempt {
  /** The number of the attempt since the delivery was last queued */
  number: number
  at: string
  ms: number
  /** Null if there was no response */
  response_status: number | null
  /** The reason that the attempt failed; null if it succeeded or if the response status shows the reason */
  failure: 'refused' | 'lookup' | 'timeout' | 'connection' | 'redirect' | 'internal' | null
  /** The first 512 bytes of the response; null if there was none or if `store_responses` was off */
  excerpt: string | null
}

export interface DeliveryRequest {
  delivery_id: string
  /** The number of the last attempt; null if none is stored */
  attempt: number | null
  /** When the last attempt was signed. This is real time, even in the sandbox */
  sent_at: string | null
  url: string
  /** The headers that identify the delivery, as sent in its last attempt. The `Authorization` token is redacted */
  headers: Record<string, string>
  /** False if the headers contain no signature, because nothing has been sent yet or because the secret or the data has changed since then */
  signed: boolean
  /** The exact text of the body */
  body: string
  /** True if the data was deleted after the attempt, so the body is no longer the one that was sent */
  erased: boolean
}

export interface WebhookStats {
  from: string
  to: string
  /** The deliveries that finished between `from` and `to`, each counted once by its current status. A failed delivery that was redelivered successfully counts as delivered */
  outcomes: {
    delivered: number
    failed: number
    canceled: number
  }
  bucket: 'hour' | 'day'
  /** The hours or days that had deliveries or attempts, oldest first */
  buckets: Array<{
    /** The start of the hour or day, in UTC */
    at: string
    delivered: number
    /** The number of deliveries whose attempts all failed, including those that were redelivered later */
    failed: number
    /** The number of deliveries that are currently canceled */
    canceled: number
    /** The median duration of the attempts; null if there were none */
    p50_ms: number | null
    p95_ms: number | null
  }>
  paused_until: string | null
  /** `endpoint`: the endpoint's response specified how long to pause */
  paused_by: 'endpoint' | 'failures' | null
  /** The number of consecutive deliveries whose attempts all failed */
  failures_in_row: number
  /** The time of the first failed attempt since the last success; null if there was none */
  failing_since: string | null
  /** The time from which a failed attempt disables the webhook, unless a delivery succeeds first */
  switch_off_at: string | null
  /** When the webhook was disabled or, if it was changed later, when it was last changed; null if it is not disabled */
  switched_off_at: string | null
}

export interface Timeline {
  /** The entries, newest first */
  data: Array<Moment>
  /** The kinds that could not be read for this response */
  missing: Array<'request' | 'event' | 'delivery' | 'posting' | 'person' | 'staff'>
  /** The `page_cursor` of the next page; null on the last page */
  next_cursor: string | null
}

export interface Moment {
  /** When the entry happened. For a delivery, the time of its event */
  at: string
  kind: 'request' | 'event' | 'delivery' | 'posting' | 'person' | 'staff'
  id: string
  /** The method and route of a request, the type of an event or a delivery, the payment status that caused a posting, the step that a person reached, or the action in an audit entry */
  what: string
  /** The status of a request or a delivery, or the step that a person reached */
  status: number | string | null
  /** A key, a token, the console session of an operator, or `operator` */
  actor: string | null
  /** The amount of a posting, in cents */
  amount: number | null
  /** The ids of the resources that the entry is about, or that caused it */
  refs: Array<string>
  /** For a delivery: the host of the webhook */
  host?: string
  /** For a delivery: when it was delivered or canceled, or when its last attempt failed. Null while it is in progress */
  finished_at?: string | null
}

export interface SearchResults {
  /** The results, grouped by kind, newest first */
  data: Array<SearchHit>
}

export interface SearchHit {
  /** `person` is an entity, and `session` is an Opal session */
  kind: 'payment' | 'person' | 'account' | 'session' | 'webhook' | 'request' | 'event'
  id: string
  /** A name, an amount or a code */
  title: string
  /** Distinguishes similar results, such as with the last four digits of an account */
  hint: string | null
  status: string | null
  /** When the resource was created. Tells results of the same name apart */
  created_at: string
}

export interface PaymentStats {
  /** The days and statuses that have payments, oldest day first */
  data: Array<{
    day: string
    status: 'pending' | 'canceled' | 'processing' | 'failed' | 'sent' | 'posted' | 'cashed' | 'settled' | 'reversal_required' | 'reversal_processing' | 'reversed' | 'partial_reversal_processing' | 'partially_reversed'
    count: number
    cents: number
  }>
  /** When the counts were computed, at most a minute ago */
  as_of: string
}

export interface FunnelStats {
  data: Array<{
    step: 'consent' | 'phone' | 'code' | 'details' | 'questions' | 'discovering' | 'selection' | 'number' | 'deposits' | 'card' | 'allocation' | 'review' | 'done' | 'manage' | 'blocked'
    /** The number of sessions that showed the step */
    entered: number
    /** The number of sessions that continued past the step or are complete */
    completed: number
    /** The number of sessions that are still at the step and are not complete */
    left: number
    /** The median time to the next step; null if no session passed the step */
    median_ms: number | null
    /** The reasons for the latest 20 blocked sessions; empty for steps other than `blocked` */
    reasons: Array<{
      code: string
      count: number
    }>
  }>
  /** The number of sessions counted: at most the latest 5,000 in the period */
  sessions: number
  /** When the counts were computed, at most a minute ago */
  as_of: string
}

export interface Request {
  /** The `Request-Id` of the response */
  id: string
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** The path with parameter names, such as `/payments/:pmt_id` */
  route: string
  status: number
  /** The `sub_type` of the error; null if the request succeeded. We may add values. Ignore the ones that you do not recognize */
  sub_type: ErrorSubType | null
  /** The duration of the request in milliseconds */
  ms: number
  /** Null if the request was rejected before the service determined its version */
  version: '2020-12-06' | '2024-04-04' | '2025-07-04' | '2025-12-01' | '2026-03-30' | null
  /** The id of the key or the handle of the token that made the request */
  actor: string
  source: 'api' | 'console'
  idempotency: 'stored' | 'replayed' | 'mismatch' | 'bypassed'
  /** Ids in the path, the request body and the response */
  resource_ids: Array<string>
  created_at: string
}

export interface RequestDetail {
  /** The `Request-Id` of the response */
  id: string
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** The path with parameter names, such as `/payments/:pmt_id` */
  route: string
  status: number
  /** The `sub_type` of the error; null if the request succeeded. We may add values. Ignore the ones that you do not recognize */
  sub_type: ErrorSubType | null
  /** The duration of the request in milliseconds */
  ms: number
  /** Null if the request was rejected before the service determined its version */
  version: '2020-12-06' | '2024-04-04' | '2025-07-04' | '2025-12-01' | '2026-03-30' | null
  /** The id of the key or the handle of the token that made the request */
  actor: string
  source: 'api' | 'console'
  idempotency: 'stored' | 'replayed' | 'mismatch' | 'bypassed'
  /** Ids in the path, the request body and the response */
  resource_ids: Array<string>
  created_at: string
  /** The JSON body. Numbers, booleans, ids, times and enum values are stored; all other text is `[redacted]`. Null if there was no body, and after 7 days */
  request: unknown
  /** The JSON body. Numbers, booleans, ids, times and enum values are stored; all other text is `[redacted]`. Null if there was no body, and after 7 days */
  response: unknown
}

export interface RequestStats {
  from: string
  to: string
  bucket: 'hour' | 'day'
  /** The hours or days that had requests, oldest first */
  buckets: Array<{
    /** The start of the hour or day, in UTC */
    at: string
    count: number
    /** The number of requests by status class: `2xx`, `4xx` and `5xx` */
    by_status: Record<string, number>
    p50_ms: number
    p95_ms: number
  }>
  /** The ten most frequent errors */
  top_errors: Array<{
    sub_type: ErrorSubType
    count: number
  }>
}

export interface Secret {
  id: string
  metadata: Record<string, unknown>
  status: 'active' | 'deleted'
  error?: ResourceError | null
  created_at: string
  updated_at: string
}

export interface ForwardingRequest {
  id: string
  bindings: Record<string, string>
  /** The request as you sent it, with the templates instead of their values */
  request: {
    url: string
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
    headers: Record<string, string>
    body: string
  }
  /** If the destination repeats a value that a template inserted, the template is shown instead */
  response: {
    /** Null if there was no response */
    status_code: number | null
    headers: Record<string, string>
    /** The parsed JSON. The text if the body is not JSON, if parsing would lose repeated members or digits of a number, or if it is nested more than 32 levels deep */
    body: unknown
  }
  duration_ms: number | null
  /** `completed`: the destination responded, with any HTTP status */
  status: 'processing' | 'completed' | 'failed'
  status_history: Array<{
    status: 'processing' | 'completed' | 'failed'
    timestamp: string
  }>
  metadata: Record<string, unknown> | null
  created_at: string
  updated_at: string
}

export interface Report {
  id: string
  type: 'payments.created.current' | 'payments.created.previous' | 'payments.created.previous_day' | 'payments.updated.current' | 'payments.updated.previous' | 'payments.failed.previous_day' | 'ach.pull.upcoming' | 'ach.pull.previous' | 'ach.pull.nightly' | 'ach.debit.daily' | 'ach.reversals.nightly' | 'entities.created.previous_day' | 'reserve_fbo_balance.created.previous_day'
  /** The URL of the CSV file. Downloading it requires a secret key. Null until the report is completed */
  url: string | null
  status: 'processing' | 'completed'
  metadata: Record<string, unknown> | null
  created_at: string
  updated_at: string
}

export interface Team {
  id: string
  parent_id: string | null
  name: string
  /** The same as `name` if none was given */
  legal_name: string
  /** Nine digits */
  ein: string | null
  contacts: Array<{
    name: string
    email: string
    type: string
  }>
  address: {
    line1: string
    line2?: string | null
    city: string
    state: string
    zipcode: string
    country: string
  } | null
  status: 'active'
  /** The same as `brand.logo` */
  logo: string | null
  /** Returned only in versions up to 2025-12-01. The same as `version` */
  api_version?: '2020-12-06' | '2024-04-04' | '2025-07-04' | '2025-12-01' | '2026-03-30'
  /** Returned only in versions up to 2025-12-01. The active keys, without their values */
  keys?: Array<{
    id: string
    type: 'secret'
    deleted: false
    created_at: string
    updated_at: string
    last_used_at: string | null
  }>
  /** The default API version, for requests that do not set one. It can only move forward */
  version: '2020-12-06' | '2024-04-04' | '2025-07-04' | '2025-12-01' | '2026-03-30'
  /** The default source account, for releases that do not set one */
  default_source_account: string | null
  /** The description of the payments that a release creates; at most 10 characters */
  payment_description: string
  /** The origins on which elements can be embedded */
  allowed_origins: Array<string>
  brand: {
    name: string
    logo: string | null
    primary_color: string | null
    support_url: string | null
    privacy_url: string | null
  }
  appearance: 'light' | 'dark' | 'system'
  /** `payment_instrument` includes all three instruments. We may add values. Ignore the ones that you do not recognize */
  products: Array<'balance' | 'update' | 'payment' | 'card_brand' | 'payoff' | 'connect' | 'credit_score' | 'identity' | 'attribute' | 'vehicle' | 'sensitive' | 'transaction' | 'payment_instrument.card' | 'payment_instrument.network_token' | 'payment_instrument.inbound_achwire_payment' | 'manual_connect' | 'payment_instrument'>
  identity_methods: Array<'element' | 'opal' | 'kba' | 'sna' | 'sms' | 'byo_sms' | 'byo_kyc'>
  forwarding_allow_list: Array<string>
  webhook_schedule: 'standard' | 'long'
  /** True if the team can send payments to ACH accounts */
  ach_destinations: boolean
  limits: {
    payment_amount_max: number | null
    /** The maximum number of payments that the team can create in a calendar month (UTC). Canceled payments do not count */
    payments_per_month: number | null
    /** The maximum number of SSNs and full account numbers that the API returns within 24 hours. Further requests return 429 */
    sensitive_reads_per_day: number | null
  }
  /** If true, the service rejects requests without `Service-MLE: jwe`. Only an encrypted request can enable it */
  require_encryption: boolean
  /** The key that encrypts responses to requests that do not name one of the team's keys. See “Encryption keys” */
  default_encryption_key: string | null
  /** The number of days for which a phone verification is valid for new tokens. If 0, a code is sent in every session. If null, a code is sent only once */
  phone_proof_days: number | null
  created_at: string
  updated_at: string
}

export interface NewTeam {
  id: string
  parent_id: string | null
  name: string
  /** The same as `name` if none was given */
  legal_name: string
  /** Nine digits */
  ein: string | null
  contacts: Array<{
    name: string
    email: string
    type: string
  }>
  address: {
    line1: string
    line2?: string | null
    city: string
    state: string
    zipcode: string
    country: string
  } | null
  status: 'active'
  /** The same as `brand.logo` */
  logo: string | null
  /** Returned only in versions up to 2025-12-01. The same as `version` */
  api_version?: '2020-12-06' | '2024-04-04' | '2025-07-04' | '2025-12-01' | '2026-03-30'
  /** Returned only in versions up to 2025-12-01. The active keys, without their values */
  keys?: Array<{
    id: string
    type: 'secret'
    deleted: false
    created_at: string
    updated_at: string
    last_used_at: string | null
  }>
  /** The default API version, for requests that do not set one. It can only move forward */
  version: '2020-12-06' | '2024-04-04' | '2025-07-04' | '2025-12-01' | '2026-03-30'
  /** The default source account, for releases that do not set one */
  default_source_account: string | null
  /** The description of the payments that a release creates; at most 10 characters */
  payment_description: string
  /** The origins on which elements can be embedded */
  allowed_origins: Array<string>
  brand: {
    name: string
    logo: string | null
    primary_color: string | null
    support_url: string | null
    privacy_url: string | null
  }
  appearance: 'light' | 'dark' | 'system'
  /** `payment_instrument` includes all three instruments. We may add values. Ignore the ones that you do not recognize */
  products: Array<'balance' | 'update' | 'payment' | 'card_brand' | 'payoff' | 'connect' | 'credit_score' | 'identity' | 'attribute' | 'vehicle' | 'sensitive' | 'transaction' | 'payment_instrument.card' | 'payment_instrument.network_token' | 'payment_instrument.inbound_achwire_payment' | 'manual_connect' | 'payment_instrument'>
  identity_methods: Array<'element' | 'opal' | 'kba' | 'sna' | 'sms' | 'byo_sms' | 'byo_kyc'>
  forwarding_allow_list: Array<string>
  webhook_schedule: 'standard' | 'long'
  /** True if the team can send payments to ACH accounts */
  ach_destinations: boolean
  limits: {
    payment_amount_max: number | null
    /** The maximum number of payments that the team can create in a calendar month (UTC). Canceled payments do not count */
    payments_per_month: number | null
    /** The maximum number of SSNs and full account numbers that the API returns within 24 hours. Further requests return 429 */
    sensitive_reads_per_day: number | null
  }
  /** If true, the service rejects requests without `Service-MLE: jwe`. Only an encrypted request can enable it */
  require_encryption: boolean
  /** The key that encrypts responses to requests that do not name one of the team's keys. See “Encryption keys” */
  default_encryption_key: string | null
  /** The number of days for which a phone verification is valid for new tokens. If 0, a code is sent in every session. If null, a code is sent only once */
  phone_proof_days: number | null
  created_at: string
  updated_at: string
  key: NewKey
}

export interface Key {
  id: string
  last4: string
  /** The permissions of the key */
  scopes: Array<'read' | 'write' | 'payments' | 'sensitive' | 'admin'>
  /** The id of the key that created this one; null if the operator created it */
  created_by: string | null
  created_at: string
  last_used_at: string | null
}

export interface NewKey {
  id: string
  last4: string
  /** The permissions of the key */
  scopes: Array<'read' | 'write' | 'payments' | 'sensitive' | 'admin'>
  /** The id of the key that created this one; null if the operator created it */
  created_by: string | null
  created_at: string
  last_used_at: string | null
  /** The key, `sk_…`. Returned only once; null if a repeated Idempotency-Key replays the response */
  value: string | null
}

export interface TeamPublicKey {
  id: string
  /** `direct`: the key is in `jwk`. `well_known`: the service fetches it */
  type: 'direct' | 'well_known'
  /** An email address for questions about the key */
  contact: string | null
  /** Null if `type` is `well_known` */
  jwk: {
    kty: 'RSA'
    /** The key id, which the header of an encrypted message contains */
    kid: string
    /** The modulus, base64url: 2048 to 8192 bits */
    n: string
    /** The exponent, base64url: usually `AQAB` */
    e: string
    alg?: 'RSA-OAEP-256'
    use?: 'enc'
  } | null
  /** The HTTPS URL of the key set */
  well_known_endpoint: string | null
  status: 'active' | 'deleted'
  created_at: string
  updated_at: string
}

export interface ServiceKey {
  /** The `kid` of the key */
  id: string
  jwk: {
    kty: 'RSA'
    /** The key id, which the header of an encrypted message contains */
    kid: string
    /** The modulus, base64url: 2048 to 8192 bits */
    n: string
    /** The exponent, base64url: usually `AQAB` */
    e: string
    alg?: 'RSA-OAEP-256'
    use?: 'enc'
  }
  /** The SHA-256 thumbprint of the key (RFC 7638), base64url */
  jwk_thumbprint: string
  /** `active`: use this key. `deprecated`: the key is still accepted; replace it soon. `disabled`: the key is rejected */
  status: 'active' | 'deprecated' | 'disabled'
  created_at: string
  updated_at: string
}

export interface ManagedAccount {
  id: string
  routing: string
  /** The full account number. Use it to send money to the account */
  number: string
  /** In cents; negative if the account is overdrawn */
  current_balance: number
  /** In cents, excluding pending amounts */
  available_balance: number
}

export interface ManagedAccountTransaction {
  id: string
  description: string
  date: string
  /** In cents: positive for deposits, negative for withdrawals */
  amount: number
}

/** `payment_instrument` is returned only in versions up to 2025-07-04. We may add values. Ignore the ones that you do not recognize */
export type ProductName =
  | 'balance'
  | 'update'
  | 'payment'
  | 'card_brand'
  | 'payoff'
  | 'connect'
  | 'credit_score'
  | 'identity'
  | 'attribute'
  | 'vehicle'
  | 'sensitive'
  | 'transaction'
  | 'payment_instrument.card'
  | 'payment_instrument.network_token'
  | 'payment_instrument.inbound_achwire_payment'
  | 'manual_connect'
  | 'payment_instrument'

/** `payment_instrument` is returned only in versions up to 2025-07-04. We may add values. Ignore the ones that you do not recognize */
export type SubscriptionName =
  | 'connect'
  | 'credit_score'
  | 'attribute'
  | 'update'
  | 'update.snapshot'
  | 'card_brand'
  | 'transaction'
  | 'payment_instrument.card'
  | 'payment_instrument.network_token'
  | 'payment_instrument'

export interface ResourceError {
  /** We may add values. Ignore the ones that you do not recognize */
  type: 'PAYMENT_FAILED' | 'PAYMENT_CANCELED' | 'ACCOUNT_DISABLED' | 'ENTITY_DISABLED' | 'PAYMENT_REVERSAL_FAILED' | 'ACCOUNT_VERIFICATION_SESSION_FAILED' | 'SENSITIVE_FAILED' | 'PAYOFF_FAILED' | 'VERIFICATION_SESSION_FAILED' | 'BALANCE_FAILED' | 'UPDATE_FAILED' | 'CREDIT_SCORE_FAILED' | 'PRODUCT_EXECUTION_FAILED' | 'WEBHOOK_DISABLED' | 'WEBHOOK_REQUIRES_ATTENTION' | 'CONNECT_FAILED' | 'ENTITY_ATTRIBUTE_INSUFFICIENT_DATA' | 'ACCOUNT_ATTRIBUTE_INSUFFICIENT_DATA'
  code: number
  /** We may add values. Ignore the ones that you do not recognize */
  sub_type: 'PAYMENT_INSUFFICIENT_FUNDS' | 'PAYMENT_UNAUTHORIZED' | 'PAYMENT_INVALID_ACCOUNT' | 'PAYMENT_UNAUTHORIZED_SOURCE' | 'PAYMENT_UNAUTHORIZED_DESTINATION' | 'PAYMENT_INVALID_SOURCE_ACCOUNT' | 'PAYMENT_INVALID_DESTINATION_ACCOUNT' | 'PAYMENT_REJECTED_BY_DESTINATION_INSTITUTION' | 'PAYMENT_REJECTED_INVALID_AMOUNT' | 'ACCOUNT_INVALID_DETAILS' | 'ACCOUNT_CLOSED' | 'ACCOUNT_UNAUTHORIZED_PAYMENT' | 'ACCOUNT_CONSENT_WITHDRAWN' | 'ACCOUNT_DISABLED_INVALID_STATE' | 'ACCOUNT_DISABLED_HOLDER_ENTITY_DISABLED' | 'ENTITY_UNAUTHORIZED_PAYMENT' | 'ENTITY_INVALID_DETAILS' | 'ENTITY_SSN_MISMATCH' | 'ENTITY_CONSENT_WITHDRAWN' | 'ENTITY_PENDING_KYC_REVIEW' | 'ENTITY_CANNOT_PERFORM_ACTION' | 'PAYMENT_REVERSAL_INSUFFICIENT_FUNDS' | 'PAYMENT_REVERSAL_UNAUTHORIZED' | 'PAYMENT_REVERSAL_INVALID_ACCOUNT' | 'VERIFICATION_TYPE_NOT_SUPPORTED' | 'INVALID_DETAILS' | 'VERIFICATION_SESSION_ATTEMPT_LIMIT_REACHED' | 'MICRO_DEPOSITS_FAILED' | 'SENSITIVE_FAILED_VERIFICATION_REQUIRED' | 'PAYOFF_TEMPORARILY_UNAVAILABLE' | 'VERIFICATION_SESSION_EXPIRED' | 'VERIFICATION_SESSION_FAILED_INCORRECT_SMS_CODE' | 'VERIFICATION_SESSION_FAILED_SNA' | 'VERIFICATION_SESSION_FAILED_INVALID_ANSWER' | 'BALANCE_TEMPORARILY_UNAVAILABLE' | 'UPDATE_TEMPORARILY_UNAVAILABLE' | 'CREDIT_SCORE_FAILED_TEMPORARILY_UNAVAILABLE' | 'PRODUCT_EXECUTION_FAILED' | 'WEBHOOK_DISABLED_FAILED_OTHER' | 'WEBHOOK_DISABLED_RECEIVED_4XX_ERROR' | 'WEBHOOK_DISABLED_RECEIVED_5XX_ERROR' | 'WEBHOOK_DISABLED_TIMEOUT_ON_RESPONSE' | 'WEBHOOK_DISABLED_BY_USER' | 'WEBHOOK_REQUIRES_ATTENTION_FAILED_OTHER' | 'WEBHOOK_REQUIRES_ATTENTION_RECEIVED_4XX_ERROR' | 'WEBHOOK_REQUIRES_ATTENTION_RECEIVED_5XX_ERROR' | 'WEBHOOK_REQUIRES_ATTENTION_TIMEOUT_ON_RESPONSE' | 'THIN_CREDIT_FILE' | 'CREDIT_FREEZE' | 'ENTITY_ATTRIBUTE_INSUFFICIENT_DATA' | 'ACCOUNT_ATTRIBUTE_INSUFFICIENT_DATA'
  message: string
}

export interface RequestError {
  type: 'INVALID_REQUEST' | 'INVALID_AUTHORIZATION' | 'API_ERROR'
  /** The HTTP status */
  code: number
  /** We may add values. Ignore the ones that you do not recognize */
  sub_type: ErrorSubType
  message: string
}

/** Every endpoint by method and path: the query, the body, and the response without its wrapper. */
export interface Endpoints {
  'POST /entities': {
    shape: 'one'
    query: {
      /** The fields whose ids are replaced with the full objects in this response */
      expand?: ReadonlyArray<'connect' | 'credit_score' | 'identity' | 'attribute' | 'vehicle' | 'connect.accounts' | 'connect.accounts.latest_verification_session' | 'connect.accounts.balance' | 'connect.accounts.update' | 'connect.accounts.payoff' | 'connect.accounts.card_brand' | 'connect.accounts.sensitive' | 'connect.accounts.attribute' | 'connect.accounts.payment_instrument' | 'connect.accounts.transactions' | 'connect.accounts.transaction' | 'connect.accounts.liability.mch_id' | 'identity_latest_verification_session' | 'phone_latest_verification_session'> | undefined
    }
    body: {
      type: 'individual' | 'corporation'
      /** Required for an individual. Can be empty */
      individual?: {
        /** Send the name of a person with one legal name as the first name */
        first_name?: string | null | undefined
        /** Omit it for a person with one legal name */
        last_name?: string | null | undefined
        /** A United States number in E.164 format. The area code and the three digits after it begin with 2 to 9. Toll-free, premium and service numbers are not accepted */
        phone?: string | null | undefined
        email?: string | null | undefined
        /** A date in the past, after 1900-01-01 */
        dob?: string | null | undefined
        /** Nine digits. Cannot be combined with ssn_4 */
        ssn?: string | null | undefined
        ssn_4?: string | null | undefined
      } | undefined
      /** Required for a corporation */
      corporation?: {
        /** 1 to 100 characters, with at least one letter or digit, without control, invisible or bidirectional characters */
        name: string
        dba?: string | null | undefined
        ein?: string | null | undefined
        owners?: ReadonlyArray<{
          first_name?: string | null | undefined
          last_name?: string | null | undefined
          phone?: string | null | undefined
          email?: string | null | undefined
          dob?: string | null | undefined
          address?: {
            line1?: string | null | undefined
            line2?: string | null | undefined
            city?: string | null | undefined
            state?: string | null | undefined
            zip?: string | null | undefined
          } | null | undefined
        }> | undefined
      } | undefined
      address?: {
        line1?: string | null | undefined
        line2?: string | null | undefined
        city?: string | null | undefined
        state?: string | null | undefined
        zip?: string | null | undefined
      } | null | undefined
      /** A JSON object of less than 1,024 bytes, stored and returned unchanged. Send long numbers as strings */
      metadata?: Record<string, unknown> | null | undefined
    }
    answer: Entity
  }
  'GET /entities': {
    shape: 'list'
    query: {
      /** The page number, starting at 1. If you send it, the service counts the entire list, which is slower. Cannot be combined with page_cursor */
      page?: number | undefined
      /** The number of items per page. Default and maximum: 100 */
      page_limit?: number | undefined
      /** A value from the Pagination-Page-Cursor-Next or -Prev header. Later pages are as fast as the first */
      page_cursor?: string | undefined
      /** Only items created on or after this day, in UTC */
      from_date?: string | undefined
      /** Only items created on or before this day, in UTC */
      to_date?: string | undefined
      /** The fields whose ids are replaced with the full objects in this response */
      expand?: ReadonlyArray<'connect' | 'credit_score' | 'identity' | 'attribute' | 'vehicle' | 'connect.accounts' | 'connect.accounts.latest_verification_session' | 'connect.accounts.balance' | 'connect.accounts.update' | 'connect.accounts.payoff' | 'connect.accounts.card_brand' | 'connect.accounts.sensitive' | 'connect.accounts.attribute' | 'connect.accounts.payment_instrument' | 'connect.accounts.transactions' | 'connect.accounts.transaction' | 'connect.accounts.liability.mch_id' | 'identity_latest_verification_session' | 'phone_latest_verification_session'> | undefined
      /** The id of an entity. Repeat the parameter to request up to 100 entities */
      id?: string | undefined
      status?: 'active' | 'incomplete' | 'disabled' | undefined
      type?: 'individual' | 'corporation' | undefined
      /** Whole words of the name, in any order. Case, accents, apostrophes, hyphens and suffixes such as Jr. make no difference */
      name?: string | undefined
    }
    answer: Entity
  }
  'GET /entities/:ent_id': {
    shape: 'one'
    query: {
      /** The fields whose ids are replaced with the full objects in this response */
      expand?: ReadonlyArray<'connect' | 'credit_score' | 'identity' | 'attribute' | 'vehicle' | 'connect.accounts' | 'connect.accounts.latest_verification_session' | 'connect.accounts.balance' | 'connect.accounts.update' | 'connect.accounts.payoff' | 'connect.accounts.card_brand' | 'connect.accounts.sensitive' | 'connect.accounts.attribute' | 'connect.accounts.payment_instrument' | 'connect.accounts.transactions' | 'connect.accounts.transaction' | 'connect.accounts.liability.mch_id' | 'identity_latest_verification_session' | 'phone_latest_verification_session'> | undefined
    }
    answer: Entity
  }
  'PUT /entities/:ent_id': {
    shape: 'one'
    query: {
      /** The fields whose ids are replaced with the full objects in this response */
      expand?: ReadonlyArray<'connect' | 'credit_score' | 'identity' | 'attribute' | 'vehicle' | 'connect.accounts' | 'connect.accounts.latest_verification_session' | 'connect.accounts.balance' | 'connect.accounts.update' | 'connect.accounts.payoff' | 'connect.accounts.card_brand' | 'connect.accounts.sensitive' | 'connect.accounts.attribute' | 'connect.accounts.payment_instrument' | 'connect.accounts.transactions' | 'connect.accounts.transaction' | 'connect.accounts.liability.mch_id' | 'identity_latest_verification_session' | 'phone_latest_verification_session'> | undefined
    }
    body: {
      individual?: {
        /** Send the name of a person with one legal name as the first name */
        first_name?: string | null | undefined
        /** Omit it for a person with one legal name */
        last_name?: string | null | undefined
        /** A United States number in E.164 format. The area code and the three digits after it begin with 2 to 9. Toll-free, premium and service numbers are not accepted */
        phone?: string | null | undefined
        email?: string | null | undefined
        /** A date in the past, after 1900-01-01 */
        dob?: string | null | undefined
        /** Nine digits. Cannot be combined with ssn_4 */
        ssn?: string | null | undefined
        ssn_4?: string | null | undefined
      } | null | undefined
      /** Send all owners in their current order, with new ones at the end */
      corporation?: {
        /** 1 to 100 characters, with at least one letter or digit, without control, invisible or bidirectional characters */
        name?: string | undefined
        dba?: string | null | undefined
        ein?: string | null | undefined
        owners?: ReadonlyArray<{
          first_name?: string | null | undefined
          last_name?: string | null | undefined
          phone?: string | null | undefined
          email?: string | null | undefined
          dob?: string | null | undefined
          address?: {
            line1?: string | null | undefined
            line2?: string | null | undefined
            city?: string | null | undefined
            state?: string | null | undefined
            zip?: string | null | undefined
          } | null | undefined
        }> | undefined
      } | null | undefined
      address?: {
        line1?: string | null | undefined
        line2?: string | null | undefined
        city?: string | null | undefined
        state?: string | null | undefined
        zip?: string | null | undefined
      } | null | undefined
      /** A JSON object of less than 1,024 bytes, stored and returned unchanged. Send long numbers as strings */
      metadata?: Record<string, unknown> | null | undefined
    }
    answer: Entity
  }
  'POST /entities/:ent_id/consent': {
    shape: 'one'
    body: {
      type: 'withdraw' | 'grant'
      reason?: 'entity_withdrew_consent' | null | undefined
    }
    answer: Entity
  }
  'POST /entities/:ent_id/verification_sessions': {
    shape: 'one'
    body: {
      type: 'phone' | 'identity'
      method: 'sms' | 'sna' | 'byo_sms' | 'kba' | 'byo_kyc'
      sms?: Record<string, never> | undefined
      sna?: Record<string, never> | undefined
      byo_sms?: {
        timestamp: string
      } | undefined
      kba?: Record<string, never> | undefined
      byo_kyc?: Record<string, never> | undefined
    }
    answer: EntityVerificationSession
  }
  'GET /entities/:ent_id/verification_sessions': {
    shape: 'list'
    query: {
      /** The page number, starting at 1. If you send it, the service counts the entire list, which is slower. Cannot be combined with page_cursor */
      page?: number | undefined
      /** The number of items per page. Default and maximum: 100 */
      page_limit?: number | undefined
      /** A value from the Pagination-Page-Cursor-Next or -Prev header. Later pages are as fast as the first */
      page_cursor?: string | undefined
      /** Only items created on or after this day, in UTC */
      from_date?: string | undefined
      /** Only items created on or before this day, in UTC */
      to_date?: string | undefined
    }
    answer: EntityVerificationSession
  }
  'GET /entities/:ent_id/verification_sessions/:id': {
    shape: 'one'
    answer: EntityVerificationSession
  }
  'PUT /entities/:ent_id/verification_sessions/:id': {
    shape: 'one'
    body: {
      type: 'phone' | 'identity'
      method: 'sms' | 'sna' | 'byo_sms' | 'kba' | 'byo_kyc'
      sms?: {
        sms_code: string
      } | undefined
      sna?: Record<string, never> | undefined
      byo_sms?: Record<string, never> | undefined
      kba?: {
        answers: ReadonlyArray<{
          question_id: string
          answer_id: string
        }>
      } | undefined
      byo_kyc?: Record<string, never> | undefined
    }
    answer: EntityVerificationSession
  }
  'POST /entities/:ent_id/connect': {
    shape: 'one'
    query: {
      /** The fields whose ids are replaced with the full objects in this response */
      expand?: ReadonlyArray<'accounts' | 'accounts.latest_verification_session' | 'accounts.balance' | 'accounts.update' | 'accounts.payoff' | 'accounts.card_brand' | 'accounts.sensitive' | 'accounts.attribute' | 'accounts.payment_instrument' | 'accounts.transactions' | 'accounts.transaction' | 'accounts.liability.mch_id'> | undefined
    }
    body: {
      products?: ReadonlyArray<'balance' | 'update' | 'payoff' | 'card_brand' | 'attribute'> | undefined
      subscriptions?: ReadonlyArray<'update' | 'update.snapshot' | 'card_brand' | 'transaction'> | undefined
      /** Not available. A request that contains it is rejected */
      bureau?: 'equifax' | 'transunion' | null | undefined
      /** Not available. A request that lists any is rejected */
      artifacts?: ReadonlyArray<'raw_credit_report' | 'credit_report_pdf'> | null | undefined
    }
    answer: Connect
  }
  'GET /entities/:ent_id/connect': {
    shape: 'list'
    query: {
      /** The page number, starting at 1. If you send it, the service counts the entire list, which is slower. Cannot be combined with page_cursor */
      page?: number | undefined
      /** The number of items per page. Default and maximum: 100 */
      page_limit?: number | undefined
      /** A value from the Pagination-Page-Cursor-Next or -Prev header. Later pages are as fast as the first */
      page_cursor?: string | undefined
      /** Only items created on or after this day, in UTC */
      from_date?: string | undefined
      /** Only items created on or before this day, in UTC */
      to_date?: string | undefined
      /** The fields whose ids are replaced with the full objects in this response */
      expand?: ReadonlyArray<'accounts' | 'accounts.latest_verification_session' | 'accounts.balance' | 'accounts.update' | 'accounts.payoff' | 'accounts.card_brand' | 'accounts.sensitive' | 'accounts.attribute' | 'accounts.payment_instrument' | 'accounts.transactions' | 'accounts.transaction' | 'accounts.liability.mch_id'> | undefined
    }
    answer: Connect
  }
  'GET /entities/:ent_id/connect/:id': {
    shape: 'one'
    query: {
      /** The fields whose ids are replaced with the full objects in this response */
      expand?: ReadonlyArray<'accounts' | 'accounts.latest_verification_session' | 'accounts.balance' | 'accounts.update' | 'accounts.payoff' | 'accounts.card_brand' | 'accounts.sensitive' | 'accounts.attribute' | 'accounts.payment_instrument' | 'accounts.transactions' | 'accounts.transaction' | 'accounts.liability.mch_id'> | undefined
    }
    answer: Connect
  }
  'POST /entities/:ent_id/credit_scores': {
    shape: 'one'
    body: Record<string, never>
    answer: CreditScore
  }
  'GET /entities/:ent_id/credit_scores': {
    shape: 'list'
    query: {
      /** The page number, starting at 1. If you send it, the service counts the entire list, which is slower. Cannot be combined with page_cursor */
      page?: number | undefined
      /** The number of items per page. Default and maximum: 100 */
      page_limit?: number | undefined
      /** A value from the Pagination-Page-Cursor-Next or -Prev header. Later pages are as fast as the first */
      page_cursor?: string | undefined
      /** Only items created on or after this day, in UTC */
      from_date?: string | undefined
      /** Only items created on or before this day, in UTC */
      to_date?: string | undefined
    }
    answer: CreditScore
  }
  'GET /entities/:ent_id/credit_scores/:id': {
    shape: 'one'
    answer: CreditScore
  }
  'POST /entities/:ent_id/identities': {
    shape: 'one'
    body: Record<string, never>
    answer: Identity
  }
  'GET /entities/:ent_id/identities': {
    shape: 'list'
    query: {
      /** The page number, starting at 1. If you send it, the service counts the entire list, which is slower. Cannot be combined with page_cursor */
      page?: number | undefined
      /** The number of items per page. Default and maximum: 100 */
      page_limit?: number | undefined
      /** A value from the Pagination-Page-Cursor-Next or -Prev header. Later pages are as fast as the first */
      page_cursor?: string | undefined
      /** Only items created on or after this day, in UTC */
      from_date?: string | undefined
      /** Only items created on or before this day, in UTC */
      to_date?: string | undefined
    }
    answer: Identity
  }
  'GET /entities/:ent_id/identities/:id': {
    shape: 'one'
    answer: Identity
  }
  'POST /entities/:ent_id/attributes': {
    shape: 'one'
    body: {
      requested_attributes?: ReadonlyArray<'revolving_credit_card_balance_total' | 'credit_limit_total' | 'credit_card_utilization' | 'available_credit_limit_total' | 'available_credit_total' | 'weighted_average_apr_credit_card' | 'utilization' | 'purchasing_power' | 'healthy_cards_count' | 'dormant_cards_count' | 'delinquent_cards_count' | 'net_active_cards_count' | 'next_payment_minimum_total_credit_cards' | 'payment_to_minimum_ratio_avg_credit_cards' | 'revolving_credit_card_balance_change_30d' | 'revolving_credit_card_balance_change_60d' | 'revolving_credit_card_balance_change_90d' | 'revolving_credit_card_utilization_trend_30d' | 'revolving_credit_card_utilization_trend_90d' | 'revolving_credit_card_utilization_delta_30d' | 'revolving_credit_card_utilization_delta_60d' | 'revolving_credit_card_utilization_delta_90d' | 'delinquency_accounts_count' | 'delinquent_balance_total' | 'personal_loan_balance_total' | 'personal_loan_amount_total' | 'available_loan_amount_personal_loans' | 'personal_loan_monthly_installments_estimate' | 'personal_loan_utilization' | 'weighted_average_apr_personal_loan' | 'personal_loan_balance_change_30d' | 'personal_loan_balance_change_60d' | 'personal_loan_balance_change_90d' | 'personal_loan_utilization_trend_30d' | 'personal_loan_utilization_trend_90d' | 'personal_loan_utilization_delta_30d' | 'personal_loan_utilization_delta_60d' | 'personal_loan_utilization_delta_90d' | 'mortgage_balance_total' | 'mortgage_loan_amount_total' | 'weighted_average_apr_mortgage' | 'mortgage_balance_change_30d' | 'mortgage_balance_change_60d' | 'mortgage_balance_change_90d' | 'mortgage_utilization_trend_30d' | 'mortgage_utilization_trend_90d' | 'mortgage_utilization_delta_30d' | 'mortgage_utilization_delta_60d' | 'mortgage_utilization_delta_90d' | 'heloc_balance_total' | 'heloc_utilization' | 'overall_loan_amount_total' | 'overall_utilization' | 'overall_utilization_trend_30d' | 'overall_utilization_trend_90d' | 'overall_utilization_delta_30d' | 'overall_utilization_delta_60d' | 'overall_utilization_delta_90d' | 'installment_balance_total' | 'installment_balance_change_30d' | 'installment_balance_change_60d' | 'installment_balance_change_90d' | 'other_balance_total' | 'other_balance_change_30d' | 'other_balance_change_60d' | 'other_balance_change_90d' | 'last_direct_pay_amount' | 'number_of_direct_pay_in_12_months' | 'usage_pattern' | 'utilization_velocity_4_week' | 'utilization_velocity_8_week' | 'utilization_velocity_12_week' | 'delinquency_flag_credit_cards' | 'delinquency_worst_dpd_bucket' | 'delinquent_outcome' | 'any_delinquent_flag' | 'serious_delinquent_flag' | 'delinquency_recently_cured_flag' | 'delinquency_progression_flag' | 'enrolled_in_direct_pay_previously' | 'last_direct_pay_date'> | undefined
      bundles?: ReadonlyArray<'portfolio_intelligence' | 'wallet_intelligence'> | undefined
    }
    answer: EntityAttribute
  }
  'GET /entities/:ent_id/attributes': {
    shape: 'list'
    query: {
      /** The page number, starting at 1. If you send it, the service counts the entire list, which is slower. Cannot be combined with page_cursor */
      page?: number | undefined
      /** The number of items per page. Default and maximum: 100 */
      page_limit?: number | undefined
      /** A value from the Pagination-Page-Cursor-Next or -Prev header. Later pages are as fast as the first */
      page_cursor?: string | undefined
      /** Only items created on or after this day, in UTC */
      from_date?: string | undefined
      /** Only items created on or before this day, in UTC */
      to_date?: string | undefined
    }
    answer: EntityAttribute
  }
  'GET /entities/:ent_id/attributes/:id': {
    shape: 'one'
    answer: EntityAttribute
  }
  'POST /entities/:ent_id/vehicles': {
    shape: 'one'
    body: Record<string, never>
    answer: Vehicles
  }
  'GET /entities/:ent_id/vehicles': {
    shape: 'list'
    query: {
      /** The page number, starting at 1. If you send it, the service counts the entire list, which is slower. Cannot be combined with page_cursor */
      page?: number | undefined
      /** The number of items per page. Default and maximum: 100 */
      page_limit?: number | undefined
      /** A value from the Pagination-Page-Cursor-Next or -Prev header. Later pages are as fast as the first */
      page_cursor?: string | undefined
      /** Only items created on or after this day, in UTC */
      from_date?: string | undefined
      /** Only items created on or before this day, in UTC */
      to_date?: string | undefined
    }
    answer: Vehicles
  }
  'GET /entities/:ent_id/vehicles/:id': {
    shape: 'one'
    answer: Vehicles
  }
  'POST /entities/:ent_id/manual_connect': {
    shape: 'one'
    body: {
      bureau: 'equifax' | 'transunion'
      tradelines: ReadonlyArray<{
        type_code: string | null
        portfolio_type_code: string | null
        designator_code: string | null
        number: string | null
        creditor_name: string | null
        creditor_code: string | null
        external_id?: string | null | undefined
        balance: number | null
        highest_balance: number | null
        credit_limit: number | null
        /** In months */
        term: number | null
        next_payment_minimum_amount: number | null
        last_payment_amount: number | null
        past_due_amount: number | null
        delinquency_charge_off_amount: number | null
        opened_at: string | null
        closed_at: string | null
        last_activity_date: string | null
        reported_date: string | null
        next_payment_due_date: string | null
        last_payment_date: string | null
        delinquency_first_start_date: string | null
        payment_history: ReadonlyArray<string> | null
        narrative_codes: ReadonlyArray<{
          code: string | null
          description: string | null
        }> | null
      }>
    }
    answer: ManualConnect
  }
  'GET /entities/:ent_id/manual_connect/:id': {
    shape: 'one'
    answer: ManualConnect
  }
  'POST /accounts': {
    shape: 'one'
    body: {
      holder_id: string
      type?: 'ach' | 'liability' | undefined
      ach?: {
        /** Nine digits with a correct check digit */
        routing: string
        number: string
        type: 'checking' | 'savings'
      } | null | undefined
      liability?: {
        mch_id: string
        /** 4 to 25 digits. Spaces and dashes are ignored */
        account_number?: string | null | undefined
        /** An alias of account_number */
        number?: string | null | undefined
        credit_card?: {
          exp_month: string | number
          exp_year: string | number
          /** Never stored */
          cvv?: string | null | undefined
          billing_zip_code?: string | null | undefined
        } | null | undefined
      } | null | undefined
      /** A JSON object of less than 1,024 bytes, stored and returned unchanged. Send long numbers as strings */
      metadata?: Record<string, unknown> | null | undefined
    }
    answer: Account
  }
  'GET /accounts': {
    shape: 'list'
    query: {
      /** The page number, starting at 1. If you send it, the service counts the entire list, which is slower. Cannot be combined with page_cursor */
      page?: number | undefined
      /** The number of items per page. Default and maximum: 100 */
      page_limit?: number | undefined
      /** A value from the Pagination-Page-Cursor-Next or -Prev header. Later pages are as fast as the first */
      page_cursor?: string | undefined
      /** Only items created on or after this day, in UTC */
      from_date?: string | undefined
      /** Only items created on or before this day, in UTC */
      to_date?: string | undefined
      /** The fields whose ids are replaced with the full objects in this response */
      expand?: ReadonlyArray<'latest_verification_session' | 'balance' | 'update' | 'payoff' | 'card_brand' | 'sensitive' | 'attribute' | 'payment_instrument' | 'transactions' | 'transaction' | 'liability.mch_id'> | undefined
      holder_id?: string | undefined
      /** Only accounts of these holders */
      holder_ids?: ReadonlyArray<string> | undefined
      type?: 'ach' | 'liability' | undefined
      consent_status?: 'approved' | 'withdrawn' | 'pending' | undefined
      /** If true, includes accounts awaiting consent from their holder */
      include_pending_consent?: boolean | undefined
      status?: 'active' | 'processing' | 'disabled' | 'closed' | undefined
      'liability.mch_id'?: string | undefined
      'liability.type'?: 'credit_card' | 'auto_loan' | 'mortgage' | 'personal_loan' | 'student_loan' | 'student_loans' | 'loan' | 'bnpl' | 'collection' | 'credit_builder' | 'fintech' | 'insurance' | 'medical' | 'utility' | undefined
      'liability.ownership'?: 'primary' | 'authorized' | 'joint' | 'unknown' | undefined
    }
    answer: Account
  }
  'GET /accounts/:acc_id': {
    shape: 'one'
    query: {
      /** The fields whose ids are replaced with the full objects in this response */
      expand?: ReadonlyArray<'latest_verification_session' | 'balance' | 'update' | 'payoff' | 'card_brand' | 'sensitive' | 'attribute' | 'payment_instrument' | 'transactions' | 'transaction' | 'liability.mch_id'> | undefined
      /** If true, includes accounts awaiting consent from their holder */
      include_pending_consent?: boolean | undefined
    }
    answer: Account
  }
  'PUT /accounts/:acc_id': {
    shape: 'one'
    body: {
      /** A JSON object of less than 1,024 bytes, stored and returned unchanged. Send long numbers as strings */
      metadata?: Record<string, unknown> | null | undefined
      liability?: {
        mortgage?: {
          address_street?: string | null | undefined
          address_city?: string | null | undefined
          address_state?: string | null | undefined
          address_zip?: string | null | undefined
        } | undefined
        credit_card?: {
          /** 4 to 25 digits. Spaces and dashes are ignored */
          number?: string | undefined
          expiration_month?: string | number | undefined
          expiration_year?: string | number | undefined
          cvv?: string | undefined
        } | undefined
      } | undefined
    }
    answer: Account
  }
  'POST /accounts/:acc_id/consent': {
    shape: 'one'
    body: {
      type: 'withdraw' | 'grant'
      reason?: 'holder_withdrew_consent' | null | undefined
    }
    answer: Account
  }
  'POST /accounts/:acc_id/verification_sessions': {
    shape: 'one'
    body: {
      type: 'standard' | 'instant' | 'pre_auth' | 'network' | 'micro_deposits' | 'plaid' | 'mx' | 'teller'
      standard?: Record<string, never> | undefined
      instant?: Record<string, never> | undefined
      pre_auth?: Record<string, never> | undefined
      network?: Record<string, never> | undefined
      micro_deposits?: Record<string, never> | undefined
      plaid?: Record<string, never> | undefined
      mx?: Record<string, never> | undefined
      teller?: Record<string, never> | undefined
    }
    answer: AccountVerificationSession
  }
  'GET /accounts/:acc_id/verification_sessions': {
    shape: 'list'
    query: {
      /** The page number, starting at 1. If you send it, the service counts the entire list, which is slower. Cannot be combined with page_cursor */
      page?: number | undefined
      /** The number of items per page. Default and maximum: 100 */
      page_limit?: number | undefined
      /** A value from the Pagination-Page-Cursor-Next or -Prev header. Later pages are as fast as the first */
      page_cursor?: string | undefined
      /** Only items created on or after this day, in UTC */
      from_date?: string | undefined
      /** Only items created on or before this day, in UTC */
      to_date?: string | undefined
    }
    answer: AccountVerificationSession
  }
  'GET /accounts/:acc_id/verification_sessions/:id': {
    shape: 'one'
    answer: AccountVerificationSession
  }
  'PUT /accounts/:acc_id/verification_sessions/:id': {
    shape: 'one'
    body: {
      standard?: {
        /** 4 to 25 digits. Spaces and dashes are ignored */
        number: string
      } | undefined
      instant?: {
        /** 4 to 25 digits. Spaces and dashes are ignored */
        number?: string | undefined
        exp_month?: string | number | undefined
        exp_year?: string | number | undefined
      } | undefined
      pre_auth?: {
        /** 4 to 25 digits. Spaces and dashes are ignored */
        number?: string | undefined
        exp_month?: string | number | undefined
        exp_year?: string | number | undefined
        cvv?: string | undefined
        billing_zip_code?: string | undefined
      } | undefined
      network?: {
        /** 4 to 25 digits. Spaces and dashes are ignored */
        number?: string | undefined
        exp_month?: string | number | undefined
        exp_year?: string | number | undefined
        cvv?: string | undefined
        billing_zip_code?: string | undefined
      } | undefined
      micro_deposits?: {
        /** The two amounts in cents, in either order */
        amounts: ReadonlyArray<number>
      } | undefined
      plaid?: {
        balances: Record<string, unknown>
        transactions: ReadonlyArray<Record<string, unknown>>
      } | undefined
      mx?: {
        account: Record<string, unknown>
        transactions: ReadonlyArray<Record<string, unknown>>
      } | undefined
      teller?: {
        balances: Record<string, unknown>
        transactions: ReadonlyArray<Record<string, unknown>>
      } | undefined
    }
    answer: AccountVerificationSession
  }
  'GET /accounts/:acc_id/verification_sessions/:id/amounts': {
    shape: 'one'
    answer: {
      /** The two amounts, in cents */
      amounts: Array<number>
    }
  }
  'POST /accounts/:acc_id/balances': {
    shape: 'one'
    body: Record<string, never>
    answer: Balance
  }
  'GET /accounts/:acc_id/balances': {
    shape: 'list'
    query: {
      /** The page number, starting at 1. If you send it, the service counts the entire list, which is slower. Cannot be combined with page_cursor */
      page?: number | undefined
      /** The number of items per page. Default and maximum: 100 */
      page_limit?: number | undefined
      /** A value from the Pagination-Page-Cursor-Next or -Prev header. Later pages are as fast as the first */
      page_cursor?: string | undefined
      /** Only items created on or after this day, in UTC */
      from_date?: string | undefined
      /** Only items created on or before this day, in UTC */
      to_date?: string | undefined
    }
    answer: Balance
  }
  'GET /accounts/:acc_id/balances/:id': {
    shape: 'one'
    answer: Balance
  }
  'POST /accounts/:acc_id/updates': {
    shape: 'one'
    body: Record<string, never>
    answer: Update
  }
  'GET /accounts/:acc_id/updates': {
    shape: 'list'
    query: {
      /** The page number, starting at 1. If you send it, the service counts the entire list, which is slower. Cannot be combined with page_cursor */
      page?: number | undefined
      /** The number of items per page. Default and maximum: 100 */
      page_limit?: number | undefined
      /** A value from the Pagination-Page-Cursor-Next or -Prev header. Later pages are as fast as the first */
      page_cursor?: string | undefined
      /** Only items created on or after this day, in UTC */
      from_date?: string | undefined
      /** Only items created on or before this day, in UTC */
      to_date?: string | undefined
    }
    answer: Update
  }
  'GET /accounts/:acc_id/updates/:id': {
    shape: 'one'
    answer: Update
  }
  'POST /accounts/:acc_id/payoffs': {
    shape: 'one'
    body: Record<string, never>
    answer: Payoff
  }
  'GET /accounts/:acc_id/payoffs': {
    shape: 'list'
    query: {
      /** The page number, starting at 1. If you send it, the service counts the entire list, which is slower. Cannot be combined with page_cursor */
      page?: number | undefined
      /** The number of items per page. Default and maximum: 100 */
      page_limit?: number | undefined
      /** A value from the Pagination-Page-Cursor-Next or -Prev header. Later pages are as fast as the first */
      page_cursor?: string | undefined
      /** Only items created on or after this day, in UTC */
      from_date?: string | undefined
      /** Only items created on or before this day, in UTC */
      to_date?: string | undefined
    }
    answer: Payoff
  }
  'GET /accounts/:acc_id/payoffs/:id': {
    shape: 'one'
    answer: Payoff
  }
  'POST /accounts/:acc_id/card_brands': {
    shape: 'one'
    body: Record<string, never>
    answer: CardBrand
  }
  'GET /accounts/:acc_id/card_brands': {
    shape: 'list'
    query: {
      /** The page number, starting at 1. If you send it, the service counts the entire list, which is slower. Cannot be combined with page_cursor */
      page?: number | undefined
      /** The number of items per page. Default and maximum: 100 */
      page_limit?: number | undefined
      /** A value from the Pagination-Page-Cursor-Next or -Prev header. Later pages are as fast as the first */
      page_cursor?: string | undefined
      /** Only items created on or after this day, in UTC */
      from_date?: string | undefined
      /** Only items created on or before this day, in UTC */
      to_date?: string | undefined
    }
    answer: CardBrand
  }
  'GET /accounts/:acc_id/card_brands/:id': {
    shape: 'one'
    answer: CardBrand
  }
  'GET /card_products/:pdt_id': {
    shape: 'one'
    answer: CardProduct
  }
  'GET /card_product/:pdt_id': {
    shape: 'one'
    answer: CardProduct
  }
  'POST /accounts/:acc_id/sensitive': {
    shape: 'one'
    body: {
      expand: ReadonlyArray<'credit_card.billing_zip_code' | 'credit_card.number' | 'credit_card.exp_month' | 'credit_card.exp_year' | 'credit_card.cvv' | 'auto_loan.number' | 'mortgage.number' | 'personal_loan.number' | 'collection.number'>
    }
    answer: Sensitive
  }
  'GET /accounts/:acc_id/sensitive': {
    shape: 'list'
    query: {
      /** The page number, starting at 1. If you send it, the service counts the entire list, which is slower. Cannot be combined with page_cursor */
      page?: number | undefined
      /** The number of items per page. Default and maximum: 100 */
      page_limit?: number | undefined
      /** A value from the Pagination-Page-Cursor-Next or -Prev header. Later pages are as fast as the first */
      page_cursor?: string | undefined
      /** Only items created on or after this day, in UTC */
      from_date?: string | undefined
      /** Only items created on or before this day, in UTC */
      to_date?: string | undefined
    }
    answer: Sensitive
  }
  'GET /accounts/:acc_id/sensitive/:id': {
    shape: 'one'
    answer: Sensitive
  }
  'POST /accounts/:acc_id/attributes': {
    shape: 'one'
    body: {
      requested_attributes?: ReadonlyArray<'type' | 'delinquency_flag' | 'any_delinquent_flag' | 'serious_delinquent_flag' | 'delinquency_recently_cured_flag' | 'delinquency_worst_dpd_bucket' | 'delinquency_progression_flag' | 'delinquent_outcome' | 'next_payment_due_date' | 'next_payment_minimum_amount' | 'estimated_apr' | 'account_age' | 'enrolled_in_direct_pay_previously' | 'last_direct_pay_date' | 'last_direct_pay_amount' | 'number_of_direct_pay_in_12_months' | 'usage_pattern' | 'utilization' | 'utilization_trend_30d' | 'utilization_trend_90d' | 'utilization_delta_30d' | 'utilization_delta_60d' | 'utilization_delta_90d' | 'available_credit_limit' | 'utilization_bucket' | 'purchasing_power' | 'utilization_velocity_4_week' | 'utilization_velocity_8_week' | 'utilization_velocity_12_week' | 'weeks_since_last_activity' | 'recent_balance_spike_flag' | 'spend_concentration_4_week' | 'spend_concentration_8_week' | 'spend_concentration_12_week' | 'current_wallet_rank' | 'brand_category' | 'brand_tier' | 'monthly_installments_estimate' | 'heloc_utilization' | 'available_loan_amount'> | undefined
      bundles?: ReadonlyArray<'wallet_intelligence' | 'statement'> | undefined
    }
    answer: AccountAttribute
  }
  'GET /accounts/:acc_id/attributes': {
    shape: 'list'
    query: {
      /** The page number, starting at 1. If you send it, the service counts the entire list, which is slower. Cannot be combined with page_cursor */
      page?: number | undefined
      /** The number of items per page. Default and maximum: 100 */
      page_limit?: number | undefined
      /** A value from the Pagination-Page-Cursor-Next or -Prev header. Later pages are as fast as the first */
      page_cursor?: string | undefined
      /** Only items created on or after this day, in UTC */
      from_date?: string | undefined
      /** Only items created on or before this day, in UTC */
      to_date?: string | undefined
    }
    answer: AccountAttribute
  }
  'GET /accounts/:acc_id/attributes/:id': {
    shape: 'one'
    answer: AccountAttribute
  }
  'POST /accounts/:acc_id/payment_instruments': {
    shape: 'one'
    body: {
      type: 'card' | 'network_token' | 'inbound_achwire_payment'
    }
    answer: PaymentInstrument
  }
  'GET /accounts/:acc_id/payment_instruments': {
    shape: 'list'
    query: {
      /** The page number, starting at 1. If you send it, the service counts the entire list, which is slower. Cannot be combined with page_cursor */
      page?: number | undefined
      /** The number of items per page. Default and maximum: 100 */
      page_limit?: number | undefined
      /** A value from the Pagination-Page-Cursor-Next or -Prev header. Later pages are as fast as the first */
      page_cursor?: string | undefined
      /** Only items created on or after this day, in UTC */
      from_date?: string | undefined
      /** Only items created on or before this day, in UTC */
      to_date?: string | undefined
    }
    answer: PaymentInstrument
  }
  'GET /accounts/:acc_id/payment_instruments/:id': {
    shape: 'one'
    answer: PaymentInstrument
  }
  'DELETE /accounts/:acc_id/payment_instruments/:id': {
    shape: 'one'
    answer: PaymentInstrument
  }
  'GET /accounts/:acc_id/transactions': {
    shape: 'list'
    query: {
      /** The page number, starting at 1. If you send it, the service counts the entire list, which is slower. Cannot be combined with page_cursor */
      page?: number | undefined
      /** The number of items per page. Default and maximum: 100 */
      page_limit?: number | undefined
      /** A value from the Pagination-Page-Cursor-Next or -Prev header. Later pages are as fast as the first */
      page_cursor?: string | undefined
      /** Only items created on or after this day, in UTC */
      from_date?: string | undefined
      /** Only items created on or before this day, in UTC */
      to_date?: string | undefined
    }
    answer: Transaction
  }
  'GET /accounts/:acc_id/transactions/:id': {
    shape: 'one'
    answer: Transaction
  }
  'GET /entities/:ent_id/products': {
    shape: 'map'
    answer: Product
  }
  'GET /entities/:ent_id/products/:prd_id': {
    shape: 'one'
    answer: Product
  }
  'GET /accounts/:acc_id/products': {
    shape: 'map'
    answer: Product
  }
  'GET /accounts/:acc_id/products/:prd_id': {
    shape: 'one'
    answer: Product
  }
  'POST /entities/:ent_id/subscriptions': {
    shape: 'one'
    body: {
      /** The name of one of the `available_subscriptions` */
      enroll: string
      payload?: Record<string, unknown> | null | undefined
    }
    answer: Subscription
  }
  'GET /entities/:ent_id/subscriptions': {
    shape: 'map'
    answer: Subscription
  }
  'GET /entities/:ent_id/subscriptions/:sub_id': {
    shape: 'one'
    answer: Subscription
  }
  'DELETE /entities/:ent_id/subscriptions/:sub_id': {
    shape: 'one'
    answer: Subscription
  }
  'POST /accounts/:acc_id/subscriptions': {
    shape: 'one'
    body: {
      /** The name of one of the `available_subscriptions` */
      enroll: string
      payload?: Record<string, unknown> | null | undefined
    }
    answer: Subscription
  }
  'GET /accounts/:acc_id/subscriptions': {
    shape: 'map'
    answer: Subscription
  }
  'GET /accounts/:acc_id/subscriptions/:sub_id': {
    shape: 'one'
    answer: Subscription
  }
  'DELETE /accounts/:acc_id/subscriptions/:sub_id': {
    shape: 'one'
    answer: Subscription
  }
  'GET /merchants': {
    shape: 'list'
    query: {
      /** The page number, starting at 1. If you send it, the service counts the entire list, which is slower. Cannot be combined with page_cursor */
      page?: number | undefined
      /** The number of items per page. Default and maximum: 100 */
      page_limit?: number | undefined
      /** A value from the Pagination-Page-Cursor-Next or -Prev header. Later pages are as fast as the first */
      page_cursor?: string | undefined
      /** Part of the name */
      name?: string | undefined
      /** Part of the name on a credit report */
      creditor_name?: string | undefined
      type?: 'auto_loan' | 'bank' | 'bnpl' | 'business_loan' | 'city' | 'collection' | 'county' | 'credit_builder' | 'credit_card' | 'electric_utility' | 'fintech' | 'home_equity_loan' | 'home_loan' | 'insurance' | 'internet_utility' | 'loan' | 'medical' | 'mortgage' | 'personal_loan' | 'student_loan' | 'student_loans' | 'subscription' | 'telephone_utility' | 'television_utility' | 'unknown' | 'utility' | 'waste_utility' | 'water_utility' | undefined
      /** The id of the institution with this provider */
      'provider_id.plaid'?: string | undefined
      /** The id of the institution with this provider */
      'provider_id.mx'?: string | undefined
      /** The id of the institution with this provider */
      'provider_id.finicity'?: string | undefined
      /** The id of the institution with this provider */
      'provider_id.dpp'?: string | undefined
      /** The id of the institution with this provider */
      'provider_id.rpps'?: string | undefined
    }
    answer: Merchant
  }
  'GET /merchants/:mch_id': {
    shape: 'one'
    answer: Merchant
  }
  'POST /payments': {
    shape: 'one'
    body: {
      /** In cents */
      amount: number
      /** The id of an ACH account */
      source: string
      /** The id of a liability account that can receive payments */
      destination: string
      /** At most 10 characters: printable ASCII with at least one letter or digit */
      description: string
      fee?: {
        type: 'total' | 'markup'
        amount: number
      } | null | undefined
      reversal_account?: string | null | undefined
      dry_run?: boolean | undefined
      /** A JSON object of less than 1,024 bytes, stored and returned unchanged. Send long numbers as strings */
      metadata?: Record<string, unknown> | null | undefined
    }
    answer: Payment
  }
  'GET /payments': {
    shape: 'list'
    query: {
      /** The page number, starting at 1. If you send it, the service counts the entire list, which is slower. Cannot be combined with page_cursor */
      page?: number | undefined
      /** The number of items per page. Default and maximum: 100 */
      page_limit?: number | undefined
      /** A value from the Pagination-Page-Cursor-Next or -Prev header. Later pages are as fast as the first */
      page_cursor?: string | undefined
      /** Only items created on or after this day, in UTC */
      from_date?: string | undefined
      /** Only items created on or before this day, in UTC */
      to_date?: string | undefined
      /** The fields whose ids are replaced with the full objects in this response */
      expand?: ReadonlyArray<'source' | 'destination' | 'source.latest_verification_session' | 'destination.latest_verification_session'> | undefined
      status?: 'pending' | 'canceled' | 'processing' | 'failed' | 'sent' | 'posted' | 'cashed' | 'settled' | 'reversal_required' | 'reversal_processing' | 'reversed' | 'partial_reversal_processing' | 'partially_reversed' | undefined
      type?: 'standard' | 'clearing' | undefined
      source?: string | undefined
      destination?: string | undefined
      reversal_id?: string | undefined
      source_holder_id?: string | undefined
      destination_holder_id?: string | undefined
      /** Only payments with this account as source or destination */
      acc_id?: string | undefined
      /** Only payments whose source or destination belongs to this holder */
      holder_id?: string | undefined
      /** Only payments that the release of this session created */
      session_id?: string | undefined
      /** Only pending payments that are on hold because payments are stopped */
      fund_status?: 'hold' | undefined
    }
    answer: Payment
  }
  'GET /payments/:pmt_id': {
    shape: 'one'
    query: {
      /** The fields whose ids are replaced with the full objects in this response */
      expand?: ReadonlyArray<'source' | 'destination' | 'source.latest_verification_session' | 'destination.latest_verification_session'> | undefined
    }
    answer: Payment
  }
  'DELETE /payments/:pmt_id': {
    shape: 'one'
    answer: Payment
  }
  'GET /payments/:pmt_id/postings': {
    shape: 'one'
    answer: PaymentPostings
  }
  'GET /payments/:pmt_id/explanation': {
    shape: 'one'
    answer: PaymentExplanation
  }
  'GET /payments/:pmt_id/reversals': {
    shape: 'list'
    answer: PaymentReversal
  }
  'GET /payments/:pmt_id/reversals/:rvs_id': {
    shape: 'one'
    answer: PaymentReversal
  }
  'PUT /payments/:pmt_id/reversals/:rvs_id': {
    shape: 'one'
    body: {
      status: 'pending'
      /** At most 10 characters: printable ASCII with at least one letter or digit */
      description?: string | undefined
    }
    answer: PaymentReversal
  }
  'POST /elements/token': {
    shape: 'one'
    body: {
      type: 'connect' | 'balance_transfer'
      entity_id?: string | undefined
      /** An entity to create when the token is redeemed. Send it instead of entity_id */
      entity?: {
        type: 'individual'
        individual: {
          /** Send the name of a person with one legal name as the first name */
          first_name?: string | null | undefined
          /** Omit it for a person with one legal name */
          last_name?: string | null | undefined
          /** A United States number in E.164 format. The area code and the three digits after it begin with 2 to 9. Toll-free, premium and service numbers are not accepted */
          phone?: string | null | undefined
          email?: string | null | undefined
          /** A date in the past, after 1900-01-01 */
          dob?: string | null | undefined
          /** Nine digits. Cannot be combined with ssn_4 */
          ssn?: string | null | undefined
          ssn_4?: string | null | undefined
        }
        address?: {
          line1?: string | null | undefined
          line2?: string | null | undefined
          city?: string | null | undefined
          state?: string | null | undefined
          zip?: string | null | undefined
        } | null | undefined
      } | undefined
      session_id?: string | undefined
      connect?: {
        products?: ReadonlyArray<'balance' | 'update' | 'payoff' | 'card_brand' | 'sensitive' | 'transactions' | 'payment'> | undefined
        accounts?: ReadonlyArray<string> | undefined
        /** An entity to create when the token is redeemed. Send it instead of entity_id */
        entity?: {
          type: 'individual'
          individual: {
            /** Send the name of a person with one legal name as the first name */
            first_name?: string | null | undefined
            /** Omit it for a person with one legal name */
            last_name?: string | null | undefined
            /** A United States number in E.164 format. The area code and the three digits after it begin with 2 to 9. Toll-free, premium and service numbers are not accepted */
            phone?: string | null | undefined
            email?: string | null | undefined
            /** A date in the past, after 1900-01-01 */
            dob?: string | null | undefined
            /** Nine digits. Cannot be combined with ssn_4 */
            ssn?: string | null | undefined
            ssn_4?: string | null | undefined
          }
          address?: {
            line1?: string | null | undefined
            line2?: string | null | undefined
            city?: string | null | undefined
            state?: string | null | undefined
            zip?: string | null | undefined
          } | null | undefined
        } | undefined
        account_filters?: {
          selection_type?: 'single' | 'multiple' | 'all' | undefined
          /** An empty list applies no filter. `student_loans` and `student_loan` are equivalent */
          liability_types?: ReadonlyArray<'credit_card' | 'auto_loan' | 'mortgage' | 'personal_loan' | 'student_loan' | 'student_loans' | 'loan' | 'bnpl' | 'collection' | 'credit_builder' | 'fintech' | 'insurance' | 'medical' | 'utility'> | undefined
        } | undefined
      } | undefined
      balance_transfer?: {
        /** The amount to allocate, in cents */
        loan_amount: number
        /** Default: 100 */
        minimum_payment?: number | undefined
        /** Default and maximum: loan_amount */
        maximum_payment?: number | undefined
        /** Default and maximum: loan_amount */
        residual_amount_max?: number | undefined
        account_filters?: {
          include?: {
            /** An empty list applies no filter. `student_loans` and `student_loan` are equivalent */
            account_types?: ReadonlyArray<'credit_card' | 'auto_loan' | 'mortgage' | 'personal_loan' | 'student_loan' | 'student_loans' | 'loan' | 'bnpl' | 'collection' | 'credit_builder' | 'fintech' | 'insurance' | 'medical' | 'utility'> | undefined
            products?: ReadonlyArray<'balance' | 'update' | 'payoff' | 'card_brand' | 'sensitive' | 'transactions' | 'payment'> | undefined
          } | undefined
          exclude?: {
            /** An empty list applies no filter. `student_loans` and `student_loan` are equivalent */
            account_types?: ReadonlyArray<'credit_card' | 'auto_loan' | 'mortgage' | 'personal_loan' | 'student_loan' | 'student_loans' | 'loan' | 'bnpl' | 'collection' | 'credit_builder' | 'fintech' | 'insurance' | 'medical' | 'utility'> | undefined
            mch_ids?: ReadonlyArray<string> | undefined
            unverified_account_numbers?: boolean | undefined
          } | undefined
        } | undefined
        skip_pii?: ReadonlyArray<'name' | 'dob' | 'address' | 'ssn_4'> | undefined
        allow_over_balance?: boolean | undefined
        /** The order in which accounts are paid in the suggested allocation. Default: `highest_rate`. Accounts with an unknown rate or balance come last. Ties are broken by balance, then by id. The person can change the order and each amount */
        suggestion?: 'highest_rate' | 'highest_balance' | 'lowest_balance' | undefined
        /** The loan's annual rate in percent, with at most two decimals. If set, the person sees an estimate of the interest they save in the first year */
        loan_apr?: number | undefined
      } | undefined
      /** Origins to use instead of the team list */
      allowed_origins?: ReadonlyArray<string> | null | undefined
      appearance?: 'light' | 'dark' | 'system' | null | undefined
      team_name?: string | null | undefined
      team_logo?: string | null | undefined
      /** Creates a link to a hosted page instead of an element. The page redirects to this URL and adds `status`, `session_id` and `entity_id`. Must be an HTTPS URL on an allowed origin. The sandbox also accepts HTTP on this machine */
      redirect_url?: string | null | undefined
      /** The number of days for which a phone verification is valid with this token, up to the limit in the team's settings. If 0, a code is always sent; this is the default with `redirect_url`. If null, the team setting applies; this is the default without `redirect_url` */
      phone_proof_days?: number | null | undefined
    }
    answer: {
      /** `pk_elem_…`, returned only once */
      element_token: string
      /** Returned only for a balance transfer */
      session_id?: string
      /** The URL of the hosted page to send the person to. It can be opened once, within 24 hours. Returned only once, and only if you sent redirect_url */
      hosted_url?: string
    }
  }
  'GET /elements/token/:token/results': {
    shape: 'one'
    answer: TokenResults
  }
  'GET /elements/sessions/:id': {
    shape: 'wrapped'
    answer: OpalSession
  }
  'POST /opal/token': {
    shape: 'wrapped'
    body: {
      mode?: 'identity_verification' | 'connect' | 'card_connect' | 'account_verification' | 'transactions' | 'balance_transfer' | 'manage' | undefined
      entity_id?: string | undefined
      /** An entity to create when the token is redeemed. Send it instead of entity_id */
      entity?: {
        type: 'individual'
        individual: {
          /** Send the name of a person with one legal name as the first name */
          first_name?: string | null | undefined
          /** Omit it for a person with one legal name */
          last_name?: string | null | undefined
          /** A United States number in E.164 format. The area code and the three digits after it begin with 2 to 9. Toll-free, premium and service numbers are not accepted */
          phone?: string | null | undefined
          email?: string | null | undefined
          /** A date in the past, after 1900-01-01 */
          dob?: string | null | undefined
          /** Nine digits. Cannot be combined with ssn_4 */
          ssn?: string | null | undefined
          ssn_4?: string | null | undefined
        }
        address?: {
          line1?: string | null | undefined
          line2?: string | null | undefined
          city?: string | null | undefined
          state?: string | null | undefined
          zip?: string | null | undefined
        } | null | undefined
      } | undefined
      session_id?: string | undefined
      connect?: {
        selection_type?: 'single' | 'multiple' | 'all' | undefined
        account_filters?: {
          include?: {
            /** An empty list applies no filter. `student_loans` and `student_loan` are equivalent */
            account_types?: ReadonlyArray<'credit_card' | 'auto_loan' | 'mortgage' | 'personal_loan' | 'student_loan' | 'student_loans' | 'loan' | 'bnpl' | 'collection' | 'credit_builder' | 'fintech' | 'insurance' | 'medical' | 'utility'> | undefined
            products?: ReadonlyArray<'balance' | 'update' | 'payoff' | 'card_brand' | 'sensitive' | 'transactions' | 'payment'> | undefined
          } | undefined
          exclude?: {
            /** An empty list applies no filter. `student_loans` and `student_loan` are equivalent */
            account_types?: ReadonlyArray<'credit_card' | 'auto_loan' | 'mortgage' | 'personal_loan' | 'student_loan' | 'student_loans' | 'loan' | 'bnpl' | 'collection' | 'credit_builder' | 'fintech' | 'insurance' | 'medical' | 'utility'> | undefined
            mch_ids?: ReadonlyArray<string> | undefined
            unverified_account_numbers?: boolean | undefined
          } | undefined
        } | undefined
        skip_pii?: ReadonlyArray<'name' | 'dob' | 'address' | 'ssn_4'> | undefined
      } | undefined
      identity_verification?: {
        skip_pii?: ReadonlyArray<'name' | 'dob' | 'address' | 'ssn_4'> | undefined
      } | undefined
      /** Credit cards only. The person verifies each one */
      card_connect?: {
        /** `all` means `multiple` */
        selection_type: 'single' | 'multiple' | 'all'
        account_filters?: {
          exclude?: {
            mch_ids?: ReadonlyArray<string> | undefined
            unverified_account_numbers?: boolean | undefined
          } | undefined
        } | undefined
        skip_pii?: ReadonlyArray<'name' | 'dob' | 'address' | 'ssn_4'> | undefined
      } | undefined
      account_verification?: {
        /** A liability or ACH account of the entity */
        account_id: string
        /** The details that the person must enter. For `data`, the account number. For `payments`, the account number if payments require it. For `transactions`, the card details. The default depends on the account. For an ACH account, the person enters the amounts of two micro-deposits */
        intent?: 'data' | 'payments' | 'transactions' | undefined
      } | undefined
      /** Subscribes the cards to transactions. Takes no options */
      transactions?: {
        transactions?: Record<string, never> | undefined
      } | undefined
      balance_transfer?: {
        /** The amount to allocate, in cents */
        loan_amount: number
        /** Default: 100 */
        minimum_payment?: number | undefined
        /** Default and maximum: loan_amount */
        maximum_payment?: number | undefined
        /** Default and maximum: loan_amount */
        residual_amount_max?: number | undefined
        account_filters?: {
          include?: {
            /** An empty list applies no filter. `student_loans` and `student_loan` are equivalent */
            account_types?: ReadonlyArray<'credit_card' | 'auto_loan' | 'mortgage' | 'personal_loan' | 'student_loan' | 'student_loans' | 'loan' | 'bnpl' | 'collection' | 'credit_builder' | 'fintech' | 'insurance' | 'medical' | 'utility'> | undefined
            products?: ReadonlyArray<'balance' | 'update' | 'payoff' | 'card_brand' | 'sensitive' | 'transactions' | 'payment'> | undefined
          } | undefined
          exclude?: {
            /** An empty list applies no filter. `student_loans` and `student_loan` are equivalent */
            account_types?: ReadonlyArray<'credit_card' | 'auto_loan' | 'mortgage' | 'personal_loan' | 'student_loan' | 'student_loans' | 'loan' | 'bnpl' | 'collection' | 'credit_builder' | 'fintech' | 'insurance' | 'medical' | 'utility'> | undefined
            mch_ids?: ReadonlyArray<string> | undefined
            unverified_account_numbers?: boolean | undefined
          } | undefined
        } | undefined
        skip_pii?: ReadonlyArray<'name' | 'dob' | 'address' | 'ssn_4'> | undefined
        allow_over_balance?: boolean | undefined
        /** The order in which accounts are paid in the suggested allocation. Default: `highest_rate`. Accounts with an unknown rate or balance come last. Ties are broken by balance, then by id. The person can change the order and each amount */
        suggestion?: 'highest_rate' | 'highest_balance' | 'lowest_balance' | undefined
        /** The loan's annual rate in percent, with at most two decimals. If set, the person sees an estimate of the interest they save in the first year */
        loan_apr?: number | undefined
      } | undefined
      /** The person's own page, where they see their receipts and what they share with you, stop sharing, and download their data. Takes no options. Requires `entity_id` */
      manage?: Record<string, never> | undefined
      /** Origins to use instead of the team list */
      allowed_origins?: ReadonlyArray<string> | null | undefined
      appearance?: 'light' | 'dark' | 'system' | null | undefined
      team_name?: string | null | undefined
      team_logo?: string | null | undefined
      /** Creates a link to a hosted page instead of an element. The page redirects to this URL and adds `status`, `session_id` and `entity_id`. Must be an HTTPS URL on an allowed origin. The sandbox also accepts HTTP on this machine */
      redirect_url?: string | null | undefined
      /** The number of days for which a phone verification is valid with this token, up to the limit in the team's settings. If 0, a code is always sent; this is the default with `redirect_url`. If null, the team setting applies; this is the default without `redirect_url` */
      phone_proof_days?: number | null | undefined
    }
    answer: {
      /** `otkn_…`, returned only once */
      token: string
      session_id: string
      /** When the token expires: 30 minutes after creation, or 24 hours for a hosted page */
      valid_until: string
      /** The URL of the hosted page to send the person to. It can be opened once, within 24 hours. Returned only once, and only if you sent redirect_url */
      hosted_url?: string
    }
  }
  'GET /opal/token': {
    shape: 'wrapped'
    answer: OpalTokenSession
  }
  'DELETE /opal/token': {
    shape: 'wrapped'
    answer: null
  }
  'GET /opal/events': {
    shape: 'wrapped'
    answer: Array<OpalEvent>
  }
  'GET /opal/sessions': {
    shape: 'list'
    query: {
      /** The page number, starting at 1. If you send it, the service counts the entire list, which is slower. Cannot be combined with page_cursor */
      page?: number | undefined
      /** The number of items per page. Default and maximum: 100 */
      page_limit?: number | undefined
      /** A value from the Pagination-Page-Cursor-Next or -Prev header. Later pages are as fast as the first */
      page_cursor?: string | undefined
      /** Only items created on or after this day, in UTC */
      from_date?: string | undefined
      /** Only items created on or before this day, in UTC */
      to_date?: string | undefined
      entity_id?: string | undefined
      /** The last screen that the person saw */
      step?: 'consent' | 'phone' | 'code' | 'details' | 'questions' | 'discovering' | 'selection' | 'number' | 'deposits' | 'card' | 'allocation' | 'review' | 'done' | 'manage' | 'blocked' | undefined
      /** Only sessions that were opened, are not completed and have not changed for this ISO 8601 duration, such as P1D. Excludes a session if the person has nothing left to do in it, has a later session of the same mode, or withdrew consent */
      stuck_for?: string | undefined
      /** With `true`, only released sessions in which an account is still unpaid: see `bt.unpaid`. A page can hold fewer sessions than `page_limit` */
      unpaid?: 'true' | undefined
    }
    answer: OpalSession
  }
  'GET /opal/sessions/:id/progress': {
    shape: 'one'
    answer: SessionProgress
  }
  'GET /opal/sessions/:id': {
    shape: 'wrapped'
    answer: OpalSession
  }
  'POST /opal/sessions/:id': {
    shape: 'wrapped'
    body: {
      action: 'release_payments'
      data?: {
        /** Default: the default source of the team */
        source?: string | undefined
      } | null | undefined
    }
    answer: OpalSession
  }
  'POST /webhooks': {
    shape: 'one'
    body: {
      type: EventType
      /** An HTTPS URL without a user name. The sandbox also accepts HTTP on localhost */
      url: string
      auth_token?: string | null | undefined
      hmac_secret?: string | null | undefined
      expand_event?: boolean | undefined
      /** If true, the service stores the first 512 bytes of each response for 30 days, encrypted. Default: false */
      store_responses?: boolean | undefined
      /** The API version of the events. Default: the team's version at the time of each delivery */
      api_version?: '2020-12-06' | '2024-04-04' | '2025-07-04' | '2025-12-01' | '2026-03-30' | null | undefined
      /** A JSON object of less than 1,024 bytes, stored and returned unchanged. Send long numbers as strings */
      metadata?: Record<string, unknown> | null | undefined
    }
    answer: NewWebhook
  }
  'GET /webhooks': {
    shape: 'list'
    query: {
      /** The page number, starting at 1. If you send it, the service counts the entire list, which is slower. Cannot be combined with page_cursor */
      page?: number | undefined
      /** The number of items per page. Default and maximum: 100 */
      page_limit?: number | undefined
      /** A value from the Pagination-Page-Cursor-Next or -Prev header. Later pages are as fast as the first */
      page_cursor?: string | undefined
      /** Only items created on or after this day, in UTC */
      from_date?: string | undefined
      /** Only items created on or before this day, in UTC */
      to_date?: string | undefined
    }
    answer: Webhook
  }
  'GET /webhooks/:whk_id': {
    shape: 'one'
    answer: Webhook
  }
  'PATCH /webhooks/:whk_id': {
    shape: 'one'
    body: {
      status?: 'active' | 'disabled' | 'deleted' | undefined
      store_responses?: boolean | undefined
    }
    answer: Webhook
  }
  'DELETE /webhooks/:whk_id': {
    shape: 'gone'
    answer: null
  }
  'POST /webhooks/:whk_id/rotate': {
    shape: 'one'
    body: {
      hmac_secret?: string | null | undefined
      auth_token?: string | null | undefined
    }
    answer: Webhook
  }
  'GET /webhooks/:whk_id/deliveries': {
    shape: 'list'
    query: {
      status?: 'pending' | 'delivered' | 'failed' | 'canceled' | undefined
      /** The page number, starting at 1. If you send it, the service counts the entire list, which is slower. Cannot be combined with page_cursor */
      page?: number | undefined
      /** The number of items per page. Default and maximum: 100 */
      page_limit?: number | undefined
      /** A value from the Pagination-Page-Cursor-Next or -Prev header. Later pages are as fast as the first */
      page_cursor?: string | undefined
      /** Only items created on or after this day, in UTC */
      from_date?: string | undefined
      /** Only items created on or before this day, in UTC */
      to_date?: string | undefined
    }
    answer: Delivery
  }
  'GET /webhooks/:whk_id/deliveries/:dlv_id': {
    shape: 'one'
    answer: Delivery
  }
  'GET /webhooks/:whk_id/deliveries/:dlv_id/request': {
    shape: 'one'
    answer: DeliveryRequest
  }
  'GET /webhooks/:whk_id/deliveries/:dlv_id/attempts': {
    shape: 'list'
    answer: DeliveryAttempt
  }
  'GET /webhooks/:whk_id/stats': {
    shape: 'one'
    query: {
      /** Default: `hour` */
      bucket?: 'hour' | 'day' | undefined
      /** Only items created on or after this day, in UTC */
      from_date?: string | undefined
      /** Only items created on or before this day, in UTC */
      to_date?: string | undefined
    }
    answer: WebhookStats
  }
  'POST /webhooks/:whk_id/deliveries/:dlv_id/redeliver': {
    shape: 'one'
    answer: Delivery
  }
  'POST /webhooks/:whk_id/redeliver': {
    shape: 'one'
    body: {
      since: string
      /** Inclusive. Default: now */
      until?: string | null | undefined
      dry_run?: boolean | undefined
    }
    answer: {
      webhook_id: string
      since: string
      queued: number
    }
  }
  'GET /events': {
    shape: 'list'
    query: {
      resource_id?: string | undefined
      /** The first segment of the type */
      resource_type?: 'account' | 'account_attribute' | 'account_verification' | 'account_verification_session' | 'attribute' | 'balance' | 'card_brand' | 'connect' | 'connection' | 'credit_score' | 'element_session' | 'entity' | 'entity_attribute' | 'entity_vehicle' | 'entity_verification_session' | 'identity' | 'manual_connect' | 'opal_session' | 'payment' | 'payment_instrument' | 'payment_reversal' | 'payoff' | 'product' | 'report' | 'sensitive' | 'service_jwk' | 'subscription' | 'transaction' | 'update' | undefined
      type?: EventType | undefined
      /** The page number, starting at 1. If you send it, the service counts the entire list, which is slower. Cannot be combined with page_cursor */
      page?: number | undefined
      /** The number of items per page. Default and maximum: 100 */
      page_limit?: number | undefined
      /** A value from the Pagination-Page-Cursor-Next or -Prev header. Later pages are as fast as the first */
      page_cursor?: string | undefined
      /** Only items created on or after this day, in UTC */
      from_date?: string | undefined
      /** Only items created on or before this day, in UTC */
      to_date?: string | undefined
    }
    answer: Event
  }
  'GET /events/:evt_id': {
    shape: 'one'
    answer: Event
  }
  'GET /requests': {
    shape: 'list'
    query: {
      outcome?: 'succeeded' | 'failed' | undefined
      sub_type?: ErrorSubType | undefined
      /** Only requests that contain this id in the path, the body or the response */
      resource_id?: string | undefined
      /** Cannot be combined with resource_id */
      source?: 'api' | 'console' | undefined
      /** The page number, starting at 1. If you send it, the service counts the entire list, which is slower. Cannot be combined with page_cursor */
      page?: number | undefined
      /** The number of items per page. Default and maximum: 100 */
      page_limit?: number | undefined
      /** A value from the Pagination-Page-Cursor-Next or -Prev header. Later pages are as fast as the first */
      page_cursor?: string | undefined
      /** Only items created on or after this day, in UTC */
      from_date?: string | undefined
      /** Only items created on or before this day, in UTC */
      to_date?: string | undefined
    }
    answer: Request
  }
  'GET /requests/:req_id': {
    shape: 'one'
    answer: RequestDetail
  }
  'GET /requests/stats': {
    shape: 'one'
    query: {
      /** Default: `hour` */
      bucket?: 'hour' | 'day' | undefined
      /** Only items created on or after this day, in UTC */
      from_date?: string | undefined
      /** Only items created on or before this day, in UTC */
      to_date?: string | undefined
    }
    answer: RequestStats
  }
  'GET /timeline': {
    shape: 'one'
    query: {
      /** The id of a resource */
      about: string
      /** Default: all kinds */
      kinds?: 'request' | 'event' | 'delivery' | 'posting' | 'person' | 'staff' | undefined
      /** The `next_cursor` of the previous page */
      page_cursor?: string | undefined
      /** The number of items per page. Default and maximum: 100 */
      page_limit?: number | undefined
    }
    answer: Timeline
  }
  'POST /search': {
    shape: 'one'
    body: {
      q: string
      /** The kinds to search. Default: all kinds */
      kinds?: ReadonlyArray<'payment' | 'person' | 'account' | 'session' | 'webhook' | 'request' | 'event'> | undefined
    }
    answer: SearchResults
  }
  'GET /stats/payments': {
    shape: 'one'
    query: {
      /** Only items created on or after this day, in UTC */
      from_date?: string | undefined
      /** Only items created on or before this day, in UTC */
      to_date?: string | undefined
      /** The time zone in which each day begins and ends. Default: `UTC` */
      time_zone?: 'UTC' | 'America/Chicago' | undefined
    }
    answer: PaymentStats
  }
  'GET /stats/funnel': {
    shape: 'one'
    query: {
      /** Only items created on or after this day, in UTC */
      from_date?: string | undefined
      /** Only items created on or before this day, in UTC */
      to_date?: string | undefined
      mode?: 'identity_verification' | 'connect' | 'card_connect' | 'account_verification' | 'transactions' | 'balance_transfer' | 'manage' | undefined
    }
    answer: FunnelStats
  }
  'POST /secrets': {
    shape: 'one'
    body: {
      value: string
      /** A JSON object of less than 1,024 bytes, stored and returned unchanged. Send long numbers as strings */
      metadata?: Record<string, unknown> | null | undefined
    }
    answer: Secret
  }
  'GET /secrets': {
    shape: 'list'
    query: {
      /** The page number, starting at 1. If you send it, the service counts the entire list, which is slower. Cannot be combined with page_cursor */
      page?: number | undefined
      /** The number of items per page. Default and maximum: 100 */
      page_limit?: number | undefined
      /** A value from the Pagination-Page-Cursor-Next or -Prev header. Later pages are as fast as the first */
      page_cursor?: string | undefined
      /** Only items created on or after this day, in UTC */
      from_date?: string | undefined
      /** Only items created on or before this day, in UTC */
      to_date?: string | undefined
    }
    answer: Secret
  }
  'GET /secrets/:sec_id': {
    shape: 'one'
    answer: Secret
  }
  'DELETE /secrets/:sec_id': {
    shape: 'gone'
    answer: null
  }
  'POST /forwarding_requests': {
    shape: 'one'
    body: {
      url: string
      method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
      headers: Record<string, string>
      /** The body, as JSON text. Send an empty string for a GET, or for a DELETE without a body */
      body: string
      /** The ids of secrets and payment instruments, keyed by the names that the templates use */
      bindings: Record<string, string>
      /** A JSON object of less than 1,024 bytes, stored and returned unchanged. Send long numbers as strings */
      metadata?: Record<string, unknown> | null | undefined
    }
    answer: ForwardingRequest
  }
  'GET /forwarding_requests/:freq_id': {
    shape: 'one'
    answer: ForwardingRequest
  }
  'POST /reports': {
    shape: 'one'
    body: {
      type: 'payments.created.current' | 'payments.created.previous' | 'payments.created.previous_day' | 'payments.updated.current' | 'payments.updated.previous' | 'payments.failed.previous_day' | 'ach.pull.upcoming' | 'ach.pull.previous' | 'ach.pull.nightly' | 'ach.debit.daily' | 'ach.reversals.nightly' | 'entities.created.previous_day' | 'reserve_fbo_balance.created.previous_day'
      /** A JSON object of less than 1,024 bytes, stored and returned unchanged. Send long numbers as strings */
      metadata?: Record<string, unknown> | null | undefined
    }
    answer: Report
  }
  'GET /reports/:rpt_id': {
    shape: 'one'
    answer: Report
  }
  'GET /reports/:rpt_id/download': {
    shape: 'raw'
    answer: string
  }
  'GET /managed_accounts': {
    shape: 'list'
    answer: ManagedAccount
  }
  'GET /managed_accounts/:macc_id': {
    shape: 'one'
    answer: ManagedAccount
  }
  'GET /managed_accounts/:macc_id/transactions': {
    shape: 'list'
    query: {
      /** The number of items per page. Default and maximum: 100 */
      page_limit?: number | undefined
      /** A value from the Pagination-Page-Cursor-Next or -Prev header. Later pages are as fast as the first */
      page_cursor?: string | undefined
      /** Only transactions on or after this day */
      from_date?: string | undefined
      /** Only transactions on or before this day */
      to_date?: string | undefined
    }
    answer: ManagedAccountTransaction
  }
  'GET /team': {
    shape: 'one'
    answer: Team
  }
  'PATCH /team': {
    shape: 'one'
    body: {
      version?: '2020-12-06' | '2024-04-04' | '2025-07-04' | '2025-12-01' | '2026-03-30' | undefined
      default_source_account?: string | null | undefined
      /** At most 10 characters: printable ASCII with at least one letter or digit */
      payment_description?: string | undefined
      allowed_origins?: ReadonlyArray<string> | undefined
      brand?: {
        /** 1 to 60 characters, with at least one letter or digit, without control, invisible or bidirectional characters */
        name?: string | undefined
        logo?: string | null | undefined
        primary_color?: string | null | undefined
        support_url?: string | null | undefined
        privacy_url?: string | null | undefined
      } | undefined
      appearance?: 'light' | 'dark' | 'system' | undefined
      products?: ReadonlyArray<'balance' | 'update' | 'payment' | 'card_brand' | 'payoff' | 'connect' | 'credit_score' | 'identity' | 'attribute' | 'vehicle' | 'sensitive' | 'transaction' | 'payment_instrument.card' | 'payment_instrument.network_token' | 'payment_instrument.inbound_achwire_payment' | 'manual_connect' | 'payment_instrument'> | undefined
      identity_methods?: ReadonlyArray<'element' | 'opal' | 'kba' | 'sna' | 'sms' | 'byo_sms' | 'byo_kyc'> | undefined
      forwarding_allow_list?: ReadonlyArray<string> | undefined
      webhook_schedule?: 'standard' | 'long' | undefined
      ach_destinations?: boolean | undefined
      limits?: {
        payment_amount_max?: number | null | undefined
        payments_per_month?: number | null | undefined
        sensitive_reads_per_day?: number | null | undefined
      } | undefined
      require_encryption?: boolean | undefined
      phone_proof_days?: number | null | undefined
      legal_name?: string | null | undefined
      ein?: string | null | undefined
      contacts?: ReadonlyArray<{
        /** 1 to 100 characters, with at least one letter or digit, without control, invisible or bidirectional characters */
        name: string
        email: string
        /** 1 to 40 characters, with at least one letter or digit, without control, invisible or bidirectional characters */
        type: string
      }> | undefined
      address?: {
        /** 1 to 200 characters, with at least one letter or digit, without control, invisible or bidirectional characters */
        line1: string
        line2?: string | null | undefined
        /** 1 to 100 characters, with at least one letter or digit, without control, invisible or bidirectional characters */
        city: string
        /** 1 to 100 characters, with at least one letter or digit, without control, invisible or bidirectional characters */
        state: string
        /** 1 to 20 characters, with at least one letter or digit, without control, invisible or bidirectional characters */
        zipcode: string
        /** 1 to 60 characters, with at least one letter or digit, without control, invisible or bidirectional characters */
        country: string
      } | null | undefined
    }
    answer: Team
  }
  'GET /teams': {
    shape: 'list'
    query: {
      /** The page number, starting at 1. If you send it, the service counts the entire list, which is slower. Cannot be combined with page_cursor */
      page?: number | undefined
      /** The number of items per page. Default and maximum: 100 */
      page_limit?: number | undefined
      /** A value from the Pagination-Page-Cursor-Next or -Prev header. Later pages are as fast as the first */
      page_cursor?: string | undefined
      /** Only items created on or after this day, in UTC */
      from_date?: string | undefined
      /** Only items created on or before this day, in UTC */
      to_date?: string | undefined
    }
    answer: Team
  }
  'POST /teams': {
    shape: 'one'
    body: {
      /** 1 to 100 characters, with at least one letter or digit, without control, invisible or bidirectional characters */
      name: string
      legal_name?: string | null | undefined
      ein?: string | null | undefined
      contacts?: ReadonlyArray<{
        /** 1 to 100 characters, with at least one letter or digit, without control, invisible or bidirectional characters */
        name: string
        email: string
        /** 1 to 40 characters, with at least one letter or digit, without control, invisible or bidirectional characters */
        type: string
      }> | undefined
      address?: {
        /** 1 to 200 characters, with at least one letter or digit, without control, invisible or bidirectional characters */
        line1: string
        line2?: string | null | undefined
        /** 1 to 100 characters, with at least one letter or digit, without control, invisible or bidirectional characters */
        city: string
        /** 1 to 100 characters, with at least one letter or digit, without control, invisible or bidirectional characters */
        state: string
        /** 1 to 20 characters, with at least one letter or digit, without control, invisible or bidirectional characters */
        zipcode: string
        /** 1 to 60 characters, with at least one letter or digit, without control, invisible or bidirectional characters */
        country: string
      } | null | undefined
    }
    answer: NewTeam
  }
  'GET /teams/:team_id/keys': {
    shape: 'list'
    answer: Key
  }
  'DELETE /teams/:team_id/keys/:key_id': {
    shape: 'gone'
    query: {
      /** `revoke` also revokes every key that this key created, directly or indirectly, in this team and the teams below it. Use it for a leaked key. `keep` revokes only this key. Use it for a routine replacement. Required if this key created keys of teams below its own team. */
      created_keys?: 'keep' | 'revoke' | undefined
    }
    answer: null
  }
  'GET /team/keys': {
    shape: 'list'
    answer: Key
  }
  'POST /team/keys': {
    shape: 'one'
    body: {
      /** Default: the scopes of the key that makes the request */
      scopes?: ReadonlyArray<'read' | 'write' | 'payments' | 'sensitive' | 'admin'> | undefined
    }
    answer: NewKey
  }
  'DELETE /team/keys/:key_id': {
    shape: 'gone'
    query: {
      /** `revoke` also revokes every key that this key created, directly or indirectly, in this team and the teams below it. Use it for a leaked key. `keep` revokes only this key. Use it for a routine replacement. Required if this key created keys of teams below its own team. */
      created_keys?: 'keep' | 'revoke' | undefined
    }
    answer: null
  }
  'POST /teams/mle/public_keys': {
    shape: 'one'
    body: {
      type: 'direct' | 'well_known'
      contact: string | null
      /** Required if `type` is `direct` */
      jwk?: {
        kty: 'RSA'
        /** The key id, which the header of an encrypted message contains */
        kid: string
        /** The modulus, base64url: 2048 to 8192 bits */
        n: string
        /** The exponent, base64url: usually `AQAB` */
        e: string
        alg?: 'RSA-OAEP-256' | undefined
        use?: 'enc' | undefined
      } | undefined
      /** Required if `type` is `well_known` */
      well_known_endpoint?: string | null | undefined
    }
    answer: TeamPublicKey
  }
  'GET /teams/mle/public_keys': {
    shape: 'list'
    query: {
      /** The page number, starting at 1. If you send it, the service counts the entire list, which is slower. Cannot be combined with page_cursor */
      page?: number | undefined
      /** The number of items per page. Default and maximum: 100 */
      page_limit?: number | undefined
      /** A value from the Pagination-Page-Cursor-Next or -Prev header. Later pages are as fast as the first */
      page_cursor?: string | undefined
      /** Only items created on or after this day, in UTC */
      from_date?: string | undefined
      /** Only items created on or before this day, in UTC */
      to_date?: string | undefined
    }
    answer: TeamPublicKey
  }
  'GET /teams/mle/public_keys/:team_jwk_id': {
    shape: 'one'
    answer: TeamPublicKey
  }
  'DELETE /teams/mle/public_keys/:team_jwk_id': {
    shape: 'one'
    answer: TeamPublicKey
  }
  'POST /teams/default_encryption_key': {
    shape: 'one'
    body: {
      key: string
    }
    answer: Team
  }
  'GET /auth/:jwk_id': {
    shape: 'one'
    answer: ServiceKey
  }
  'POST /simulate/payments/payment_instruments/:id': {
    shape: 'one'
    body: {
      /** In cents */
      amount: number
      /** At most 80 characters: printable ASCII with at least one letter or digit */
      description?: string | undefined
    }
    answer: Payment
  }
  'POST /simulate/payments/payment_instrument/:id': {
    shape: 'one'
    body: {
      /** In cents */
      amount: number
      /** At most 80 characters: printable ASCII with at least one letter or digit */
      description?: string | undefined
    }
    answer: Payment
  }
  'POST /simulate/payments/:pmt_id': {
    shape: 'one'
    body: {
      status: 'pending' | 'canceled' | 'processing' | 'failed' | 'sent' | 'posted' | 'cashed' | 'settled' | 'reversal_required' | 'reversal_processing' | 'reversed' | 'partial_reversal_processing' | 'partially_reversed'
      error_code?: number | string | null | undefined
      /** In cents */
      amount?: number | undefined
    }
    answer: Payment
  }
  'POST /simulate/opal/sessions/:id': {
    shape: 'wrapped'
    body: {
      /** The amounts in cents, keyed by account id */
      allocations: Record<string, number>
    }
    answer: OpalSession
  }
  'POST /simulate/clock': {
    shape: 'one'
    body: {
      /** An ISO 8601 duration in weeks, days, hours, minutes and seconds */
      advance: string
    }
    answer: {
      now: string
      ahead_seconds: number
    }
  }
  'GET /simulate/clock': {
    shape: 'one'
    answer: {
      now: string
      ahead_seconds: number
    }
  }
  'POST /simulate/faults': {
    shape: 'one'
    body: {
      target: 'network' | 'identity' | 'rail' | 'idempotency'
      mode: 'slow' | 'failing' | 'flapping'
      /** An ISO 8601 duration in weeks, days, hours, minutes and seconds */
      for: string
    }
    answer: {
      target: 'network' | 'identity' | 'rail' | 'idempotency'
      mode: 'slow' | 'failing' | 'flapping'
      until: string
    }
  }
  'GET /simulate/faults': {
    shape: 'list'
    answer: {
      target: 'network' | 'identity' | 'rail' | 'idempotency'
      mode: 'slow' | 'failing' | 'flapping'
      until: string
    }
  }
  'GET /simulate/people': {
    shape: 'list'
    answer: {
      phone: string
      /** The last four digits of `phone` */
      last4: string
      title: string
      hint: string | null
      /** The number of accounts that a connect finds */
      accounts: number
    }
  }
  'POST /simulate/entities/:ent_id/connect': {
    shape: 'gone'
    body: {
      behaviors: ReadonlyArray<'new_credit_card_account' | 'new_auto_loan_account' | 'new_mortgage_account' | 'new_student_loan_account' | 'new_personal_loan_account'>
    }
    answer: null
  }
  'POST /simulate/entities/:ent_id/connect/:again': {
    shape: 'gone'
    body: {
      behaviors: ReadonlyArray<'new_credit_card_account' | 'new_auto_loan_account' | 'new_mortgage_account' | 'new_student_loan_account' | 'new_personal_loan_account'>
    }
    answer: null
  }
  'POST /simulate/entities/:ent_id/attributes': {
    shape: 'gone'
    body: {
      behaviors: ReadonlyArray<'new_soft_inquiry'>
    }
    answer: null
  }
  'POST /simulate/entities/:ent_id/attributes/:again': {
    shape: 'gone'
    body: {
      behaviors: ReadonlyArray<'new_soft_inquiry'>
    }
    answer: null
  }
  'POST /simulate/entities/:ent_id/credit_scores/:crs_id': {
    shape: 'one'
    body: {
      scores?: ReadonlyArray<{
        score: number
        source: 'equifax' | 'experian' | 'transunion'
        model: 'vantage_3' | 'vantage_4'
        factors: ReadonlyArray<{
          code: string
          description: string
        }>
        created_at: string
      }> | undefined
      score?: number | null | undefined
      /** Default: `completed` */
      status?: 'completed' | 'failed' | undefined
    }
    answer: CreditScore
  }
  'POST /simulate/events': {
    shape: 'gone'
    body: {
      type: string
      entity_id?: string | undefined
      account_id?: string | undefined
    }
    answer: null
  }
  'POST /simulate/accounts/:acc_id/transactions': {
    shape: 'one'
    body: {
      /** In cents */
      amount?: number | undefined
      type?: 'purchase' | undefined
      merchant_name?: string | null | undefined
    }
    answer: Transaction
  }
  'POST /simulate/accounts/:acc_id/card_brands': {
    shape: 'one'
    body: {
      brand_id?: string | undefined
    }
    answer: CardBrand
  }
  'GET /simulate/accounts/:acc_id/verification_sessions/:id/amounts': {
    shape: 'one'
    answer: {
      /** The two amounts, in cents */
      amounts: Array<number>
    }
  }
  'GET /ping': {
    shape: 'wrapped'
    answer: null
  }
  'GET /.well-known/jwks.json': {
    shape: 'raw'
    answer: {
      keys: Array<{
        kty: string
        kid: string
        use: string
        alg: string
        [name: string]: unknown
      }>
    }
  }
  'GET /openapi.json': {
    shape: 'raw'
    query: {
      version?: '2020-12-06' | '2024-04-04' | '2025-07-04' | '2025-12-01' | '2026-03-30' | undefined
      /** `enveloped`: the second mount, which wraps every body. Default: the mount of the request */
      mount?: 'root' | 'enveloped' | undefined
    }
    answer: {
      openapi: string
      [name: string]: unknown
    }
  }
  'GET /assets/merchants/:file': {
    shape: 'raw'
    answer: string
  }
  'GET /assets/cards/:file': {
    shape: 'raw'
    answer: string
  }
  'GET /docs': {
    shape: 'raw'
    query: {
      version?: '2020-12-06' | '2024-04-04' | '2025-07-04' | '2025-12-01' | '2026-03-30' | undefined
    }
    answer: string
  }
  'GET /docs/style.css': {
    shape: 'raw'
    answer: string
  }
}
