import { setImmediate as turn } from 'node:timers/promises'
import { endpoints } from '@causeway/contract/endpoints/table'
import { HOUR_MS } from '@causeway/contract/time'
import type { Version } from '@causeway/contract/versions'
import type { z } from 'zod'
import { randomText } from '../../crypto/random.js'
import type { Vault } from '../../crypto/vault.js'
import { DUPLICATE_KEY_CODE, errorCode, isTemporaryFault } from '../../db/fault.js'
import { writeJson } from '../../db/json.js'
import type { Store } from '../../db/types.js'
import { describeFault, type Log } from '../../log.js'
import type { Metrics } from '../../metrics.js'
import { timeClass } from '../../percentile.js'
import type { Versions } from '../../scope.js'
import type { Team } from '../../team.js'
import type { LoggedRequest, RequestLog } from './logged-request.js'
import { FoundIds, isId, redactAnswer, redactRequest } from './redact.js'
import { createRequestStore, type RequestCount, type RequestRow } from './request-store.js'

/** The maximum size of a stored body, in characters. */
const MAX_BODY = 16_384
/** The maximum number of queued requests and of characters in their bodies. Requests over a limit are dropped. */
const MAX_WAITING = 5_000
const MAX_HELD = 16_777_216
/** The number of rows per transaction. The number is small because a transaction on SQLite blocks other writers. */
const BATCH = 100
/**
 * When a row's bodies exceed this total length, in characters, the team's next bodies are stored in another row. The
 * length is limited because showing one request requires decrypting the whole row.
 */
const MAX_SEALED = 131_072
/** The maximum number of ids by which a request can be found. */
const MAX_IDS = 20
const WRITE_INTERVAL_MS = 1_000

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
  /** The number of characters in the bodies before redaction. */
  size: number
  at: number
  /** The properties of the stored JSON object, one for each request. */
  readonly parts: string[]
}

/** Returns the schema of an endpoint's body in a version. */
type SchemaOf = (version: Version | null, name: string) => z.ZodType | undefined

/** Caches each schema, because finding it costs as much as redacting a small body. */
function rememberSchemas(versions: Versions): SchemaOf {
  const schemas = new Map<string, z.ZodType | undefined>()
  return (version, name) => {
    const key = `${version} ${name}`
    if (!schemas.has(key)) {
      const older = version === null ? undefined : versions.requestAt(version, name).body
      schemas.set(key, older ?? declared.get(name)?.body)
    }
    return schemas.get(key)
  }
}

const sizeOf = ({ request, response }: LoggedRequest) => (request?.length ?? 0) + (response?.length ?? 0)

/** Builds the rows for requests and their bodies. */
function rowsOf(schemaOf: SchemaOf, batch: readonly LoggedRequest[]): { rows: RequestRow[]; bodies: Bodies[] } {
  const bodies: Bodies[] = []
  /** For each team, the row to which bodies can still be added. */
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
    const refusal = (answered as { error?: { sub_type?: unknown } } | undefined)?.error
    const wrapped = (answered as { data?: { error?: { sub_type?: unknown } } | null } | undefined)?.data?.error
    // A replayed response has its error code only in its body.
    const subType =
      logged.status < 400 ? null : String(logged.subType ?? (refusal ?? wrapped)?.sub_type ?? 'INTERNAL_ERROR')
    const found = new FoundIds()
    for (const value of Object.values(logged.params)) if (isId(value)) found.add(0, value)
    // The response's ids come before the request's ids at the same depth.
    const response = answered === undefined ? null : redactAnswer(endpoint?.answer, answered, found)
    const request = sent === undefined ? null : redactRequest(schemaOf(logged.version, name), sent, found)
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
      resource_ids: writeJson(found.first(MAX_IDS)),
      bodies_id: own?.id ?? null,
      created_at: logged.at,
    }
  })
  return { rows, bodies }
}

/**
 * Counts rows by hour, outcome and duration. The counts are sorted by key so that all batches lock rows in the same
 * order. Pure.
 */
function countsOf(rows: readonly RequestRow[]): RequestCount[] {
  const counts = new Map<string, RequestCount>()
  for (const { team_id, status, sub_type, ms, created_at } of rows) {
    const own = {
      team_id,
      hour: created_at - (created_at % HOUR_MS),
      status,
      sub_type: sub_type ?? '',
      ms: timeClass(ms),
    }
    const key = `${team_id} ${own.hour} ${status} ${own.sub_type} ${own.ms}`
    const count = counts.get(key)
    if (count) count.count += 1
    else counts.set(key, { ...own, count: 1 })
  }
  return [...counts].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, each]) => each)
}

