// kills: sdk-repeats-only-with-key
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Causeway, CausewayError, type ClientOptions } from './index.js'

interface Seen {
  method: string
  url: string
  headers: Headers
  body: unknown
}

type Reply = Response | Error | ((request: Seen, signal: AbortSignal) => Promise<Response>)

/** Creates a client whose fetch returns the given replies in order, and records the requests. */
function fake(replies: Reply[], options: Partial<ClientOptions> = {}) {
  const seen: Seen[] = []
  const fetch = async (input: string | URL | Request, init: RequestInit = {}) => {
    const request = {
      method: init.method ?? 'GET',
      url: String(input),
      headers: new Headers(init.headers),
      body: init.body ? JSON.parse(String(init.body)) : undefined,
    }
    seen.push(request)
    const reply = replies.shift()
    if (!reply) throw new Error('The test has no reply left')
    if (reply instanceof Error) throw reply
    return typeof reply === 'function' ? reply(request, init.signal as AbortSignal) : reply
  }
  return { seen, causeway: new Causeway({ apiKey: 'sk_test', baseUrl: 'https://api.test/', fetch, ...options }) }
}

const json = (body: unknown, status = 200, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify(body), { status, headers: { 'Request-Id': 'req_1', ...headers } })

const refusal = (status: number, sub_type: string, headers: Record<string, string> = {}) =>
  json(
    { error: { type: status < 500 ? 'INVALID_REQUEST' : 'API_ERROR', code: status, sub_type, message: 'No.' } },
    status,
    headers,
  )

const caught = async (promise: Promise<unknown>): Promise<CausewayError> => {
  const error = await promise.then(
    () => null,
    reason => reason,
  )
  expect(error).toBeInstanceOf(CausewayError)
  return error
}

const payment = { amount: 5000, source: 'acc_1', destination: 'acc_2', description: 'Loan' }

describe('a request', () => {
  it('sends the key, the version of the types and a JSON body', async () => {
    const { seen, causeway } = fake([json({ id: 'ent_1' })])
    const entity = await causeway.entities.create({ type: 'individual', individual: { first_name: 'Ana' } })
    expect(entity.id).toBe('ent_1')
    expect(seen[0]).toMatchObject({ method: 'POST', url: 'https://api.test/entities' })
    expect(seen[0]?.headers.get('Authorization')).toBe('Bearer sk_test')
    expect(seen[0]?.headers.get('Service-Version')).toBe('2026-03-30')
    expect(seen[0]?.headers.get('Content-Type')).toBe('application/json')
    expect(seen[0]?.body).toEqual({ type: 'individual', individual: { first_name: 'Ana' } })
  })

  it('warns about fields that the service ignored, but not in production', async () => {
    const unknown = { 'Service-Unknown-Fields': 'individual.firstname,%3Flimit,owners%5B0%5D.nmae' }
    const warn = vi.fn()
    const { causeway } = fake([json({ id: 'ent_1' }, 200, unknown), json({ id: 'ent_1' })], { warn })
    await causeway.entities.create({ type: 'individual', individual: {} })
    await causeway.entities.create({ type: 'individual', individual: {} })
    expect(warn.mock.calls).toEqual([
      ['Causeway: POST /entities ignored unknown fields: individual.firstname, ?limit, owners[0].nmae'],
    ])
    const console = vi.spyOn(globalThis.console, 'warn').mockImplementation(() => {})
    vi.stubEnv('NODE_ENV', 'production')
    await fake([json({ id: 'ent_1' }, 200, unknown)]).causeway.entities.create({ type: 'individual', individual: {} })
    expect(console).not.toHaveBeenCalled()
    vi.stubEnv('NODE_ENV', 'development')
    await fake([json({ id: 'ent_1' }, 200, unknown)]).causeway.entities.create({ type: 'individual', individual: {} })
    expect(console).toHaveBeenCalledOnce()
    vi.unstubAllEnvs()
  })

  it('creates webhooks whose events use the version of the types unless another one is given', async () => {
    const { seen, causeway } = fake([json({ id: 'whk_1' }), json({ id: 'whk_2' })])
    const hook = { type: 'payment.update', url: 'https://lender.example/hooks' } as const
    await causeway.webhooks.create(hook)
    await causeway.webhooks.create({ ...hook, api_version: '2025-12-01' })
    expect(seen.map(request => request.body)).toEqual([
      { ...hook, api_version: seen[0]?.headers.get('Service-Version') },
      { ...hook, api_version: '2025-12-01' },
    ])
  })

  it('repeats expand[] for each field', async () => {
    const { seen, causeway } = fake([json({}), json({})])
    await causeway.entities.retrieve('ent_1', { expand: ['connect', 'connect.accounts'] })
    await causeway.entities.connect.create('ent_1', { products: ['balance'], expand: ['accounts'] })
    expect(new URL(seen[0]?.url ?? '').searchParams.getAll('expand[]')).toEqual(['connect', 'connect.accounts'])
    expect(new URL(seen[1]?.url ?? '').searchParams.getAll('expand[]')).toEqual(['accounts'])
    expect(seen[1]?.body).toEqual({ products: ['balance'] })
  })

  it.each(['', '..', 'acc_1/balances', 'acc_1?x'])('rejects %j as an id before anything is sent', async id => {
    const { seen, causeway } = fake([])
    expect(() => causeway.accounts.retrieve(id)).toThrow(TypeError)
    expect(seen).toEqual([])
  })

  it('contains only the handle of a token in its URL', async () => {
    const { seen, causeway } = fake([json({ authenticated: false })])
    await causeway.elements.token.results(`pk_elem_${'h'.repeat(16)}${'s'.repeat(33)}`)
    expect(seen[0]?.url).toBe(`https://api.test/elements/token/${'h'.repeat(16)}/results`)
  })
})

