import type { StepError } from '@causeway/contract/session'
import { createId } from '../../crypto/random.js'
import { type Scope, transact } from '../../scope.js'
import { type NewFlowEvent, record } from '../events.js'
import type { Facts } from '../facts.js'
import { saveProgress } from '../store.js'

/** One call of a person: who, where, and what was true when it came. */
export interface Call {
  scope: Scope
  session: string
  handle: string
  facts: Facts
  /** The network address that it came from, where known. */
  address: string | undefined
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
