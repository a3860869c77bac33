// biome-ignore-all lint/style/noExcessiveLinesPerFile: the views of all steps form one contract.
/**
 * The session view: the entire state of a session, as the frame renders it. Every call under `/s` returns a view. The
 * service sends codes and values, and the frame supplies the text. The module has no dependencies because the frame
 * bundles it.
 */
import type { Allocations, Suggestion, Terms } from './allocations.js'

export const steps = [
  'consent',
  'phone',
  'code',
  'details',
  'questions',
  'link',
  'discovering',
  'selection',
  'number',
  'deposits',
  'card',
  'allocation',
  'review',
  'done',
  'manage',
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
  'manage',
] as const
export type Mode = (typeof modes)[number]

/** The element that runs a mode. `<connect-element>` runs every mode except `balance_transfer`. */
export type ElementMode = 'connect' | 'balance_transfer'
export const elementOf = (mode: Mode): ElementMode => (mode === 'balance_transfer' ? mode : 'connect')

/** Card fields that the flow can request. */
export const cardFields = ['number', 'exp_month', 'exp_year', 'cvv', 'billing_zip_code'] as const
export type CardField = (typeof cardFields)[number]

/** A personal detail that the flow can request. */
type DetailField = 'name' | 'dob' | 'address' | 'ssn_4'

