import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { errorOf } from '../../../../testing/cases.js'
import { type TestService, testService } from '../../../../testing/service.js'
import { entitySessions, refusal } from '../../../../testing/verification.js'

let service: TestService
beforeAll(async () => {
  service = await testService()
})
afterAll(() => service.stop())

const sessions = entitySessions(() => service)

describe('verifying a phone', () => {
  it("the customer's own verification is accepted immediately, with its time", async () => {
    const { begin } = await sessions()
    const proof = { type: 'phone', method: 'byo_sms', byo_sms: { timestamp: '2021-01-01T10:00:00.000Z' } }
    expect((await begin(proof)).body).toMatchObject({ status: 'verified', byo_sms: proof.byo_sms })
    for (const [given, timestamp] of [
      ['2021-01-01T00:00:00+00:00', '2021-01-01T00:00:00.000Z'],
      ['2021-01-01T02:00:00.123456+02:00', '2021-01-01T00:00:00.123Z'],
      ['2021-01-01T00:00:00Z', '2021-01-01T00:00:00.000Z'],
    ]) {
      const other = await sessions()
      const told = (await other.begin({ ...proof, byo_sms: { timestamp: given } })).body
      expect(told).toMatchObject({ status: 'verified', byo_sms: { timestamp } })
    }
    const { begin: again } = await sessions()
    for (const time of ['2021-01-01', '2021-01-01T00:00:00', '2021-13-01T00:00:00Z', 'soon', 1_609_459_200])
      expect(refusal(await again({ ...proof, byo_sms: { timestamp: time } }))).toBe('INVALID_REQUEST')
    expect(errorOf((await again({ ...proof, byo_sms: {} })).body).message).toMatch(/^byo_sms.timestamp is required/)
  })
})