describe('reading responses', () => {
  it('extracts the session from an Opal response', async () => {
    const { seen, causeway } = fake([json({ success: true, data: { id: 'osess_1' }, message: null })])
    expect(await causeway.opal.sessions.release('osess_1', { source: 'acc_1' })).toEqual({
      id: 'osess_1',
      paid: [],
      failed: [],
    })
    expect(seen[0]?.body).toEqual({ action: 'release_payments', data: { source: 'acc_1' } })
  })

  it('names the accounts that a release paid and those that it did not', async () => {
    const error = { type: 'INVALID_REQUEST', code: 400, sub_type: 'PAYMENT_REFUSED_BY_RAIL', message: 'Refused.' }
    const bt = {
      allocations: { acc_1: 455_000, acc_2: 245_000 },
      payout_status: 'released',
      payment_ids: { acc_1: 'pmt_1', acc_2: null },
      payment_errors: { acc_2: error },
    }
    const { causeway } = fake([json({ success: true, data: { id: 'osess_1', bt }, message: null })])
    expect(await causeway.opal.sessions.release('osess_1')).toEqual({
      id: 'osess_1',
      bt,
      paid: [{ account: 'acc_1', amount: 455_000, payment_id: 'pmt_1' }],
      failed: [{ account: 'acc_2', amount: 245_000, error }],
    })
  })

  it('iterates over all pages of a list', async () => {
    const { seen, causeway } = fake([
      json({ data: [{ id: 'pmt_3' }, { id: 'pmt_2' }] }, 200, {
        'Pagination-Page-Cursor-Next': 'pmt_2',
        'Pagination-Total-Count': '3',
      }),
      json({ data: [{ id: 'pmt_1' }] }, 200, { 'Pagination-Page-Cursor-Next': '' }),
    ])
    const first = await causeway.payments.list({ status: 'posted', page: 1, page_limit: 2 })
    const ids: string[] = []
    for await (const { id } of first) ids.push(id)
    expect(first.total_count).toBe(3)
    expect(ids).toEqual(['pmt_3', 'pmt_2', 'pmt_1'])
    expect(seen[1]?.url).toBe('https://api.test/payments?status=posted&page_limit=2&page_cursor=pmt_2')
  })

  it('throws an error with all details from the service', async () => {
    const { causeway } = fake([refusal(400, 'BT_NO_ALLOCATIONS')])
    const error = await caught(causeway.opal.sessions.release('osess_1', {}, { idempotencyKey: 'k' }))
    expect(error).toMatchObject({
      type: 'INVALID_REQUEST',
      sub_type: 'BT_NO_ALLOCATIONS',
      code: 400,
      message: 'No.',
      request_id: 'req_1',
      idempotency_key: 'k',
    })
  })

  it('throws if the response is not from the service, without quoting it', async () => {
    const { causeway } = fake([new Response('<html>secret</html>', { status: 200 })])
    const error = await caught(causeway.ping())
    expect(error).toMatchObject({ sub_type: 'UNREADABLE_ANSWER', code: 200, request_id: null })
    expect(error.message).not.toContain('secret')
  })

  it('throws if the response belongs to another request with that key', async () => {
    const { seen, causeway } = fake([
      json({ id: 'pmt_1' }, 200, { 'Idempotency-Mismatch': 'true', 'Idempotency-Replayed': 'true' }),
    ])
    const error = await caught(causeway.payments.create(payment, { idempotencyKey: 'used' }))
    expect(error).toMatchObject({
      type: 'IDEMPOTENCY_ERROR',
      sub_type: 'IDEMPOTENCY_MISMATCH',
      idempotency_key: 'used',
    })
    expect(seen).toHaveLength(1)
  })
})

