import type { Allocations, Terms } from '@causeway/contract/allocations'
import type { Step } from '@causeway/contract/session'
import type { Tables } from '../db/tables.js'
import type { Missing } from '../identity/port.js'

export type SessionRow = Tables['sessions']

/** What the customer asked for when the token was made. */
export interface SessionConfig {
  /** Balance transfer only. */
  terms: Terms | null
  kind: 'single' | 'multiple' | 'all'
  /** Products that an account must have, or get, to be chosen. */
  products: string[]
  /** Accounts that alone are offered; null: all. */
  accounts: string[] | null
  include: { account_types: string[] | null; products: string[] | null }
  exclude: { account_types: string[]; mch_ids: string[]; unverified_account_numbers: boolean }
  skip_pii: ('name' | 'dob' | 'address' | 'ssn_4')[]
  /** What each chosen account must have proven: its number, a card with its network, or what fits it; null: nothing. */
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

/** What the person has done so far. Everything else is derived, so that any device goes on where another stopped. */
export interface Progress {
  consented: boolean
  /** The phone session that waits for its code. */
  phone_session: string | null
  /** The job that sends that code. */
  sending: string | null
  /** How often the carrier was to be asked whose the handset is. */
  silent: number
  /** What matching still wants to know; null: ask it. */
  missing: Missing[] | null
  /** Details that were typed in this session, and may be shown again. */
  typed: Missing[]
  identity_session: string | null
  /** When the person came last with a token, ms: balances are to be as new as that day. Null: with none yet. */
  came: number | null
  selected: string[] | null
  /** Whether accounts that are opened later are shared too, as it was said with the choice. */
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
  /** The outside did not answer; a retry clears it. */
  unavailable: boolean
  /** The verification session whose deposits this page sent; null once the person does anything, here or with another token. */
  awaited: string | null
  /** When the person closed the flow before its end, ms; null once they come back. */
  exited: number | null
  /** When whoever is there said that they are not the entity, ms; null once somebody comes with another token. */
  not_me: number | null
}

export const blankProgress: Progress = {
  consented: false,
  phone_session: null,
  sending: null,
  silent: 0,
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
