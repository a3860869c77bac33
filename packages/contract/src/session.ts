/**
 * The view that the frame draws: the whole session as the service sees it. Every call under `/s` answers one.
 * Dependency-free, because the frame carries it. The service sends codes and values; the words are the frame's.
 * Long because it is every step's half of one contract.
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

/** The element of a mode: `<connect-element>` shows every mode but the one that has an element of its own. */
export type ElementMode = 'connect' | 'balance_transfer'
export const elementOf = (mode: Mode): ElementMode => (mode === 'balance_transfer' ? mode : 'connect')

/** The fields that a card can need: unknown, or wrong. */
export const cardFields = ['number', 'exp_month', 'exp_year', 'cvv', 'billing_zip_code'] as const
export type CardField = (typeof cardFields)[number]

/** A field of the person's details that may be asked for. */
type DetailField = 'name' | 'dob' | 'address' | 'ssn_4'

/** One account that was found, as the person sees it. Amounts in cents; `apr` in percent. */
export interface AccountView {
  id: string
  /** Empty for a bank account: its type and its last digits are its name. */
  name: string
  /** Empty where it is not known, as of a bank account. */
  institution: string
  /** Last digits, or null. */
  mask: string | null
  /** The kind of a debt, such as `credit_card`; `checking` or `savings` for a bank account. */
  type: string
  balance: number | null
  /** When the balance was true, ISO 8601, or null. */
  balance_as_of: string | null
  apr: number | null
  /**
   * `needs_number`: usable once the person gives the full number; `needs_card`: once they show that they hold the card;
   * `needs_deposits`: once they name the two amounts that were sent to it.
   */
  status: 'ready' | 'needs_number' | 'needs_card' | 'needs_deposits' | 'ineligible'
  /** Why it can't be chosen; null unless ineligible. */
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

/** The reason that the flow can't continue from here. */
export type BlockedReason =
  | 'no_accounts'
  | 'none_eligible'
  | 'thin_file'
  | 'credit_freeze'
  | 'too_many_codes'
  | 'too_many_attempts'
  | 'identity_failed'
  /** The person said that they are not whom the customer named. */
  | 'not_me'
  | 'infeasible_terms'
  | 'account_unverified'
  | 'deposits_locked'
  | 'deposits_returned'
  | 'disabled'
  | 'unavailable'

/**
 * Documents that consent can name, and the versions of each that people were ever asked to agree to, the latest first;
 * the frame has a text for every one. `payments` is the authorization of `review`, `future_accounts` the box of
 * `selection`.
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

/** The problem with the last input: a field of that step, a code, and the values that the words need. */
export interface StepError {
  /** Name of the input field, an account id for amounts, or null for the whole step. */
  field: string | null
  /** One that the step's screen has words for; any other one gets a general sentence. */
  code: string
  /** Such as `tries_left` of `incorrect` and `retry_at` of `too_many_codes`. */
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
    /** Last four digits of the number on file, or null where none is. */
    last4: string | null
    /** True if the person may type another number. */
    editable: boolean
  }
  code: {
    last4: string
    editable: boolean
    /**
     * Addresses for the handset to open, so that its carrier says whose it is and no code is needed; null where one was
     * sent.
     */
    silent: string[] | null
    /** When another code can be asked for, ISO 8601. */
    resend_at: string
    sends_left: number
    tries_left: number
    expires_at: string
  }
  details: {
    fields: DetailField[]
    /** Details that may be shown again: typed in this session, or supplied by the customer and confirmed by phone. */
    values: Partial<Record<'first_name' | 'last_name' | 'dob' | 'line1' | 'line2' | 'city' | 'state' | 'zip', string>>
  }
  questions: { questions: Question[]; tries_left: number }
  discovering: {
    /** The source that the step waits for: `bureau`, or names of institutions. */
    asking: string[]
    started_at: string
    /** True where it takes long enough to say so. */
    slow: boolean
  }
  selection: {
    kind: 'single' | 'multiple' | 'all'
    accounts: AccountView[]
    terms: Terms | null
    checked_at: string
    /** True if accounts that the person opens later are shared too, as they said it before; null where that isn't asked. */
    future_accounts: boolean | null
    /** Cents by which all eligible accounts together fall short of the terms; 0 where they can be met. */
    shortfall: number
  }
  number: {
    account: AccountView
    /** Patterns to hint with, `#` for a digit; never a reason to refuse. */
    formats: string[]
    tries_left: number
    /** Which of how many accounts that need a number. */
    index: number
    count: number
    /** True if it can be left out, because there are others. */
    skippable: boolean
  }
  deposits: {
    account: AccountView
    /** `offer`: nothing was sent yet; `sent`: they are on their way; `amounts`: the person is asked what arrived. */
    state: 'offer' | 'sent' | 'amounts'
    /** ISO 8601; null before they are sent. */
    sent_at: string | null
    /** A moment of the business day by whose end they have arrived, ISO 8601; null before they are sent. */
    arrive_by: string | null
    tries_left: number
  }
  card: {
    account: AccountView
    fields: CardField[]
    /** The ZIP code that the person typed in this session; null if they typed none. */
    zip: string | null
    tries_left: number
    /** Which of how many cards that are checked. */
    index: number
    count: number
    skippable: boolean
  }
  allocation: {
    terms: Terms
    accounts: AccountView[]
    /** Accounts that were chosen and dropped, with their reason. */
    dropped: AccountView[]
    allocations: Allocations
    suggestion: Allocations
    /** The order of `suggestion`. */
    strategy: Suggestion
    /** The loan's rate, percent a year, or null where the customer did not give it. */
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
    /** When it was confirmed or finished for the first time, ISO 8601. */
    completed_at: string | null
    /** The terms that the person accepted, each document as of the last time, for the copy of the session. */
    agreed: { id: string; version: string; locale: string; at: string }[]
    /** Status of each account's payment by account id, once released; null where none was made, then or later. */
    payments: Record<string, string | null>
    /** True if the allocations can still be changed. */
    editable: boolean
  }
  blocked: {
    reason: BlockedReason
    /** When trying again can help, ISO 8601, or null. */
    retry_at: string | null
    can_retry: boolean
    /** Cents that the accounts can't take of what must go to them, and all that must; 0 but for infeasible_terms. */
    shortfall: number
    least: number
  }
}

