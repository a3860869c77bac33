import { describe, expect, it } from 'vitest'
import * as sdk from './index.js'
import { Causeway, CausewayError } from './index.js'

const refused = async (error: object, status = 400, headers: Record<string, string> = {}) => {
  const reply = () => Response.json({ error }, { status, headers })
  return thrown(async () => reply())
}
async function thrown(fetch: typeof globalThis.fetch): Promise<CausewayError> {
  const causeway = new Causeway({ apiKey: 'sk_test', baseUrl: 'https://api.test', fetch, maxRetries: 0 })
  const error = await causeway.payments.reversals.retrieve('pmt_1', 'rvs_1').catch(reason => reason)
  expect(error).toBeInstanceOf(CausewayError)
  return error
}
const invalid = (message: string, more: object = {}) => ({
  type: 'INVALID_REQUEST',
  sub_type: 'INVALID_REQUEST',
  message,
  ...more,
})

describe('an error has the class of its type', () => {
  it.each([
    ['INVALID_REQUEST', 400, 'InvalidRequestError', sdk.InvalidRequestError],
    ['INVALID_AUTHORIZATION', 401, 'AuthorizationError', sdk.AuthorizationError],
    ['API_ERROR', 500, 'ApiError', sdk.ApiError],
  ] as const)('%s', async (type, status, name, Class) => {
    const error = await refused({ type, sub_type: 'ANY', message: 'No.' }, status)
    expect(error).toBeInstanceOf(Class)
    expect(error).toMatchObject({ name, type, code: status })
    const all = [
      sdk.InvalidRequestError,
      sdk.AuthorizationError,
      sdk.ApiError,
      sdk.ConnectionError,
      sdk.IdempotencyError,
    ]
    expect(all.filter(each => error instanceof each)).toEqual([Class])
  })

  it('for a connection failure and an invalid key', async () => {
    const lost = await thrown(async () => {
      throw new TypeError('fetch failed')
    })
    expect(lost).toBeInstanceOf(sdk.ConnectionError)
    expect(lost).toMatchObject({ name: 'ConnectionError', param: null, doc_url: null })
    const used = await refused({}, 200, { 'Idempotency-Mismatch': 'true' })
    expect(used).toBeInstanceOf(sdk.IdempotencyError)
  })

  it('for a page that is not from the service', async () => {
    const error = await thrown(async () => new Response('<html>', { status: 502 }))
    expect(error).toBeInstanceOf(sdk.ApiError)
    expect(error).toMatchObject({ sub_type: 'UNREADABLE_ANSWER', doc_url: null })
  })

  it('for an unknown type', async () => {
    expect(await refused({ type: 'NEW', sub_type: 'ANY', message: 'No.' })).toMatchObject({
      name: 'CausewayError',
      type: 'NEW',
    })
  })
})

describe('param', () => {
  it.each([
    ['amount must be at least 1.', 'amount'],
    ['individual.address.zip is required and must be a string.', 'individual.address.zip'],
    ['accounts[0].id must not be empty.', 'accounts[0].id'],
    ['expand[] can be: connect, accounts.', 'expand[]'],
    ['metadata has an unknown field: a.', 'metadata'],
    ['ach already has a value and cannot be changed.', 'ach'],
    ['The body must be valid JSON.', null],
    ['Service-Version must be one of: 2026-03-30.', null],
    ['No resource of this team was found for acc_1.', null],
  ])('of %j is %j', async (message, param) => {
    expect((await refused(invalid(message))).param).toBe(param)
  })

  it('is the one that the service names, if present', async () => {
    expect((await refused(invalid('No.', { param: 'amount' }))).param).toBe('amount')
    expect(
      (await refused({ type: 'API_ERROR', sub_type: 'ANY', message: 'amount must be right.' }, 500)).param,
    ).toBeNull()
  })
})

it('doc_url is the section of the endpoint in the API reference', async () => {
  const { doc_url } = await refused(invalid('No.'))
  expect(doc_url).toBe('https://api.test/docs#get-payments-pmt-id-reversals-rvs-id')
})

it('an error can still be constructed as before, for callers that do so in tests', () => {
  const fields = {
    type: 'API_ERROR',
    sub_type: 'ANY',
    code: 500,
    message: 'No.',
    request_id: null,
    idempotency_key: null,
  }
  expect(new CausewayError(fields)).toMatchObject({ ...fields, param: null, doc_url: null })
})
