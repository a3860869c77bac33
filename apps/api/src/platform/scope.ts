import type { KeyScope } from '@causeway/contract/fields/key-scopes'
import type { Version } from '@causeway/contract/versions'
import type { z } from 'zod'
import type { Keys } from './crypto/keys.js'
import type { Sealer, Vault } from './crypto/vault.js'
import type { Db, Store } from './db/types.js'
import type { Admission, DeferredSlot } from './http/limits/admission.js'
import type { Limits } from './http/limits/limits.js'
import type { RequestLog } from './http/log/logged-request.js'
import type { Encryption } from './http/response/encryption.js'
import type { Read } from './http/response/rendered.js'
import type { Log } from './log.js'
import type { Metrics } from './metrics.js'
import type { Outbound } from './outbound/outbound.js'
import type { Access, Team } from './team.js'

export type { Read } from './http/response/rendered.js'
export type { Holder, Team } from './team.js'

/** Simulated faults. Production has none. */
export interface Faults {
  /** Returns the fault currently simulated for a team in a part of the service, or null if there is none. */
  of(team: string, part: string): Promise<string | null>
  /** Clears a team's cached faults. Call this after the team sets a fault. */
  forget(team: string): void
}

/**
 * The app's dependencies. To add a dependency, extend this interface in the module that declares its type, and provide
 * its value in `main/app.ts`.
 */
export interface Deps {
  /**
   * The id of the request that caused the work, as returned in `Request-Id`. For a job, the id of the request that
   * created the job.
   */
  readonly requestId?: string | undefined
  /** The console user who sent that request, if any. Audit entries name it. */
  readonly consoleUser?: ConsoleUser | undefined
  readonly environment: 'sandbox' | 'production'
  readonly apiOrigin: string
  readonly frameOrigin: string
  /** The name of the company that runs the service, as people see it. */
  readonly serviceName: string
  /**
   * The origins to which a phone's browser may be redirected so that the carrier can identify the phone. An origin's
   * first label may be `*`.
   */
  readonly silentOrigins: readonly string[]
  readonly store: Store
  readonly vault: Vault
  /** Calls URLs provided by customers. */
  readonly outbound: Outbound
  /** Real time, in epoch milliseconds. A team's time is the real time plus the team's sandbox offset. */
  readonly clock: () => number
  readonly log: Log
  readonly metrics: Metrics
  readonly jobs: Jobs
  /** The keys used to derive session bearers and sign results. */
  readonly keys: Keys
  readonly access: Access
  readonly versions: Versions
  /** Encrypts and decrypts bodies, on top of TLS. */
  readonly encryption: Encryption
  readonly limits: Limits
  readonly admission: Admission
  /** The slot of the frame's request that caused the work, if any. Calls to the API pass their slot explicitly. */
  readonly slot?: DeferredSlot | undefined
  readonly requests: RequestLog
  /**
   * Returns a request's client address: the connection's address or, if our proxy sent the request, the address that
   * the proxy reports.
   */
  addressOf(remote: string, forwarded: string | undefined): string
  /** Returns the current state of the team with a given id. */
  teamOf(id: string): Promise<Team | undefined>
  readonly faults: Faults
  /**
   * Marks a named point in the processing of a payment. The sandbox can end the process there, to test recovery from a
   * crash.
   */
  reach(point: string): void
}

/** The console session that sent a request, the name of its user if there is one, and the reason that the user gave. */
export interface ConsoleUser {
  readonly session: string
  readonly name: string | null
  readonly reason?: string | undefined
}

/**
 * Returns the dependencies for work that a request caused. The object inherits the other dependencies, because copying
 * them costs more than most steps of a request. Do not spread the result: the copy would contain only the id.
 */
export function depsFor(
  deps: Deps,
  requestId: string | undefined,
  consoleUser?: ConsoleUser,
  slot?: DeferredSlot,
): Deps {
  return Object.assign(Object.create(deps), { requestId, consoleUser, slot })
}

/** Waits for something outside this process, without occupying the slot of the request that caused the work. */
export const withoutSlot = <T>({ slot }: Pick<Deps, 'slot'>, work: () => Promise<T>): Promise<T> =>
  slot ? slot.releaseWhile(work) : work()

/** The platform's interface to the API versions. `main/app.ts` provides it. */
export interface Versions {
  /** Returns the query parameters that a version doesn't have. */
  lackedParameters(version: Version): string[]
  /**
   * Returns the body and query of an endpoint in a version and a mount, if they differ from those in the latest version
   * on the root mount.
   * @param endpoint such as `POST /entities`
   */
  requestAt(
    version: Version,
    endpoint: string,
    enveloped?: boolean,
  ): { readonly body?: z.ZodType; readonly query?: Readonly<Record<string, z.ZodType>> }
  /** Parses a request's body and converts it to the latest version. Throws INVALID_REQUEST or the field's own error. */
  upToNewest(version: Version, endpoint: string, newest: z.ZodType, body: unknown, enveloped: boolean): unknown
  /**
   * Converts a body from the latest version to another version. Fields that depend on data outside the body are null.
   */
  showAt(version: Version, body: unknown): unknown
  /**
   * Loads the data that a version needs but the body doesn't contain. Returns a function that converts the body, or a
   * part of it, to that version.
   */
  showing(scope: Scope, version: Version, body: unknown): Promise<(body: unknown) => unknown>
}