describe('retrying', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  const settle = async <T>(promise: Promise<T>): Promise<T> => {
    promise.catch(() => {})
    await vi.runAllTimersAsync()
    return promise
  }
  const keys = (seen: Seen[]) => seen.map(request => request.headers.get('Idempotency-Key'))

  it('uses one key for all attempts of a POST and a new key for the next POST', async () => {
    const { seen, causeway } = fake([
      new TypeError('fetch failed'),
      refusal(500, 'INTERNAL_ERROR'),
      json({ id: 'pmt_1' }),
      json({}),
    ])
    expect(await settle(causeway.payments.create(payment))).toEqual({ id: 'pmt_1' })
    await causeway.payments.create(payment)
    const [first, second, third, other] = keys(seen)
    expect(first).toMatch(/^[0-9a-f-]{36}$/)
    expect([second, third]).toEqual([first, first])
    expect(other).not.toBe(first)
  })

  it('waits for the time in Retry-After', async () => {
    const { seen, causeway } = fake([refusal(429, 'TOO_MANY_REQUESTS', { 'Retry-After': '7' }), json({ data: [] })])
    const answer = causeway.payments.list()
    await vi.advanceTimersByTimeAsync(6_999)
    expect(seen).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(1)
    await answer
    expect(seen).toHaveLength(2)
  })

  it('uses the given clock, sleep and random functions', async () => {
    const waits: number[] = []
    const now = () => Date.parse('2026-03-02T15:00:00Z')
    const sleep = async (ms: number) => {
      waits.push(ms)
    }
    const late = { 'Retry-After': 'Mon, 02 Mar 2026 15:00:12 GMT' }
    const replies = [
      refusal(429, 'TOO_MANY_REQUESTS', late),
      ...[1, 2, 3].map(() => new TypeError('fetch failed')),
      json({}),
    ]
    const { causeway } = fake(replies, { now, sleep, random: () => 0, maxRetries: 4 })
    await causeway.payments.create(payment)
    expect(waits).toEqual([12_000, 250, 500, 1_000])
  })

  it('does not wait for a Retry-After of more than a minute', async () => {
    const { seen, causeway } = fake([refusal(429, 'TOO_MANY_REQUESTS', { 'Retry-After': '61' })])
    expect(await caught(settle(causeway.payments.list()))).toMatchObject({ code: 429 })
    expect(seen).toHaveLength(1)
  })

  it('stops after two retries', async () => {
    const { seen, causeway } = fake([1, 2, 3].map(() => refusal(503, 'SERVICE_UNAVAILABLE')))
    expect(await caught(settle(causeway.team.retrieve()))).toMatchObject({ code: 503 })
    expect(seen).toHaveLength(3)
  })

  it.each([
    [400, 'INVALID_AMOUNT', {}],
    [404, 'NOT_FOUND', {}],
    [501, 'NOT_IMPLEMENTED', {}],
    [500, 'INTERNAL_ERROR', { 'Idempotency-Replayed': 'true' }],
  ])('does not happen after %i %s %j', async (status, subType, headers) => {
    const { seen, causeway } = fake([refusal(status, subType, headers)])
    expect(await caught(settle(causeway.payments.create(payment)))).toMatchObject({ code: status })
    expect(seen).toHaveLength(1)
  })

  it('waits for another request with the same key to end', async () => {
    const { seen, causeway } = fake([refusal(409, 'IDEMPOTENCY_KEY_IN_USE'), json({ id: 'pmt_1' })])
    await settle(causeway.payments.create(payment))
    expect(seen).toHaveLength(2)
  })

  it('can be disabled by the caller', async () => {
    const { seen, causeway } = fake([new TypeError('fetch failed')])
    const error = await caught(settle(causeway.payments.create(payment, { maxRetries: 0 })))
    expect(error).toMatchObject({ type: 'CONNECTION_ERROR', sub_type: 'CONNECTION_FAILED', code: 0, request_id: null })
    expect(seen).toHaveLength(1)
  })

  it('repeats a POST without a key, or with a one-time code, only if it was not processed', async () => {
    const { seen, causeway } = fake([
      refusal(429, 'TOO_MANY_REQUESTS'),
      new TypeError('fetch failed'),
      new TypeError('fetch failed'),
    ])
    await caught(settle(causeway.payments.create(payment, { idempotencyKey: null })))
    expect(keys(seen)).toEqual([null, null])
    const code = { type: 'phone', method: 'sms', sms: { sms_code: '123456' } } as const
    await caught(settle(causeway.entities.verificationSessions.update('ent_1', 'evf_1', code)))
    expect(seen).toHaveLength(3)
  })
})