/** The input of each step, as `input` of `POST /s/steps/<step>`. `back` is accepted if the view says so. */
export interface StepInput {
  consent: { action: 'accept'; documents: { id: string; version: string }[]; locale: string }
  /**
   * `silent`: the device is on a mobile network, whose carrier may know its number. `not_me`, here and at `code`: where a
   * number is shown that can't be edited.
   */
  phone: { action: 'send'; phone?: string; silent?: true } | { action: 'not_me' }
  /** `silent`: the addresses were opened. */
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
  /** `enter`: asks for the amounts at once. `first` and `second` in cents, in either order. */
  deposits: { action: 'send' } | { action: 'enter' } | { action: 'submit'; first: number; second: number }
  card: ({ action: 'submit' } & Partial<Record<CardField, string>>) | { action: 'skip' }
  allocation: { action: 'review'; allocations: Allocations }
  /** `locale`: what the authorization was shown in; without it, what the person agreed in before. */
  review: { action: 'confirm'; locale?: string }
  done: { action: 'edit' }
  blocked: { action: 'retry' }
}

/** One line of the detailed stream, `<flow>.<object>.<action>`; ids and numbers only, nothing personal. */
export interface FlowEvent {
  type: string
  timestamp: string
  data: Record<string, unknown> | null
}

interface ViewBase {
  session_id: string
  entity_id: string
  mode: Mode
  /** Sent back with the next step; a stale one is a 409 that carries the current view. */
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
  /** Ids of the accounts that the session linked or allocated; filled at `done`. */
  accounts: string[]
  /** A signed account of the end (JWS, ten minutes), present at `done`. */
  result: string | null
  /** The service's time, ISO 8601; every other moment is by it, and a device's clock may differ. */
  now: string
  /** When the bearer stops working if nothing is done, ISO 8601. */
  expires_at: string
}

export type SessionView = { [S in Step]: ViewBase & { step: S; data: StepData[S] } }[Step]
export type ViewOf<S extends Step> = Extract<SessionView, { step: S }>

/** `POST /s/redeem` */
export interface RedeemRequest {
  token: string
  /** 128 random bits in base 62 or hex; the same one within 60 s gets the same session. */
  exchange_id: string
  /** Origin of the page that embeds the frame, null on a hosted page. */
  origin: string | null
  /** The element's mode ({@link elementOf}); a token of another mode is INVALID_MODE_CONFIG. Null on a hosted page. */
  mode: ElementMode | null
}
export interface RedeemAnswer {
  bearer: string
  view: SessionView
}

/** A hosted page's facts before its link is opened. Nothing but `link` if the service knows no such link. */
export interface HostedPage {
  link: 'open' | 'used' | 'late' | 'unknown'
  /** Name of whose page it is. */
  brand?: string
  /** The path of its logo, on the frame's own origin. */
  logo?: string | null
  /** Their color, `#rrggbb`. */
  accent?: string | null
  appearance?: 'light' | 'dark' | 'system'
  /** The page's end; null if there is no way back. */
  redirect?: string | null
}

/** The error body of the session calls: as everywhere, and the current view beside it on a stale revision. */
export interface SessionErrorBody {
  error: { type: string; code: number; sub_type: string; message: string }
  view?: SessionView
}
