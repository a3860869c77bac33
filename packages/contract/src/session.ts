/**
 * The view that the frame draws: the whole session as the service sees it. Every call under `/s` returns one. Has no
 * dependencies, because the frame includes it. The service sends codes and values; the frame supplies the words.
 * Long because the views of all steps form one contract.
 */
import type { Allocations, Suggestion, Terms } from './allocations.js'

export const steps = [
  'consent',
  'phone',
  'code',
  'details',
  'questions',
  'discovering',
  'selection',
  'number',
  'deposits',
  'card',
  'allocation',
  'review',
  'done',
  'blocked',
] as const
export type Step = (typeof steps)[number]
export const modes = [
  'identity_verification',
  'connect',
  'card_connect',
  'account_verification',
  'transactions',
  'balance_transfer',
] as const
export type Mode = (typeof modes)[number]

/** The element that shows a mode. `<connect-element>` shows every mode except the one that has its own element. */
export type ElementMode = 'connect' | 'balance_transfer'
export const elementOf = (mode: Mode): ElementMode => (mode === 'balance_transfer' ? mode : 'connect')

/** The fields of a card that can be unknown or wrong. */
export const cardFields = ['number', 'exp_month', 'exp_year', 'cvv', 'billing_zip_code'] as const
export type CardField = (typeof cardFields)[number]

/** A field of the person's details that the flow can ask for. */
type DetailField = 'name' | 'dob' | 'address' | 'ssn_4'

/** One account that was found, as the person sees it. Amounts in cents; `apr` in percent. */
export interface AccountView {
  id: string
  /** Empty for a bank account, which is identified by its type and last digits. */
  name: string
  /** Empty if unknown, as for a bank account. */
  institution: string
  /** The last digits, or null. */
  mask: string | null
  /** The type of a debt, such as `credit_card`; `checking` or `savings` for a bank account. */
  type: string
  balance: number | null
  /** The time of the balance, ISO 8601, or null. */
  balance_as_of: string | null
  apr: number | null
  /**
   * An account in `needs_number` is usable once the person enters the full number; in `needs_card`, once they prove
   * that they hold the card; in `needs_deposits`, once they enter the two amounts that were sent to it.
   */
  status: 'ready' | 'needs_number' | 'needs_card' | 'needs_deposits' | 'ineligible'
  /** The reason that it can't be chosen; null unless ineligible. */
  reason: IneligibleReason | null
  selected: boolean
}

export type IneligibleReason =
  | 'no_payment_rail'
  | 'closed'
  | 'nothing_owed'
  | 'authorized_user'
  | 'excluded'
  | 'number_refused'
  | 'skipped'
  | 'product_unavailable'
  | 'already_linked'

/** The reason that the flow can't continue. */
export type BlockedReason =
  | 'no_accounts'
  | 'none_eligible'
  | 'thin_file'
  | 'credit_freeze'
  | 'too_many_codes'
  | 'too_many_attempts'
  | 'identity_failed'
  /** The person said that they are not the person whom the customer named. */
  | 'not_me'
  | 'infeasible_terms'
  | 'account_unverified'
  | 'deposits_locked'
  | 'deposits_returned'
  | 'disabled'
  | 'unavailable'

/**
 * Documents that a consent can name, and the versions of each that were ever presented, the latest first. The frame has
 * a text for every version. `payments` is the authorization in `review`, `future_accounts` the checkbox in `selection`.
 */
export const documentVersions = {
  esign: ['2026-11-21', '2026-11-01'],
  credit_report: ['2026-11-21', '2026-11-01'],
  account_data: ['2026-11-21', '2026-11-01'],
  transactions: ['2026-11-01'],
  future_accounts: ['2026-11-01'],
  text_messages: ['2026-11-01'],
  payments: ['2026-11-21', '2026-11-01'],
  privacy: ['2026-11-21', '2026-11-01'],
} as const satisfies Record<string, readonly [string, ...string[]]>
export type DocumentId = keyof typeof documentVersions

/** A problem with the last input: the field, a code, and the values that the message needs. */
export interface StepError {
  /** The name of the input field, an account id for amounts, or null for the whole step. */
  field: string | null
  /** A code for which the step's screen has a message. Any other code gets a general one. */
  code: string
  /** Values such as `tries_left` for `incorrect` and `retry_at` for `too_many_codes`. */
  values: Record<string, number | string>
}

