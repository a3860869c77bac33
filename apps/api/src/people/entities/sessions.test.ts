import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { errorOf, NEWEST, timestamp } from '../../testing/cases.js'
import { someone } from '../../testing/frame.js'
import { type TestService, testService } from '../../testing/service.js'

let service: TestService
beforeAll(async () => {
  service = await testService()
})
afterAll(() => service.stop())

const sms = { type: 'phone', method: 'sms', sms: {} }
const kba = { type: 'identity', method: 'kba', kba: {} }
const code = (sms_code: string) => ({ type: 'phone', method: 'sms', sms: { sms_code } })

/** Returns helpers for the sessions of a new sandbox entity. */
async function sessions(phone = '+15125550101') {
  const entity = await someone(service, phone)
  const path = `/entities/${entity}/verification_sessions`
  return {
    entity,
    path,
    begin: (body: unknown) => service.call('POST', path, body),
    answer: (id: string, body: unknown) => service.call('PUT', `${path}/${id}`, body),
    show: async () => (await service.call('GET', `/entities/${entity}`)).body,
  }
}
const refusal = (reply: { body: never }) => errorOf(reply.body).sub_type

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
    expect(refusal(await answer(begun['id'], code('123456')))).toBe('EXISTING_VERIFIED_SESSION')
    expect(refusal(await begin(sms))).toBe('EXISTING_VERIFIED_SESSION')
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

  it('twenty simultaneous answers use at most five attempts', async () => {
    const { begin, answer } = await sessions('+15125550103')
    const begun = (await begin(sms)).body['id']
    const replies = await Promise.all(Array.from({ length: 20 }, () => answer(begun, code('000000'))))
    const [row] = await service.store.reader.selectFrom('records').selectAll().where('id', '=', begun).execute()
    expect(JSON.parse(row!.data!)).toMatchObject({ tries: 5 })
    expect(row!.status).toBe('failed')
    expect(replies.every(reply => reply.status < 500)).toBe(true)
  })

  it('a malformed answer uses up no attempt', async () => {
    const { begin, answer } = await sessions('+15125550101')
    const begun = (await begin(sms)).body['id']
    for (const typed of ['12', '', 'abcdef', '1234567', '12', '12'])
      expect(refusal(await answer(begun, code(typed)))).toBe('INVALID_REQUEST')
    expect(refusal(await answer(begun, { type: 'phone', method: 'sms' }))).toBe('INVALID_REQUEST')
    for (let tries = 0; tries < 4; tries++)
      expect((await answer(begun, code('000000'))).body).toMatchObject({ status: 'in_progress' })
    expect((await answer(begun, code('123456'))).body).toMatchObject({ status: 'verified' })
  })

  it('an outage uses up no attempt, and returns 503', async () => {
    const { begin, answer } = await sessions('+15125550102')
    const begun = (await begin(sms)).body['id']
    await service.settle()
    await service.fault('identity', 'failing')
    for (let times = 0; times < 6; times++) {
      const reply = await answer(begun, code('123456'))
      expect([reply.status, errorOf(reply.body).sub_type]).toEqual([503, 'SERVICE_UNAVAILABLE'])
    }
    service.advance(30_000)
    for (let tries = 0; tries < 4; tries++)
      expect((await answer(begun, code('000000'))).body).toMatchObject({ status: 'in_progress' })
    expect((await answer(begun, code('123456'))).body).toMatchObject({ status: 'verified' })
  })

  it('an answer under an unknown version uses up no attempt', async () => {
    const { begin, path } = await sessions('+15125550104')
    const begun = (await begin(sms)).body['id']
    const reply = await service.call('PUT', `${path}/${begun}`, code('000000'), { 'service-version': 'x' })
    expect(refusal(reply)).toBe('INVALID_VERSION')
    const [row] = await service.store.reader.selectFrom('records').selectAll().where('id', '=', begun).execute()
    expect(JSON.parse(row!.data!)).toMatchObject({ tries: 0 })
  })

  it('a session expires after ten minutes', async () => {
    const { begin, answer, path } = await sessions('+15125550105')
    const begun = (await begin(sms)).body['id']
    service.advance(600_000)
    expect((await answer(begun, code('123456'))).body).toMatchObject({ status: 'failed', error: { code: 19001 } })
    const other = (await begin(sms)).body['id']
    service.advance(600_000)
    await service.settle()
    expect((await service.call('GET', `${path}/${other}`)).body).toMatchObject({ error: { code: 19001 } })
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

describe('verifying a phone through its carrier', () => {
  const sna = { type: 'phone', method: 'sna', sna: {} }

  it('returns two URLs for the handset, then the carrier confirms', async () => {
    const { begin, answer, show } = await sessions()
    const begun = (await begin(sna)).body
    expect(begun).toMatchObject({ status: 'in_progress', method: 'sna', error: null })
    const { urls } = begun['sna'] as { urls: string[] }
    expect(urls).toHaveLength(2)
    for (const url of urls) expect(url).toMatch(new RegExp(`/sna/${begun['id']}/sna_vrf_\\w+$`))
    expect((await answer(begun['id'], sna)).body).toMatchObject({ status: 'verified', sna: { urls } })
    expect((await show())['verification']['phone']).toMatchObject({ verified: true, methods: [] })
    const expanded = await service.call(
      'GET',
      `/entities/${begun['entity_id']}?expand[]=phone_latest_verification_session`,
    )
    expect(expanded.body['verification']['phone']['latest_verification_session']).toMatchObject({
      id: begun['id'],
      status: 'verified',
    })
    expect(expanded.body['verification']['identity']['latest_verification_session']).toBeNull()
  })

  it('a number that the carrier does not confirm fails with 19003', async () => {
    const { begin, answer } = await sessions('+15125550198')
    const begun = (await begin(sna)).body['id']
    expect((await answer(begun, sna)).body).toMatchObject({ status: 'failed', error: { code: 19003 } })
  })
})

describe('verifying an identity', () => {
  it("the customer's own check requires a team that supports it, and a known person", async () => {
    const own = { type: 'identity', method: 'byo_kyc', byo_kyc: {} }
    const { begin, show } = await sessions()
    expect(refusal(await begin(own))).toBe('UNAUTHORIZED_VERIFICATION_METHOD')
    const { identity_methods } = (await service.call('GET', '/team')).body as { identity_methods: string[] }
    await service.call('PATCH', '/team', { identity_methods: [...identity_methods, 'byo_kyc'] })
    expect((await show())['verification']['identity']['methods']).toEqual(['element', 'opal', 'kba', 'byo_kyc'])
    expect((await begin(own)).body).toMatchObject({ status: 'verified', byo_kyc: { authenticated: true } })
    expect((await show())['verification']['identity']).toMatchObject({ verified: true, methods: [] })
    const unmatched = await sessions('+15125550103')
    expect(refusal(await unmatched.begin(own))).toBe('MISSING_IDENTITY_MATCH')
    await service.call('PATCH', '/team', { identity_methods })
  })

  it('the phone is verified first, then the identity is matched', async () => {
    const { begin } = await sessions()
    expect(refusal(await begin(kba))).toBe('MISSING_PHONE_VERIFICATION')
    const unmatched = await sessions('+15125550103')
    const begun = (
      await unmatched.begin({ type: 'phone', method: 'byo_sms', byo_sms: { timestamp: '2021-01-01T10:00:00Z' } })
    ).body
    expect(begun['status']).toBe('verified')
    expect(refusal(await unmatched.begin(kba))).toBe('MISSING_IDENTITY_MATCH')
  })

  it('correct answers verify the identity, and the entity becomes active', async () => {
    const { begin, answer, show } = await sessions('+15125550104')
    await begin({ type: 'phone', method: 'byo_sms', byo_sms: { timestamp: '2021-01-01T10:00:00Z' } })
    const begun = (await begin(kba)).body
    const { questions } = begun['kba'] as { questions: { id: string; answers: { id: string; text: string }[] }[] }
    expect(questions).toHaveLength(3)
    expect(questions.every(question => question.answers.length === 5)).toBe(true)
    const answers = questions.map(question => ({
      question_id: question.id,
      answer_id: question.answers.find(one => one.text.endsWith('(Correct)'))!.id,
    }))
    const done = await answer(begun['id'], { type: 'identity', method: 'kba', kba: { answers } })
    expect(done.body).toMatchObject({ status: 'verified', kba: { questions: [], authenticated: true } })
    expect(await show()).toMatchObject({
      status: 'active',
      products: ['connect', 'credit_score', 'identity', 'attribute', 'vehicle'],
    })
  })

  it('a wrong round leads to other questions, and a second wrong round fails with 19004', async () => {
    const { begin, answer } = await sessions('+15125550104')
    await begin({ type: 'phone', method: 'byo_sms', byo_sms: { timestamp: '2021-01-01T10:00:00Z' } })
    const begun = (await begin(kba)).body
    const wrong = { type: 'identity', method: 'kba', kba: { answers: [] } }
    const second = (await answer(begun['id'], wrong)).body
    expect(second).toMatchObject({ status: 'in_progress', error: { code: 19004 } })
    expect(second['kba']['questions'][0]).not.toEqual(begun['kba']['questions'][0])
    expect((await answer(begun['id'], wrong)).body).toMatchObject({ status: 'failed', error: { code: 19004 } })
  })

  it('a disabled entity cannot be verified, and the error says why', async () => {
    const { entity, begin } = await sessions('+15125550107')
    await service.call('POST', `/entities/${entity}/consent`, { type: 'withdraw' })
    for (const body of [sms, kba])
      expect(errorOf((await begin(body)).body)).toMatchObject({
        sub_type: 'UNAUTHORIZED_VERIFICATION_METHOD',
        message: 'A disabled entity cannot be verified.',
      })
  })

  it("rejects methods that the team lacks, unknown entities, and methods other than the session's", async () => {
    const { begin, answer } = await sessions('+15125550107')
    expect(refusal(await begin({ type: 'identity', method: 'sms', sms: {} }))).toBe('UNAUTHORIZED_VERIFICATION_METHOD')
    const begun = (await begin(sms)).body['id']
    const other = await answer(begun, { ...kba, kba: { answers: [] } })
    expect([other.status, errorOf(other.body).message]).toEqual([
      400,
      'type and method must match the session: phone and sms.',
    ])
    const corporation = await service.call('POST', '/entities', { type: 'corporation', corporation: { name: 'N' } })
    const path = `/entities/${corporation.body['id']}/verification_sessions`
    expect(refusal(await service.call('POST', path, sms))).toBe('INVALID_ENTITY_TYPE')
  })
})
