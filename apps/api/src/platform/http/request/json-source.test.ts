import { findSourceFault } from '@causeway/connector/wire/json-source'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { errorOf, rejectionOf } from '../../../testing/contract/cases.js'
import { SEED } from '../../../testing/contract/random.js'
import { MAX_CPU_MS, measureCpuMs } from '../../../testing/cost.js'
import { lender } from '../../../testing/money.js'
import { testService } from '../../../testing/service.js'

describe('the source of a body', () => {
  it.each([
    ['{"a":1,"a":2}', 'a'],
    ['{"amount":1,"\\u0061mount":1}', 'amount'],
    ['{"\\ud83c\\udf38":1,"🌸":1}', '🌸'],
    ['{"a\\"b":1,"a\\u0022b":1}', 'a"b'],
    ['{"a":[{"b":1},{"b":1,"c":{"d" : 1, "d"\n:"x"}}]}', 'a,1,c,d'],
    ['{"a":"\\\\","b":"\\"","a":"}"}', 'a'],
    ['{"":1,"":2}', ''],
    ['{"__proto__":1,"__proto__":2}', '__proto__'],
    ['{"x":{"toString":1},"toString":1,"x":2}', 'x'],
  ])('%s has a member that occurs twice', (text, path) => {
    expect(findSourceFault(text)).toMatchObject({
      kind: 'repeated',
      path: path.split(',').map(part => (part === '1' ? 1 : part)),
    })
  })

  it.each(['{"a":{"a":1},"b":{"a":1}}', '{"a":"a\\":","b":["a","a",{"a":1},{"a":1}]}', '{"A":1,"a":2}', '{}', '[1,1]'])(
    '%s has no such member',
    text => {
      expect(findSourceFault(text)).toBeUndefined()
    },
  )

  const inMetadata = (number: string) => findSourceFault(`{"metadata":{"x":[${number}]}}`)
  it.each([
    '0',
    '-0',
    '0.1',
    '1.50',
    '1e3',
    '1E+21',
    '9007199254740991',
    '9007199254740994',
    '-12.5e-3',
    '5e-324',
    '123456789012345680000',
    '0.30000000000000004',
    '0e999',
    '1.7976931348623157e308',
  ])('keeps the number %s in metadata', number => {
    expect(inMetadata(number)).toBeUndefined()
  })
  it.each([
    '9007199254740993',
    '-9007199254740993',
    '1234567890123456789',
    '1e400',
    '-1e400',
    '1e-400',
    '0.10000000000000001',
    '3.141592653589793238',
    '9007199254740993.0',
    '900719925474099.3e1',
    '0.1000000000000000055511151231257827',
  ])('loses digits of the number %s in metadata', number => {
    expect(inMetadata(number)).toEqual({ kind: 'inexact', path: ['metadata', 'x', 0] })
  })
  it('may have a decimal fraction with the 17 digits of a double elsewhere, but no other long number', () => {
    expect(findSourceFault('{"plaid":{"balances":{"available":0.10000000000000001}}}')).toBeUndefined()
    for (const number of ['9007199254740993', '1e400', '0.100000000000000012345'])
      expect(findSourceFault(`{"plaid":{"x":${number}}}`)).toEqual({ kind: 'inexact', path: ['plaid', 'x'] })
  })

  it.each([
    ['numbers in deep arrays', `{"a":${'['.repeat(9_000)}${'1,'.repeat(9_000)}1${']'.repeat(9_000)},"a":1}`],
    ['long numbers in deep objects', `${'{"a":'.repeat(3_000)}[${'12e3,'.repeat(4_000)}1]${'}'.repeat(3_000)}`],
    ['backslashes', `{"a":"${'\\\\'.repeat(9_000)}${'\\"'.repeat(3_000)}"}`],
  ])('is read in time proportional to its length: %s', async (_, text) => {
    expect(await measureCpuMs(() => findSourceFault(text))).toBeLessThan(MAX_CPU_MS)
  })

  it('is accepted for every value that JSON.stringify wrote', () => {
    fc.assert(
      fc.property(fc.json(), text => findSourceFault(text) === undefined),
      { numRuns: 500, seed: SEED },
    )
  })
})

