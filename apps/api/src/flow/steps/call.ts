import type { StepError } from '@causeway/contract/session'
import { answerSession } from '../../people/entities/sessions.js'
import { createId } from '../../platform/crypto/random.js'
import { type Scope, transact } from '../../platform/scope.js'
import { type NewFlowEvent, record } from '../sessions/events.js'
import type { Facts } from '../sessions/facts.js'
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
}

/** Takes the input of a step; what is wrong with it comes back, nothing of it is lost. */
export type Handler = (call: Call, input: Record<string, unknown>) => Promise<StepError[]>

export const wrong = (field: string | null, code: string, values: StepError['values'] = {}): StepError[] => [
  { field, code, values },
]
export const fine: StepError[] = []

export const save = (call: Call, change: Parameters<typeof saveProgress>[2]) =>
  transact(call.scope.deps, call.scope.team, tx => saveProgress(tx, call.session, change))

export const say = (call: Call, scope: Scope, ...events: NewFlowEvent[]) =>
  record(scope, call.facts.session, call.handle, events)

/** Checks an answer that proves the phone. The proof counts for the bearer that gave it, from the same commit on. */
export const answerPhone = (call: Call, session: string, answer: Record<string, unknown>) =>
  answerSession(call.scope, session, answer, { verified: tx => proveBearer(tx, call.bearer, call.facts.entity.id) })

/** The locale that the person last agreed to something in, in this session. */
export async function agreedIn(tx: Scope, session: string): Promise<string> {
  const last = await tx.db
    .selectFrom('consents')
    .select('locale')
    .where('session_id', '=', session)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return last?.locale ?? 'en'
}

/** Keeps what the person agreed to, by document and version. */
export function keepConsents(
  tx: Scope,
  call: Pick<Call, 'facts' | 'session'>,
  accepted: readonly { id: string; version: string }[],
  locale: string,
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
