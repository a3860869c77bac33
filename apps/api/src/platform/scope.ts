import type { KeyScope } from '@causeway/contract/resources/team'
import type { Version } from '@causeway/contract/versions'
import type { Keys } from './crypto/keys.js'
import type { Sealer, Vault } from './crypto/vault.js'
import type { Db, Store } from './db/types.js'
import type { Admission, Slot } from './http/admission.js'
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
  readonly slot?: Slot | undefined
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

/** The console session that sent a request, and the name of its user if the link that started it had one. */
export interface ConsoleUser {
  readonly session: string
  readonly name: string | null
}

/**
 * Returns the dependencies for work that a request caused. The object inherits the other dependencies, because copying
 * them costs more than most steps of a request. Do not spread the result: the copy would contain only the id.
 */
export function depsFor(deps: Deps, requestId: string | undefined, consoleUser?: ConsoleUser, slot?: Slot): Deps {
  return Object.assign(Object.create(deps), { requestId, consoleUser, slot })
}

/** Waits for something outside this process, without occupying the slot of the request that caused the work. */
export const withoutSlot = <T>({ slot }: Pick<Deps, 'slot'>, work: () => Promise<T>): Promise<T> =>
  slot ? slot.away(work) : work()

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
  /** Rows to write at the end of {@link together}; absent if rows are written immediately. */
  readonly pending?: Pending
}

/** Writes rows of one kind with as few statements as possible. */
export type Writer<Row> = (scope: Scope, rows: readonly Row[]) => Promise<void>
/** The rows waiting to be written, keyed by writer. */
type Pending = Map<Writer<never>, unknown[]>

/**
 * A read of sealed values for a response: the action to audit, the ids, and whether a replay requires the `sensitive`
 * scope.
 */
export interface Read {
  readonly action: string
  readonly resources: readonly string[]
  readonly sensitive: boolean
}

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
  let after: (() => Promise<void> | void)[] = []
  const result = await deps.store.write(db => {
    after = []
    return work({ deps, team, now: deps.clock() + team.clockOffset, db, after: hook => after.push(hook) })
  })
  for (const hook of after) await hook()
  return result
}

/**
 * Runs work, then writes its events and jobs with one statement for each kind of row. The work must not read those
 * rows. Nested calls write at the end of the outermost call.
 */
export async function together<T>(outer: Scope, work: (scope: Scope) => Promise<T>): Promise<T> {
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
const SLICE = 200

/** Writes rows in statements of limited size. */
export async function writeSlices<Row>(scope: Scope, writer: Writer<Row>, rows: readonly Row[]): Promise<void> {
  for (let from = 0; from < rows.length; from += SLICE) await writer(scope, rows.slice(from, from + SLICE))
}

/** Writes rows immediately, or at the end of {@link together} if it is running. */
export async function writeRows<Row>(scope: Scope, writer: Writer<Row>, rows: readonly Row[]): Promise<void> {
  if (!scope.pending) return writeSlices(scope, writer, rows)
  const known = scope.pending.get(writer as Writer<never>)
  if (known) known.push(...rows)
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
