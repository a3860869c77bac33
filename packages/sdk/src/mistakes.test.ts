/**
 * Mistakes that a caller can make. For each one, the SDK throws a TypeError before it sends anything. The error says
 * what to do.
 */
import { afterEach, describe, expect, it, vi } from 'vitest'
import { Causeway, type ClientOptions, createEncryptedFetch, signWebhook, verifyWebhook } from './index.js'

afterEach(() => void vi.unstubAllGlobals())

const options = { apiKey: 'sk_test', baseUrl: 'https://api.test' }
const made = (given: object) => new Causeway({ ...options, ...given } as ClientOptions)

describe('a client', () => {
  it.each([
    [
      'without a key',
      { apiKey: undefined },
      'Causeway requires apiKey, the secret key of your team (sk_…). It is undefined',
    ],
    ['with an empty key', { apiKey: '' }, 'It is empty'],
    ['with a key that is not text', { apiKey: { key: 'sk_1' } }, 'apiKey must be a string, not an object'],
    ['with a line break after the key', { apiKey: 'sk_1\n' }, 'apiKey must not contain whitespace'],
    ['with the header instead of the key', { apiKey: 'Bearer sk_1' }, 'apiKey must not contain whitespace'],
    ['with a key that no header can carry', { apiKey: 'sk_“1”' }, 'apiKey must contain only ASCII characters'],
    ['with a token of an element', { apiKey: 'pk_elem_1' }, 'apiKey must be a secret key (sk_…), not an element token'],
    ['with an Opal token', { apiKey: 'otkn_1' }, 'apiKey must be a secret key (sk_…), not an Opal token'],
    ['with a publishable key', { apiKey: 'pk_1' }, 'apiKey must be a secret key (sk_…), not a publishable key'],
    ['with the secret of a webhook', { apiKey: 'whsec_1' }, "not a webhook's secret"],
    ['without an address', { baseUrl: undefined }, 'Causeway requires baseUrl, the URL of the service'],
    [
      'with only a host',
      { baseUrl: 'api.test' },
      'baseUrl must be a URL such as https://api.example.com, not api.test',
    ],
    ['with an address of another scheme', { baseUrl: 'file:///api' }, 'baseUrl must begin with https:// or http://'],
    ['over http', { baseUrl: 'http://api.test' }, 'baseUrl must begin with https://, such as'],
    ['over http, of a host that only looks local', { baseUrl: 'http://localhost.test' }, 'must begin with https://'],
    ['over http, of any local address', { baseUrl: 'http://0.0.0.0:4000' }, 'must begin with https://'],
    ['with a query', { baseUrl: 'https://api.test/?a=b' }, 'baseUrl must not contain a query or a fragment.'],
    ['with a fragment', { baseUrl: 'https://api.test/#a' }, 'baseUrl must not contain a query or a fragment.'],
    [
      'with a space after the address',
      { baseUrl: 'https://api.test ' },
      'baseUrl must not contain whitespace: "https://api.test "',
    ],
    ['with a line break after the address', { baseUrl: 'https://api.test\n' }, 'baseUrl must not contain whitespace'],
    [
      'with an address that is not text',
      { baseUrl: { href: 'https://api.test' } },
      'baseUrl must be a string or a URL',
    ],
    ['with a URL that has a query', { baseUrl: new URL('https://api.test/?a=b') }, 'must not contain a query'],
    ['with a password', { baseUrl: 'https://a:b@api.test' }, 'baseUrl must not contain a user name or password'],
    ['with a timeout as text', { timeout: '5s' }, 'timeout must be a number of milliseconds greater than 0'],
    ['with a negative number of retries', { maxRetries: -1 }, 'maxRetries must be a whole number, 0 or greater'],
    ['with a fetch that is not a function', { fetch: {} }, 'fetch must be a function'],
    ['with a hook that is text', { onRequest: 'log' }, 'onRequest must be a function, not a string'],
    ['with an incomplete logger', { logger: { info() {} } }, 'but it has no debug'],
  ])('%s', (_, given, message) => {
    expect(() => made(given)).toThrow(TypeError)
    expect(() => made(given)).toThrow(message)
  })

  it('does not repeat a key in its message', () => {
    for (const apiKey of ['sk_private\n', 'pk_elem_private', 'sk_private”'])
      expect(() => made({ apiKey })).not.toThrow('private')
    expect(() => made({ baseUrl: 'https://a:private@api.test' })).not.toThrow('private')
  })

  it('accepts an origin with a trailing slash or a port, and http on this machine or if it is allowed', () => {
    const local = ['http://127.0.0.1:4000', 'http://localhost:4000', 'http://api.localhost', 'http://[::1]:4000']
    for (const baseUrl of ['https://api.test/', ...local]) expect(made({ baseUrl })).toBeDefined()
    expect(made({ baseUrl: 'http://api.internal:4000', allowInsecureHttp: true })).toBeDefined()
  })

  it('accepts a URL object, for itself and for encrypted requests, and sends requests to its path', async () => {
    const urls: string[] = []
    const fetch = async (url: unknown) => {
      urls.push(String(url))
      return new Response(JSON.stringify({ data: [], id: 'acc_1' }))
    }
    for (const baseUrl of [new URL('https://api.test'), new URL('https://api.test/base/')]) {
      await made({ baseUrl, fetch }).accounts.list()
      const privateKey = { kid: 'jwk_1', kty: 'RSA' } as never
      expect(createEncryptedFetch({ baseUrl, privateKey, fetch: fetch as never })).toBeTypeOf('function')
    }
    expect(urls).toEqual(['https://api.test/accounts', 'https://api.test/base/accounts'])
  })

  it.each([
    ['a Date', { from_date: new Date() }, 'from_date must not be a Date. Pass text such as 2026-03-02'],
    ['an object', { holder_id: { id: 'ent_1' } }, 'holder_id must not be an object. Pass text'],
    ['a promise', { holder_id: Promise.resolve('ent_1') }, 'holder_id must not be a promise'],
    ['a number that is not finite', { page_limit: Number.NaN }, 'page_limit must not be NaN. Pass a finite number'],
    ['a list with an object', { expand: [{}] }, 'expand must not be an object'],
    ['a list with undefined', { expand: [undefined] }, 'expand must not be undefined'],
    ['a function', { page_limit: () => 5 }, 'page_limit must not be a function'],
  ])('rejects %s as a query parameter, and sends nothing', async (_, params, message) => {
    const fetch = vi.fn()
    const refused = expect(made({ fetch }).accounts.list(params as never)).rejects
    await refused.toThrow(message)
    await expect(made({ fetch }).accounts.list(params as never)).rejects.toThrow(TypeError)
    expect(fetch).not.toHaveBeenCalled()
  })

  it('without fetch in the runtime', () => {
    vi.stubGlobal('fetch', undefined)
    expect(() => made({})).toThrow('This runtime has no fetch. Use Node 20 or later, or set the fetch option.')
    expect(made({ fetch: async () => Response.json({}) })).toBeDefined()
  })

  it('in a browser, where anyone could read the key', () => {
    vi.stubGlobal('window', { document: {} })
    expect(() => made({})).toThrow('Causeway runs on servers: in a browser, anyone can read the secret key.')
    expect(made({ dangerouslyAllowBrowser: true })).toBeDefined()
  })
})