describe('a body', async () => {
  const service = await testService()
  const person = (rest: string) => `{"type":"individual","individual":{"first_name":"Kevin"}${rest}}`
  const rows = async (table: 'payments' | 'entities') =>
    (await service.store.reader.selectFrom(table).select('id').execute()).length

  it('that has a member twice is rejected by name, and moves no money', async () => {
    const { source, debts } = lender(service)
    const ends = `"source":"${(await source()).id}","destination":"${(await debts()).accounts[0]!.id}"`
    for (const [members, name] of [
      ['"amount":100,"amount":100000', 'amount'],
      ['"amount":5000,"\\u0061mount":5000', 'amount'],
      ['"amount":5000,"fee":{"type":"total","amount":1,"amount":2}', 'fee.amount'],
      ['"amount":5000,"metadata":{"loan":1,"loan":2}', 'A member of metadata'],
    ] as const)
      for (const path of ['/payments', '/enveloped/payments']) {
        const reply = await service.call('POST', path, `{${members},${ends},"description":"Loan"}`)
        expect([reply.status, errorOf(reply.body).message]).toEqual([
          400,
          `${name} occurs twice in the body. Send it once.`,
        ])
      }
    expect(await rows('payments')).toBe(0)
  })

  it('that has a member twice is rejected with every method that has a body', async () => {
    const before = await rows('entities')
    const made = await service.call('POST', '/entities', person(''))
    const id = (made.body as { id: string }).id
    for (const [method, path, body] of [
      ['POST', '/entities', person(',"individual":{}')],
      ['POST', '/entities', person(',"address":{"zip":"78705","zip":"78706"}')],
      ['PUT', `/entities/${id}`, '{"metadata":{"a":1},"metadata":{"a":2}}'],
      ['PATCH', '/team', '{"payment_description":"a","payment_description":"b"}'],
      ['POST', '/elements/token', '{"type":"connect","type":"balance_transfer"}'],
      ['POST', '/simulate/clock', '{"advance":"P1D","advance":"P2D"}'],
    ] as const) {
      const reply = await service.call(method, path, body)
      expect([reply.status, errorOf(reply.body).message]).toEqual([
        400,
        expect.stringMatching(/ occurs twice in the body\./),
      ])
    }
    expect(await rows('entities')).toBe(before + 1)
  })

  it('keeps metadata exactly, or is rejected', async () => {
    const kept =
      '{"n":9007199254740991,"f":0.1,"big":"9007199254740993","__proto__":{"admin":true},"constructor":1,"o":{"__proto__":2}}'
    const made = await service.call('POST', '/entities', person(`,"metadata":${kept}`))
    const { id } = made.body as { id: string }
    const read = await service.call('GET', `/entities/${id}`)
    for (const reply of [made, read]) expect(reply.text).toContain(`"metadata":${kept}`)
    expect(({} as { admin?: true }).admin).toBeUndefined()
    const put = await service.call('PUT', `/entities/${id}`, '{"metadata":{"__proto__":null,"__p0000__":1}}')
    expect(put.text).toContain('"metadata":{"__proto__":null,"__p0000__":1}')
    for (const number of ['9007199254740993', '1234567890123456789', '1e400']) {
      const reply = await service.call('PUT', `/entities/${id}`, `{"metadata":{"order":${number}}}`)
      expect([reply.status, errorOf(reply.body).message]).toEqual([
        400,
        expect.stringMatching(
          /^A member of metadata has more digits than a JSON number can hold exactly\. Send it as a string/,
        ),
      ])
    }
    const long = await service.call('PUT', `/entities/${id}`, `{"metadata":{"__proto__":"${'x'.repeat(1_010)}"}}`)
    expect(rejectionOf(long)).toBe('MAX_ENTITY_METADATA_SIZE_EXCEEDED')
  })
})
