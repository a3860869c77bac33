/** The queries for requests that need a second person, and for the amount above which they do. */
import { DAY_MS } from '@causeway/contract/time'
import { randomText } from '../../platform/crypto/random.js'
import { jsonColumn } from '../../platform/db/json-column.js'
import type { Tables } from '../../platform/db/tables.js'
import type { Db } from '../../platform/db/types.js'
import type { Deps } from '../../platform/scope.js'
import type { Team } from '../../platform/team.js'
import { isAfter, PAGE_SIZE, type Position } from '../operator-store.js'
import type { SessionRow } from '../store.js'
import type { ActionName, Effect } from './actions.js'
import type { Person } from './person.js'

export type ApprovalRow = Tables['console_approvals']

const APPROVAL_LIFETIME_MS = 7 * DAY_MS
/** For this time after inviting or recovering a user, the user can't approve the requests of the person who did so. */
const INVITED_FOR_MS = 7 * DAY_MS

/** A request, as the console forwards it. */
export interface Asked {
  readonly method: string
  readonly path: string
  readonly body: Record<string, unknown>
  /** The request's Idempotency-Key and version; null if it had none. */
  readonly key: string | null
  readonly version: string | null
}

/** The session with which a request was asked for, without its secret. */
type AskerSession = Pick<SessionRow, 'id' | 'key_id' | 'role' | 'name' | 'user_id' | 'has_second_factor'>

/** The content of the sealed column. */
export interface Content {
  readonly request: Asked
  readonly effect: Effect
  readonly reason: string
  readonly asker: Person
  readonly session: AskerSession
}

const contentJson = jsonColumn<Content>('console_approvals.request')
const sealerOf = ({ vault }: Pick<Deps, 'vault'>, team: Team) => vault.sealer(team.id, team.dataKey)

export const openContent = (deps: Deps, team: Team, { id, request }: Pick<ApprovalRow, 'id' | 'request'>): Content =>
  contentJson.read(sealerOf(deps, team).open({ id, field: 'request' }, request))

export const openNote = (deps: Deps, team: Team, { id, note }: Pick<ApprovalRow, 'id' | 'note'>): string | null =>
  note === null ? null : sealerOf(deps, team).open({ id, field: 'note' }, note)

/** Returns the status that users see. */
export const statusOf = ({ status, expires_at }: ApprovalRow, now: number) =>
  status === 'waiting' && expires_at <= now ? ('expired' as const) : status

/** Inserts a request that waits. Returns undefined if its Idempotency-Key was used before. */
export function insertApproval(
  db: Db,
  deps: Deps,
  team: Team,
  { action, content, keyHash }: { action: ActionName; content: Content; keyHash: string | null },
): Promise<ApprovalRow | undefined> {
  const id = `capr_${randomText(13)}`
  const now = deps.clock()
  return db
    .insertInto('console_approvals')
    .values({
      ...{ team_id: team.id, id, action, status: 'waiting' },
      ...{ resource_id: content.effect.resource, session_id: content.effect.session },
      request: sealerOf(deps, team).seal({ id, field: 'request' }, contentJson.write(content)),
      ...{ asked_by: content.asker.actor, key_hash: keyHash, decided_by: null, decided_name: null, note: null },
      ...{ decided_at: null, expires_at: now + APPROVAL_LIFETIME_MS, created_at: now },
    })
    .onConflict(conflict => conflict.columns(['team_id', 'key_hash']).doNothing())
    .returningAll()
    .executeTakeFirst()
}

export const findApproval = (db: Db, team: string, id: string): Promise<ApprovalRow | undefined> =>
  db.selectFrom('console_approvals').selectAll().where('team_id', '=', team).where('id', '=', id).executeTakeFirst()

export const findApprovalByKey = (db: Db, team: string, keyHash: string): Promise<ApprovalRow | undefined> =>
  db
    .selectFrom('console_approvals')
    .selectAll()
    .where('team_id', '=', team)
    .where('key_hash', '=', keyHash)
    .executeTakeFirst()

/** A condition on a list of requests. */
export interface ApprovalFilter {
  /** Only requests that wait and have not expired by this time. */
  readonly waitingAt?: number
  readonly resource?: string
  /** Only requests that create payments of this session. */
  readonly session?: string
}

/**
 * Selects a page of requests, newest first, and one more.
 * @param before the last request of the previous page
 */
export const listApprovals = (
  db: Db,
  team: string,
  { waitingAt, resource, session }: ApprovalFilter,
  before: Position = null,
): Promise<ApprovalRow[]> =>
  db
    .selectFrom('console_approvals')
    .selectAll()
    .where('team_id', '=', team)
    .$if(waitingAt !== undefined, query =>
      query
        .where('status', '=', 'waiting')
        .where('expires_at', '>', waitingAt!)
        // The index has this time, so that requests that expired are not read.
        .where('created_at', '>', waitingAt! - APPROVAL_LIFETIME_MS),
    )
    .$if(resource !== undefined, query => query.where('resource_id', '=', resource!))
    .$if(session !== undefined, query => query.where('session_id', '=', session!))
    .$if(before !== null, query => query.where(isAfter(before!)))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(PAGE_SIZE + 1)
    .execute()

