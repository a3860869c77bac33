import { describe, expect, it } from 'vitest'
import { Causeway } from './index.js'

/** Creates a client whose service returns this body for every request and numbers its responses in `Request-Id`. */
function clientOf(body: unknown, headers: Record<string, string> = {}) {
  const seen: Headers[] = []
  const fetch = async (_: unknown, init: RequestInit = {}) => {
    seen.push(new Headers(init.headers))
    return Response.json(body, { status: 200, headers: { 'Request-Id': `req_${seen.length}`, ...headers } })
  }
  return { seen, causeway: new Causeway({ apiKey: 'sk_test', baseUrl: 'https://api.test', fetch }) }
}
const payment = { amount: 5000, source: 'acc_1', destination: 'acc_2', description: 'Loan' }

describe('lastResponse', () => {
  it('has the request id, the status and the headers of a resource, next to its fields', async () => {
    const { causeway } = clientOf({ id: 'ent_1' }, { 'RateLimit-Remaining': '9' })
    const entity = await causeway.entities.retrieve('ent_1')
    expect(entity.lastResponse).toMatchObject({
      request_id: 'req_1',
      status: 200,
      idempotency_key: null,
      replayed: false,
    })
    expect(entity.lastResponse.headers.get('RateLimit-Remaining')).toBe('9')
    expect(Object.keys(entity)).toEqual(['id'])
    expect(JSON.stringify(entity)).toBe('{"id":"ent_1"}')
    expect({ ...entity }).not.toHaveProperty('lastResponse')
  })

  it('includes the key of a POST, and marks a replay', async () => {
    const { causeway } = clientOf({ id: 'pmt_1' }, { 'Idempotency-Replayed': 'true' })
    const { lastResponse } = await causeway.payments.create(payment, { idempotencyKey: 'once' })
    expect(lastResponse).toMatchObject({ request_id: 'req_1', idempotency_key: 'once', replayed: true })
  })

  it('is on a resource inside data, a list of products and a release', async () => {
    const inside = clientOf({ success: true, data: { id: 'osess_1' } }).causeway
    expect((await inside.opal.sessions.retrieve('osess_1')).lastResponse.request_id).toBe('req_1')
    const released = await inside.opal.sessions.release('osess_1')
    expect(released.lastResponse.request_id).toBe('req_2')
    expect(Object.keys(released)).toEqual(['id', 'paid', 'failed'])
    const { causeway } = clientOf({ data: {} })
    const products = await causeway.entities.products.list('ent_1')
    expect(products.lastResponse.request_id).toBe('req_1')
    expect(Object.keys(products)).toEqual([])
  })

  it('is on each page of a list', async () => {
    const { causeway } = clientOf({ data: [{ id: 'pmt_1' }] })
    const page = await causeway.payments.list()
    expect(page.lastResponse.request_id).toBe('req_1')
    expect(Object.keys(page)).not.toContain('lastResponse')
  })

  it('is typed and read-only, and the resource keeps its type', async () => {
    const { causeway } = clientOf({ id: 'pmt_1' })
    const made = await causeway.payments.create(payment)
    const plain: import('./index.js').Payment = made
    const id: string | null = made.lastResponse.request_id
    expect(() => Object.assign(made, { lastResponse: null })).toThrow(TypeError)
    expect([plain.id, id]).toEqual(['pmt_1', 'req_1'])
  })
})

describe('headers', () => {
  it('contain the SDK, its version and the runtime', async () => {
    const { seen, causeway } = clientOf({ id: 'ent_1' })
    await causeway.entities.retrieve('ent_1')
    expect(seen[0]?.get('User-Agent')).toMatch(/^causeway-sdk\/\d+\.\d+\.\d+ Node\.js\/\d+$/)
  })

  it('carry the version of the call on every page of a list', async () => {
    const { seen, causeway } = clientOf({ data: [{ id: 'pmt_1' }] }, { 'Pagination-Page-Cursor-Next': '' })
    await causeway.entities.retrieve('ent_1', {}, { version: '2025-07-04' })
    await causeway.payments.list({}, { version: '2025-07-04' })
    await causeway.payments.list()
    expect(seen.map(each => each.get('Service-Version'))).toEqual(['2025-07-04', '2025-07-04', '2026-03-30'])
    await expect(causeway.payments.list({}, { version: 'newest' })).rejects.toThrow(
      'version must be an API version, which is a date such as',
    )
  })
})
