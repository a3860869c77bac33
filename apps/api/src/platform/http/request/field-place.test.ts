import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { errorOf } from '../../../testing/contract/cases.js'
import { testService } from '../../../testing/service.js'
import { isFieldName } from '../log/redact.js'
import { nameInMessage, unknownInMessage } from './field-place.js'

const PERSON = 'SSN 123 45 6789 of Ana Rivera'

describe('a field in a message', () => {
  it.each([
    [[], 'The body'],
    [['individual', 'address', 'zip'], 'individual.address.zip'],
    [['accounts', 0, 'id'], 'accounts[0].id'],
    [['metadata'], 'metadata'],
    [['metadata', 'loan'], 'A member of metadata'],
    [['metadata', 'pmt_0000000000001', 'ana'], 'A member of metadata.pmt_0000000000001'],
    [['plaid', 'balances', 'ana'], 'A member of plaid.balances'],
    [['plaid', 'transactions', 3, 'ana'], 'A member of plaid.transactions[3]'],
    [['bindings', 'ana'], 'A member of bindings'],
    [['headers', 'X-Ana'], 'A member of headers'],
    [['payload', 'ana'], 'A member of payload'],
    [[PERSON], 'A member of the body'],
    [['fee', PERSON], 'A member of fee'],
    [['fee', 'x'.repeat(41)], 'A member of fee'],
    [['fee', 'ana_123_45_6789'], 'A member of fee'],
  ] as const)('%j is called %s', (path, name) => {
    expect(nameInMessage(path)).toBe(name)
  })

  it('is named by its schema if the schema is known', () => {
    const schema = z.object({
      payload: z.object({ list: z.array(z.string()) }),
      notes: z.record(z.string(), z.number()),
    })
    expect(nameInMessage(['payload', 'list', 2], schema, 'block')).toBe('block.payload.list[2]')
    expect(nameInMessage(['notes', 'ana'], schema)).toBe('A member of notes')
    expect(nameInMessage(['notes', 'acc_0000000000001'], schema)).toBe('notes.acc_0000000000001')
    expect(nameInMessage([], schema, 'block')).toBe('block')
  })

  it('that is unknown is named if it looks like a field', () => {
    expect(unknownInMessage(['firstName'])).toBe('an unknown field: firstName')
    expect(unknownInMessage([PERSON])).toBe('an unknown field')
    expect(unknownInMessage([PERSON, 'x'.repeat(900_000)])).toBe('2 unknown fields')
    expect(unknownInMessage([PERSON, 'a', 'b', 'c', 'd', 'e', 'f'])).toBe('an unknown field: a, b, c, d, e, and 2 more')
    expect(['line1', 'ssn_4', '_x'].every(isFieldName)).toBe(true)
    expect(['', '1a', 'a-b', 'born_1988', 'ana@b'].some(isFieldName)).toBe(false)
  })
})

describe('a name that the sender chose', async () => {
  const service = await testService()
  const long = `Ana Rivera ${'x'.repeat(900_000)}`

  it('that is too long is rejected with the right length', async () => {
    const body = { url: 'https://vault.example/', method: 'GET', headers: {}, body: '' }
    const reply = await service.call('POST', '/forwarding_requests', {
      ...body,
      bindings: { ['x'.repeat(101)]: 'sec_1' },
    })
    expect(errorOf(reply.body).message).toBe('The name of a member of bindings must be at most 100 characters long.')
  })

  it.each([
    ['POST', '/payments', `{"metadata":{"${PERSON}":"\\u0000"}}`],
    ['POST', '/payments', `{"metadata":{"${PERSON}":1,"${PERSON}":2}}`],
    ['POST', '/payments', `{"metadata":{"a":{"${PERSON}":12345678901234567890}}}`],
    ['POST', '/payments', `{"${PERSON}":1,"${PERSON}":2}`],
    ['POST', '/payments', `{"metadata":{"${long}":"\\ud800"}}`],
    ['POST', '/payments', `{"${long}":{"a":"\\u0000"}}`],
    ['POST', '/forwarding_requests', `{"headers":{"${PERSON}":5}}`],
    [
      'POST',
      '/forwarding_requests',
      `{"url":"https://vault.example/","method":"POST","headers":{},"bindings":{"${PERSON}":5},"body":""}`,
    ],
    ['POST', '/entities', `{"type":"individual","individual":{"${PERSON}":"\\u0000"}}`],
    ['GET', `/payments?${encodeURIComponent(PERSON)}=%00`, undefined],
    ['GET', '/payments?ana_123456789=%ff', undefined],
  ])('is in no stored message: %s %s', async (method, path, body) => {
    const reply = await service.call(method, path, body)
    expect(reply.status).toBe(400)
    const { message } = errorOf(reply.body)
    expect(message.length).toBeLessThan(200)
    expect(message).not.toMatch(/Ana Rivera|6789|ana_/)
    await service.settle()
    const id = reply.headers.get('request-id')!
    const logged = await service.call('GET', `/requests/${id}`)
    expect(logged.text).not.toMatch(/Ana Rivera|ana_/)
  })
})
