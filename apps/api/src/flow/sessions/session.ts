import type { Allocations, Suggestion, Terms } from '@causeway/contract/allocations'
import type { Step } from '@causeway/contract/session'
import type { Missing } from '../../network/identity/port.js'
import type { Tables } from '../../platform/db/tables.js'

export type SessionRow = Tables['sessions']

/** The terms of a balance transfer, with what the person is shown beside them. */
export interface TransferTerms extends Terms {
  /** Absent in sessions made before it could be chosen: `highest_rate`. */
  suggestion?: Suggestion
  /** The loan's rate, percent a year; absent where it was not given. */
  loan_apr?: number
}

/** The configuration that the customer sent with the token. */
export interface SessionConfig {
  /** Balance transfer only. */
  terms: TransferTerms | null
  kind: 'single' | 'multiple' | 'all'
  /** Products that an account must have, or get, to be chosen. */
  products: string[]
  /** Accounts that alone are offered; null: all. */
  accounts: string[] | null
  include: { account_types: string[] | null; products: string[] | null }
  exclude: { account_types: string[]; mch_ids: string[]; unverified_account_numbers: boolean }
  skip_pii: ('name' | 'dob' | 'address' | 'ssn_4')[]
  /** Proof that each chosen account needs: its number, a card with its network, or the one that fits it; null: none. */
  proof: 'number' | 'network' | 'fitting' | null
}

export const blankConfig: SessionConfig = {
  terms: null,
  kind: 'multiple',
  products: [],
  accounts: null,
  include: { account_types: null, products: null },
  exclude: { account_types: [], mch_ids: [], unverified_account_numbers: false },
  skip_pii: [],
  proof: null,
}

/** The person's progress so far. Everything else is derived, so that any device continues where another stopped. */
export interface Progress {
  consented: boolean
  /** The phone session that waits for its code. */
  phone_session: string | null
  /** The job that sends that code. */
  sending: string | null
  /** The number of times that the carrier was to be asked whose handset it is. */
  silent: number
  /** The hash of the bearer that a carrier was asked for last. Its answer has no code, so it counts for no other bearer. */
  silent_bearer: string | null
  /** Details that matching still needs; null: matching was not called yet. */
  missing: Missing[] | null
  /** Details that were typed in this session, and may be shown again. */
  typed: Missing[]
  identity_session: string | null
  /** Time of the person's last visit with a token, ms: balances must be as recent as that day. Null: none yet. */
  came: number | null
  selected: string[] | null
  /** True where accounts that are opened later are shared too, as the person said with the choice. */
  future: boolean
  /** Went back to the choice; what was chosen, and the amounts, are still known. */
  choosing: boolean
  /** Accounts without a number in the end, and why. */
  dropped: Record<string, 'skipped' | 'refused'>
  draft: Allocations | null
  reviewing: boolean
  /** Allocations are confirmed, and being changed. */
  editing: boolean
  /** The step that was shown last, for the detailed stream alone. */
  shown: Step | null
  /** The external service did not answer; a retry clears it. */
  unavailable: boolean
  /** The verification session whose deposits this page sent; null once the person does anything, here or with another token. */
  awaited: string | null
  /** Time when the person closed the flow before its end, ms; null once they return. */
  exited: number | null
  /** Time when the visitor said that they are not the entity, ms; null once another token is used. */
  not_me: number | null
}

export const blankProgress: Progress = {
  consented: false,
  phone_session: null,
  sending: null,
  silent: 0,
  silent_bearer: null,
  missing: null,
  typed: [],
  identity_session: null,
  came: null,
  selected: null,
  future: false,
  choosing: false,
  dropped: {},
  draft: null,
  reviewing: false,
  editing: false,
  shown: null,
  unavailable: false,
  awaited: null,
  exited: null,
  not_me: null,
}

export const readProgress = (row: SessionRow): Progress => ({
  ...blankProgress,
  ...(JSON.parse(row.progress) as Progress),
})
export const readConfig = (row: SessionRow): SessionConfig => ({
  ...blankConfig,
  ...(JSON.parse(row.config) as Partial<SessionConfig>),
})
export const readAllocations = (row: SessionRow): Allocations => JSON.parse(row.allocations) as Allocations
