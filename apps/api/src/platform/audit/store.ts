import { randomText } from '../crypto/random.js'
import type { Tables } from '../db/tables.js'
import type { Db } from '../db/types.js'
import { type ConsoleUser, type Ctx, type Scope, sealer } from '../scope.js'
import { showTime } from '../show.js'
import { type AuditChange, changesJson } from './changes.js'
import { OPERATOR, OPERATOR_ACTOR } from './operator.js'

type Optional = 'id' | 'reason' | 'session_id' | 'actor_name' | 'changes'
type Entry = Omit<Tables['audit'], 'created_at' | Optional> & Partial<Pick<Tables['audit'], Optional>>

const createId = (now: number) => `aud_${now.toString(36)}${randomText(8)}`

/** Writes audit entries. @param now real time, epoch milliseconds */
async function insertAudit(db: Db, now: number, entries: readonly Entry[]): Promise<void> {
  await db
    .insertInto('audit')
    .values(entries.map(entry => ({ id: createId(now), ...entry, created_at: now })))
    .execute()
}

/** More about an action. */
interface Details {
  /** The team in whose log the entry is. The scope's team by default. */
  readonly team?: string
  readonly changes?: readonly AuditChange[]
  /** The reason that the user gave. By default, the reason in the request. */
  readonly reason?: string | undefined
}

/** Builds the audit entry for a request, or for a job that a request created. */
function entryOf(
  scope: Scope,
  actor: string,
  action: string,
  resource: string | null,
  { team = scope.team.id, changes, reason = scope.deps.consoleUser?.reason }: Details,
): Entry {
  const id = createId(scope.deps.clock())
  return {
    id,
    team_id: team,
    actor,
    action,
    resource_id: resource,
    request_id: scope.deps.requestId ?? null,
    // Only the log of the scope's team can be read with its key.
    reason: reason !== undefined && team === scope.team.id ? sealer(scope).seal({ id, field: 'reason' }, reason) : null,
    ...columnsOf(scope.deps.consoleUser),
    ...changesColumn(changes),
  }
}

const changesColumn = (changes: readonly AuditChange[] = []) => ({
  changes: changes.length === 0 ? null : changesJson.write(changes),
})

const columnsOf = (user: ConsoleUser | undefined) => ({
  session_id: user?.session ?? null,
  actor_name: user?.name ?? null,
})

/**
 * Records an action, such as reading an account number, presenting a rejected token or changing a setting, with its
 * actor and resource. Stores ids, the reason that a user gave, and the values of settings that changed.
 */
export async function audit(
  scope: Scope,
  actor: string,
  action: string,
  resource: string | null,
  details: Details = {},
): Promise<void> {
  await insertAudit(scope.db, scope.deps.clock(), [entryOf(scope, actor, action, resource, details)])
}

/**
 * Records what a console user does through the API, such as canceling a payment. Records nothing for other callers, whose
 * requests are in the log of requests.
 */
export async function auditConsole(ctx: Ctx, action: string, resource: string | null): Promise<void> {
  // mutant: console-writes-are-audited (false)
  if (ctx.deps.consoleUser) await audit(ctx, ctx.actor, action, resource)
}

/**
 * The actions whose reasons are in plain text, because they can concern all teams, which share no key. All other reasons
 * are sealed.
 */
const stopActions = ['payments.stop', 'payments.start'] as const

/** Returns true if the reason in an entry must be opened before it is shown. */
export const hasSealedReason = (action: string): boolean => !(stopActions as readonly string[]).includes(action)

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
  {
    actor = OPERATOR_ACTOR,
    requestId,
    consoleUser,
    changes,
  }: Partial<Operator> & { changes?: readonly AuditChange[] } = {},
): Promise<void> {
  const entry = {
    team_id: team ?? OPERATOR,
    actor,
    action,
    resource_id: resource,
    request_id: requestId ?? null,
    reason,
    ...columnsOf(consoleUser),
    ...changesColumn(changes),
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
  return rows.map(({ team_id, created_at, reason: _, changes, ...row }) => ({
    ...row,
    changes: changes === null ? [] : changesJson.read(changes),
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
): Promise<void> {
  const entries = resources.map(resource => entryOf(scope, actor, action, resource, {}))
  await insertAudit(db, scope.deps.clock(), entries)
}
