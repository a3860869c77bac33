/** Requests to a server that speaks this service's own API. */
import { createHash } from 'node:crypto'
import { failureCode } from '@causeway/connector/methods/shapes'
import { OutsideError } from '@causeway/connector/ports/outside-error'
import type { ResourceErrorCode } from '@causeway/contract/errors'
import type { Context } from './settings.js'

/** The parts of a context that requests need. */
export type Caller = Pick<Context, 'settings' | 'fetch'>
export type Members = Readonly<Record<string, unknown>>

/** The version that every request names, so that the upstream's answers keep their shape. */
const VERSION = '2026-03-30'
const MAX_PAGES = 1_000
const PAGE_SIZE = 100

const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
export const members = (value: unknown): Members => (isMembers(value) ? value : {})
export const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null)
export const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])

export const unreadable = () => new OutsideError('The upstream did not answer: the body has another shape.')

/** Returns the id of a resource. Throws if it is not one. */
export function idOf(value: unknown): string {
  const { id } = members(value)
  if (typeof id !== 'string' || !/^[a-z_]{2,20}_\w{1,60}$/.test(id)) throw unreadable()
  return id
}

/** The reason for which the upstream did not accept a request. Nothing was done. */
export interface Refusal {
  status: number
  subType: string
}

export type Reply = { ok: true; value: Members } | { ok: false; refusal: Refusal }

/** Removes the envelope that some servers put around every answer. */
function unwrap(json: unknown): unknown {
  const body = members(json)
  return typeof body['success'] === 'boolean' && 'data' in body ? body['data'] : json
}

interface RequestOptions {
  query?: Record<string, string>
  body?: object
  key?: string
}

async function send(
  { settings, fetch }: Caller,
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  path: string,
  { query = {}, body, key }: RequestOptions = {},
): Promise<{ ok: true; json: unknown; next: string | null } | { ok: false; refusal: Refusal }> {
  const search = new URLSearchParams(query).toString()
  const { status, headers, json } = await fetch({
    method,
    url: `${settings.UPSTREAM_API_URL}${path}${search && `?${search}`}`,
    headers: {
      authorization: `Bearer ${settings.UPSTREAM_API_KEY}`,
      'service-version': VERSION,
      'method-version': VERSION,
      ...(body && { 'content-type': 'application/json' }),
      ...(key !== undefined && { 'idempotency-key': key }),
    },
    ...(body && { body: JSON.stringify(body) }),
  })
  if (status < 300) return { ok: true, json: unwrap(json), next: headers.get('pagination-page-cursor-next') || null }
  const { sub_type } = members(members(unwrap(json))['error'])
  return { ok: false, refusal: { status, subType: typeof sub_type === 'string' ? sub_type : 'UNKNOWN' } }
}

/** Sends a request whose answer is one resource. */
export async function request(
  caller: Caller,
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  path: string,
  options: RequestOptions = {},
): Promise<Reply> {
  const reply = await send(caller, method, path, options)
  if (!reply.ok) return reply
  if (!isMembers(reply.json)) throw unreadable()
  return { ok: true, value: reply.json }
}

/** Reads a resource. Throws if it can't be read. */
export async function read(caller: Caller, path: string, query?: Record<string, string>): Promise<Members> {
  return accepted(await request(caller, 'GET', path, query ? { query } : {}))
}

/** Returns the value of an accepted request. A refusal of what must be possible is a failure of the upstream. */
export function accepted(reply: Reply): Members {
  if (reply.ok) return reply.value
  throw refused(reply.refusal)
}

/** An earlier request with the same idempotency key is still in progress there, so its effect is not known yet. */
const isInProgress = ({ status }: Refusal) => status === 409

export const refused = (refusal: Refusal) =>
  new OutsideError(
    `The upstream did not accept a request: ${/^[A-Z_]{1,60}$/.test(refusal.subType) ? refusal.subType : 'UNKNOWN'}.`,
    isInProgress(refusal) ? {} : { outcome: 'nothing', retryable: false },
  )

/** Lists every resource of a list, page by page. */
export async function* list(caller: Caller, path: string, query: Record<string, string> = {}): AsyncGenerator<Members> {
  let cursor: string | null = null
  for (let page = 1; page <= MAX_PAGES; page++) {
    // A page number would make the upstream count the whole list.
    const reply: Awaited<ReturnType<typeof send>> = await send(caller, 'GET', path, {
      query: { ...query, page_limit: String(PAGE_SIZE), ...(cursor !== null && { page_cursor: cursor }) },
    })
    if (!reply.ok) throw refused(reply.refusal)
    const rows = Array.isArray(reply.json) ? reply.json : members(reply.json)['data']
    if (!Array.isArray(rows) || !rows.every(isMembers)) throw unreadable()
    yield* rows
    cursor = reply.next
    if (cursor === null) return
  }
  throw new OutsideError('The upstream lists too many resources.', { outcome: 'nothing' })
}

/**
 * Returns the code of a resource's error if it may be reported; otherwise, the fallback.
 * @param allowed the codes that may be reported; by default, all of the contract's
 */
export const codeOf = (
  error: unknown,
  fallback: ResourceErrorCode,
  allowed: { safeParse(code: unknown): { data?: ResourceErrorCode | undefined } } = failureCode,
): ResourceErrorCode => allowed.safeParse(members(error)['code']).data ?? fallback

/** Thrown while a resource at the upstream is not ready yet. */
const notReady = () => new OutsideError('The upstream is still working on it.', { outcome: 'nothing' })

type Ended = { status: 'completed'; record: Members } | { status: 'failed'; code: ResourceErrorCode }

/**
 * Creates a record of a product, or finds the one that an earlier attempt created.
 * @param key names the record: the same key returns the same record
 * @returns the completed record, the code of its failure, or `pending`
 */
export async function startProduct(
  caller: Caller,
  path: string,
  body: object,
  key: string,
  fallback: ResourceErrorCode,
): Promise<Ended | { status: 'pending' }> {
  const created = await request(caller, 'POST', path, { body, key: keyOf(path, key) })
  if (!created.ok) {
    if (created.refusal.status === 400) return { status: 'failed', code: fallback }
    throw refused(created.refusal)
  }
  const record = await read(caller, `${path}/${idOf(created.value)}`)
  if (record['status'] === 'completed') return { status: 'completed', record }
  if (record['status'] === 'failed') return { status: 'failed', code: codeOf(record['error'], fallback) }
  return { status: 'pending' }
}

/** Does the same as {@link startProduct}, but throws an error that leads to another attempt while the record is pending. */
export async function runProduct(...input: Parameters<typeof startProduct>): Promise<Ended> {
  const run = await startProduct(...input)
  if (run.status === 'pending') throw notReady()
  return run
}

/** Returns an idempotency key for one purpose. Ids of resources are too short to be unique across purposes. */
export const keyOf = (purpose: string, id: string): string =>
  createHash('sha256').update(`${purpose} ${id}`).digest('hex')
