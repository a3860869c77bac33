import { endpoints } from '@causeway/contract/endpoints/table'
import { sql } from 'kysely'
import { randomText } from '../crypto/random.js'
import type { Vault } from '../crypto/vault.js'
import { command, compiled, compiledRows } from '../db/compiled-query.js'
import { isPassingFault } from '../db/fault.js'
import { writeJson } from '../db/json.js'
import type { Engine, Store } from '../db/store.js'
import type { Tables } from '../db/tables.js'
import { describeFault, type Log } from '../log.js'
import type { Metrics } from '../metrics.js'
import { timeClass } from '../percentile.js'
import type { Team } from '../team.js'
import { FoundIds, isId, redactAnswer, redactRequest } from './redact.js'
import type { Versions } from './versions.js'

/** A completed request. The request's unredacted bodies stay in memory until they are redacted and written. */
interface LoggedRequest {
  readonly id: string
  readonly team: Team
  readonly actor: string
  readonly source: 'api' | 'console'
  readonly method: string
  /** The route's template. */
  readonly route: string
  readonly params: Readonly<Record<string, string>>
  readonly status: number
  readonly ms: number
  readonly version: string | null
  readonly idempotency: Tables['requests']['idempotency']
  /** Null if the body is not stored. */
  readonly request: string | null
  readonly response: string | null
  /** The error code of a new response. A replayed response has its error code only in the body. */
  readonly subType?: string | undefined
  readonly at: number
}

export interface RequestLog {
  /** Queues a request for the log. Never throws and never waits. */
  add(request: LoggedRequest): void
  /** Writes all queued requests. If the store fails, throws its error and keeps the requests in the queue. */
  flush(): Promise<void>
  /** Starts writing the queue every second. @returns a function that writes the remaining requests and stops */
  start(): () => Promise<void>
}

/** The maximum size of a stored body, in characters. */
const MAX_BODY = 16_384
/** The maximum number of queued requests and of characters in their bodies. Requests over a limit are dropped. */
const MAX_WAITING = 5_000
const MAX_HELD = 16_777_216
/** The number of rows per transaction. It is small because a transaction on SQLite blocks other writers. */
const BATCH = 100
/**
 * The number of characters in a row's bodies after which a team's next bodies are stored in another row. Showing one
 * request requires opening the whole row.
 */
const MAX_SEALED = 131_072
/** The maximum number of ids by which a request can be found. */
const MAX_IDS = 20
const EVERY = 1_000
const HOUR = 3_600_000

const declared = new Map(endpoints.map(each => [`${each.method} ${each.path}`, each]))
const json = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

interface LogDeps {
  readonly store: Store
  readonly vault: Vault
  readonly versions: Versions
  readonly log: Log
  readonly metrics: Metrics
}

/** The bodies of one team's requests, to be sealed together. */
interface Bodies {
  readonly id: string
  readonly team: Team
  /** The number of characters in the unredacted bodies. */
  size: number
  at: number
  /** For each request, a property of the stored JSON object. */
  readonly parts: string[]
}

type Row = Omit<Tables['requests'], 'request' | 'response' | 'resource_ids'> & { readonly resource_ids: string[] }

const sizeOf = ({ request, response }: LoggedRequest) => (request?.length ?? 0) + (response?.length ?? 0)

