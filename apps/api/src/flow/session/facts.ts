import type { MissingDetail } from '@causeway/connector/ports/identity'
import { type Debt, shortfall } from '@causeway/contract/allocations'
import { resourceCodes } from '@causeway/contract/errors'
import { sameLiability } from '@causeway/contract/fields/liability'
import type { AccountView, BlockedReason, IneligibleReason, Step } from '@causeway/contract/session'
import type { RemainingAttempts } from '../../people/entities/attempts.js'
import { dataOf } from '../../people/entities/methods/method.js'
import { type AccountRow, isShared } from '../../people/holders/account.js'
import { isProven } from '../../people/holders/account-rules.js'
import { detailsOf, type EntityRow, typedFields } from '../../people/holders/entity.js'
import type { RecordRow } from '../../people/holders/product.js'
import type { Links } from '../../people/links/store.js'
import { readJson } from '../../platform/db/json.js'
import type { Remaining } from '../../platform/limits/limit.js'
import type { OutstandingConsent } from './agreements.js'
import type { AccountImages } from './brand.js'
import { modeRules } from './modes.js'
import type { Progress, SessionConfig, SessionRow } from './session.js'

/** An account in the session, with the information shown to the person. */
export interface SessionAccount {
  row: AccountRow
  payable: boolean
  products: readonly string[]
  balance: number | null
  asOf: string | null
  apr: number | null
  institution: string
  images: AccountImages
  formats: string[]
  /** The state of the account's transaction updates. */
  follow: 'followed' | 'possible' | 'impossible'
  /**
   * The account's open verification sessions and its latest micro-deposit session. Read only for accounts that are
   * named in the configuration or locked.
   */
  verifications: readonly RecordRow[]
  /** The session that verifies a bank account with two deposits, if any. */
  deposits: RecordRow | null
}

/** The institutions that the person has linked, and the page for linking more. */
export interface LinkFacts {
  links: Links | undefined
  /** True if the institutions must be read, or a page must be created, before the step can be shown. */
  isDue: boolean
}

/** The data that determines a session's position. */
export interface Facts {
  session: SessionRow
  config: SessionConfig
  progress: Progress
  entity: EntityRow
  /** True until the bearer verifies the phone. */
  phoneDue: boolean
  phoneSession: RecordRow | undefined
  /** True while the code for `phoneSession` is unsent because the service that sends it is not responding. */
  unsent: boolean
  identitySession: RecordRow | undefined
  /** The person's remaining attempts across all their sessions. */
  attempts: RemainingAttempts
  connect: RecordRow | undefined
  /** The institutions that the person has linked. Null if accounts are found without that. */
  link: LinkFacts | null
  /** True while balances are being requested. */
  updating: boolean
  accounts: readonly SessionAccount[]
  /** The accounts whose balances must be requested. */
  stale: readonly AccountRow[]
  /** The part of the consent that the person has not yet given. Null once they have agreed, and until the bearer verifies the phone. */
  outstanding: OutstandingConsent | null
  /** The proofs that an account can't give, because no provider checks them. */
  unservedProofs: ReadonlySet<RequiredProof>
}

/** The verification method that gives each proof. */
export const methodOfProof = { number: 'standard', card: 'network', deposits: 'micro_deposits' } as const
export type RequiredProof = keyof typeof methodOfProof

/** The position of a session: a step for the person, or an action that the service takes automatically. */
export type Position =
  | { step: Exclude<Step, 'blocked'> }
  | { step: 'blocked'; reason: BlockedReason; retry: boolean; retryAt?: number }
  | { auto: 'agree' | 'match' | 'questions' | 'link' | 'connect' | 'refresh' | 'select' | 'finish' }

/** A position at which the session waits for the person. */
export type StepPosition = Exclude<Position, { auto: string }>

/** The steps before the phone is verified. The element then reports an unauthenticated result. */
export const unprovenSteps: ReadonlySet<Step> = new Set(['consent', 'phone', 'code'])

const typesOf = (name: string) => sameLiability(name)[0]!

/** Returns true if the value of this field was typed in a frame and is not yet verified. */
export const isTyped = (entity: EntityRow, field: MissingDetail): boolean =>
  (field === 'phone' ? ['phone'] : detailsOf[field]).some(name => typedFields(entity).has(name))

/**
 * Lists the details to request from the person: the missing ones or, if none are missing, the ones that they typed.
 * Details that the customer skips are never requested.
 */
