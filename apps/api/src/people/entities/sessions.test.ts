import { describe, expect, it } from 'vitest'
import { errorOf, rejectionOf } from '../../testing/contract/cases.js'
import { testService } from '../../testing/service.js'
import { code, entitySessions, kba, sms } from '../../testing/verification.js'

const service = await testService()

const sessions = entitySessions(service)

describe('verifying a phone', () => {
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
      expect(rejectionOf(await answer(begun, code(typed)))).toBe('INVALID_REQUEST')
    expect(rejectionOf(await answer(begun, { type: 'phone', method: 'sms' }))).toBe('INVALID_REQUEST')
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
      expect([reply.status, rejectionOf(reply)]).toEqual([503, 'SERVICE_UNAVAILABLE'])
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
    expect(rejectionOf(reply)).toBe('INVALID_VERSION')
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
})

describe('verifying an identity', () => {
  it('a disabled entity cannot be verified, and the error says why', async () => {
    const { entity, begin } = await sessions('+15125550107')
    await service.call('POST', `/entities/${entity}/consent`, { type: 'withdraw' })
    for (const body of [sms, kba])
      expect(errorOf((await begin(body)).body)).toMatchObject({
        sub_type: 'UNAUTHORIZED_VERIFICATION_METHOD',
        message: 'A disabled entity cannot be verified.',
      })
  })

  it('names the methods that can verify the entity, if there are any', async () => {
    const { begin } = await sessions('+15125550107')
    const { identity_methods } = (await service.call('GET', '/team')).body as { identity_methods: string[] }
    await service.call('PATCH', '/team', { identity_methods: ['kba'] })
    const said = []
    for (const body of [{ type: 'identity', method: 'sms', sms: {} }, sms])
      said.push(errorOf((await begin(body)).body).message)
    await service.call('PATCH', '/team', { identity_methods })
    expect(said).toEqual([
      "This entity's identity can be verified by: kba.",
      "No method can verify this entity's phone.",
    ])
  })

  it("rejects methods that the team lacks, unknown entities, and methods other than the session's", async () => {
    const { begin, answer } = await sessions('+15125550107')
    expect(rejectionOf(await begin({ type: 'identity', method: 'sms', sms: {} }))).toBe(
      'UNAUTHORIZED_VERIFICATION_METHOD',
    )
    const begun = (await begin(sms)).body['id']
    const other = await answer(begun, { ...kba, kba: { answers: [] } })
    expect([other.status, errorOf(other.body).message]).toEqual([
      400,
      'type and method must match the session: phone and sms.',
    ])
    const corporation = await service.call('POST', '/entities', { type: 'corporation', corporation: { name: 'N' } })
    const path = `/entities/${corporation.body['id']}/verification_sessions`
    expect(rejectionOf(await service.call('POST', path, sms))).toBe('INVALID_ENTITY_TYPE')
  })
})