/** Builds the rows for requests and their bodies. */
function rowsOf({ versions }: LogDeps, batch: readonly LoggedRequest[]): { rows: Row[]; bodies: Bodies[] } {
  const bodies: Bodies[] = []
  /** Each team's row to which bodies can still be added. */
  const open = new Map<string, Bodies>()

  function bodiesFor(logged: LoggedRequest): Bodies {
    const { team, at } = logged
    let own = open.get(team.id)
    if (!own || own.size > MAX_SEALED) {
      own = { id: randomText(20), team, size: 0, at, parts: [] }
      open.set(team.id, own)
      bodies.push(own)
    }
    own.size += sizeOf(logged)
    own.at = Math.max(own.at, at)
    return own
  }

  const rows = batch.map(logged => {
    const { id, team, method, route } = logged
    const name = `${method} ${route}`
    const endpoint = declared.get(name)
    const sent = logged.request === null ? undefined : json(logged.request)
    const answered = logged.response === null ? undefined : json(logged.response)
    const older = logged.version === null ? {} : versions.requestAt(logged.version as never, name)
    const refusal = (answered as { error?: { sub_type?: unknown } } | undefined)?.error
    const wrapped = (answered as { data?: { error?: { sub_type?: unknown } } | null } | undefined)?.data?.error
    // A replayed response has its error code only in its body.
    const subType =
      logged.status < 400 ? null : String(logged.subType ?? (refusal ?? wrapped)?.sub_type ?? 'INTERNAL_ERROR')
    const found = new FoundIds()
    for (const value of Object.values(logged.params)) if (isId(value)) found.add(0, value)
    // The response's ids come before the request's ids at the same depth.
    const response = answered === undefined ? null : redactAnswer(endpoint?.answer, answered, found)
    const request = sent === undefined ? null : redactRequest(older.body ?? endpoint?.body, sent, found)
    const own = request === null && response === null ? null : bodiesFor(logged)
    own?.parts.push(`"${id}":[${request},${response}]`)
    return {
      id,
      team_id: team.id,
      method,
      route,
      status: logged.status,
      sub_type: subType,
      ms: Math.round(logged.ms),
      version: logged.version,
      actor: logged.actor,
      source: logged.source,
      idempotency: logged.idempotency,
      resource_ids: found.first(MAX_IDS),
      bodies_id: own?.id ?? null,
      created_at: logged.at,
    }
  })
  return { rows, bodies }
}

type Counts = Tables['request_counts']
type Counted = Pick<Tables['requests'], 'team_id' | 'status' | 'sub_type' | 'ms' | 'created_at'>

/**
 * Counts rows by hour, outcome and duration. The counts are sorted by key so that all batches lock rows in the same
 * order. Pure.
 */
function countsOf(rows: readonly Counted[]): Counts[] {
  const counts = new Map<string, Counts>()
  for (const { team_id, status, sub_type, ms, created_at } of rows) {
    const own = { team_id, hour: created_at - (created_at % HOUR), status, sub_type: sub_type ?? '', ms: timeClass(ms) }
    const key = Object.values(own).join(' ')
    counts.set(key, { ...own, count: (counts.get(key)?.count ?? 0) + 1 })
  }
  return [...counts].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, each]) => each)
}

const insertRequests = compiledRows((db, rows: readonly Omit<Tables['requests'], 'request' | 'response'>[]) =>
  db
    .insertInto('requests')
    .values(rows)
    .onConflict(known => known.columns(['team_id', 'id']).doNothing())
    .returning(['team_id', 'status', 'sub_type', 'ms', 'created_at']),
)
const addCounts = compiledRows((db, counts: readonly Counts[]) =>
  db
    .insertInto('request_counts')
    .values(counts)
    .onConflict(known =>
      known
        .columns(['team_id', 'hour', 'status', 'sub_type', 'ms'])
        .doUpdateSet(set => ({ count: set('request_counts.count', '+', set.ref('excluded.count')) })),
    ),
)
const insertBodies = compiledRows((db, rows: readonly Tables['request_bodies'][]) =>
  db.insertInto('request_bodies').values(rows),
)

/**
 * Inserts the references of requests from a single JSON text, because binding each value costs more than the insert.
 * The text is a list of [team, request, error code, time, ids].
 */