export function askedFields(facts: Pick<Facts, 'progress' | 'config' | 'entity'>): Exclude<MissingDetail, 'phone'>[] {
  const { missing } = facts.progress
  const typed = (Object.keys(detailsOf) as MissingDetail[]).filter(field => isTyped(facts.entity, field))
  const fields = missing === null || missing.length > 0 ? (missing ?? []) : typed
  const skipped = new Set<string>(facts.config.skip_pii)
  return fields.filter((field): field is Exclude<MissingDetail, 'phone'> => field !== 'phone' && !skipped.has(field))
}

/** Returns true if the person typed details that they can still change. */
export const canRevise = (facts: Pick<Facts, 'progress' | 'config' | 'entity'>): boolean =>
  facts.progress.revisable && askedFields(facts).length > 0

/** Returns the reason that an account can't be chosen; null if it can. Pure. */
function ineligibleReason(
  { config, progress, unservedProofs }: Pick<Facts, 'config' | 'progress' | 'unservedProofs'>,
  found: SessionAccount,
): IneligibleReason | null {
  const { row } = found
  if (row.status === 'closed') return 'closed'
  if (row.status !== 'active') return 'excluded'
  const type = typesOf(row.liability_type ?? '')
  const { include, exclude } = config
  if (config.accounts && !config.accounts.includes(row.id)) return 'excluded'
  if (include.account_types && !include.account_types.map(typesOf).includes(type)) return 'excluded'
  if (exclude.account_types.map(typesOf).includes(type) || exclude.mch_ids.includes(row.mch_id ?? '')) return 'excluded'
  if (exclude.unverified_account_numbers && row.payable === 'needs_number') return 'excluded'
  if (progress.dropped[row.id] === 'refused') return 'number_refused'
  const requiredProducts = [...(include.products ?? [])].filter(name => name !== 'payment')
  if (requiredProducts.some(name => !found.products.includes(name === 'transactions' ? 'transaction' : name)))
    return 'product_unavailable'
  if (config.products.includes('transaction') && found.follow !== 'possible')
    return found.follow === 'followed' ? 'already_linked' : 'product_unavailable'
  const pays = config.terms !== null || config.products.includes('payment') || include.products?.includes('payment')
  const proof = requiredProof(config, row)
  if (proof !== null && unservedProofs.has(proof)) return pays ? 'no_payment_rail' : 'product_unavailable'
  if (!pays) return null
  if (config.terms && row.ownership === 'authorized') return 'authorized_user'
  // A bank account becomes payable when it is verified, and a debt becomes payable when its number is provided.
  const isPayable = found.payable || row.payable === 'needs_number' || proof === 'deposits'
  if (!isPayable) return 'no_payment_rail'
  if (config.terms && found.balance === 0 && !config.terms.allow_over_balance) return 'nothing_owed'
  return null
}

export const isFollowed = ({ follow }: SessionAccount) => follow === 'followed'

export const toDebt = (found: SessionAccount): Debt => ({ id: found.row.id, balance: found.balance, apr: found.apr })

export function eligibleAccounts(facts: Facts): SessionAccount[] {
  return facts.accounts.filter(found => ineligibleReason(facts, found) === null)
}

/**
 * Returns true if the person is asked to share accounts that they open later. Once they agree, they are not asked
 * again.
 */
export const asksForFutureAccounts = ({ session, entity }: Facts): boolean =>
  modeRules[session.mode].future && entity.future_accounts_at === null

/**
 * Returns true if there is nothing left to choose, because the person chose every eligible account in their last
 * connect session. They can still go back to the choice.
 */
const isChosenEarlier = ({ progress }: Facts, eligible: readonly SessionAccount[]): boolean =>
  // mutant: unchosen-account-is-offered (drop 2)
  progress.selected === null && eligible.every(({ row }) => isShared(row) && progress.earlier?.includes(row.id))

/** Returns the chosen accounts that are still eligible. */
export function chosenAccounts(facts: Facts): SessionAccount[] {
  const selected = new Set(facts.progress.selected ?? [])
  return eligibleAccounts(facts).filter(
    found => selected.has(found.row.id) && facts.progress.dropped[found.row.id] === undefined,
  )
}

/**
 * Returns what an account still needs before it can be used: its number, or proof that the person is its holder.
 * Pure.
 */