/** A discovered account as shown to the person. Amounts are in cents. `apr` is a percentage. */
export interface AccountView {
  id: string
  /** Empty for a bank account, which the screen identifies by its type and last digits. */
  name: string
  /** Empty if unknown, as for a bank account. */
  institution: string
  /** The path of the institution's logo on the frame's own origin, or null. */
  logo: string | null
  /** The path of the card's art on the frame's own origin, or null if the card's design is unknown. */
  card: string | null
  /** The last digits of the account number, or null. */
  mask: string | null
  /** The debt type, such as `credit_card`. For a bank account, `checking` or `savings`. */
  type: string
  balance: number | null
  /** The time at which the balance was reported, ISO 8601, or null. */
  balance_as_of: string | null
  apr: number | null
  /**
   * An account becomes usable when the person completes the step for its status: in `needs_number`, they enter the full
   * number; in `needs_card`, they prove that they hold the card; in `needs_deposits`, they enter the two deposited
   * amounts.
   */
  status: 'ready' | 'needs_number' | 'needs_card' | 'needs_deposits' | 'ineligible'
  /** The reason that the account can't be chosen. Null unless the account is ineligible. */
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

/** The accounts that the customer sees: only those that the person chooses, or all accounts that are found. */
export const accountSharings = ['chosen', 'all'] as const
export type AccountSharing = (typeof accountSharings)[number]

/** The reason that the flow can't continue. */
export type BlockedReason =
  | 'no_accounts'
  | 'none_eligible'
  | 'thin_file'
  | 'credit_freeze'
  | 'too_many_codes'
  | 'too_many_attempts'
  | 'identity_failed'
  /** The person said that the customer named someone else. */
  | 'not_me'
  | 'infeasible_terms'
  | 'account_unverified'
  | 'deposits_locked'
  | 'deposits_returned'
  | 'disabled'
  | 'unavailable'

/**
 * Documents that a consent can name, each with every version ever presented, latest first. The frame contains the text
 * of every version. `payments` is the authorization in `review`. `future_accounts` is the checkbox in `selection`.
 */
export const documentVersions = {
  esign: ['2026-11-26', '2026-11-21', '2026-11-01'],
  credit_report: ['2026-11-29', '2026-11-26', '2026-11-24', '2026-11-21', '2026-11-01'],
  account_data: ['2026-11-30', '2026-11-29', '2026-11-26', '2026-11-24', '2026-11-21', '2026-11-01'],
  transactions: ['2026-11-26', '2026-11-01'],
  future_accounts: ['2026-11-26', '2026-11-01'],
  text_messages: ['2026-11-29', '2026-11-01'],
  payments: ['2026-11-26', '2026-11-21', '2026-11-01'],
  privacy: ['2026-11-30', '2026-11-29', '2026-11-26', '2026-11-24', '2026-11-21', '2026-11-01'],
} as const satisfies Record<string, readonly [string, ...string[]]>
export type DocumentId = keyof typeof documentVersions

/** The companies, besides the customer, that the documents name as recipients of the person's data. */
export interface Recipients {
  /** The name of the company that runs the service. */
  service: string
  /** The name of the credit bureau, or null if the network does not name it. Absent if no bureau takes part. */
  bureau?: string | null
  /**
   * The name of the company on whose page the person signs in to institutions, or null if the network does not name it.
   * Absent if accounts are found without that.
   */
  aggregator?: string | null
  /**
   * The name of another company that receives the person's details in order to find their accounts, or null if it is not
   * named. Absent if there is none.
   */
  network?: string | null
}

/** A problem with the last input: the field, a code and the values used in the message. */
export interface StepError {
  /** The name of the input field or, for amounts, an account id. Null means the entire step. */
  field: string | null
  /**
   * Selects the message that the step's screen shows. If no message exists for a code, the screen shows a general one.
   */
  code: string
  /** Values such as `tries_left` for `incorrect` and `retry_at` for `too_many_codes`. */
  values: Record<string, number | string>
}

export interface Question {
  id: string
  text: string
  answers: { id: string; text: string }[]
}

/** The kinds of data listed on the person's own page. Each product declares the kind that it shares. */
export type SharedData =
  | 'number'
  | 'balance'
  | 'statement'
  | 'payoff'
  | 'card'
  | 'usage'
  | 'purchases'
  | 'payments'
  | 'identity'
  | 'accounts'
  | 'credit_score'
  | 'credit_profile'
  | 'vehicles'

/** The data that the customer can see about the person or an account. */
export interface Sharing {
  data: SharedData[]
  /** The subset of `data` for which the customer also receives updates. */
  updated: SharedData[]
  /** The time at which sharing began, ISO 8601. */
  since: string
}

/** An institution that a person has linked. */
export interface LinkedInstitution {
  id: string
  name: string
  /** `repair`: the person must sign in again. `name_mismatch`: an account is in another name, and is left out. */
  status: 'ok' | 'repair' | 'name_mismatch'
}

/**
 * The data for each step's view. If `waiting` is true, the service waits for something other than the person's input here,
 * so the frame asks for the view again and again.
 */
export interface StepData {
  consent: {
    /** The documents to agree to. */
    documents: { id: string; version: string }[]
    /** The kinds of data that the person is asked to share and has not yet agreed to share, named by the documents. */
    shares: SharedData[]
    /**
     * Documents that this session requires and that the person agreed to in an earlier session, with the time of
     * agreement. Empty until the phone is verified with this bearer token.
     */
    carried: { id: string; version: string; shares: SharedData[]; at: string }[]
  }
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
     * URLs that the phone opens so that its carrier can confirm the number without a code. Null if a code was sent.
     */
    silent: string[] | null
    /** The earliest time at which another code can be requested, ISO 8601. */
    resend_at: string
    sends_left: number
    tries_left: number
    expires_at: string
  }
  details: {
    fields: DetailField[]
    /**
     * Details that may be displayed again because the person entered them in this session, or because the customer
     * supplied them and the person's phone was verified.
     */
    /** An empty `last_name` means that the person has one legal name. */
    values: Partial<Record<'first_name' | 'last_name' | 'dob' | 'line1' | 'line2' | 'city' | 'state' | 'zip', string>>
  }
  questions: { questions: Question[]; tries_left: number }
  /** The page of the provider of account data, on which the person signs in to their institutions. */
  link: {
    /** The provider's name, or null if it has none that people know. */
    provider: string | null
    /** The page to open in a window or tab of its own, because it can't be embedded. */
    url: string
    /** The time at which the page stops working, ISO 8601. The view then has another page. */
    expires_at: string
    /** The id of the institution that the page repairs. Null if the person links another institution there. */
    repairs: string | null
    /** True if the person opened the page, and its outcome is not known yet. */
    waiting: boolean
    /**
     * The reason that nothing was linked on the last page: the person closed it, it expired, or the institution could not
     * be linked. Null if something was linked, or if the outcome is not known.
     */
    ending: 'closed' | 'expired' | 'failed' | null
    /** The institutions that the person has linked. */
    institutions: LinkedInstitution[]
    /** The legal name that the accounts must have, or null if it is unknown. */
    name: string | null
  }
  discovering: {
    /** The sources that the step is waiting for: `bureau` or institution names. */
    asking: string[]
    started_at: string
    /** True if the search is slow. The screen then shows a message. */
    slow: boolean
    waiting: true
  }
  selection: {
    kind: 'single' | 'multiple' | 'all'
    accounts: AccountView[]
    sharing: AccountSharing
    terms: Terms | null
    checked_at: string
    /** True if the person agreed to share accounts that they open later. Null if they weren't asked. */
    future_accounts: boolean | null
    /**
     * The number of cents that the terms require beyond what all eligible accounts can receive together. 0 if the terms
     * can be met.
     */
    shortfall: number
  }
  number: {
    account: AccountView
    /**
     * Number patterns to show as hints, with `#` for each digit. A number that matches no pattern is still accepted.
     */
    formats: string[]
    tries_left: number
    /** The account's position among the `count` accounts that need a number. */
    index: number
    count: number
    /** True if the person can skip this account because they have other accounts. */
    skippable: boolean
  }
  deposits: {
    account: AccountView
    /**
     * `offer`: nothing has been sent; `sent`: the deposits are on their way; `amounts`: the person can enter the
     * amounts.
     */
    state: 'offer' | 'sent' | 'amounts'
    /** ISO 8601. Null until the deposits are sent. */
    sent_at: string | null
    /** A time on the last business day on which the deposits can arrive, ISO 8601. Null until they are sent. */
    arrive_by: string | null
    tries_left: number
  }
  card: {
    /** Null if the person enters a card that was not found. The card is then added to their accounts. */
    account: AccountView | null
    /** The issuers that a card that was not found can have. Empty unless `account` is null. */
    issuers: { id: string; name: string }[]
    fields: CardField[]
    /** The ZIP code that the person entered in this session, or null. */
    zip: string | null
    tries_left: number
    /** The card's position among the `count` cards to check. */
    index: number
    count: number
    skippable: boolean
  }
  allocation: {
    terms: Terms
    accounts: AccountView[]
    /** Accounts that the person chose but the service dropped, with the reason for each. */
    dropped: AccountView[]
    allocations: Allocations
    suggestion: Allocations
    /** The strategy that produced `suggestion`. */
    strategy: Suggestion
    /** The loan's annual percentage rate, or null if the customer did not send it. */
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
    /** The time at which the session was first confirmed or finished, ISO 8601. */
    completed_at: string | null
    /**
     * The documents that the person agreed to, each in the last version accepted. Used for the person's copy of the
     * session. `earlier` marks an agreement from an earlier session.
     */
    agreed: { id: string; version: string; locale: string; shares: SharedData[]; at: string; earlier?: true }[]
    /** Payment status by account id, once the payments are released. Null for an account without a payment. */
    payments: Record<string, string | null>
    /** True while the allocations can still be changed. */
    editable: boolean
    /** True if a balance transfer follows. The frame continues with it immediately. */
    continues: boolean
  }
  /** Everything that the person shares with the customer. */
  manage: {
    person: Sharing
    /** The time at which the person agreed to share accounts that they open later, ISO 8601, or null. */
    future_since: string | null
    accounts: (Sharing & Pick<AccountView, 'id' | 'name' | 'institution' | 'logo' | 'card' | 'mask' | 'type'>)[]
    /** Accounts that were found and are not shared. */
    hidden: Pick<AccountView, 'id' | 'name' | 'institution' | 'logo' | 'card' | 'mask' | 'type'>[]
    /** The institutions that the person has linked, whose accounts are updated from there. */
    institutions: LinkedInstitution[]
    /** Accounts that are no longer shared, latest first. Their details were deleted. */
    withdrawn: { id: string; at: string }[]
    /** The documents that the person agreed to in any session, latest first. */
    receipts: {
      id: string
      version: string
      locale: string
      shares: SharedData[]
      at: string
      recipients: Recipients
    }[]
  }
  blocked: {
    reason: BlockedReason
    /** The earliest time at which a retry can succeed, ISO 8601, or null. */
    retry_at: string | null
    can_retry: boolean
    /**
     * The number of cents by which the required total exceeds what the accounts can receive. Both `shortfall` and
     * `least` (the required total) are 0 unless the reason is `infeasible_terms`.
     */
    shortfall: number
    least: number
    /**
     * The largest loan that the accounts can take, in cents. The person can ask the customer for it. 0 if there is none,
     * or if the reason is not `infeasible_terms`.
     */
    feasible: number
    /** The loan that the person asked the customer for, in cents, or null. */
    requested: number | null
    /**
     * The credit bureau that froze the file. Null for every other reason, or if the network does not name the bureau.
     */
    bureau: { name: string; phone: string | null; url: string | null } | null
    /** True if no account was found and the person can enter a card. */
    can_add_card: boolean
  }
}

