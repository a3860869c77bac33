import type { MissingDetail } from '@causeway/connector/ports/identity'
import type { Allocations, Suggestion, Terms } from '@causeway/contract/allocations'
import type { AccountSharing, Recipients, Step } from '@causeway/contract/session'
import type { AgreedProducts } from '../../people/holders/consent-rules.js'
import { jsonColumn } from '../../platform/db/json-column.js'
import type { Tables } from '../../platform/db/tables.js'

export type SessionRow = Tables['sessions']

/** The session's JSON columns. */
export const sessionJson = {
  config: jsonColumn<Partial<SessionConfig>>('sessions.config'),
  progress: jsonColumn<Partial<Progress>>('sessions.progress'),
  allocations: jsonColumn<Allocations>('sessions.allocations'),
  /** Payment ids by account; null for an account that the release could not pay. */
  payment_ids: jsonColumn<Record<string, string | null>>('sessions.payment_ids'),
  payment_errors: jsonColumn<Record<string, unknown>>('sessions.payment_errors'),
}

/** A token's JSON columns. */
export const tokenJson = {
  origins: jsonColumn<string[]>('tokens.origins'),
  display: jsonColumn<{ name: string | null; logo: string | null }>('tokens.display'),
}

export const eventData = jsonColumn<Record<string, unknown>>('session_events.data')

/** The terms of a balance transfer, with the information shown to the person. */
export interface TransferTerms extends Terms {
  /** Absent in sessions created before this option existed, which use `highest_rate`. */
  suggestion?: Suggestion
  /** The loan's rate in percent per year; absent if not given. */
  loan_apr?: number
}

/** The configuration that the customer sent with the token. */
export interface SessionConfig {
  /** Null except for a balance transfer. */
  terms: TransferTerms | null
  kind: 'single' | 'multiple' | 'all'
  /** Products that an account must have, or be able to get, before it can be chosen. */
  products: string[]
  /** The products that the person is asked to share; null for all products. */
  asks: AgreedProducts
  /** The accounts to offer; null to offer all accounts. */
  accounts: string[] | null
  include: { account_types: string[] | null; products: string[] | null }
  exclude: { account_types: string[]; mch_ids: string[]; unverified_account_numbers: boolean }
  skip_pii: ('name' | 'dob' | 'address' | 'ssn_4')[]
  /**
   * The proof required for each chosen account: its number, a check by the card's network, or the proof that fits its
   * type; null for none.
   */
  proof: 'number' | 'network' | 'fitting' | null
  /** The accounts that the customer sees after the person has chosen. */
  sharing: AccountSharing
  /** The configuration of the balance transfer that follows a connect session; null if none follows. */
  next: SessionConfig | null
}

export const blankConfig: SessionConfig = {
  terms: null,
  kind: 'multiple',
  products: [],
  asks: null,
  accounts: null,
  include: { account_types: null, products: null },
  exclude: { account_types: [], mch_ids: [], unverified_account_numbers: false },
  skip_pii: [],
  proof: null,
  // Sessions created before this option share all accounts.
  sharing: 'all',
  next: null,
}

/**
 * The person's progress so far. Everything else is derived from it, so any device can continue where another left off.
 */
export interface Progress {
  consented: boolean
  /** The session of the balance transfer that follows; null if none follows. */
  next: string | null
  /** The ids of earlier agreements that count in this session. */
  carried: string[]
  /** The customer's name in the documents that the person agreed to. Null before the first redemption. */
  named: string | null
  /**
   * The recipients in the documents that the person agreed to. Null before the first redemption, and in sessions whose
   * documents don't name the company that runs the service.
   */
  recipients: Recipients | null
  /** The language in which the person agreed. */
  locale: string | null
  /** The phone session that is waiting for its code. */
  phone_session: string | null
  /** The job that sends the code. */
  sending: string | null
  /** The number of silent checks requested from the carrier. */
  silent: number
  /**
   * The hash of the bearer that requested the last silent check. A silent check involves no code, so its result counts
   * only for this bearer.
   */
  silent_bearer: string | null
  /** The details still missing for a match; null if matching has not run yet. */
  missing: MissingDetail[] | null
  /** Details that were typed in this session and can be shown again. */
  typed: MissingDetail[]
  /** True if the person can still resubmit the details form to find a match. */
  revisable: boolean
  /** True if the person went back to change details that had already matched. */
  revising: boolean
  identity_session: string | null
  /**
   * True if the person continued with the institutions that they linked, and false if they went back to them. Null until
   * then.
   */
  linked: boolean | null
  /**
   * The time when the person last arrived with a token, in ms. Balances that are more than a day old at that time are
   * requested again. Null if the person has not arrived yet.
   */
  came: number | null
  selected: string[] | null
  /**
   * The accounts that the person chose in their last connect session, for a balance transfer. They are preselected.
   * Null if there is no such session, or once the person has chosen in this one.
   */
  earlier: string[] | null
  /** True if the person agreed, while selecting accounts, to share accounts that they open later. */
  future: boolean
  /** True if the person went back to account selection. The earlier selection and amounts are kept. */
  choosing: boolean
  /** Accounts whose number was skipped or rejected. */
  dropped: Record<string, 'skipped' | 'refused'>
  draft: Allocations | null
  reviewing: boolean
  /** True while the person is changing confirmed allocations. */
  editing: boolean
  /** The most recently shown step. Used only for the detailed event stream. */
  shown: Step | null
  /**
   * True if `blocked` was shown before the detailed event stream reported the person's identification. The stream
   * reports the identification when the person continues.
   */
  interrupted: boolean
  /** True while the person enters a card, because no account was found. */
  entering: boolean
  /** True if an external service did not respond. A retry clears this flag. */
  unavailable: boolean
  /**
   * The verification session whose deposits were just sent from this page; null after the person takes any other
   * action, here or with another token.
   */
  awaited: string | null
  /** The time when the person closed the flow early, in ms; null after they return. */
  exited: number | null
  /** The smaller loan that the person asked the customer for, in cents; null if they did not ask. */
  requested_loan: number | null
  /** True if the person withdrew all consent in this session. */
  withdrawn: boolean
  /** The time when the visitor said that they are someone else, in ms; null after another token is used. */
  not_me: number | null
}

/** The part of the progress that changes when another step is shown. */
export type ShownProgress = Pick<Progress, 'shown' | 'interrupted'>

export const blankProgress: Progress = {
  consented: false,
  next: null,
  carried: [],
  named: null,
  recipients: null,
  locale: null,
  phone_session: null,
  sending: null,
  silent: 0,
  silent_bearer: null,
  missing: null,
  typed: [],
  revisable: false,
  revising: false,
  identity_session: null,
  linked: null,
  came: null,
  selected: null,
  earlier: null,
  future: false,
  choosing: false,
  dropped: {},
  draft: null,
  reviewing: false,
  editing: false,
  shown: null,
  interrupted: false,
  entering: false,
  unavailable: false,
  awaited: null,
  exited: null,
  requested_loan: null,
  withdrawn: false,
  not_me: null,
}

export const readProgress = (row: Pick<SessionRow, 'progress'>): Progress => ({
  ...blankProgress,
  ...sessionJson.progress.read(row.progress),
})
export const readConfig = (row: SessionRow): SessionConfig => ({
  ...blankConfig,
  ...sessionJson.config.read(row.config),
})
export const readAllocations = (row: SessionRow): Allocations => sessionJson.allocations.read(row.allocations)