export function requiredProof(config: SessionConfig, row: AccountRow): RequiredProof | null {
  if (row.type === 'ach') return row.verified_at === null ? 'deposits' : null
  const fitting = row.liability_type === 'credit_card' ? 'network' : 'number'
  const proof = config.proof === 'fitting' ? fitting : config.proof
  if (proof !== null && !isProven(row, proof)) return proof === 'network' ? 'card' : 'number'
  const pays = config.terms !== null || config.products.includes('payment')
  return pays && row.payable === 'needs_number' ? 'number' : null
}

/** Returns the chosen accounts that still need proof, in order. */
export const unprovenAccounts = (facts: Facts): SessionAccount[] =>
  chosenAccounts(facts).filter(found => requiredProof(facts.config, found.row) !== null)

/** Returns true if the person enters a card, because no account was found. */
export const isEntering = ({ accounts, progress }: Facts): boolean => accounts.length === 0 && progress.entering

/**
 * Returns the session's position. Pure: the same data always gives the same position, on any device and after any
 * crash.
 */
export function position(facts: Facts): Position {
  const { session, progress, entity, config } = facts
  if (progress.withdrawn) return { step: 'done' }
  if (entity.status === 'disabled') return { step: 'blocked', reason: 'disabled', retry: false }
  // mutant: not-me-hides-session (false)
  if (progress.not_me !== null) return { step: 'blocked', reason: 'not_me', retry: false }
  if (session.mode === 'manage') return managePosition(facts)
  const released = session.released_at !== null
  if (!progress.consented && (!released || facts.phoneDue))
    // mutant: nothing-new-asks-nothing (false)
    return facts.outstanding?.documents.length === 0 ? { auto: 'agree' } : { step: 'consent' }
  if (facts.phoneDue) return phonePosition(facts)
  if (released) return { step: 'done' }
  if (progress.unavailable) return { step: 'blocked', reason: 'unavailable', retry: true }
  const identity = identityPosition(facts)
  if (identity) return identity
  const rules = modeRules[session.mode]
  const connectStep = rules.accounts === 'found' ? connectPosition(facts) : null
  if (connectStep) return connectStep
  if (session.completed_at !== null && !progress.editing) return { step: 'done' }
  if (rules.accounts === 'none') return { auto: 'finish' }
  if (isEntering(facts)) return { step: 'card' }
  // The person can link another institution.
  if (facts.accounts.length === 0) return { step: 'blocked', reason: 'no_accounts', retry: facts.link !== null }
  const open = eligibleAccounts(facts)
  if (open.length === 0 && config.products.includes('transaction') && facts.accounts.some(isFollowed))
    return { auto: 'finish' }
  if (open.length === 0) {
    const reason = rules.accounts === 'named' ? 'account_unverified' : 'none_eligible'
    return { step: 'blocked', reason, retry: false }
  }
  if (config.terms && shortfall(open.map(toDebt), config.terms) > 0)
    return { step: 'blocked', reason: 'infeasible_terms', retry: false }
  if (isChosenEarlier(facts, open)) return { auto: 'select' }
  if (progress.choosing || chosenAccounts(facts).length === 0) return { step: 'selection' }
  const [next] = unprovenAccounts(facts)
  const lost = next && lostDeposits(session, next)
  if (lost) return { step: 'blocked', reason: lost, retry: false }
  if (next) return { step: requiredProof(config, next.row)! }
  if (!config.terms) return { auto: 'finish' }
  return progress.reviewing && progress.draft ? { step: 'review' } : { step: 'allocation' }
}

const phonePosition = ({ phoneSession }: Facts): Position => ({
  step: phoneSession?.status === 'in_progress' ? 'code' : 'phone',
})

/**
 * Returns the position on the person's own page. The page shares nothing new, so it asks for no consent. The page
 * requires no proof except a verified phone, so it does not accept a number that a visitor typed.
 */
function managePosition(facts: Facts): Position {
  if (!facts.phoneDue) return facts.session.completed_at === null ? { auto: 'finish' } : { step: 'manage' }
  // mutant: typed-number-opens-no-page (remove)
  if (isTyped(facts.entity, 'phone')) return { step: 'blocked', reason: 'identity_failed', retry: false }
  return phonePosition(facts)
}

