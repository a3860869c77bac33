import type { StepError } from '@causeway/contract/session'
import type { SessionData } from '../../people/accounts/methods/method.js'
import { methods } from '../../people/accounts/methods/registry.js'
import { currentVerification, isOpen, openVerification, verificationData } from '../../people/accounts/verification.js'
import { countFirstAttempt, verificationAttemptsLeft } from '../../people/accounts/verification-tries.js'
import { LimitError } from '../../platform/limits/counters.js'
import type { Scope } from '../../platform/scope.js'
import { chosenAccounts, type Facts, requiredProof, showAccount, unprovenAccounts } from '../session/facts.js'
import { modeRules } from '../session/modes.js'
import { inTransaction, noErrors, type StepHandler, saveChange, stepErrors } from './call.js'
import type { WayBack } from './define-step.js'

/** A step that verifies the next account with an ordinary verification session. */
interface ProvingStep {
  name: 'card' | 'number'
  /** The session's type. */
  type: string
  /** The event for a verified account. */
  verified: string
  /** The error code for an account that can't be verified this way, or no longer can be. */
  refused: string
  /** Returns the fields that the session still needs. */
  fields(data: SessionData): readonly string[]
  /** Returns the input in the session's format, or its errors. */
  read(input: Record<string, unknown>, asked: readonly string[]): StepError[] | Record<string, string>
}

/** Builds the handler of a step that verifies accounts. */
export function proveAccount({ name, type, verified, refused, fields, read }: ProvingStep): StepHandler {
  return async (call, input) => {
    const { facts } = call
    const { row, verifications } = unprovenAccounts(facts)[0]!
    const { id } = row
    const drop = (why: 'skipped' | 'refused') =>
      saveChange(call, progress => ({ dropped: { ...progress.dropped, [id]: why } }))
    if (input['action'] === 'skip') {
      await drop('skipped')
      return noErrors
    }
    const refuse = async () => {
      await drop('refused')
      return stepErrors(null, refused, { account: id })
    }
    // The call has locked the accounts and read their verification sessions in the same query.
    const open = currentVerification(verifications.filter(isOpen), type)
    const taken = await inTransaction(call, tx =>
      countFirstAttempt(tx, row, type, data => read(input, fields(data)), open),
    ).catch(error => {
      if (error instanceof LimitError) return null
      throw error
    })
    if (taken === null) return refuse()
    if (Array.isArray(taken)) return taken
    const data = { account: id }
    // Existing host pages know this event by the mode's name.
    const named = facts.session.mode === 'card_connect' ? [{ type: 'card_connect.card.verified', data }] : []
    return {
      try: taken,
      events: [{ type: verified, data }, ...named],
      attempt: { step: name, account: id },
      async checked(session) {
        const { scope } = call
        if (session.status === 'verified') return noErrors
        const data = verificationData(scope, session)
        const tries_left = await verificationAttemptsLeft(scope, id, type, data)
        if (session.status !== 'pending' || tries_left === 0) return refuse()
        return fields(data).flatMap(field => stepErrors(field, 'incorrect', { tries_left }))
      },
      unavailable: () => stepErrors(null, 'unavailable'),
    }
  }
}

/** Returns the next account to verify with a session of this type, and its position among the accounts to verify. */
export async function describeProof(scope: Scope, facts: Facts, type: string) {
  const { config, progress, session } = facts
  const left = unprovenAccounts(facts)
  const { row } = left[0]!
  const proven = chosenAccounts(facts).filter(
    found => requiredProof(config, found.row) === null && (found.row.verified_at ?? 0) >= session.created_at,
  )
  const dropped = Object.keys(progress.dropped).filter(id => progress.selected?.includes(id))
  const past = proven.length + dropped.length
  const open = await openVerification(scope, row.id, type)
  const method = methods[type]!
  const data: SessionData = open ? verificationData(scope, open) : { tries: 0, ...method.begin(scope, row) }
  return {
    account: showAccount(facts, left[0]!),
    tries_left: await verificationAttemptsLeft(scope, row.id, type, data),
    index: past + 1,
    count: past + left.length,
    skippable: modeRules[session.mode].accounts === 'found',
    data,
  }
}

/** Returns the attempt limit and the attempts left, for a step that uses verification sessions of this type. */
export const attemptsOf = (type: string) => ({
  most: methods[type]!.maxAttempts,
  left: async (facts: Facts, scope: Scope) => (await describeProof(scope, facts, type)).tries_left,
})

/** The back action that returns from verifying accounts to choosing them. */
export const backToSelection: WayBack = {
  offered: ({ session }) => session.completed_at === null && modeRules[session.mode].accounts === 'found',
  async take(call) {
    await saveChange(call, () => ({ choosing: true }))
    return noErrors
  },
}
