import type { Allocations } from '@causeway/contract/allocations'
import type { FlowEvent, Step, StepError } from '@causeway/contract/session'
import type { CountedAttempt } from '../../people/accounts/verification-tries.js'
import { type CountedAnswer, countAnswerAttempt } from '../../people/entities/answers.js'
import type { RecordRow } from '../../people/holders/product.js'
import { batchWrites, type Scope, transact } from '../../platform/scope.js'
import { type NewFlowEvent, recordEvents, recordFailedAttempt } from '../session/events.js'
import type { Facts } from '../session/facts.js'
import { changeLockedSession, type LockedSession } from '../session/locked-session.js'
import { type ProgressChange, saveProgress } from '../session/store.js'

/** A person's call, with its session, its bearer and the session's data at the time of the call. */
export interface Call {
  scope: Scope
  session: string
  handle: string
  /** The hash of the call's bearer. */
  bearer: string
  facts: Facts
  /** The caller's network address, if known. */
  address: string | undefined
  /** The locked session; null once the transaction that checked the step has committed. */
  held: LockedSession | null
  /** This call's committed events. */
  events: FlowEvent[]
  /** The session that the call continued with, if any. */
  next?: string
}

/**
 * An input's errors, or the rest of the step: an answer for the engine to check, or other work. The rest waits for
 * external services, so it runs after the commit.
 */
export type StepResult = StepError[] | AnswerCheck | AccountCheck | (() => Promise<StepResult>)

/** A counted answer or attempt, which an external service checks. */
interface Check {
  /** The failed attempt to record if the answer is wrong. */
  attempt?: { step: Step; account?: string }
  /** Returns the result of the step once the answer's record has changed. */
  checked(row: RecordRow): StepResult | Promise<StepResult>
  /** Returns the result of the step if the external service does not respond. */
  unavailable(): StepResult | Promise<StepResult>
}

/** An answer that proves a phone or an identity if it is correct. */
export interface AnswerCheck extends Check {
  answer: CountedAnswer
  /** True if a correct answer verifies the phone. */
  provesPhone?: true
}

/** An attempt to verify an account. */
export interface AccountCheck extends Check {
  try: CountedAttempt
  /** The events for a verified account. */
  events: readonly NewFlowEvent[]
  attempt: NonNullable<Check['attempt']>
}

/** Allocations that the person has confirmed. The engine stores them in the same transaction. */
export interface Confirmation {
  confirmed: Allocations
}

/**
 * Accepts a step's input in the transaction that checked it. Returns any errors in the input; the page keeps what the
 * person typed.
 */
export type StepHandler = (call: Call, input: Record<string, unknown>) => Promise<StepResult | Confirmation>

/**
 * Runs the rest of a step outside a transaction: immediately if the call has no transaction, otherwise after that
 * transaction commits.
 */
export const afterCommit = async (call: Call, rest: () => Promise<StepResult>): Promise<StepResult> =>
  call.held ? rest : rest()

export const stepErrors = (field: string | null, code: string, values: StepError['values'] = {}): StepError[] => [
  { field, code, values },
]
export const noErrors: StepError[] = []

/** Runs a step's work in the call's transaction, or in a new one if the call has none. */
export const inTransaction = <T>(call: Call, work: (tx: Scope) => Promise<T>): Promise<T> =>
  call.held ? work(call.held.tx) : transact(call.scope.deps, call.scope.team, tx => batchWrites(tx, work))

/** Changes the session's progress in a step's transaction. */
export async function changeProgress(
  call: Call,
  tx: Scope,
  change: ProgressChange,
  more: Parameters<typeof saveProgress>[3] = {},
): Promise<void> {
  if (call.held) changeLockedSession(call.held, change, more)
  else await saveProgress(tx, call.session, change, more)
}

export const saveChange = (call: Call, change: ProgressChange) =>
  inTransaction(call, tx => changeProgress(call, tx, change))

/** Records events for the session, and sends them to the page once they are committed. */
export async function recordCallEvents(call: Call, scope: Scope, ...events: NewFlowEvent[]): Promise<void> {
  if (call.held) {
    call.held.events.push(...events)
    return
  }
  const recorded = await recordEvents(scope, call.facts.session, call.handle, events)
  scope.after(() => {
    call.events.push(...recorded)
  })
}

/**
 * Counts an answer as an attempt in the person's verification session. The call's transaction has locked the session's
 * row.
 */
export const countAnswer = (call: Call, row: RecordRow, answer: Record<string, unknown>): Promise<CountedAnswer> =>
  inTransaction(call, tx =>
    countAnswerAttempt(tx, row.id, answer, call.held ? { row, entity: call.facts.entity } : undefined),
  )

/** Records a failed attempt at a step, in the transaction that checks the answer. */
export const recordAttempt =
  ({ facts, handle }: Call, step: Step, account?: string) =>
  (tx: Scope) =>
    recordFailedAttempt(tx, { session: facts.session, handle, step, ...(account && { account }) })
