/** Tests what `migrate check` says about the bodies of recorded requests. */
import { endpoints } from '@causeway/contract/endpoints/table'
import { describe, expect, it } from 'vitest'
import { createCheck, type Finding } from './check-requests.js'
import { recordOf } from './recorded-request.js'
import { documentedRequests } from './testing/documented-requests.js'

const ABOUT_BODIES = / is required\.$| must be .*\.$| is unknown\. /

interface Call {
  method: string
  path: string
  body?: unknown
  version?: string | undefined
  headers?: object
}
function findingsOf(...calls: Call[]): Finding[] {
  const check = createCheck()
  for (const { method, path, body, version, headers } of calls)
    check.add(recordOf(method, path, { ...headers, ...(version && { 'method-version': version }) }, body)!)
  return check.report().findings
}
/** Returns what is said about bodies, with `!` before what makes the request fail. */
const saysOf = (...calls: Call[]) =>
  findingsOf(...calls)
    .filter(({ says }) => ABOUT_BODIES.test(says))
    .map(({ rejected, says }) => `${rejected ? '! ' : ''}${says}`)

const person = (fields: object, more: object = {}): Call => ({
  method: 'POST',
  path: '/entities',
  body: { type: 'individual', individual: fields, ...more },
})
const payment = { amount: 5000, source: 'acc_1', destination: 'acc_2', description: 'Loan' }

describe('a recorded body', () => {
  it.each<[string, Call, string[]]>([
    ['an unknown field', person({ nickname: 'x' }), ['individual.nickname is unknown. The service ignores it.']],
    ['a number instead of a string', person({ first_name: 5 }), ['! individual.first_name must be a string.']],
    [
      'an unknown field that is rejected',
      { method: 'POST', path: '/teams/mle/public_keys', body: { type: 'direct', contact: null, x: 1 } },
      ['! x is unknown. The service rejects the request.'],
    ],
    [
      'a missing field',
      { method: 'POST', path: '/payments', body: { amount: 5000, destination: 'acc_2' } },
      ['! source is required.', '! description is required.'],
    ],
    [
      'a string instead of a number',
      { method: 'POST', path: '/payments', body: { ...payment, amount: '5000' } },
      ['! amount must be a whole number.'],
    ],
    [
      'an unknown option',
      { method: 'POST', path: '/elements/token', body: { type: 'auth', entity_id: 'ent_1' } },
      ['! type must be one of: connect, balance_transfer.'],
    ],
    [
      'an item of a list',
      { method: 'POST', path: '/entities/ent_1/connect', body: { products: ['balance', 5, 6] } },
      ['! products must be a string.'],
    ],
  ])('names %s', (_name, call, says) => {
    expect(saysOf(call)).toEqual(says)
  })

  it('is compared in the version of the request', () => {
    const call = { method: 'POST', path: '/entities/ent_1/attributes', body: {} }
    expect(saysOf({ ...call, version: '2025-07-04' })).toEqual(['! attributes is required.'])
    expect(saysOf({ ...call, version: '2026-03-30' })).toEqual([])
    expect(saysOf({ ...call, version: 'unknown' })).toEqual([])
  })

  it('is not compared if it was not recorded, is encrypted, or is refused for a listed reason', () => {
    const call = { method: 'POST', path: '/payments' }
    expect(saysOf(call, { ...call, body: 'not JSON' })).toEqual([])
    expect(saysOf({ ...call, headers: { 'Method-MLE': 'jwe' }, body: { encrypted: 'a.b.c.d.e' } })).toEqual([])
    expect(saysOf({ method: 'POST', path: '/accounts', body: { clearing: {} } })).toEqual([])
  })

  it('is named only by fields, and never by a name that may hold data', () => {
    const says = saysOf(
      person({ 'Ana Rivera': 1, sk_3yRXXOhLmyAjQj7H3tsL: 1, ana_rivera_1990_04_01_5125550100: 'Quillonia' }),
    )
    expect(says).toEqual(['A field of individual is unknown. The service ignores it.'])
  })

  it('is free inside metadata', () => {
    expect(saysOf(person({ first_name: 'Ana' }, { metadata: { anything: [1, null, {}] } }))).toEqual([])
  })
})

it.each(
  documentedRequests.map(
    request => [`${request.method} ${request.path} ${JSON.stringify(request.body)}`, request] as const,
  ),
)('no false alarm is raised for %s', (_name, request) => {
  const findings = findingsOf(request)
  expect(findings.filter(({ rejected, says }) => rejected || ABOUT_BODIES.test(says))).toEqual([])
})

it("no false alarm is raised for the contract's own examples", () => {
  const calls = endpoints.flatMap(({ method, path, example }) =>
    example.request === undefined ? [] : [{ method, path: path.replace(/:\w+/g, 'id_1'), body: example.request }],
  )
  expect(calls.length).toBeGreaterThan(50)
  expect(saysOf(...calls)).toEqual([])
})

it('a path that a hook reports without a slash is read as the path that was sent', () => {
  expect(findingsOf({ method: 'GET', path: '/enveloped/entitiesent_1aBcDeFgHiJkL' })).toEqual([])
})
