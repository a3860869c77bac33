import type { FlowEvent, StepError } from '@causeway/contract/session'
import { sql } from 'kysely'
import { answerSession } from '../../people/entities/sessions.js'
import { createId } from '../../platform/crypto/random.js'
import { type Scope, transact } from '../../platform/scope.js'
import { type NewFlowEvent, record } from '../sessions/events.js'
import type { Facts } from '../sessions/facts.js'
import { changeHeld, type Held } from '../sessions/held.js'
import { proveBearer } from '../sessions/proof.js'
import { saveProgress } from '../sessions/store.js'
import type { Moves } from '../sessions/transitions.js'

/** One call of a person: who, where, and what was true when it came. */
export interface Call {
  scope: Scope
  session: string
  handle: string
  /** The hash of the bearer that it was made with. */
  bearer: string
  facts: Facts
  /** The network address that it came from, where known. */
  address: string | undefined
  /** Returns what a move to another step adds to the detailed stream. */
  moves: Moves
  /** The session under its lock, where the step is taken in the transaction that checked it; else null. */
  held: Held | null
  /** What happened in the session by this call and is committed. */
  news: FlowEvent[]
}

/** Takes the input of a step; what is wrong with it comes back, nothing of it is lost. */
export type Handler = (call: Call, input: Record<string, unknown>) => Promise<StepError[]>

export const wrong = (field: string | null, code: string, values: StepError['values'] = {}): StepError[] => [
  { field, code, values },
]
export const fine: StepError[] = []

/** Runs a step's work in the transaction of its call, or in one of its own where the call has none. */
export const write = <T>(call: Call, work: (tx: Scope) => Promise<T>): Promise<T> =>
  call.held ? work(call.held.tx) : transact(call.scope.deps, call.scope.team, work)

/** Changes the session's progress in a step's transaction. */
export async function keep(
  call: Call,
  tx: Scope,
  change: Parameters<typeof saveProgress>[2],
  more: Parameters<typeof saveProgress>[3] = {},
): Promise<void> {
  if (call.held) changeHeld(call.held, change, more)
  else await saveProgress(tx, call.session, change, more)
}

export const save = (call: Call, change: Parameters<typeof saveProgress>[2]) =>
  write(call, tx => keep(call, tx, change))

/** Keeps what happened in the session, and tells the page of it once it is committed. */
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

/** Checks an answer that proves the phone. The proof counts for the bearer that gave it, from the same commit on. */
export const answerPhone = (call: Call, session: string, answer: Record<string, unknown>) =>
  answerSession(call.scope, session, answer, { verified: tx => proveBearer(tx, call.bearer, call.facts.entity.id) })

/** The locale that the person last agreed to something in, in this session: a part of the statement that needs it. */
export const agreedIn = (session: string) =>
  sql<string>`coalesce((select locale from consents where session_id = ${session} order by id desc limit 1), 'en')`

/** Keeps what the person agreed to, by document and version. */
export function keepConsents(
  tx: Scope,
  call: Pick<Call, 'facts' | 'session'>,
  accepted: readonly { id: string; version: string }[],
  locale: string | ReturnType<typeof agreedIn>,
) {
  const rows = accepted.map(document => ({
    id: `cns_${createId('event', tx.now).slice(4)}`,
    team_id: tx.team.id,
    entity_id: call.facts.entity.id,
    session_id: call.session,
    document: document.id,
    version: document.version,
    locale,
    created_at: tx.now,
  }))
  return tx.db.insertInto('consents').values(rows).execute()
}
