/** Checks the answers that steps return, with the work that a correct answer requires in the same transaction. */

import { OutsideError } from '@causeway/connector/ports/outside-error'
import type { StepError } from '@causeway/contract/session'
import { checkAttempt } from '../../people/accounts/verification-tries.js'
import { checkCountedAnswer } from '../../people/entities/answers.js'
import type { Scope } from '../../platform/scope.js'
import { proveBearer } from '../session/bearer-proof.js'
import { type NewFlowEvent, recordEvents, recordShown } from '../session/events.js'
import { type Facts, position, unprovenAccounts } from '../session/facts.js'
import { withAccount } from '../session/load-session.js'
import { findSessionRowsWithAccount, type SessionRows } from '../session/store.js'
import { type AccountCheck, type AnswerCheck, type Call, recordAttempt, type StepResult } from '../steps/call.js'
import { type ActionResult, createProofHooks, runNextAction } from './advance.js'
import { transitionTo } from './transitions.js'

/** The changes that a call's checks made, besides the answer. */
export interface CheckEffects {
  /** The result of the action that ran in a check's transaction. */
  done: ActionResult | null
  /** The session's data after a check; null if unknown. */
  facts: Facts | null
}

/** Runs the rest of a step after the step's transaction commits. */
export async function finishStep(call: Call, result: StepResult, effects: CheckEffects): Promise<StepError[]> {
  if (Array.isArray(result)) return result
  return finishStep(
    call,
    typeof result === 'function' ? await result() : await runCheck(call, result, effects),
    effects,
  )
}

async function runCheck(call: Call, check: AnswerCheck | AccountCheck, effects: CheckEffects): Promise<StepResult> {
  try {
    return await ('answer' in check ? checkAnswer(call, check, effects) : checkAccount(call, check, effects))
  } catch (error) {
    if (error instanceof OutsideError) return check.unavailable()
    throw error
  }
}

/**
 * Checks an answer from the person. After a correct answer, the session's next action runs in the transaction that
 * records the answer.
 */
async function checkAnswer(
  call: Call,
  { answer, attempt, provesPhone, checked }: AnswerCheck,
  effects: CheckEffects,
): Promise<StepResult> {
  const { proving, done } = createProofHooks(
    call,
    // The proof counts for the call's bearer once the transaction commits.
    provesPhone ? (tx, entity) => proveBearer(tx, call.bearer, entity) : undefined,
  )
  const refused = attempt && recordAttempt(call, attempt.step)
  const row = await checkCountedAnswer(call.scope, answer, refused ? { ...proving, refused } : proving)
  effects.done = done()
  return checked(row)
}

/**
 * Checks an attempt to verify an account. In a session without a loan, the last verified account ends the session in
 * the transaction that records the proof.
 */
async function checkAccount(call: Call, check: AccountCheck, effects: CheckEffects): Promise<StepResult> {
  const isLast = call.facts.config.terms === null && unprovenAccounts(call.facts).length === 1
  let rows: SessionRows | undefined
  const row = await checkAttempt(call.scope, check.try, {
    async hold(tx, verification) {
      // This code can run again after the transaction is rolled back.
      effects.done = null
      const lockedRows = isLast
        ? await findSessionRowsWithAccount(tx, call.session, call.bearer, verification)
        : undefined
      rows = lockedRows?.standing
      return lockedRows
    },
    verified: (tx, account) =>
      recordTransition(call, tx, { facts: withAccount(tx, call.facts, account), events: check.events, rows }, effects),
    refused: recordAttempt(call, check.attempt.step, check.attempt.account),
  })
  return check.checked(row)
}

interface CheckedSession {
  /** The session's data after the check. */
  facts: Facts
  events: readonly NewFlowEvent[]
  /** The person and the session, if the transaction has locked them. */
  rows: SessionRows | undefined
}

/**
 * Records a check's events and the move to another step. If the transaction has locked the person and the session, runs
 * the session's next action. If the session has changed since the check began, the data is reread before the page is
 * shown.
 */
async function recordTransition(
  { handle, bearer, events: news }: Call,
  scope: Scope,
  { facts, events, rows }: CheckedSession,
  effects: CheckEffects,
): Promise<void> {
  const at = position(facts)
  if (rows?.isProven && !('step' in at) && rows.session.progress === facts.session.progress) {
    const recorded = await recordEvents(scope, facts.session, handle, events)
    const done = await runNextAction(scope, rows, { facts, handle, bearer })
    effects.done = { ...done, events: [...recorded, ...done.events] }
    return
  }
  const move = 'step' in at && at.step !== facts.progress.shown ? transitionTo(facts.progress, at, facts.session) : null
  const done =
    (await recordShown(scope, facts, handle, {
      shown: move?.shown ?? null,
      events: [...events, ...(move?.events ?? [])],
    })) ?? ({ told: await recordEvents(scope, facts.session, handle, events) } as const)
  scope.after(() => {
    news.push(...done.told)
    if ('facts' in done) effects.facts = done.facts
  })
}