/**
 * Returns the reason that an account's deposits can no longer be used as proof; null if they still can. Attempts count
 * across all sessions, because only the customer can send new deposits. Deposits returned before this session do not
 * block it.
 */
function lostDeposits({ created_at }: SessionRow, { deposits }: SessionAccount): BlockedReason | null {
  // mutant: wrong-amounts-lock-deposits (true)
  if (deposits?.status !== 'failed') return null
  if (readJson('records.error', deposits.error)?.code === resourceCodes.VERIFICATION_SESSION_ATTEMPT_LIMIT_REACHED)
    return 'deposits_locked'
  return deposits.updated_at < created_at ? null : 'deposits_returned'
}

const spent = ({ freeAt }: Remaining): Position => ({
  step: 'blocked',
  reason: 'identity_failed',
  retry: false,
  retryAt: freeAt,
})

function identityPosition({ entity, progress, config, identitySession, attempts }: Facts): Position | null {
  if (entity.identity_verified_at !== null) return null
  if (entity.matched === 0) {
    if (progress.missing === null) return { auto: 'match' }
    const fields = askedFields({ progress, config, entity })
    if (fields.length === 0) return { step: 'blocked', reason: 'identity_failed', retry: false }
    return attempts.matches.left === 0 ? spent(attempts.matches) : { step: 'details' }
  }
  // mutant: answers-count-across-tokens (remove)
  if (attempts.questions.left === 0) return spent(attempts.questions)
  if (progress.revising && canRevise({ progress, config, entity })) return { step: 'details' }
  const isOpen = identitySession?.status === 'in_progress'
  if (isOpen && (dataOf(identitySession).questions ?? []).length > 0) return { step: 'questions' }
  // The questions are not available yet, or could not be fetched.
  if (
    isOpen ||
    readJson('records.error', identitySession?.error ?? null)?.code === resourceCodes.PRODUCT_EXECUTION_FAILED
  )
    return { step: 'blocked', reason: 'unavailable', retry: true }
  return { auto: 'questions' }
}

const failures: Record<number, BlockedReason> = {
  [resourceCodes.THIN_CREDIT_FILE]: 'thin_file',
  [resourceCodes.CREDIT_FREEZE]: 'credit_freeze',
}

function connectPosition({ connect, config, progress, updating, session, stale, link }: Facts): Position | null {
  if (session.completed_at !== null && !progress.editing) return null
  if (!connect && link && progress.linked !== true) return link.isDue ? { auto: 'link' } : { step: 'link' }
  if (!connect) return { auto: 'connect' }
  if (connect.status === 'pending' || connect.status === 'in_progress') return { step: 'discovering' }
  if (connect.status === 'failed') {
    const code = readJson('records.error', connect.error)?.code
    const reason = failures[code ?? 0] ?? 'unavailable'
    return { step: 'blocked', reason, retry: reason !== 'thin_file' }
  }
  if (stale.length > 0) return { auto: 'refresh' }
  // Waits for balances before the person chooses accounts. After the choice, waits only if amounts must be allocated.
  return updating && (progress.selected === null || config.terms !== null) ? { step: 'discovering' } : null
}

/**
 * Returns true if the choice in this session replaces earlier choices of the accounts to share. In other sessions, the
 * person chooses accounts for another purpose, or can't choose several.
 */
export const choosesSharing = ({ config, session }: Facts): boolean =>
  config.sharing === 'chosen' && session.mode === 'connect' && config.kind === 'multiple'

/** Returns true if an account that is shared is selected until the person chooses. */
const isPreselected = (facts: Facts, row: AccountRow): boolean =>
  isShared(row) && (choosesSharing(facts) || (facts.progress.earlier?.includes(row.id) ?? false))

/** Returns an account in the frame's format. */
export function showAccount(facts: Facts, found: SessionAccount): AccountView {
  const { row } = found
  const reason = ineligibleReason(facts, found)
  const needs = requiredProof(facts.config, row)
  return {
    id: row.id,
    name: row.name ?? found.institution,
    institution: found.institution,
    ...found.images,
    mask: row.mask,
    type: row.ach_type ?? row.liability_type ?? 'loan',
    balance: found.balance,
    balance_as_of: found.asOf,
    apr: found.apr,
    status: reason ? 'ineligible' : needs ? `needs_${needs}` : 'ready',
    reason,
    selected: facts.progress.selected?.includes(row.id) ?? isPreselected(facts, row),
  }
}