describe('a timeout', () => {
  const silence = (_: Seen, signal: AbortSignal) =>
    new Promise<Response>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))

  it('times out an attempt that takes too long', async () => {
    const { causeway } = fake([silence], { timeout: 5, maxRetries: 0 })
    expect(await caught(causeway.ping())).toMatchObject({ sub_type: 'TIMED_OUT', code: 0 })
  })

  it('does not delay an abort by the caller, which ends immediately with its reason', async () => {
    const { seen, causeway } = fake([silence])
    const controller = new AbortController()
    const answer = causeway.ping({ signal: controller.signal })
    controller.abort(new Error('The customer left'))
    await expect(answer).rejects.toThrow('The customer left')
    expect(seen).toHaveLength(1)
  })
})

describe('a file', () => {
  it('is returned as text, regardless of its content', async () => {
    const { causeway, seen } = fake([new Response('{"a":1}'), new Response('id\r\n')])
    expect(await causeway.reports.download('rpt_1')).toBe('{"a":1}')
    expect(await causeway.reports.download('rpt_1')).toBe('id\r\n')
    expect(seen[0]).toMatchObject({ method: 'GET', url: 'https://api.test/reports/rpt_1/download', body: undefined })
    expect(seen[0]!.headers.get('accept')).toBe('*/*')
  })

  it('that is rejected throws an error like any other', async () => {
    const { causeway } = fake([refusal(404, 'NOT_FOUND')])
    expect(await caught(causeway.reports.download('rpt_1'))).toMatchObject({ code: 404, sub_type: 'NOT_FOUND' })
  })
})
