import { describe, expect, it, vi } from 'vitest'
import { Causeway, type ClientOptions, type RequestEvent, type ResponseEvent } from './index.js'

const json = (body: unknown, status = 200, headers: Record<string, string> = {}) =>
  Response.json(body, { status, headers: { 'Request-Id': 'req_1', ...headers } })
const refusal = (status: number, sub_type: string) =>
  json({ error: { type: 'API_ERROR', code: status, sub_type, message: 'The body had a secret.' } }, status)

/**
 * Creates a client whose fetch takes 20 ms and returns the given replies in order. Records what the client's hooks and
 * logger receive.
 */
function observed(replies: (Response | Error)[], options: Partial<ClientOptions> = {}) {
  let time = 1_000
  const sent: RequestEvent[] = []
  const received: ResponseEvent[] = []
  const lines: [string, string, unknown][] = []
  const fetch = async (_: unknown, init: RequestInit = {}) => {
    time += 20
    init.signal?.throwIfAborted()
    const reply = replies.shift()
    if (reply instanceof Error) throw reply
    return reply as Response
  }
  const log = (level: string) => (message: string, fields?: unknown) => void lines.push([level, message, fields])
  const causeway = new Causeway({
    apiKey: 'sk_private',
    baseUrl: 'https://api.test',
    fetch,
    now: () => time,
    sleep: async () => {},
    random: () => 0,
    onRequest: event => void sent.push(event),
    onResponse: event => void received.push(event),
    logger: { debug: log('debug'), info: log('info'), warn: log('warn'), error: log('error') },
    ...options,
  })
  return { causeway, sent, received, lines }
}
const payment = { amount: 5000, source: 'acc_1', destination: 'acc_2', description: 'private' }

describe('the hooks', () => {
  it('receive each attempt, and the response with its status, time and request id', async () => {
    const { causeway, sent, received } = observed([
      new TypeError('fetch failed'),
      refusal(503, 'SERVICE_UNAVAILABLE'),
      json({}),
    ])
    await causeway.entities.retrieve('ent_1', { expand: ['connect'] })
    const call = { method: 'GET', route: '/entities/:ent_id', path: '/entities/ent_1' }
    expect(sent).toEqual([1, 2, 3].map(attempt => ({ ...call, attempt })))
    expect(received).toEqual([
      { ...call, attempt: 1, status: null, ms: 20, request_id: null, sub_type: 'CONNECTION_FAILED', retry_in: 125 },
      { ...call, attempt: 2, status: 503, ms: 20, request_id: 'req_1', sub_type: 'SERVICE_UNAVAILABLE', retry_in: 250 },
      { ...call, attempt: 3, status: 200, ms: 20, request_id: 'req_1', sub_type: null, retry_in: null },
    ])
  })

  it('receive each page of a list, with the same route', async () => {
    const { causeway, sent } = observed([
      json({ data: [{ id: 'b' }] }, 200, { 'Pagination-Page-Cursor-Next': 'b' }),
      json({ data: [] }),
    ])
    for await (const _ of causeway.payments.reversals.list('pmt_1'));
    const call = { method: 'GET', route: '/payments/:pmt_id/reversals', path: '/payments/pmt_1/reversals', attempt: 1 }
    expect(sent).toEqual([call, call])
  })

  it('receive a file download and an aborted call', async () => {
    const { causeway, received } = observed([new Response('id')])
    await causeway.reports.download('rpt_1')
    await expect(causeway.ping({ signal: AbortSignal.abort() })).rejects.toThrow()
    expect(received).toMatchObject([
      { route: '/reports/:rpt_id/download', status: 200, request_id: null },
      { route: '/ping', status: null, sub_type: 'ABORTED', retry_in: null },
    ])
  })

  it('receive neither keys nor bodies', async () => {
    const { causeway, sent, received, lines } = observed([
      refusal(500, 'INTERNAL_ERROR'),
      json({ id: 'pmt_1', name: 'private' }),
    ])
    await causeway.payments.create(payment, { idempotencyKey: 'private' })
    expect([sent.length, received.length, lines.length]).toEqual([2, 2, 3])
    expect(JSON.stringify([sent, received, lines])).not.toMatch(/private|secret/)
  })

  it('cannot cause a call to fail: their errors are logged', async () => {
    const problem = new Error('A hook failed')
    const given = {
      onRequest: () => {
        throw problem
      },
      onResponse: async () => {
        throw problem
      },
    }
    const { causeway, lines } = observed([json({ id: 'pmt_1' })], given)
    expect(await causeway.payments.create(payment)).toEqual({ id: 'pmt_1' })
    await vi.waitFor(() => expect(lines.filter(([level]) => level === 'error')).toHaveLength(2))
    expect(lines.filter(([level]) => level === 'error')).toEqual([
      ['error', 'Causeway: onRequest failed', { error: problem }],
      ['error', 'Causeway: onResponse failed', { error: problem }],
    ])
    const console = vi.spyOn(globalThis.console, 'error').mockImplementation(() => {})
    await observed([json({})], { ...given, logger: undefined as never }).causeway.payments.create(payment)
    expect(console).toHaveBeenCalledWith('Causeway: onRequest failed', { error: problem })
  })
})

describe('the logger', () => {
  it('receives attempts, retries and a failed call', async () => {
    const replies = [new TypeError('fetch failed'), refusal(503, 'SERVICE_UNAVAILABLE')]
    const { causeway, lines } = observed(replies, { maxRetries: 1 })
    await expect(causeway.team.retrieve()).rejects.toMatchObject({ code: 503 })
    expect(lines.map(([level, message]) => [level, message])).toEqual([
      ['debug', 'Causeway: GET /team had no response after 20 ms'],
      ['info', 'Causeway: GET /team will be retried in 125 ms (CONNECTION_FAILED)'],
      ['debug', 'Causeway: GET /team returned 503 after 20 ms'],
      ['error', 'Causeway: GET /team failed in attempt 2 (SERVICE_UNAVAILABLE)'],
    ])
    expect(lines[3]?.[2]).toMatchObject({ route: '/team', status: 503, request_id: 'req_1' })
  })

  it('does not receive a rejected request as an error, because the caller already does', async () => {
    const { causeway, lines } = observed([refusal(404, 'NOT_FOUND')])
    await expect(causeway.payments.retrieve('pmt_1')).rejects.toMatchObject({ code: 404 })
    expect(lines.map(([level]) => level)).toEqual(['debug'])
  })

  it('receives warnings unless a warning function is set', async () => {
    const unknown = () => json({ id: 'ent_1' }, 200, { 'Service-Unknown-Fields': 'nmae' })
    const { causeway, lines } = observed([unknown()])
    await causeway.entities.create({ type: 'individual', individual: {} })
    expect(lines.filter(([level]) => level === 'warn')).toEqual([
      ['warn', 'Causeway: POST /entities ignored unknown fields: nmae', undefined],
    ])
    const warn = vi.fn()
    const other = observed([unknown()], { warn })
    await other.causeway.entities.create({ type: 'individual', individual: {} })
    expect(warn).toHaveBeenCalledOnce()
    expect(other.lines.filter(([level]) => level === 'warn')).toEqual([])
  })

  it('can be the console', () => {
    const options: ClientOptions = { apiKey: 'sk_1', baseUrl: 'https://api.test', logger: console }
    expect(new Causeway(options)).toBeDefined()
  })
})
