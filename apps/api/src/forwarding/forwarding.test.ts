import { endpoints } from '@causeway/contract/endpoints/forwarding'
import { describe, expect, it } from 'vitest'
import { check, fill, fillJson, type Given, hide, isAllowed } from './forwarding.js'

const given = (more: Partial<Given> = {}): Given => ({
  url: 'https://vault.example/x',
  method: 'POST',
  headers: {},
  body: '{"a":"{{s.value}}"}',
  bindings: { s: 'sec_1' },
  ...more,
})
/** Returns the error code of a rejected request. Either the request's structure or its templates may be invalid. */
const why = (more: Partial<Given>) => {
  if (!endpoints.createForwardingRequest.body.safeParse(given(more)).success) return 'INVALID_REQUEST'
  try {
    check(given(more))
  } catch (error) {
    return (error as { subType: string }).subType
  }
  return null
}

describe('a request to forward', () => {
  it.each<[string, Partial<Given>, string | null]>([
    ['that is right', {}, null],
    ['with a body that is no JSON', { body: 'a={{s.value}}' }, 'BODY_JSON_INVALID'],
    ['with no body where one belongs', { body: '', headers: { a: '{{s.value}}' } }, 'BODY_JSON_INVALID'],
    ['with no body where none belongs', { method: 'GET', body: '', headers: { a: '{{s.value}}' } }, null],
    ['with a template in a field name', { body: '{"{{s.value}}":1}' }, 'TEMPLATE_IN_KEYS_NOT_ALLOWED'],
    ['with a template in a header name', { headers: { 'x-{{s.value}}': '1' } }, 'TEMPLATE_IN_KEYS_NOT_ALLOWED'],
    ['with a template that is none', { body: '{"a":"{{s}}"}' }, 'INVALID_TEMPLATE'],
    ['with a template that does not end', { body: '{"a":"{{s.value"}' }, 'INVALID_TEMPLATE'],
    ['with a template in a template', { body: '{"a":"{{s.{{s.value}}}}"}' }, 'INVALID_TEMPLATE'],
    ['with a template written in escapes', { body: '{"\\u007b\\u007bs.value}}":1}' }, 'TEMPLATE_IN_KEYS_NOT_ALLOWED'],
    ['that uses what is not bound', { body: '["{{s.value}}","{{t.value}}"]' }, 'BINDING_NAME_MISSING'],
    ['that uses what every object has', { body: '["{{constructor.name}}","{{s.value}}"]' }, 'BINDING_NAME_MISSING'],
    ['that binds what it does not use', { bindings: { s: 'sec_1', t: 'sec_2' } }, 'BINDING_NAME_NOT_REFERENCED'],
    ['of another content type', { headers: { 'Content-Type': 'text/plain' } }, 'INVALID_CONTENT_TYPE'],
    ['of a kind of JSON', { headers: { 'Content-Type': 'application/vnd.api+json; charset=utf-8' } }, null],
    ['that names its own host', { headers: { HOST: 'a.example' } }, 'INVALID_REQUEST'],
    ['that frames itself', { headers: { 'Transfer-Encoding': 'chunked' } }, 'INVALID_REQUEST'],
    ['with a header name of two lines', { headers: { 'a\r\nb': 'c' } }, 'INVALID_REQUEST'],
    ['with a header of two lines', { headers: { a: 'b\r\nc: d' } }, 'UNSUPPORTED_BINDING_VALUE'],
  ])('%s is told so', (_what, more, subType) => expect(why(more)).toBe(subType))

  it('is filled inside its strings, and every other byte stays', () => {
    const body = '{ "n": 12345678901234567890, "a" : "x{{ s.value }}y", "b":["{{s.value}}"], "a":1.0, "c":"\\u00e9}}" }'
    expect(fillJson(body, () => 'q"\\\n{{s.value}}')).toBe(
      '{ "n": 12345678901234567890, "a" : "xq\\"\\\\\\n{{s.value}}y", "b":["q\\"\\\\\\n{{s.value}}"], "a":1.0, "c":"\\u00e9}}" }',
    )
  })

  it('carries no value into a second header', () => {
    const filled = () => fill(given({ headers: { a: '{{s.value}}' } }), () => 'x\r\ny: z')
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
  ])('%s is on the list', url => expect(isAllowed(url, list)).toBe(true))

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
  ])('%s is not', url => expect(isAllowed(url, list)).toBe(false))
})

it('an answer that repeats what was filled in shows its template instead, wherever it stands', () => {
  const filled = new Map([
    ['4111111111111111', '{{c.card.number}}'],
    ['token', '{{s.value}}'],
    ['token-long', '{{l.value}}'],
    ['12', '{{c.card.month}}'],
  ])
  const answer = { n: 4111111111111111, month: '12', 'x-token': ['a token-long', { deep: 'token,token' }], rest: null }
  expect(hide(answer, filled)).toEqual({
    n: '{{c.card.number}}',
    month: '12',
    'x-{{s.value}}': ['a {{l.value}}', { deep: '{{s.value}},{{s.value}}' }],
    rest: null,
  })
})
