import { type Allocations, problemsOf, type Terms } from '@causeway/contract/allocations'
import { type Facts, position } from '../../../flow/session/facts.js'
import { blankConfig, blankProgress } from '../../../flow/session/session.js'
import { checkTerms, releaseState } from '../../../flow/transfer/release-rules.js'

export const tabs = ['X', 'Y'] as const
export type Tab = (typeof tabs)[number]
/** A token: not created, unused, redeemed by a tab's exchange, or expired. */
type Token = 'none' | 'fresh' | 'expired' | Tab
export const tokens = ['first', 'second'] as const

/** A session after the person's proof, with two tabs, two tokens and two requests that release it. */
export interface State {
  [field: string]: string | number | boolean | null
  first: Token
  second: Token
  /** The token by which each tab is in the session. `lost` if its answer was lost. */
  X: string
  Y: string
  /** The view that each tab shows: its step, its amounts, and `old` if the session has changed since. */
  viewX: string
  viewY: string
  /** The amounts of the draft and of the confirmed allocations: {@link amountsOf}. 0 if there are none. */
  draft: number
  isReviewing: boolean
  isEditing: boolean
  confirmed: number
  terms: keyof typeof termsOf
  isReleased: boolean
  /** The amounts that each release has paid. 0 if it has paid nothing. */
  paid: number
  payments: number
  /** Each request that releases the session. `read N` if it has read the amounts but not paid them. */
  releaseA: string
  releaseB: string
  mistake: string | null
}

const ACCOUNT = 'acc_1'
export const amountsOf = (choice: number): Allocations => (choice === 0 ? {} : { [ACCOUNT]: choice * 100_000 })
const limits = { minimum_payment: 0, maximum_payment: 500_000, residual_amount_max: 500_000, allow_over_balance: true }
export const termsOf = {
  wide: { ...limits, loan_amount: 200_000 } as Terms,
  narrow: { ...limits, loan_amount: 100_000 } as Terms,
}

/** The rules of the product that the model runs, and the guarantees of the code around them. Tests break one at a time. */
export const productRules = {
  ...{ position, problemsOf, checkTerms, releaseState },
  /** Only one exchange redeems a token. */
  redeemsOnce: true,
  /** A tab that repeats its own exchange gets its session. Another exchange gets none. */
  checksExchange: true,
  /** A step is accepted only from the current view. */
  checksRevision: true,
  /** A release locks the session. */
  locksSession: true,
}
export type Rules = typeof productRules

/** The data from which the product decides the step. The person has proven everything and chosen one account. */
function factsOf({ draft, isReviewing, isEditing, confirmed, terms, isReleased }: State): Facts {
  const row = {
    id: ACCOUNT,
    status: 'active',
    type: 'liability',
    payable: 'yes',
    liability_type: 'auto_loan',
    agreed: null,
    match_job: null,
  }
  const facts = {
    session: { mode: 'balance_transfer', completed_at: confirmed > 0 ? 1 : null, released_at: isReleased ? 2 : null },
    config: { ...blankConfig, terms: termsOf[terms] },
    progress: {
      ...blankProgress,
      ...{ consented: true, selected: [ACCOUNT], editing: isEditing, reviewing: isReviewing },
      draft: draft > 0 ? amountsOf(draft) : null,
    },
    entity: { status: 'active', identity_verified_at: 1, matched: 1 },
    ...{ phoneDue: false, connect: { status: 'completed' }, link: null, updating: false, stale: [] },
    accounts: [{ row, payable: true, products: [], balance: 500_000, apr: null, follow: 'impossible', deposits: null }],
    unservedProofs: new Set(),
  }
  return facts as unknown as Facts
}

/** Returns the step that the product shows. */
export function stepOf(state: State, rules: Rules): string {
  const at = rules.position(factsOf(state))
  return 'step' in at ? at.step : at.auto
}

/** Returns the current view of a session, as {@link State.viewX} writes it. */
export function viewOf(state: State, rules: Rules): string {
  const step = stepOf(state, rules)
  return `${step} ${step === 'review' ? state.draft : state.confirmed}`
}

/** Returns true if these amounts can be confirmed under the present terms. */
export const canConfirm = (choice: number, { terms }: State, rules: Rules): boolean =>
  rules.problemsOf(amountsOf(choice), [{ id: ACCOUNT, balance: 500_000 }], termsOf[terms]).length === 0