export interface Question {
  id: string
  text: string
  answers: { id: string; text: string }[]
}

/** The view of each step. */
export interface StepData {
  consent: { documents: { id: string; version: string }[] }
  phone: {
    /** Last four digits of the number on file, or null if there is no number. */
    last4: string | null
    /** True if the person may enter another number. */
    editable: boolean
  }
  code: {
    last4: string
    editable: boolean
    /**
     * URLs for the phone to open, so that its carrier confirms the number and no code is needed; null if a code was
     * sent.
     */
    silent: string[] | null
    /** The time from which another code can be requested, ISO 8601. */
    resend_at: string
    sends_left: number
    tries_left: number
    expires_at: string
  }
  details: {
    fields: DetailField[]
    /** Details that may be shown again: entered in this session, or supplied by the customer and confirmed by phone. */
    values: Partial<Record<'first_name' | 'last_name' | 'dob' | 'line1' | 'line2' | 'city' | 'state' | 'zip', string>>
  }
  questions: { questions: Question[]; tries_left: number }
  discovering: {
    /** The sources that the step waits for: `bureau`, or names of institutions. */
    asking: string[]
    started_at: string
    /** True if the search takes long enough to mention. */
    slow: boolean
  }
  selection: {
    kind: 'single' | 'multiple' | 'all'
    accounts: AccountView[]
    terms: Terms | null
    checked_at: string
    /** True if the person agreed to share accounts that they open later; null if they aren't asked. */
    future_accounts: boolean | null
    /** Cents by which all eligible accounts together fall short of the terms; 0 if they can be met. */
    shortfall: number
  }
  number: {
    account: AccountView
    /** Patterns for hints, with `#` for a digit. They never cause a rejection. */
    formats: string[]
    tries_left: number
    /** Position among the accounts that need a number, of `count`. */
    index: number
    count: number
    /** True if the person can skip this account, because there are others. */
    skippable: boolean
  }
  deposits: {
    account: AccountView
    /**
     * `offer`: nothing was sent yet; `sent`: the deposits are on their way; `amounts`: the person enters the amounts.
     */
    state: 'offer' | 'sent' | 'amounts'
    /** ISO 8601; null before they are sent. */
    sent_at: string | null
    /** A time on the business day by whose end the deposits arrive, ISO 8601; null before they are sent. */
    arrive_by: string | null
    tries_left: number
  }
  card: {
    account: AccountView
    fields: CardField[]
    /** The ZIP code that the person entered in this session, or null. */
    zip: string | null
    tries_left: number
    /** Position among the cards to check, of `count`. */
    index: number
    count: number
    skippable: boolean
  }
  allocation: {
    terms: Terms
    accounts: AccountView[]
    /** Accounts that the person chose and that were dropped, with the reason. */
    dropped: AccountView[]
    allocations: Allocations
    suggestion: Allocations
    /** The strategy of `suggestion`. */
    strategy: Suggestion
    /** The loan's rate, percent a year, or null if the customer did not send it. */
    loan_apr: number | null
    shortfall: number
  }
  review: {
    terms: Terms
    accounts: AccountView[]
    allocations: Allocations
    authorization: { id: string; version: string }
  }
  done: {
    accounts: AccountView[]
    terms: Terms | null
    allocations: Allocations
    payout_status: 'pending_release' | 'released' | null
    released_at: string | null
    /** The time at which it was first confirmed or finished, ISO 8601. */
    completed_at: string | null
    /** The terms that the person accepted, each document in its last accepted version, for the copy of the session. */
    agreed: { id: string; version: string; locale: string; at: string }[]
    /** The status of each account's payment by account id, once released; null if no payment was made. */
    payments: Record<string, string | null>
    /** True if the allocations can still be changed. */
    editable: boolean
  }
  blocked: {
    reason: BlockedReason
    /** The time from which a retry can succeed, ISO 8601, or null. */
    retry_at: string | null
    can_retry: boolean
    /**
     * Cents of the required total that the accounts can't take, and the required total; 0 except for infeasible_terms.
     */
    shortfall: number
    least: number
  }
}

