import { endpoints } from '@causeway/contract/endpoints/forwarding'
import { describe, expect, it } from 'vitest'
import {
  checkTemplates,
  type ForwardingRequest,
  fillJson,
  fillTemplates,
  hideValues,
  isUrlAllowed,
} from './forwarding.js'

const requestWith = (more: Partial<ForwardingRequest> = {}): ForwardingRequest => ({
  url: 'https://vault.example/x',
  method: 'POST',
  headers: {},
  body: '{"a":"{{s.value}}"}',
  bindings: { s: 'sec_1' },
  ...more,
})
/** Returns the error code for a request whose structure or templates are invalid, or null for a valid request. */
const why = (more: Partial<ForwardingRequest>) => {
  if (!endpoints.createForwardingRequest.body.safeParse(requestWith(more)).success) return 'INVALID_REQUEST'
  try {
    checkTemplates(requestWith(more))
  } catch (error) {
    return (error as { subType: string }).subType
  }
  return null
}

describe('a request to forward', () => {
  it.each<[string, Partial<ForwardingRequest>, string | null]>([
    ['a valid request', {}, null],
    ['a request whose body is not JSON', { body: 'a={{s.value}}' }, 'BODY_JSON_INVALID'],
    ['a request without its required body', { body: '', headers: { a: '{{s.value}}' } }, 'BODY_JSON_INVALID'],
    ['a request with an unexpected body', { method: 'GET', body: '', headers: { a: '{{s.value}}' } }, null],
    ['a request with a template in a field name', { body: '{"{{s.value}}":1}' }, 'TEMPLATE_IN_KEYS_NOT_ALLOWED'],
    [
      'a request with a template in a header name',
      { headers: { 'x-{{s.value}}': '1' } },
      'TEMPLATE_IN_KEYS_NOT_ALLOWED',
    ],
    ['a request with an invalid template', { body: '{"a":"{{s}}"}' }, 'INVALID_TEMPLATE'],
    ['a request with an unclosed template', { body: '{"a":"{{s.value"}' }, 'INVALID_TEMPLATE'],
    ['a request with a template inside a template', { body: '{"a":"{{s.{{s.value}}}}"}' }, 'INVALID_TEMPLATE'],
    ['a request with an escaped template', { body: '{"\\u007b\\u007bs.value}}":1}' }, 'TEMPLATE_IN_KEYS_NOT_ALLOWED'],
    ['a request that uses an unbound name', { body: '["{{s.value}}","{{t.value}}"]' }, 'BINDING_NAME_MISSING'],
    [
      'a request that uses a built-in property name',
      { body: '["{{constructor.name}}","{{s.value}}"]' },
      'BINDING_NAME_MISSING',
    ],
    ['a request with an unused binding', { bindings: { s: 'sec_1', t: 'sec_2' } }, 'BINDING_NAME_NOT_REFERENCED'],
    ['a request with another content type', { headers: { 'Content-Type': 'text/plain' } }, 'INVALID_CONTENT_TYPE'],
    [
      'a request with a JSON-based content type',
      { headers: { 'Content-Type': 'application/vnd.api+json; charset=utf-8' } },
      null,
    ],
    ['a request that sets its Host header', { headers: { HOST: 'a.example' } }, 'INVALID_REQUEST'],
    ['a request that sets its framing headers', { headers: { 'Transfer-Encoding': 'chunked' } }, 'INVALID_REQUEST'],
    ['a request with a line break in a header name', { headers: { 'a\r\nb': 'c' } }, 'INVALID_REQUEST'],
    ['a request with a line break in a header value', { headers: { a: 'b\r\nc: d' } }, 'UNSUPPORTED_BINDING_VALUE'],
  ])('%s gets the matching result', (_what, more, subType) => expect(why(more)).toBe(subType))

  it('has its strings filled in, and every other byte unchanged', () => {
    const body = '{ "n": 12345678901234567890, "a" : "x{{ s.value }}y", "b":["{{s.value}}"], "a":1.0, "c":"\\u00e9}}" }'
    expect(fillJson(body, () => 'q"\\\n{{s.value}}')).toBe(
      '{ "n": 12345678901234567890, "a" : "xq\\"\\\\\\n{{s.value}}y", "b":["q\\"\\\\\\n{{s.value}}"], "a":1.0, "c":"\\u00e9}}" }',
    )
  })

  it('is rejected if a value would create a second header', () => {
    const filled = () => fillTemplates(requestWith({ headers: { a: '{{s.value}}' } }), () => 'x\r\ny: z')
    expect(filled).toThrow('characters that are valid in headers')
  })
})

describe('an address', () => {
  const list = ['https://a.example', 'https://b.example/v1/', 'http://127.0.0.1:9/x']
  it.each([
    'https://a.example',
    'https://a.example/any?q=1',
    'https://A.example:443/any',
    'https://b.example/v1',
    'https://b.example/v1/charges',
    'http://127.0.0.1:9/x/y',
  ])('%s is on the allowlist', url => expect(isUrlAllowed(url, list)).toBe(true))

  it.each([
    'http://a.example/',
    'https://a.example:444/',
    'https://a.example.evil.example/',
    'https://a.example@evil.example/',
    'https://b.example/v10',
    'https://b.example/v1/../v2',
    'https://b.example/v1/%2e%2e/v2',
    'https://b.example/v1/..%2fv2',
    'https://b.example/v1/..%5Cv2',
    'https://a.example/{{s.value}}',
    '//a.example/',
    'nonsense',
  ])('%s is not on the allowlist', url => expect(isUrlAllowed(url, list)).toBe(false))
})

it('a response that repeats a filled-in value shows the template instead, at any position', () => {
  const filled = new Map([
    ['4111111111111111', '{{c.card.number}}'],
    ['token', '{{s.value}}'],
    ['token-long', '{{l.value}}'],
    ['12', '{{c.card.month}}'],
  ])
  const answer = { n: 4111111111111111, month: '12', 'x-token': ['a token-long', { deep: 'token,token' }], rest: null }
  expect(hideValues(answer, filled)).toEqual({
    n: '{{c.card.number}}',
    month: '12',
    'x-{{s.value}}': ['a {{l.value}}', { deep: '{{s.value}},{{s.value}}' }],
    rest: null,
  })
})
