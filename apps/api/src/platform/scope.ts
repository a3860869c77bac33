import type { KeyScope } from '@causeway/contract/resources/team'
import type { Version } from '@causeway/contract/versions'
import type { Keys } from './crypto/keys.js'
import type { Sealer, Vault } from './crypto/vault.js'
import type { Db, Store } from './db/store.js'
import type { Admission } from './http/admission.js'
import type { Encryption } from './http/encryption.js'
import type { Limits } from './http/limits.js'
import type { RequestLog } from './http/request-log.js'
import type { Versions } from './http/versions.js'
import type { Jobs } from './jobs/jobs.js'
import type { Log } from './log.js'
import type { Metrics } from './metrics.js'
import type { Outbound } from './outbound/outbound.js'
import type { Access, Team } from './team.js'

export type { Holder, Team } from './team.js'

/** Simulated faults. Production has none. */
export interface Faults {
  /** Returns how a part is to misbehave for a team now, or null. */
  of(team: string, part: string): Promise<string | null>
  /** Clears a team's cache, after it set a fault. */
  forget(team: string): void
}

/**
 * Everything that comes in from outside: the app is a function of it. A module that needs more extends this interface
 * next to the type's declaration; `main/app.ts` provides all of it.
 */
export interface Deps {
  /** The id of the request that the work is for, as `Request-Id` shows it. A job has that of the request that caused it. */
  readonly requestId?: string | undefined
  readonly environment: 'sandbox' | 'production'
  readonly apiOrigin: string
  readonly frameOrigin: string
  /**
   * The places a handset may be sent to for identification by its carrier: origins, the first label of which may be
   * `*`.
   */
  readonly silentOrigins: readonly string[]
  readonly store: Store
  readonly vault: Vault
  /** Calls to addresses that customers gave. */
  readonly outbound: Outbound
  /** Real time, epoch milliseconds. A team's time is this and its sandbox offset. */
  readonly clock: () => number
  readonly log: Log
  readonly metrics: Metrics
  readonly jobs: Jobs
  /** The key that derives session bearers and signs results. */
  readonly keys: Keys
  readonly access: Access
  readonly versions: Versions
  /** Bodies that are encrypted beside TLS. */
  readonly encryption: Encryption
  readonly limits: Limits
  readonly admission: Admission
  readonly requests: RequestLog
  /** The source of a request: the connection's address, or the one that our proxy reports. */
  addressOf(remote: string, forwarded: string | undefined): string
  /** The team of that id, as it is kept now. */
  teamOf(id: string): Promise<Team | undefined>
  readonly faults: Faults
  /** Named points of the money's way. The sandbox can end the process at one, to try what a crash leaves. */
  reach(point: string): void
}

/** The context of a feature: one team, its time, one connection. */
export interface Scope {
  readonly deps: Deps
  readonly team: Team
  /** The team's time, epoch milliseconds. */
  readonly now: number
  /** The open transaction of a write; the reader otherwise. */
  readonly db: Db
  /** Runs after the commit, before the answer leaves; never after a rollback. */
  after(work: () => Promise<void> | void): void
  /** Rights of the key that made the request; none is named where the service itself works. */
  readonly scopes?: ReadonlySet<KeyScope>
  /** Rows that are written at the end of {@link together}; absent where each is written at once. */
  readonly pending?: Pending
}

/** Writes rows of one kind, all by as few statements as one. */
export type Writer<Row> = (scope: Scope, rows: readonly Row[]) => Promise<void>
/** The rows that each writer is to write. */
type Pending = Map<Writer<never>, unknown[]>

/** The sealed content of an answer: an action of the audit log, ids, and whether a replay needs the scope `sensitive`. */
export interface Read {
  readonly action: string
  readonly resources: readonly string[]
  readonly sensitive: boolean
}

/** One request, as a handler sees it. */
export interface Ctx extends Scope {
  readonly requestId: string
  readonly params: Readonly<Record<string, string>>
  readonly query: URLSearchParams
  readonly version: Version
  readonly idempotencyKey: string | null
  /** True if the request came by the mount whose bodies are wrapped. */
  readonly enveloped: boolean
  /** Who asks: an id of a key, or a handle. */
  readonly actor: string
  readonly scopes: ReadonlySet<KeyScope>
  /** True if the request asks for encrypted bodies. */
  readonly encrypted: boolean
  /** Reads that the answer shows and the audit log holds: a replay of the answer repeats them there. */
  readonly reads: Read[]
  header(name: string): string | undefined
  /** The body as a JSON object; `{}` where none was sent. Throws INVALID_REQUEST. */
  body(): Record<string, unknown>
  /** The result of the route's `read` in the request. */
  readonly input: unknown
  /** The result of the route's `prepare`, before the transaction. */
  readonly prepared: unknown
}

export function sealer(scope: Scope): Sealer {
  return scope.deps.vault.sealer(scope.team.id, scope.team.dataKey)
}

/** Runs a transaction of a team outside a request: for jobs and tools. */
export async function transact<T>(deps: Deps, team: Team, work: (scope: Scope) => Promise<T>): Promise<T> {
  let after: (() => Promise<void> | void)[] = []
  const result = await deps.store.write(db => {
    after = []
    return work({ deps, team, now: deps.clock() + team.clockOffset, db, after: hook => after.push(hook) })
  })
  for (const hook of after) await hook()
  return result
}

/**
 * Runs work whose events and jobs are written at its end, those of a kind by one statement. Nothing in the work may read
 * them before. Work inside other such work is written at the end of the outer one.
 */
export async function together<T>(outer: Scope, work: (scope: Scope) => Promise<T>): Promise<T> {
  if (outer.pending) return work(outer)
  const { deps, team, now, db, scopes } = outer
  const pending: Pending = new Map()
  const scope: Scope = { deps, team, now, db, after: hook => outer.after(hook), pending, ...(scopes && { scopes }) }
  const result = await work(scope)
  // A writer may add rows of another one: deliveries of events add jobs.
  for (const [writer, rows] of pending) {
    pending.delete(writer)
    await writeSlices(scope, writer as Writer<unknown>, rows)
  }
  return result
}

/** The most rows of one statement: an engine accepts a limited number of values. */
const SLICE = 200

/** Writes rows by statements of a bounded size. */
export async function writeSlices<Row>(scope: Scope, writer: Writer<Row>, rows: readonly Row[]): Promise<void> {
  for (let from = 0; from < rows.length; from += SLICE) await writer(scope, rows.slice(from, from + SLICE))
}

/** Writes rows: at the end of {@link together} if that is under way, else at once. */
export async function writeRows<Row>(scope: Scope, writer: Writer<Row>, rows: readonly Row[]): Promise<void> {
  if (!scope.pending) return writeSlices(scope, writer, rows)
  const known = scope.pending.get(writer as Writer<never>)
  if (known) known.push(...rows)
  else scope.pending.set(writer as Writer<never>, [...rows])
}

/**
 * A job's scope as of the time its work was for. Where the sandbox clock jumped over that time, what happened then is dated
 * so; otherwise time is what it is, however late the job.
 */
export function asOf(scope: Scope, at: number): Scope {
  return scope.team.clockOffset > 0 ? { ...scope, now: Math.min(at, scope.now) } : scope
}

/** A scope for reading outside a transaction. */
export function reading(deps: Deps, team: Team): Scope {
  return { deps, team, now: deps.clock() + team.clockOffset, db: deps.store.reader, after() {} }
}
