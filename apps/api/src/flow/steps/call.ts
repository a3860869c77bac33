import type { FlowEvent, Step, StepError } from '@causeway/contract/session'
import { sql } from 'kysely'
import { judgeAnswer, type TakenAnswer, takeAnswer } from '../../people/entities/answers.js'
import type { RecordRow } from '../../people/products/product.js'
import { createId } from '../../platform/crypto/random.js'
import { type Scope, together, transact } from '../../platform/scope.js'
import type { Done, followProof, proceed } from '../sessions/advance.js'
import { type NewFlowEvent, record, recordFailedAttempt, recordShown } from '../sessions/events.js'
import { type Facts, position } from '../sessions/facts.js'
import { changeHeld, type Held } from '../sessions/locked-session.js'
import { proveBearer } from '../sessions/proof.js'
import { consentRecipients, recipientsOf } from '../sessions/recipients.js'
import { type ProgressChange, type Standing, saveProgress } from '../sessions/store.js'
import type { Moves } from '../sessions/transitions.js'

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
  /** Returns the events that a move to another step adds to the detailed stream. */
  moves: Moves
  /** Runs the session's next action after a step, in the step's transaction. */
  proceed: typeof proceed
  /** Returns the work to do in the transaction that records a proof. */
  followProof: typeof followProof
  /** The locked session; null once the transaction that checked the step has committed. */
  held: Held | null
  /** This call's committed events. */
  news: FlowEvent[]
  /** The session's data after the rest of a step, if the step has computed it. */
  known?: Facts
  /** The result of the action that ran after the rest of a step, in the same transaction. */
  done?: Done | null
}

/** An input's errors, or the rest of the step. The rest waits for external services, so it runs after the commit. */
export type Taken = StepError[] | (() => Promise<Taken>)

/**
 * Accepts a step's input in the transaction that checked it. Returns any errors in the input; the page keeps what the
 * person typed.
 */
export type Handler = (call: Call, input: Record<string, unknown>) => Promise<Taken>

/**
 * Runs the rest of a step outside a transaction: immediately if the call has no transaction, otherwise after that
 * transaction commits.
 */
export const afterCommit = async (call: Call, rest: () => Promise<Taken>): Promise<Taken> => (call.held ? rest : rest())

export const wrong = (field: string | null, code: string, values: StepError['values'] = {}): StepError[] => [
  { field, code, values },
]
export const fine: StepError[] = []

/** Runs a step's work in the call's transaction, or in a new one if the call has none. */
export const write = <T>(call: Call, work: (tx: Scope) => Promise<T>): Promise<T> =>
  call.held ? work(call.held.tx) : transact(call.scope.deps, call.scope.team, tx => together(tx, work))

/** Changes the session's progress in a step's transaction. */
export async function keep(
  call: Call,
  tx: Scope,
  change: ProgressChange,
  more: Parameters<typeof saveProgress>[3] = {},
): Promise<void> {
  if (call.held) changeHeld(call.held, change, more)
  else await saveProgress(tx, call.session, change, more)
}

export const save = (call: Call, change: ProgressChange) => write(call, tx => keep(call, tx, change))

/** Records events for the session, and sends them to the page once they are committed. */
export async function say(call: Call, scope: Scope, ...events: NewFlowEvent[]): Promise<void> {
  if (call.held) {
    call.held.events.push(...events)
    return
  }
  const told = await record(scope, call.facts.session, call.handle, events)
  scope.after(() => {
    call.news.push(...told)
  })
}

/**
 * Records events and the move to another step. Called by the rest of a step, which has already computed the resulting
 * data. If the session has changed since then, the data is reread before the page is shown.
 * @param standing the person and the session, if the transaction has locked them; the session's next action then runs
 * in the same transaction
 */
export async function sayShown(
  call: Call,
  scope: Scope,
  facts: Facts,
  events: readonly NewFlowEvent[],
  standing: Standing | undefined,
): Promise<void> {
  const at = position(facts)
  const { handle, bearer } = call
  if (standing?.isProven && !('step' in at) && standing.session.progress === facts.session.progress) {
    const told = await record(scope, facts.session, handle, events)
    const done = await call.proceed(scope, standing, { facts, handle, bearer })
    call.done = { ...done, events: [...told, ...done.events] }
    return
  }
  const move = 'step' in at && at.step !== facts.progress.shown ? call.moves(facts.progress, at, facts.session) : null
  const done =
    (await recordShown(scope, facts, call.handle, {
      shown: move?.shown ?? null,
      events: [...events, ...(move?.events ?? [])],
    })) ?? ({ told: await record(scope, facts.session, call.handle, events) } as const)
  scope.after(() => {
    call.news.push(...done.told)
    if ('facts' in done) call.known = done.facts
  })
}

/**
 * Counts an answer as an attempt in the person's verification session. The call's transaction has locked the session's
 * row.
 */
export const takeAnswerOf = (call: Call, row: RecordRow, answer: Record<string, unknown>): Promise<TakenAnswer> =>
  write(call, tx => takeAnswer(tx, row.id, answer, call.held ? { row, entity: call.facts.entity } : undefined))

/** Records a failed attempt at a step, in the transaction that checks the answer. */
export const attemptFailed =
  ({ facts, handle }: Call, step: Step, account?: string) =>
  (tx: Scope) =>
    recordFailedAttempt(tx, { session: facts.session, handle, step, ...(account && { account }) })

/**
 * Checks an answer that can verify the phone. The proof counts for the call's bearer once the transaction commits.
 * @param refused work in the transaction that records a wrong answer
 */
export const judgePhone = (call: Call, taken: TakenAnswer, refused?: Refused) =>
  judgeOf(call, taken, { proves: (tx, entity) => proveBearer(tx, call.bearer, entity), refused })

type Refused = (tx: Scope) => Promise<void>

/**
 * Checks an answer from the person. After a correct answer, the session's next action runs in the transaction that
 * records the answer.
 * @param proves records the bearer's proof; returns false if the bearer has been revoked
 */
export async function judgeOf(
  call: Call,
  taken: TakenAnswer,
  { proves, refused }: { proves?: Parameters<typeof followProof>[1]; refused?: Refused | undefined },
): Promise<RecordRow> {
  const { proving, done } = call.followProof(call, proves)
  const row = await judgeAnswer(call.scope, taken, refused ? { ...proving, refused } : proving)
  call.done = done()
  return row
}

/**
 * Returns the locale of the person's consent in this session. If the person consented before the session's progress
 * included the locale, returns SQL for use within another statement.
 */
export const agreedIn = ({ session: { id: session }, progress }: Facts) =>
  progress.locale ??
  sql<string>`coalesce((select locale from consents where session_id = ${session} order by id desc limit 1), 'en')`

/** Stores the documents that the person agreed to, with each document's version and the recipients that it named. */
export function keepConsents(
  tx: Scope,
  call: Pick<Call, 'facts' | 'session'>,
  accepted: readonly { id: string; version: string }[],
  locale: string | ReturnType<typeof agreedIn>,
) {
  const recipients = consentRecipients.write(recipientsOf(tx.deps, call.facts.progress))
  const rows = accepted.map(document => ({
    id: `cns_${createId('event', tx.now).slice(4)}`,
    team_id: tx.team.id,
    entity_id: call.facts.entity.id,
    session_id: call.session,
    document: document.id,
    version: document.version,
    locale,
    recipients,
    created_at: tx.now,
  }))
  return tx.db.insertInto('consents').values(rows).execute()
}