/** The input for each step, sent as `input` to `POST /s/steps/<step>`. `back` is accepted if `can_go_back` is true. */
export interface StepInput {
  /**
   * `recipients`: the recipients that the page showed. If the session's documents name other recipients, the service
   * returns the same error as for different documents. Pages from earlier versions don't send `recipients`.
   * `silent`, here and in `phone`: the device is on a mobile network whose carrier may recognize its number. If the
   * customer sent the person's number, agreeing also requests the proof of the number.
   */
  consent: {
    action: 'accept'
    documents: { id: string; version: string }[]
    locale: string
    recipients?: Recipients
    silent?: true
  }
  /**
   * `not_me`, here and in `code`: the person says that the displayed number, which can't be edited, is not theirs.
   */
  phone: { action: 'send'; phone?: string; silent?: true } | { action: 'not_me' }
  /** `silent`: the device has opened the URLs. */
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
    /** The person has one legal name, which is `first_name`. */
    one_name?: true
    dob?: string
    line1?: string
    line2?: string
    city?: string
    state?: string
    zip?: string
    ssn_4?: string
  }
  questions: { action: 'answer'; answers: { question_id: string; answer_id: string }[] }
  /**
   * `open`: the person opened the page. `check`: reads what happened there now. `add` and `repair` replace the page with
   * one for another institution or for one that needs another sign-in. `continue`: finds the accounts of the linked
   * institutions.
   */
  link: { action: 'open' | 'check' | 'add' | 'continue' } | { action: 'repair'; institution: string }
  discovering: never
  selection: { action: 'select'; accounts: string[]; future_accounts?: boolean }
  number: { action: 'submit'; number: string } | { action: 'skip' }
  /** `enter`: skip directly to the amounts. `first` and `second` are in cents, in either order. */
  deposits: { action: 'send' } | { action: 'enter' } | { action: 'submit'; first: number; second: number }
  /** `issuer` is required if the view's `account` is null. */
  card: ({ action: 'submit'; issuer?: string } & Partial<Record<CardField, string>>) | { action: 'skip' }
  allocation: { action: 'review'; allocations: Allocations }
  /** `locale`: the language in which the authorization was displayed. Default: the language of the earlier consent. */
  review: { action: 'confirm'; locale?: string }
  /** `continue`: the view that follows is of the balance transfer's session. */
  done: { action: 'edit' } | { action: 'continue' }
  /**
   * `share` and `withdraw` start and stop the sharing of one account. `disconnect` ends the access to an institution,
   * whose accounts stay shared without further updates. `withdraw_all` stops all sharing and deletes the person's data.
   */
  manage:
    | { action: 'share' | 'withdraw'; account: string }
    | { action: 'disconnect'; institution: string }
    | { action: 'withdraw_all' }
  /** `request_loan`: asks the customer for the loan that the accounts can take. `add_card`: continues to enter a card. */
  blocked: { action: 'retry' | 'request_loan' | 'add_card' }
}