/** Counts the requests that wait, up to one more than a page has. */
export const countWaiting = async (db: Db, team: string, now: number): Promise<number> =>
  (
    await db
      .selectFrom('console_approvals')
      .select('id')
      .where('team_id', '=', team)
      .where('status', '=', 'waiting')
      .where('expires_at', '>', now)
      .where('created_at', '>', now - APPROVAL_LIFETIME_MS)
      .limit(PAGE_SIZE + 1)
      .execute()
  ).length

/** A user's decision. `note` explains it. */
export interface Decision {
  readonly to: Exclude<ApprovalRow['status'], 'waiting'>
  readonly by: Pick<Person, 'actor' | 'name'>
  readonly note?: string
}

/**
 * Ends a request's wait. Of several decisions at once, only the first succeeds.
 * @returns the request, or undefined if it does not wait anymore
 */
export function decide(
  db: Db,
  deps: Deps,
  team: Team,
  id: string,
  { to, by, note }: Decision,
): Promise<ApprovalRow | undefined> {
  const now = deps.clock()
  return (
    db
      .updateTable('console_approvals')
      .set({
        ...{ status: to, decided_by: by.actor, decided_name: by.name, decided_at: now },
        note: note === undefined ? null : sealerOf(deps, team).seal({ id, field: 'note' }, note),
      })
      .where('team_id', '=', team.id)
      .where('id', '=', id)
      // mutant: approval-runs-once (remove)
      .where('status', '=', 'waiting')
      // mutant: approval-expires (remove)
      .where('expires_at', '>', now)
      .returningAll()
      .executeTakeFirst()
  )
}

/** Adds the outcome of an approved request: the resource that it created, or the error with which it failed later. */
export async function recordOutcome(
  db: Db,
  deps: Deps,
  { team, id }: { team: Team; id: string },
  outcome: { resource: string } | { error: string },
): Promise<void> {
  const set =
    'resource' in outcome
      ? { resource_id: outcome.resource }
      : { status: 'failed' as const, note: sealerOf(deps, team).seal({ id, field: 'note' }, outcome.error) }
  await db
    .updateTable('console_approvals')
    .set(set)
    .where('team_id', '=', team.id)
    .where('id', '=', id)
    .where('status', '=', 'approved')
    .execute()
}

/** Finds the payments of a team that have these ids, or were created with these Idempotency-Keys. */
export async function findPayments(db: Db, team: string, ids: readonly string[], keys: readonly string[]) {
  if (ids.length + keys.length === 0) return []
  return db
    .selectFrom('payments')
    .select(['id', 'status', 'idempotency_key'])
    .where('team_id', '=', team)
    .where(({ or, eb }) =>
      or([
        ...(ids.length > 0 ? [eb('id', 'in', ids)] : []),
        ...(keys.length > 0 ? [eb('idempotency_key', 'in', keys)] : []),
      ]),
    )
    .execute()
}

/** What requests are about, by which their people are found. */
export interface Subjects {
  readonly sessions: readonly string[]
  readonly payments: readonly string[]
  readonly accounts: readonly string[]
}

/** Returns the person of each session, payment and account of a team, by its id. A session that no one opened has none. */
export async function findSubjects(
  db: Db,
  team: string,
  { sessions, payments, accounts }: Subjects,
): Promise<ReadonlyMap<string, string | null>> {
  const ofSessions = db
    .selectFrom('sessions')
    .select(['id', 'entity_id as person'])
    .where('team_id', '=', team)
    .where('id', 'in', sessions)
  const ofPayments = db
    .selectFrom('payments')
    .select(['id', 'destination_holder_id as person'])
    .where('team_id', '=', team)
    .where('id', 'in', payments)
  const ofAccounts = db
    .selectFrom('accounts')
    .select(['id', 'holder_id as person'])
    .where('team_id', '=', team)
    .where('id', 'in', accounts)
    .where('awaits_consent', 'is', null)
  const rows = [
    ...(sessions.length > 0 ? await ofSessions.execute() : []),
    ...(payments.length > 0 ? await ofPayments.execute() : []),
    ...(accounts.length > 0 ? await ofAccounts.execute() : []),
  ]
  return new Map(rows.map(({ id, person }) => [id, person]))
}

/** Returns the actors who invited or recovered a user in the last days. */
export async function findRecentInviters(db: Db, team: string, user: string, now: number): Promise<Set<string>> {
  const rows = await db
    .selectFrom('audit')
    .select('actor')
    .where('team_id', '=', team)
    .where('resource_id', '=', user)
    .where('action', 'in', ['console.user_invite', 'console.user_recover'])
    .where('created_at', '>', now - INVITED_FOR_MS)
    .execute()
  return new Set(rows.map(({ actor }) => actor))
}

/** Returns the amount, in cents, above which payments need a second person; null if nothing needs one. */
export const findPolicy = async (db: Db, team: string): Promise<number | null> =>
  (await db.selectFrom('console_policies').select('approve_above').where('team_id', '=', team).executeTakeFirst())
    ?.approve_above ?? null

/** @param above in cents; null if nothing needs a second person */
export async function storePolicy(db: Db, team: string, above: number | null, now: number): Promise<void> {
  if (above === null) {
    await db.deleteFrom('console_policies').where('team_id', '=', team).execute()
    return
  }
  await db
    .insertInto('console_policies')
    .values({ team_id: team, approve_above: above, updated_at: now })
    .onConflict(conflict => conflict.column('team_id').doUpdateSet({ approve_above: above, updated_at: now }))
    .execute()
}
