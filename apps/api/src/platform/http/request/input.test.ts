import { describe, expect, it } from 'vitest'
import { errorOf, NEWEST, rejectionOf } from '../../../testing/contract/cases.js'
import { blank, endpoints, makePlaces } from '../../../testing/contract/endpoints.js'
import { nameOf, spoiledCopies } from '../../../testing/contract/input.js'
import { testService } from '../../../testing/service.js'

const service = await testService()
const at = await makePlaces(service)

describe.each(endpoints(blank).map(({ name }, index) => ({ name, index })))('$name', ({ index }) => {
  const endpoint = () => endpoints(at)[index]!

  it('rejects a wrong type in every field: the message names the field and the right type, not the given value', async () => {
    const { path, body, free, method = 'POST' } = endpoint()
    const cases = spoiledCopies(body, free)
    expect(cases.length).toBeGreaterThan(0)
    for (const [index, wrong] of cases.entries()) {
      const headers = index % 2 ? { 'service-version': NEWEST } : {}
      const reply = await service.call(method, path, wrong.body, headers as Record<string, string>)
      const what = `${wrong.place.join('.')} = ${JSON.stringify(wrong.value)}`
      expect([what, reply.status]).toEqual([what, 400])
      const { message } = errorOf(reply.body)
      expect([what, message, message.includes(nameOf(wrong.place))]).toEqual([what, message, true])
      expect(message).toMatch(/^[a-z_].* (must|cannot|is required|has|names|can|not)\b.*\.$|^Send |^Liabilities/)
      expect([what, message]).toEqual([what, expect.not.stringContaining('canary-value')])
      expect(message).not.toContain('7.25')
    }
  })

  it('accepts the valid body', async () => {
    const { path, body, status = 200, method = 'POST' } = endpoint()
    const reply = await service.call(method, path, body)
    expect([reply.status, reply.status === status ? '' : reply.text]).toEqual([status, ''])
  })
})

describe('8 metadata', () => {
  const sizes = (bytes: number) => ({ a: 'x'.repeat(bytes - '{"a":""}'.length) })
  it.each([
    ['/entities', () => ({ type: 'individual', individual: {} }), 'MAX_ENTITY_METADATA_SIZE_EXCEEDED'],
    [
      '/accounts',
      () => ({ holder_id: at.entity, ach: { routing: '062103000', number: '12345678', type: 'checking' } }),
      'MAX_ACCOUNT_METADATA_SIZE_EXCEEDED',
    ],
  ] as const)('8 metadata of %s has less than 1,024 bytes of compact UTF-8 JSON', async (path, base, sub_type) => {
    const send = (metadata: unknown) => service.call('POST', path, { ...base(), metadata })
    expect((await send(sizes(1_023))).body['metadata']).toEqual(sizes(1_023))
    expect(rejectionOf(await send(sizes(1_024)))).toBe(sub_type)
    expect(rejectionOf(await send({ a: 'ü'.repeat(510) }))).toBe(sub_type)
    const spaced = await service.call('POST', path, JSON.stringify({ ...base(), metadata: sizes(1_000) }, null, 40))
    expect(spaced.status).toBe(200)
    for (const wrong of [[], 'x', 5, true]) {
      const reply = await send(wrong)
      expect([reply.status, errorOf(reply.body).message]).toEqual([400, 'metadata must be a JSON object.'])
    }
  })
})
