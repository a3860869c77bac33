import { describe, expect, it } from 'vitest'
import { errorOf, rejectionOf } from '../../../../testing/contract/cases.js'
import { testService } from '../../../../testing/service.js'
import { entitySessions } from '../../../../testing/verification.js'

const service = await testService()

const sessions = entitySessions(service)
const at = (ms: number) => new Date(service.deps.clock() + ms).toISOString()
const proof = (timestamp: unknown) => ({ type: 'phone', method: 'byo_sms', byo_sms: { timestamp } })

describe("the customer's own verification of a phone", () => {
  it.each([
    ['2021-01-01T10:00:00.000Z', '2021-01-01T10:00:00.000Z'],
    ['2021-01-01T00:00:00+00:00', '2021-01-01T00:00:00.000Z'],
    ['2021-01-01T02:00:00.123456+02:00', '2021-01-01T00:00:00.123Z'],
    ['2021-01-01T00:00:00Z', '2021-01-01T00:00:00.000Z'],
  ])('is accepted immediately, with its time: %s', async (given, timestamp) => {
    const { begin } = await sessions()
    expect((await begin(proof(given))).body).toMatchObject({ status: 'verified', byo_sms: { timestamp } })
  })

  it('needs a complete time', async () => {
    const { begin } = await sessions()
    for (const time of ['2021-01-01', '2021-01-01T00:00:00', '2021-13-01T00:00:00Z', 'soon', 1_609_459_200])
      expect(rejectionOf(await begin(proof(time)))).toBe('INVALID_REQUEST')
    expect(errorOf((await begin(proof(undefined))).body).message).toMatch(/^byo_sms.timestamp is required/)
  })

  it('can be old', async () => {
    for (const timestamp of [at(30_000), at(0), at(-86_400_000), '1969-07-20T20:17:40Z', '0001-01-01T00:00:00Z']) {
      const { begin } = await sessions()
      expect([timestamp, (await begin(proof(timestamp))).body]).toMatchObject([timestamp, { status: 'verified' }])
    }
  })

  it('cannot be in the future', async () => {
    for (const timestamp of [at(120_000), at(86_400_000), '2099-01-01T00:00:00Z', '9999-12-31T23:59:59-12:00']) {
      const { begin, show } = await sessions()
      const answer = await begin(proof(timestamp))
      expect([timestamp, answer.status, errorOf(answer.body)]).toMatchObject([
        timestamp,
        400,
        {
          sub_type: 'INVALID_REQUEST',
          message: 'byo_sms.timestamp must not be in the future. It is the time of your own verification.',
        },
      ])
      expect((await show())['verification']['phone']['verified']).toBe(false)
    }
  })

  it('cannot be in the future in the fields of an entity, which older versions have', async () => {
    const { entity } = await sessions()
    const older = { phone_verification_type: 'sms', phone_verification_timestamp: '2099-01-01T00:00:00Z' }
    for (const [method, path, individual] of [
      ['POST', '/entities', { first_name: 'Kevin', last_name: 'Doyle', phone: '+15125550101', ...older }],
      ['PUT', `/entities/${entity}`, older],
    ] as const) {
      const body = { ...(method === 'POST' && { type: 'individual' }), individual }
      const refused = await service.call(method, path, body, { 'service-version': '2020-12-06' })
      expect([method, refused.status, errorOf(refused.body).message]).toEqual([
        method,
        400,
        'individual.phone_verification_timestamp must not be in the future. It is the time of your own verification.',
      ])
    }
  })
})
