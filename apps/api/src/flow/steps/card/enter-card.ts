/** Lets a person whose accounts were not found enter a card, which is added once its issuer and its network confirm it. */
import type { Liability } from '@causeway/connector/ports/liability'
import { OutsideError } from '@causeway/connector/ports/outside-error'
import { networkMethod } from '@causeway/contract/methods/card'
import { type CardField, cardFields, type StepData, type StepError } from '@causeway/contract/session'
import { DAY_MS } from '@causeway/contract/time'
import { createPortCall } from '../../../network/ports.js'
import { methods } from '../../../people/accounts/methods/registry.js'
import { insertVerified } from '../../../people/accounts/verification.js'
import { provenProofs } from '../../../people/holders/account-rules.js'
import { lockEntity } from '../../../people/holders/store.js'
import { insertDebt } from '../../../people/lifecycle/create-account.js'
import { describeAccount } from '../../../people/lifecycle/new-account.js'
import { countAction, LimitError, readRemaining, uncount } from '../../../platform/limits/counters.js'
import type { Limit } from '../../../platform/limits/limit.js'
import { type Scope, transact, withoutSlot } from '../../../platform/scope.js'
import type { Facts } from '../../session/facts.js'
import { modeRules } from '../../session/modes.js'
import { saveProgress } from '../../session/store.js'
import { afterCommit, type Call, noErrors, type StepResult, saveChange, stepErrors } from '../call.js'
import { readCard } from './read-card.js'

type Card = Record<CardField, string>

/**
 * Limits how many times per day a person can enter a card that was not found, so that the issuers can't be used to find
 * out which numbers exist.
 */
const enteredCardLimit: Limit = {
  kind: 'entered_card',
  max: 5,
  window: DAY_MS,
  error: 'VERIFICATION_SESSION_ATTEMPT_LIMIT_REACHED',
  sentence: 'Five attempts to enter a card failed within a day.',
}

/** Returns the number of cards that the person can still enter within a day. */
export const entriesLeft = async ({ entity }: Facts, scope: Scope): Promise<number> =>
  (await readRemaining(scope, enteredCardLimit, entity.id)).left

/** Returns the institutions that issue cards. */
const issuersOf = ({ deps }: Scope) => deps.ports.network.merchants().filter(({ type }) => type === 'credit_card')

/** Returns true if the service can add a card that the person enters. */
export async function canEnterCard(scope: Scope, facts: Facts): Promise<boolean> {
  const { capabilities } = scope.deps
  return (
    modeRules[facts.session.mode].accounts === 'found' &&
    // mutant: unserved-card-is-not-offered (remove)
    capabilities.missing('account', 'liability') === null &&
    capabilities.missing('account_method', networkMethod.name) === null &&
    issuersOf(scope).length > 0 &&
    (await entriesLeft(facts, scope)) > 0
  )
}

export const showEntry = async (facts: Facts, scope: Scope): Promise<StepData['card']> => ({
  account: null,
  issuers: issuersOf(scope)
    .map(({ id, name }) => ({ id, name }))
    .sort((one, other) => (one.name < other.name ? -1 : 1)),
  fields: [...cardFields],
  zip: null,
  tries_left: await entriesLeft(facts, scope),
  index: 1,
  count: 1,
  skippable: false,
})

export async function stopEntering(call: Call): Promise<StepResult> {
  await saveChange(call, () => ({ entering: false }))
  return noErrors
}

/** Adds the card that a person entered, if its issuer knows the number and its network accepts all details. */
export async function enterCard(call: Call, input: Record<string, unknown>): Promise<StepResult> {
  const card = readCard(input, cardFields)
  const issuer = String(input['issuer'] ?? '')
  const isKnown = issuersOf(call.scope).some(({ id }) => id === issuer)
  const errors = [...(isKnown ? [] : stepErrors('issuer', 'required')), ...(Array.isArray(card) ? card : [])]
  return errors.length > 0 ? errors : afterCommit(call, () => addCard(call, issuer, card as Card))
}