/** An event in the detailed stream, of type `<flow>.<object>.<action>`. Holds ids and numbers but no personal data. */
export interface FlowEvent {
  type: string
  timestamp: string
  data: Record<string, unknown> | null
}

interface ViewBase {
  session_id: string
  entity_id: string
  mode: Mode
  /**
   * The next step's request must include this number. The service rejects a stale revision with a 409 response that
   * contains the current view.
   */
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
  /** The recipients that the session's documents name. The recipients don't change after the person agrees. */
  recipients: Recipients
  appearance: 'light' | 'dark' | 'system'
  errors: StepError[]
  /** Events from this call, for the host page. */
  events: FlowEvent[]
  /** Ids of the accounts linked in the session or given an allocation. Set when the session reaches `done`. */
  accounts: string[]
  /** The signed outcome (a JWS, valid for ten minutes). Present only at `done`. */
  result: string | null
  /**
   * The service's current time, ISO 8601. All other times in the view use this clock, which can differ from the
   * device's clock.
   */
  now: string
  /** The time at which the bearer token expires if the person takes no action, ISO 8601. */
  expires_at: string
}

export type SessionView = { [S in Step]: ViewBase & { step: S; data: StepData[S] } }[Step]
export type ViewOf<S extends Step> = Extract<SessionView, { step: S }>