/** The input of each step, as `input` of `POST /s/steps/<step>`. `back` is accepted if `can_go_back` is true. */
export interface StepInput {
  consent: { action: 'accept'; documents: { id: string; version: string }[]; locale: string }
  /**
   * `silent`: the device is on a mobile network whose carrier may know its number. `not_me`, here and in `code`: for a
   * number that is shown and can't be edited.
   */
  phone: { action: 'send'; phone?: string; silent?: true } | { action: 'not_me' }
  /** `silent`: the device opened the URLs. */
  code:
    | { action: 'verify'; code: string }
    | { action: 'silent' }
    | { action: 'resend' }
    | { action: 'change' }
    | { action: 'not_me' }
  details: {
    action: 'submit'
    first_name?: string
    last_name?: string
    dob?: string
    line1?: string
    line2?: string
    city?: string
    state?: string
    zip?: string
    ssn_4?: string
  }
  questions: { action: 'answer'; answers: { question_id: string; answer_id: string }[] }
  discovering: never
  selection: { action: 'select'; accounts: string[]; future_accounts?: boolean }
  number: { action: 'submit'; number: string } | { action: 'skip' }
  /** `enter`: go directly to the amounts. `first` and `second` are in cents, in either order. */
  deposits: { action: 'send' } | { action: 'enter' } | { action: 'submit'; first: number; second: number }
  card: ({ action: 'submit' } & Partial<Record<CardField, string>>) | { action: 'skip' }
  allocation: { action: 'review'; allocations: Allocations }
  /** `locale`: the language in which the authorization was shown. Default: the language of the earlier consent. */
  review: { action: 'confirm'; locale?: string }
  done: { action: 'edit' }
  blocked: { action: 'retry' }
}

/** One event of the detailed stream, `<flow>.<object>.<action>`. Contains ids and numbers only, no personal data. */
export interface FlowEvent {
  type: string
  timestamp: string
  data: Record<string, unknown> | null
}

interface ViewBase {
  session_id: string
  entity_id: string
  mode: Mode
  /** Sent with the next step. A stale revision is rejected with a 409 that contains the current view. */
  revision: number
  progress: { index: number; total: number }
  can_go_back: boolean
  brand: {
    name: string
    /** A path on the frame's own origin. */
    logo: string | null
    primary_color: string | null
    support_url: string | null
    privacy_url: string | null
  }
  appearance: 'light' | 'dark' | 'system'
  errors: StepError[]
  /** Events of this call, for the host page. */
  events: FlowEvent[]
  /** Ids of the accounts that the session linked or allocated; filled in at `done`. */
  accounts: string[]
  /** The signed outcome (JWS, valid for ten minutes), present at `done`. */
  result: string | null
  /** The service's time, ISO 8601. All other times are on this clock, which can differ from the device's. */
  now: string
  /** The time at which the bearer expires if the person does nothing, ISO 8601. */
  expires_at: string
}

export type SessionView = { [S in Step]: ViewBase & { step: S; data: StepData[S] } }[Step]
export type ViewOf<S extends Step> = Extract<SessionView, { step: S }>

/** `POST /s/redeem` */
export interface RedeemRequest {
  token: string
  /** 128 random bits in base 62 or hex. The same value within 60 s returns the same session. */
  exchange_id: string
  /** Origin of the page that embeds the frame; null on a hosted page. */
  origin: string | null
  /**
   * The element's mode ({@link elementOf}). A token of another mode causes INVALID_MODE_CONFIG. Null on a hosted page.
   */
  mode: ElementMode | null
}
export interface RedeemAnswer {
  bearer: string
  view: SessionView
}

/** The facts that a hosted page shows before its link is opened. Only `link` if the service knows no such link. */
export interface HostedPage {
  link: 'open' | 'used' | 'late' | 'unknown'
  /** The name of the customer. */
  brand?: string
  /** The path of its logo, on the frame's own origin. */
  logo?: string | null
  /** The customer's color, `#rrggbb`. */
  accent?: string | null
  appearance?: 'light' | 'dark' | 'system'
  /** The URL to return to at the end; null if there is none. */
  redirect?: string | null
}

/** The error body of the session calls: the usual one, with the current view in addition for a stale revision. */
export interface SessionErrorBody {
  error: { type: string; code: number; sub_type: string; message: string }
  view?: SessionView
}
