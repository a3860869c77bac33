import { describe, expect, it } from 'vitest'
import { NEWEST, rejectionOf, timestamp } from '../../../../testing/contract/cases.js'
import { testService } from '../../../../testing/service.js'
import { code, entitySessions, sms } from '../../../../testing/verification.js'

const service = await testService()

const sessions = entitySessions(service)

describe('verifying a phone', () => {
  it.each([undefined, NEWEST])('a sent code verifies the phone once entered, at version %s', async version => {
    const { entity, path, begin, answer, show } = await sessions()
    const headers = version ? { 'service-version': version } : {}
    const begun = (await service.call('POST', path, sms, headers)).body
    expect(begun).toEqual({
      id: expect.stringMatching(/^evf_\w{13}$/),
      entity_id: entity,
      status: 'in_progress',
      type: 'phone',
      method: 'sms',
      sms: {},
      error: null,
      created_at: expect.stringMatching(timestamp),
      updated_at: expect.stringMatching(timestamp),
    })
    const done = await answer(begun['id'], code('123456'))
    expect(done.body).toMatchObject({ status: 'verified', sms: { timestamp: expect.stringMatching(timestamp) } })
    expect((await show())['verification']['phone']).toEqual({
      verified: true,
      latest_verification_session: begun['id'],
      methods: [],
    })
    expect(rejectionOf(await answer(begun['id'], code('123456')))).toBe('EXISTING_VERIFIED_SESSION')
    expect(rejectionOf(await begin(sms))).toBe('EXISTING_VERIFIED_SESSION')
    expect((await service.call('GET', `${path}/${begun['id']}`, undefined, headers)).body).toEqual(done.body)
    expect((await service.call('GET', path, undefined, headers)).body['data']).toEqual([done.body])
  })

  it('wrong codes are counted: the fifth ends the session, and an expired code ends it immediately', async () => {
    const { begin, answer } = await sessions('+15125550102')
    const begun = (await begin(sms)).body['id']
    for (const [turn, status] of ['in_progress', 'in_progress', 'in_progress', 'in_progress', 'failed'].entries()) {
      const reply = await answer(begun, code('000000'))
      expect([turn, reply.body['status'], reply.body['error']['code']]).toEqual([turn, status, 19002])
    }
    const next = (await begin(sms)).body['id']
    expect((await answer(next, code('111111'))).body).toMatchObject({ status: 'failed', error: { code: 19001 } })
  })

  it('a number that cannot receive messages fails the session with 24001', async () => {
    const { begin, path } = await sessions('+15125550199')
    const begun = (await begin(sms)).body['id']
    await service.settle()
    expect((await service.call('GET', `${path}/${begun}`)).body).toMatchObject({
      status: 'failed',
      error: { code: 24001 },
    })
  })
})