describe('a call', () => {
  const sent = vi.fn(async () => Response.json({ id: 'pmt_1' }))
  const payment = { amount: 5000, source: 'acc_1', destination: 'acc_2', description: 'Loan' }

  it.each([
    ['an option with a wrong name', { idempotency_key: 'k' }, 'idempotency_key is not a request option. Use one of: '],
    ['an empty key', { idempotencyKey: '' }, 'idempotencyKey must be 1 to 255 printable ASCII characters'],
    ['a key that is too long', { idempotencyKey: 'k'.repeat(256) }, 'idempotencyKey must be 1 to 255'],
    ['a key that no header can carry', { idempotencyKey: 'Zoë ✓' }, 'idempotencyKey must be 1 to 255'],
    ['a timeout of zero', { timeout: 0 }, 'timeout must be a number of milliseconds greater than 0'],
    ['a fractional number of retries', { maxRetries: 0.5 }, 'maxRetries must be a whole number, 0 or greater'],
  ])('with %s', async (_, given, message) => {
    const asked = made({ fetch: sent }).payments.create(payment, given as object)
    await expect(asked).rejects.toThrow(TypeError)
    await expect(asked).rejects.toThrow(message)
    expect(sent).not.toHaveBeenCalled()
  })
})

describe('a delivery', () => {
  const delivery = { body: '{}', headers: {}, secret: 's1' }
  it.each([
    [
      'parsed by a framework',
      { body: { id: 'pmt_1' } },
      'body must be the raw body, but it is a parsed object. Read the body before any JSON parser runs',
    ],
    ['parsed into a list', { body: [] }, 'it is a parsed object'],
    ['without a body', { body: undefined }, 'body must be the raw body, but it is undefined'],
    [
      'that was not awaited',
      { body: Promise.resolve('{}') },
      'body must be the raw body, but it is a promise. Await it.',
    ],
    [
      'in a request',
      { body: new Request('https://a.test', { method: 'POST' }) },
      'body must be the raw body, but it is a Request. Pass `await request.text()`.',
    ],
    ['without headers', { headers: undefined }, 'headers must be the request headers'],
    ['without a secret', { secret: undefined }, 'secret must be the hmac_secret of the webhook, but it is undefined'],
    ['with an empty secret', { secret: '' }, 'secret must be the hmac_secret of the webhook, but it is empty'],
    [
      'with an empty list of secrets',
      { secret: [] },
      'secret must be the hmac_secret of the webhook, but it is an empty list',
    ],
    [
      'with a list that lacks one',
      { secret: ['s1', undefined] },
      'secret must be the hmac_secret of the webhook, but it is undefined',
    ],
  ])('%s', async (_, given, message) => {
    const asked = verifyWebhook({ ...delivery, ...given } as never)
    await expect(asked).rejects.toThrow(TypeError)
    await expect(asked).rejects.toThrow(message)
  })

  it('signed with a secret that has a line break, or with an API key', async () => {
    const headers = await signWebhook({ body: '{}', secret: 's1', id: 'dlv_1' })
    const mismatch = (secret: string) => verifyWebhook({ ...delivery, headers, secret })
    await expect(mismatch('s1\n')).rejects.toThrow('The secret begins or ends with whitespace')
    await expect(mismatch('sk_1')).rejects.toThrow('The secret looks like an API key')
    await expect(mismatch('s2')).rejects.toThrow('Pass the body exactly as received')
  })

  it('to sign, without a body or a secret', async () => {
    await expect(signWebhook({ body: { a: 1 }, secret: 's', id: 'd' } as never)).rejects.toThrow(
      'body must be a string',
    )
    await expect(signWebhook({ body: '', secret: undefined, id: 'd' } as never)).rejects.toThrow('secret must be the')
  })
})

it('a result that is not a string', async () => {
  await expect(made({}).verifyResult(null as never, { audience: 'team_1' })).rejects.toThrow(
    'result must be the `result` of element-success, a string, but it is null',
  )
})

it('a private key that is still text', () => {
  const privateKey = JSON.stringify({ kid: 'k' })
  const encrypted = () => createEncryptedFetch({ baseUrl: options.baseUrl, privateKey: privateKey as never })
  expect(encrypted).toThrow('privateKey must be an object. Pass JSON.parse(text).')
  expect(encrypted).not.toThrow('"kid"')
})