const insertRefs = (engine: Engine) =>
  compiled((db, { text }: { text: string }) =>
    db
      .insertInto('request_refs')
      .columns(['team_id', 'about', 'request_id', 'sub_type', 'created_at'])
      .expression(
        engine === 'postgres'
          ? sql`select one ->> 0, about, one ->> 1, one ->> 2, cast(one ->> 3 as bigint)
              from json_array_elements(${text}::json) as one, json_array_elements_text(one -> 4) as about`
          : // The condition tells the parser that "on" does not begin a join.
            sql`select one.value ->> 0, about.value, one.value ->> 1, one.value ->> 2, one.value ->> 3
              from json_each(${text}) as one, json_each(one.value, '$[4]') as about where true`,
      )
      .onConflict(known => known.columns(['team_id', 'about', 'request_id']).doNothing()),
  )

/** Makes PostgreSQL commit without waiting for the disk. A server crash may then lose the last batches. */
const commitLater = command('set local synchronous_commit = off')

/** Collects requests and writes them in batches in the background, so that no request waits for the log. */
export function createRequestLog(deps: LogDeps): RequestLog {
  const { store, vault, log, metrics } = deps
  const addRefs = insertRefs(store.engine)
  let waiting: LoggedRequest[] = []
  let held = 0
  let running: Promise<void> | undefined
  const small = (text: string | null) => (text === null || text === '' || text.length > MAX_BODY ? null : text)

  async function write(batch: readonly LoggedRequest[]): Promise<void> {
    const { rows, bodies } = rowsOf(deps, batch)
    const sealed = bodies.map(({ id, team, at, parts }) => ({
      team_id: team.id,
      id,
      sealed: vault.sealer(team.id, team.dataKey).pack({ id, field: 'bodies' }, `{${parts.join()}}`),
      created_at: at,
    }))
    const stored = rows.map(row => ({ ...row, resource_ids: writeJson(row.resource_ids) }))
    const refs = rows.map(row => [row.team_id, row.id, row.sub_type, row.created_at, row.resource_ids])
    const text = JSON.stringify(refs)
    await store.write(async tx => {
      if (store.engine === 'postgres') await commitLater(tx)
      // Counts a request only once, even if its batch is rewritten because the result of the first commit was lost.
      const added = await insertRequests(tx, stored)
      await insertBodies(tx, sealed)
      await addCounts(tx, countsOf(added))
      await addRefs.all(tx, { text })
    })
  }

  async function drain(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, BATCH)
      await write(batch).catch(error => {
        if (isPassingFault(error)) throw error
        // Drops the batch, because the same rows would fail again.
        metrics.requestsDropped(batch.length)
        log('error', 'request_log_failed', describeFault(error))
      })
      waiting = waiting.slice(batch.length)
      for (const each of batch) held -= sizeOf(each)
    }
  }

  function flush(): Promise<void> {
    running ??= drain().finally(() => {
      running = undefined
    })
    return running
  }

  /**
   * The second in which each team was last rejected by a rate limit. Only one such rejection per second is logged for
   * each team.
   */
  const limited = new Map<string, number>()
  function repeats({ status, team, at }: LoggedRequest): boolean {
    if (status !== 429) return false
    const second = Math.floor(at / 1_000)
    if (limited.get(team.id) === second) return true
    if (limited.size > 10_000) limited.clear()
    limited.set(team.id, second)
    return false
  }

  return {
    add(logged) {
      if (repeats(logged)) return
      const kept = { ...logged, request: small(logged.request), response: small(logged.response) }
      if (waiting.length >= MAX_WAITING || held + sizeOf(kept) > MAX_HELD) {
        metrics.requestsDropped(1)
        return
      }
      held += sizeOf(kept)
      waiting.push(kept)
    },
    flush,
    start() {
      const attempt = () => flush().catch(error => log('warn', 'request_log_failed', describeFault(error)))
      const timer = setInterval(attempt, EVERY)
      timer.unref()
      return async () => {
        clearInterval(timer)
        // Flushes twice, because a flush that was already running may miss the latest requests.
        await attempt()
        if (waiting.length > 0) await attempt()
        if (waiting.length > 0) metrics.requestsDropped(waiting.length)
        waiting = []
      }
    },
  }
}
