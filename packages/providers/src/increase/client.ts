import { OutsideError } from '@causeway/connector/ports/outside-error'
import { RejectedKeyError } from '@causeway/connector/provider/guarded-fetch'
import { baseUrl, type Context } from './settings.js'

/** The parts of a context that requests need. */
export type Caller = Pick<Context, 'settings' | 'fetch'>

/** The collections of transfers, by their paths. */
export type Route = 'ach_transfers' | 'check_transfers' | 'card_push_transfers' | 'account_transfers'

/** A transfer of any kind. Members other than these are read where they are needed. */
export interface Transfer {
  id: string
  status: string
  idempotency_key: string | null
  [member: string]: unknown
}

/** The reason for which Increase did not accept a request. Nothing was done. */
export interface Refusal {
  type: string
  /** The parameters that were not accepted. */
  fields: string[]
}

export type Result<Value> = { value: Value; refusal?: never } | { value?: never; refusal: Refusal }

const PAGE_SIZE = 100
const MAX_PAGES = 100

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const unreadable = () => new OutsideError('Increase did not answer: the body has another shape.')

interface RequestOptions {
  query?: Record<string, string>
  body?: object
  key?: string
  /** True for the host that accepts card numbers, which has a key of its own. */
  vault?: boolean
}

async function request(
  { settings, fetch }: Caller,
  method: 'GET' | 'POST',
  path: string,
  { query = {}, body, key, vault }: RequestOptions = {},
): Promise<Result<Record<string, unknown>> & { conflict?: string }> {
  const search = new URLSearchParams(query).toString()
  const { status, json } = await fetch({
    method,
    url: `${vault ? settings.INCREASE_VAULT_URL : baseUrl(settings)}${path}${search && `?${search}`}`,
    headers: {
      authorization: `Bearer ${vault ? settings.INCREASE_TOKENIZATION_KEY : settings.INCREASE_API_KEY}`,
      ...(body && { 'content-type': 'application/json' }),
      ...(key !== undefined && { 'idempotency-key': key }),
    },
    ...(body && { body: JSON.stringify(body) }),
    returns: [403],
  })
  if (status < 300) {
    if (!isObject(json)) throw unreadable()
    return { value: json }
  }
  const error = isObject(json) ? json : {}
  const type = typeof error['type'] === 'string' ? error['type'] : 'unknown'
  if (status === 403 && type !== 'private_feature_error') throw new RejectedKeyError('Increase')
  const errors = Array.isArray(error['errors']) ? error['errors'].filter(isObject) : []
  const fields = errors.map(({ field }) => field).filter(field => typeof field === 'string')
  const { resource_id } = error
  const isUsedKey = type === 'idempotency_key_already_used_error' && typeof resource_id === 'string'
  return { refusal: { type, fields }, ...(isUsedKey && { conflict: resource_id }) }
}

/** Reads an object. @returns null if it does not exist */
export async function read(caller: Caller, path: string): Promise<Record<string, unknown> | null> {
  const { value, refusal } = await request(caller, 'GET', path)
  if (value) return value
  if (refusal.type === 'object_not_found_error') return null
  throw refusedRead(refusal)
}

const refusedRead = ({ type }: Refusal) =>
  new OutsideError(`Increase did not accept a query: ${type}.`, { outcome: 'nothing', retryable: false })

export interface Page {
  data: Record<string, unknown>[]
  next: string | null
}

/** Reads a page of a list. */
export async function readPage(
  caller: Caller,
  path: string,
  query: Record<string, string>,
  cursor: string | null,
): Promise<Page> {
  const { value, refusal } = await request(caller, 'GET', path, {
    query: { ...query, limit: String(PAGE_SIZE), ...(cursor !== null && { cursor }) },
  })
  if (!value) throw refusedRead(refusal)
  const { data, next_cursor = null } = value
  if (!Array.isArray(data) || !data.every(isObject)) throw unreadable()
  if (next_cursor !== null && typeof next_cursor !== 'string') throw unreadable()
  return { data, next: next_cursor }
}