/** A job to add. */
export interface NewJob {
  /** The job's id, from {@link createJobId}, if it had to be known before the job was added. A new one by default. */
  id?: string
  kind: string
  payload: Record<string, string>
  /** The team time at which to run the job; now by default. */
  at?: number
  /** True (default) if moving the sandbox clock also moves the job's scheduled time. */
  clocked?: boolean
  /** A key that only one job can have at a time. */
  unique?: string
  /**
   * Set if the creator runs the job with `settle` right after its transaction commits. The creator's process then
   * claims the job when inserting it. If that process fails first, another process takes over when the lease ends.
   */
  awaited?: true
  /** Data that an awaited job's creator already has, so that the handler doesn't need to read it. */
  facts?: unknown
  /** The job's lane, which must exist. A lane's jobs share its limit and wait while the lane is paused. */
  lane?: string
}

/** The platform's queue of deferred work. */
export interface Jobs {
  /** Adds a job in the scope's transaction. The job starts after the commit. @returns the job's id */
  enqueue(scope: Scope, job: NewJob): Promise<string>
  /**
   * Runs a job immediately, or waits while another process runs it. After at most `ms`, resolves to true if the job has
   * ended.
   */
  settle(team: string, id: string, ms: number): Promise<boolean>
  /**
   * For up to `ms`, runs all of a team's due jobs and any jobs that become due as a result. Waits for jobs with a lane
   * only if `lanes` is true.
   */
  drain(team: string, ms: number, options?: { lanes?: boolean }): Promise<void>
  start(): Promise<void>
  /** Stops starting jobs and waits for running jobs to end. */
  stop(): Promise<void>
}

/** The context in which a feature runs: a team, its time and a connection. */
export interface Scope {
  readonly deps: Deps
  readonly team: Team
  /** The team's time, in epoch milliseconds. */
  readonly now: number
  /** The open transaction, or the reader if there is none. */
  readonly db: Db
  /** Adds work to run after the commit but before the response is sent. The work doesn't run after a rollback. */
  after(work: () => Promise<void> | void): void
  /** The scopes of the key that made the request; absent if the service itself is acting. */
  readonly scopes?: ReadonlySet<KeyScope>
  /** Rows to write at the end of {@link batchWrites}; absent if rows are written immediately. */
  readonly pending?: Pending
}

/** Writes rows of one kind with as few statements as possible. */
export type Writer<Row> = (scope: Scope, rows: readonly Row[]) => Promise<void>
/** The rows waiting to be written, keyed by writer. */
type Pending = Map<Writer<never>, unknown[]>

/** Adds to the transaction of a write. */
export type Within = (tx: Db) => Promise<void>

/** A request, as its handler receives it. */
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
  /** True if the response must be encrypted. */
  readonly encrypted: boolean
  /** The reads to audit for the response. Replaying the response records them again. */
  readonly reads: Read[]
  header(name: string): string | undefined
  /** Returns the body as a JSON object, or `{}` if there is none. Throws INVALID_REQUEST. */
  body(): Record<string, unknown>
  /** The result of the route's `read`. */
  readonly input: unknown
  /** The result of the route's `prepare`, which ran before the transaction. */
  readonly prepared: unknown
}

export function sealer(scope: Scope): Sealer {
  return scope.deps.vault.sealer(scope.team.id, scope.team.dataKey)
}

/** Runs a transaction for a team outside a request, such as in a job or a tool. */
export async function transact<T>(deps: Deps, team: Team, work: (scope: Scope) => Promise<T>): Promise<T> {
  let hooks: (() => Promise<void> | void)[] = []
  const result = await deps.store.write(db => {
    hooks = []
    return work({ deps, team, now: deps.clock() + team.clockOffset, db, after: hook => hooks.push(hook) })
  })
  for (const hook of hooks) await hook()
  return result
}

/**
 * Runs work, then writes its events and jobs with one statement for each kind of row. The work must not read those
 * rows. Nested calls write at the end of the outermost call.
 */
export async function batchWrites<T>(outer: Scope, work: (scope: Scope) => Promise<T>): Promise<T> {
  if (outer.pending) return work(outer)
  const { deps, team, now, db, scopes } = outer
  const pending: Pending = new Map()
  const scope: Scope = { deps, team, now, db, after: hook => outer.after(hook), pending, ...(scopes && { scopes }) }
  const result = await work(scope)
  // A writer may add rows for another writer. For example, writing event deliveries adds jobs.
  for (const [writer, rows] of pending) {
    pending.delete(writer)
    await writeSlices(scope, writer as Writer<unknown>, rows)
  }
  return result
}

/** The maximum number of rows per statement. The engines limit the number of values in a statement. */
const MAX_ROWS_PER_STATEMENT = 200

/** Writes rows in statements of limited size. */
export async function writeSlices<Row>(scope: Scope, writer: Writer<Row>, rows: readonly Row[]): Promise<void> {
  for (let from = 0; from < rows.length; from += MAX_ROWS_PER_STATEMENT)
    await writer(scope, rows.slice(from, from + MAX_ROWS_PER_STATEMENT))
}

/** Writes rows immediately, or at the end of {@link batchWrites} if it is running. */
export async function writeRows<Row>(scope: Scope, writer: Writer<Row>, rows: readonly Row[]): Promise<void> {
  if (!scope.pending) return writeSlices(scope, writer, rows)
  const waiting = scope.pending.get(writer as Writer<never>)
  if (waiting) waiting.push(...rows)
  else scope.pending.set(writer as Writer<never>, [...rows])
}

/**
 * Returns a job's scope with the time that the job's work should record. If the sandbox clock was moved forward, the
 * recorded time is when the work was due. Otherwise, the current time is recorded, even if the job is late.
 */
export function asOf(scope: Scope, at: number): Scope {
  return scope.team.clockOffset > 0 ? { ...scope, now: Math.min(at, scope.now) } : scope
}

/** Creates a scope for reads outside a transaction. */
export function reading(deps: Deps, team: Team): Scope {
  return { deps, team, now: deps.clock() + team.clockOffset, db: deps.store.reader, after() {} }
}
