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
  /** Returns the simulated fault of a part for a team now, or null. */
  of(team: string, part: string): Promise<string | null>
  /** Clears the cached faults of a team, after it set one. */
  forget(team: string): void
}

/**
 * Everything that the app receives from outside: the app is a function of it. A module that needs more extends this
 * interface next to the type's declaration; `main/app.ts` provides all of it.
 */
export interface Deps {
  /**
   * The id of the request that caused the work, as in `Request-Id`. A job has the id of the request that caused the
   * job.
   */
  readonly requestId?: string | undefined
  readonly environment: 'sandbox' | 'production'
  readonly apiOrigin: string
  readonly frameOrigin: string
  /**
   * The origins to which a phone may be sent for identification by its carrier. The first label of an origin may be
   * `*`.
   */
  readonly silentOrigins: readonly string[]
  readonly store: Store
  readonly vault: Vault
  /** Calls addresses that customers provided. */
  readonly outbound: Outbound
  /** Real time, epoch milliseconds. A team's time is this plus its sandbox offset. */
  readonly clock: () => number
  readonly log: Log
  readonly metrics: Metrics
  readonly jobs: Jobs
  /** The keys that derive session bearers and sign results. */
  readonly keys: Keys
  readonly access: Access
  readonly versions: Versions
  /** Encrypts and decrypts bodies, in addition to TLS. */
  readonly encryption: Encryption
  readonly limits: Limits
  readonly admission: Admission
  readonly requests: RequestLog
  /** Returns the address of a request's client: that of the connection, or the one that our proxy reports. */
  addressOf(remote: string, forwarded: string | undefined): string
  /** Returns the team with an id, in its current state. */
  teamOf(id: string): Promise<Team | undefined>
  readonly faults: Faults
  /**
   * Marks a named point in the processing of a payment. The sandbox can end the process there, to test the state after
   * a crash.
   */
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
  /** Adds work that runs after the commit, before the response is sent; never after a rollback. */
  after(work: () => Promise<void> | void): void
  /** The scopes of the key that made the request; absent if the service itself acts. */
  readonly scopes?: ReadonlySet<KeyScope>
  /** Rows to write at the end of {@link together}; absent if rows are written at once. */
  readonly pending?: Pending
}

/** Writes rows of one kind with as few statements as possible. */
export type Writer<Row> = (scope: Scope, rows: readonly Row[]) => Promise<void>
/** The rows that each writer will write. */
type Pending = Map<Writer<never>, unknown[]>

/**
 * A read of sealed values for a response: the action in the audit log, the ids, and whether a replay needs the scope
 * `sensitive`.
 */
export interface Read {
  readonly action: string
  readonly resources: readonly string[]
  readonly sensitive: boolean
}

/** A request, as its handler sees it. */
export interface Ctx extends Scope {
  readonly requestId: string
  readonly params: Readonly<Record<string, string>>
  readonly query: URLSearchParams
  readonly version: Version
  readonly idempotencyKey: string | null
  /** True if the request came through the mount that wraps bodies. */
  readonly enveloped: boolean
  /** The caller: the id of a key, or a token's handle. */
  readonly actor: string
  readonly scopes: ReadonlySet<KeyScope>
  /** True if the request asks for an encrypted response. */
  readonly encrypted: boolean
  /** The audited reads in the response. A replay of the response records them again. */
  readonly reads: Read[]
  header(name: string): string | undefined
  /** Returns the body as a JSON object; `{}` if there is none. Throws INVALID_REQUEST. */
  body(): Record<string, unknown>
  /** The result of the route's `read`. */
  readonly input: unknown
  /** The result of the route's `prepare`, which ran before the transaction. */
  readonly prepared: unknown
}

export function sealer(scope: Scope): Sealer {
  return scope.deps.vault.sealer(scope.team.id, scope.team.dataKey)
}

/** Runs a transaction of a team outside a request, for jobs and tools. */
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
 * Runs work and writes its events and jobs at the end, each kind with one statement. The work must not read them
 * before. Nested calls write at the end of the outermost one.
 */
export async function together<T>(outer: Scope, work: (scope: Scope) => Promise<T>): Promise<T> {
  if (outer.pending) return work(outer)
  const { deps, team, now, db, scopes } = outer
  const pending: Pending = new Map()
  const scope: Scope = { deps, team, now, db, after: hook => outer.after(hook), pending, ...(scopes && { scopes }) }
  const result = await work(scope)
  // A writer may add rows for another writer: deliveries of events add jobs.
  for (const [writer, rows] of pending) {
    pending.delete(writer)
    await writeSlices(scope, writer as Writer<unknown>, rows)
  }
  return result
}

/** The maximum number of rows of one statement, because an engine limits the number of values. */
const SLICE = 200

/** Writes rows with statements of a limited size. */
export async function writeSlices<Row>(scope: Scope, writer: Writer<Row>, rows: readonly Row[]): Promise<void> {
  for (let from = 0; from < rows.length; from += SLICE) await writer(scope, rows.slice(from, from + SLICE))
}

/** Writes rows: at the end of {@link together} if it is running, else at once. */
export async function writeRows<Row>(scope: Scope, writer: Writer<Row>, rows: readonly Row[]): Promise<void> {
  if (!scope.pending) return writeSlices(scope, writer, rows)
  const known = scope.pending.get(writer as Writer<never>)
  if (known) known.push(...rows)
  else scope.pending.set(writer as Writer<never>, [...rows])
}

/**
 * Returns a job's scope at the time that its work was due. If the sandbox clock jumped over that time, the work is
 * dated as due; otherwise it is dated now, however late the job is.
 */
export function asOf(scope: Scope, at: number): Scope {
  return scope.team.clockOffset > 0 ? { ...scope, now: Math.min(at, scope.now) } : scope
}

/** Creates a scope for reads outside a transaction. */
export function reading(deps: Deps, team: Team): Scope {
  return { deps, team, now: deps.clock() + team.clockOffset, db: deps.store.reader, after() {} }
}