async function addCard(call: Call, issuer: string, card: Card): Promise<StepResult> {
  const { scope, facts } = call
  const { deps, team } = scope
  const { id } = facts.entity
  const counted = await transact(deps, team, tx => countAction(tx, enteredCardLimit, id)).catch(error => {
    if (error instanceof LimitError) return null
    throw error
  })
  if (counted === null) return stopEntering(call)
  const confirmed = await withoutSlot(deps, () => confirmCard(scope, call, issuer, card, counted.left)).catch(error => {
    if (error instanceof OutsideError) return null
    throw error
  })
  if (confirmed !== null && Array.isArray(confirmed)) return counted.left > 0 ? confirmed : stopEntering(call)
  // The person learned nothing, or entered the right details.
  await transact(deps, team, tx => uncount(tx, enteredCardLimit, id, counted))
  if (confirmed === null) return stepErrors(null, 'unavailable')
  return transact(deps, team, tx => storeCard(tx, call, { mch_id: issuer, card, liability: confirmed }))
}

/** Asks the issuer about the number, and the network about the card. Returns the errors if either rejects it. */
async function confirmCard(
  scope: Scope,
  call: Call,
  mch_id: string,
  { number, ...rest }: Card,
  tries_left: number,
): Promise<Liability | StepError[]> {
  const { network } = scope.deps.ports
  const request = createPortCall(scope, `${call.session}_${tries_left}_${scope.now}`)
  const liability = await network.describe({ ...request, mch_id, number })
  const isCard = liability?.type === 'credit_card' && liability.reference !== null && liability.status === 'active'
  if (!isCard) return stepErrors('number', 'incorrect', { tries_left })
  const verdict = await network.checkCard({ ...request, account: liability.reference, by: 'network', number, ...rest })
  if (verdict.status === 'failed') return stepErrors('number', 'incorrect', { tries_left })
  // mutant: entered-card-is-checked (true)
  if (verdict.accepted) return liability
  const { exp, cvv, billing_zip_code: zip } = verdict.checks
  return [
    ...(verdict.number ? [] : stepErrors('number', 'incorrect', { tries_left })),
    ...(exp === 'fail' ? stepErrors('exp_month', 'incorrect', { tries_left }) : []),
    ...(cvv === 'fail' ? stepErrors('cvv', 'incorrect', { tries_left }) : []),
    ...(zip === 'fail' ? stepErrors('billing_zip_code', 'incorrect', { tries_left }) : []),
  ]
}

/** Stores a confirmed card. The customer can't see it until the person chooses it. */
async function storeCard(
  tx: Scope,
  { session, facts }: Call,
  { mch_id, card, liability }: { mch_id: string; card: Card; liability: Liability },
): Promise<StepResult> {
  const entity = await lockEntity(tx, facts.entity.id)
  if (!entity || entity.withdrawn_at !== null || !facts.connect) return noErrors
  const { number, exp_month, exp_year, billing_zip_code } = card
  const debt = { mch_id, number, card: { exp_month, exp_year, billing_zip_code } }
  const row = await insertDebt(
    tx,
    entity,
    { debt, liability },
    {
      awaits_consent: facts.connect.id,
      hidden_at: tx.now,
      agreed: entity.agreed,
      ownership: 'primary',
      payable: liability.payable === 'needs_number' ? 'yes' : liability.payable,
      proven: provenProofs.write(methods[networkMethod.name]!.proves),
      verified_at: tx.now,
    },
  )
  // The customer disabled the card.
  if (!row) return stepErrors('number', 'incorrect', { tries_left: await entriesLeft(facts, tx) })
  await saveProgress(tx, session, () => ({ entering: false }))
  await insertVerified(tx, row, networkMethod.name)
  await describeAccount(tx, row)
  return noErrors
}
