import { randomText } from '../crypto/random.js'
import type { Tables } from '../db/tables.js'
import type { Db } from '../db/types.js'
import { type ConsoleUser, type Ctx, type Scope, sealer } from '../scope.js'
import { showTime } from '../show.js'
import { OPERATOR } from './operator.js'

type Optional = 'id' | 'reason' | 'session_id' | 'actor_name'
type Entry = Omit<Tables['audit'], 'created_at' | Optional> & Partial<Pick<Tables['audit'], Optional>>

const createId = (now: number) => `aud_${now.toString(36)}${randomText(8)}`

/** Writes audit entries. @param now real time, epoch milliseconds */
async function insertAudit(db: Db, now: number, entries: readonly Entry[]): Promise<void> {
  await db
    .insertInto('audit')
    .values(entries.map(entry => ({ id: createId(now), ...entry, created_at: now })))
    .execute()
}

/** Builds the audit entry for a request, or for a job that a request created. */
const entryOf = (
  scope: Scope,
  actor: string,
  action: string,
  resource: string | null,
  team = scope.team.id,
): Entry => ({
  team_id: team,
  actor,
  action,
  resource_id: resource,
  request_id: scope.deps.requestId ?? null,
  ...columnsOf(scope.deps.consoleUser),
})

const columnsOf = (user: ConsoleUser | undefined) => ({
  session_id: user?.session ?? null,
  actor_name: user?.name ?? null,
})

/**
 * Records an action, such as reading an account number, presenting a rejected token or changing a setting, with its
 * actor and resource. Stores only ids.
 */
export async function audit(
  scope: Scope,
  actor: string,
  action: string,
  resource: string | null,
  team = scope.team.id,
): Promise<void> {
  await recordActions(scope, scope.db, actor, action, [resource], team)
}

/**
 * Records what a console user does through the API, such as canceling a payment. Records nothing for other callers, whose
 * requests are in the log of requests.
 */
export async function auditConsole(ctx: Ctx, action: string, resource: string | null): Promise<void> {
  // mutant: console-writes-are-audited (false)
  if (ctx.deps.consoleUser) await audit(ctx, ctx.actor, action, resource)
}

/** The actions whose reasons are sealed. */
const sealedActions = ['entity.reveal', 'approval.ask', 'approval.decline'] as const

/** Returns true if the reason in an entry must be opened before it is shown. */
export const hasSealedReason = (action: string): boolean => (sealedActions as readonly string[]).includes(action)

/** Records a console user's action in the user's team, with the reason that the user gave. */
export async function auditWithReason(
  scope: Scope,
  actor: string,
  action: (typeof sealedActions)[number],
  resource: string,
  reason: string,
): Promise<void> {
  const now = scope.deps.clock()
  const id = createId(now)
  const sealed = sealer(scope).seal({ id, field: 'reason' }, reason)
  await insertAudit(scope.db, now, [{ ...entryOf(scope, actor, action, resource), id, reason: sealed }])
}

/** The console user who acted as the operator, and that user's request id. */
export interface Operator {
  readonly actor: string
  readonly requestId?: string | undefined
  readonly consoleUser?: ConsoleUser | undefined
}

/**
 * Records an operator action. Works even if the service isn't running.
 * @param team the affected team, or null if the action affects all teams
 * @param by the console user who acted, if any
 */
export async function recordOperatorAction(
  db: Db,
  now: number,
  action: string,
  team: string | null,
  resource: string | null,
  reason: string | null = null,
  { actor, requestId, consoleUser }: Operator = { actor: 'operator' },
): Promise<void> {
  const entry = {
    team_id: team ?? OPERATOR,
    actor,
    action,
    resource_id: resource,
    request_id: requestId ?? null,
    reason,
    ...columnsOf(consoleUser),
  }
  await insertAudit(db, now, [entry])
}

/**
 * Lists actions since a time (epoch milliseconds), oldest first.
 * @param team the affected team, or null for actions that affect all teams
 */
export async function listAuditSince(db: Db, team: string | null, since: number, limit: number) {
  const rows = await db
    .selectFrom('audit')
    .selectAll()
    .where('team_id', '=', team ?? OPERATOR)
    .where('created_at', '>=', since)
    .orderBy('created_at')
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(({ team_id, created_at, reason: _, ...row }) => ({
    ...row,
    team_id: team_id === OPERATOR ? null : team_id,
    created_at: showTime(created_at),
  }))
}

export async function recordActions(
  scope: Scope,
  db: Db,
  actor: string,
  action: string,
  resources: readonly (string | null)[],
  team = scope.team.id,
): Promise<void> {
  const entries = resources.map(resource => entryOf(scope, actor, action, resource, team))
  await insertAudit(db, scope.deps.clock(), entries)
}