/** Lists every object of a list, page by page. */
export async function* list(
  caller: Caller,
  path: string,
  query: Record<string, string> = {},
): AsyncGenerator<Record<string, unknown>> {
  let cursor: string | null = null
  for (let pages = 0; pages < MAX_PAGES; pages++) {
    const page: Page = await readPage(caller, path, query, cursor)
    yield* page.data
    if (page.next === null) return
    cursor = page.next
  }
  throw new OutsideError(`Increase lists more than ${MAX_PAGES * PAGE_SIZE} objects.`, { outcome: 'nothing' })
}

function readTransfer(value: Record<string, unknown>): Transfer {
  const { id, status, idempotency_key = null } = value
  const hasKey = idempotency_key === null || typeof idempotency_key === 'string'
  if (typeof id !== 'string' || !/^\w{1,100}$/.test(id) || typeof status !== 'string' || !hasKey) throw unreadable()
  // Every transfer is created in dollars.
  if (value['currency'] !== undefined && value['currency'] !== 'USD') throw unreadable()
  return { ...value, id, status, idempotency_key: idempotency_key as string | null }
}

/**
 * Reads a transfer.
 * @param key the idempotency key with which it was created
 * @throws if the answer is about another transfer, whose state must not count
 */
export async function findTransfer(caller: Caller, route: Route, id: string, key: string): Promise<Transfer | null> {
  const value = await read(caller, `/${route}/${id}`)
  const transfer = value && ownTransfer(readTransfer(value), key)
  // mutant: other-transfers-do-not-count (false)
  if (transfer && transfer.id !== id) throw otherTransfer()
  return transfer
}

/** Finds the transfer that was created with an idempotency key. The list may be a moment behind. */
export async function findByKey(caller: Caller, route: Route, key: string): Promise<Transfer | null> {
  const { data } = await readPage(caller, `/${route}`, { idempotency_key: key }, null)
  const transfers = data.map(readTransfer)
  return transfers.find(transfer => transfer.idempotency_key === key) ?? null
}

/**
 * Creates a transfer. Increase creates at most one for each key, so a repeated request returns the first one. If the key
 * belongs to a transfer with other parameters, that transfer is returned, because the key names the payment.
 */
export async function createTransfer(
  caller: Caller,
  route: Route,
  body: object,
  key: string,
): Promise<Result<Transfer>> {
  const { value, refusal, conflict } = await request(caller, 'POST', `/${route}`, { body, key })
  if (value) return { value: ownTransfer(readTransfer(value), key) }
  if (conflict === undefined || !/^\w{1,100}$/.test(conflict)) return { refusal }
  const earlier = await findTransfer(caller, route, conflict, key)
  if (!earlier) throw new OutsideError('Increase knows the key of this transfer, but not the transfer.')
  return { value: earlier }
}

/** @throws if the transfer was created with another key, because it then belongs to something else */
function ownTransfer(transfer: Transfer, key: string): Transfer {
  if (transfer.idempotency_key !== key) throw otherTransfer()
  return transfer
}

const otherTransfer = () => new OutsideError('Increase answered with another transfer.')

/** Changes a transfer, for example by canceling it. In the sandbox, simulations change transfers. */
export async function changeTransfer(
  caller: Caller,
  path: `/${'' | 'simulations/'}${Route}/${string}`,
  body?: object,
): Promise<Result<Transfer>> {
  const { value, refusal } = await request(caller, 'POST', path, body ? { body } : {})
  return value ? { value: readTransfer(value) } : { refusal }
}

/** Exchanges a card's number for a token. @returns null if Increase does not accept the number */
export async function createCardToken(caller: Caller, body: object): Promise<string | null> {
  const { value } = await request(caller, 'POST', '/card_tokens', { body, vault: true })
  if (!value) return null
  const token = value['card_token'] ?? value['id']
  if (typeof token !== 'string' || !/^\w{1,100}$/.test(token)) throw unreadable()
  return token
}