/** `POST /s/redeem` */
export interface RedeemRequest {
  token: string
  /** 128 random bits in base 62 or hex. Sending the same value again within 60 s returns the same session. */
  exchange_id: string
  /** The origin of the page that embeds the frame. Null on a hosted page. */
  origin: string | null
  /**
   * The element's mode ({@link elementOf}). A token for another mode causes INVALID_MODE_CONFIG. Null on a hosted page, and
   * for an element that accepts any mode.
   */
  mode: ElementMode | null
  /** True for a frame that is not yet shown. `POST /s/open` starts the session. */
  prepared?: boolean | undefined
}
export interface RedeemAnswer {
  bearer: string
  /** Absent for a prepared session whose next step requires an action by the service. */
  view?: SessionView | undefined
}

/**
 * The information that a hosted page shows before the person starts the flow. If the service doesn't recognize the
 * link, only `link` is set.
 */
export interface HostedPage {
  link: 'open' | 'used' | 'late' | 'unknown'
  /** The customer's name. */
  brand?: string
  /** The path of the customer's logo, on the frame's own origin. */
  logo?: string | null
  /** The customer's color, `#rrggbb`. */
  accent?: string | null
  appearance?: 'light' | 'dark' | 'system'
  /** True if the page shows the person what they share, and shares nothing new. */
  own?: boolean
  /** The URL that the person returns to at the end, or null. */
  redirect?: string | null
}

/** The first screen as markup, which the service adds to the frame's page. */
export interface FirstScreen {
  title: string
  lang: string
  dir: 'ltr' | 'rtl'
  /** The color scheme; null if the person's system determines it. */
  scheme: 'light' | 'dark' | null
  html: string
  css: string
}

/**
 * The error body of the session calls: the usual fields and, if the revision is stale, the current view.
 */
export interface SessionErrorBody {
  error: { type: string; code: number; sub_type: string; message: string }
  view?: SessionView
}