/** Writes requests to the store: all of a batch, or only those that are not stored yet, so that each is counted once. */
function createWriter({ store, vault, versions }: LogDeps) {
  const schemaOf = rememberSchemas(versions)
  const stored = createRequestStore(store)

  async function write(batch: readonly LoggedRequest[]): Promise<void> {
    const { rows, bodies } = rowsOf(schemaOf, batch)
    const sealed = bodies.map(({ id, team, at, parts }) => ({
      team_id: team.id,
      id,
      sealed: vault.sealer(team.id, team.dataKey).pack({ id, field: 'bodies' }, `{${parts.join()}}`),
      created_at: at,
    }))
    await stored.insert({ requests: rows, bodies: sealed, counts: countsOf(rows) })
  }

  async function writeMissing(batch: readonly LoggedRequest[]): Promise<void> {
    const known = await stored.known(batch.map(({ id, team }) => ({ id, team_id: team.id })))
    const missing = batch.filter(({ id }) => !known.has(id))
    if (missing.length > 0) await write(missing)
  }
  return { write, writeMissing }
}

/** Returns a function that is true if the rate limit has rejected a request of the same team in the same second. */
function createRepeatCheck(): (logged: LoggedRequest) => boolean {
  /** For each team, the second in which a rate limit last rejected a request. */
  const limited = new Map<string, number>()
  return ({ status, team, at }) => {
    if (status !== 429) return false
    const second = Math.floor(at / 1_000)
    if (limited.get(team.id) === second) return true
    if (limited.size > 10_000) limited.clear()
    limited.set(team.id, second)
    return false
  }
}

const small = (text: string | null) => (text === null || text === '' || text.length > MAX_BODY ? null : text)

/** Returns a request without bodies that are too large. Copies it only if needed, because a copy is expensive. */
function withSmallBodies(logged: LoggedRequest): LoggedRequest {
  const request = small(logged.request)
  const response = small(logged.response)
  return request === logged.request && response === logged.response ? logged : { ...logged, request, response }
}

/** Collects requests and writes them in batches in the background, so that no request waits for the log. */
export function createRequestLog(deps: LogDeps): RequestLog {
  const { log, metrics } = deps
  const { write, writeMissing } = createWriter(deps)
  const repeats = createRepeatCheck()
  let waiting: LoggedRequest[] = []
  let held = 0
  let running: Promise<void> | undefined
  /** True if the result of a commit was lost, in which case the first queued requests may already be stored. */
  let isUnsure = false
  let started = false
  let hasFailed = false

  async function drain(): Promise<void> {
    // Lets the request that filled the batch send its response first.
    await turn()
    // Requests that arrive during a flush wait for the next one. Otherwise, each write would be followed by another
    // small one.
    for (let left = waiting.length; left > 0; ) {
      const batch = waiting.slice(0, Math.min(left, BATCH))
      left -= batch.length
      await (isUnsure ? writeMissing(batch) : write(batch)).catch(error => {
        // A commit whose result was lost may complete after the check for stored requests.
        isUnsure = isTemporaryFault(error) || (isUnsure && errorCode(error) === DUPLICATE_KEY_CODE)
        if (isUnsure) throw error
        // Drops the batch, because the same rows would fail again.
        metrics.requestsDropped(batch.length)
        log('error', 'request_log_failed', describeFault(error))
      })
      isUnsure = false
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

  async function attempt(): Promise<void> {
    try {
      await flush()
      hasFailed = false
    } catch (error) {
      hasFailed = true
      log('warn', 'request_log_failed', describeFault(error))
    }
  }

  return {
    add(logged) {
      // The log contains at most one rejection by a rate limit per team and second.
      if (repeats(logged)) return
      const kept = withSmallBodies(logged)
      if (waiting.length >= MAX_WAITING || held + sizeOf(kept) > MAX_HELD) {
        metrics.requestsDropped(1)
        return
      }
      held += sizeOf(kept)
      waiting.push(kept)
      // After a failure, waits for the timer, because the store would probably fail again.
      if (waiting.length >= BATCH && started && !running && !hasFailed) void attempt()
    },
    flush,
    start() {
      started = true
      const timer = setInterval(attempt, WRITE_INTERVAL_MS)
      timer.unref()
      return async () => {
        clearInterval(timer)
        started = false
        // Flushes twice, because a flush that was already running may miss the latest requests.
        await attempt()
        if (waiting.length > 0) await attempt()
        if (waiting.length > 0) metrics.requestsDropped(waiting.length)
        waiting = []
      }
    },
  }
}
