import { beforeEach, describe, expect, it } from 'vitest'
import { encrypt, publicJwk, sealedCall, serviceJwk } from '../../testing/encryption.js'
import { type TestService, testService } from '../../testing/service.js'
import { disableServiceKey, rotateServiceKey } from './rotate.js'

let service: TestService
beforeEach(async () => {
  service = await testService()
  await service.call('POST', '/teams/mle/public_keys', { jwk: await publicJwk('customer') })
})

const company = { type: 'corporation', corporation: { name: 'Northwind' } }
const send = async (to: Awaited<ReturnType<typeof serviceJwk>>) => {
  const encrypted = await encrypt(to, company, { kid: to.kid, cid: 'customer' })
  return (await service.call('POST', '/entities', { encrypted }, { 'service-mle': 'jwe' })).status
}
const events = async () =>
  (
    (await service.call('GET', '/events?resource_type=service_jwk')).body['data'] as {
      type: string
      resource_id: string
    }[]
  )
    .map(({ type, resource_id }) => `${type} ${resource_id}`)
    .sort()

describe("the service's key", () => {
  it('is created once, however many processes request it at once', async () => {
    const apps = [service.app, service.another(), service.another()]
    const sets = await Promise.all(apps.map(({ deps }) => deps.encryption.serviceKeys.active()))
    expect(new Set(sets.map(({ id }) => id)).size).toBe(1)
  })

  it('is in the key set and at its own URL, and its private part is exposed nowhere', async () => {
    const {
      status,
      id,
      created_at: _c,
      updated_at: _u,
      ...jwk
    } = (await serviceJwk(service)) as Record<string, unknown>
    expect([status, id]).toEqual(['active', jwk['kid']])
    const shown = await service.call('GET', `/auth/${id}`, undefined, { authorization: '' })
    expect(shown.body).toMatchObject({
      id,
      jwk,
      status: 'active',
      jwk_thumbprint: expect.stringMatching(/^[\w-]{43}$/),
    })
    const row = await service.store.reader.selectFrom('service_keys').selectAll().executeTakeFirstOrThrow()
    expect(row.private).not.toMatch(/"d":/)
    for (const unknown of ['svc_jwk_0000000000000', 'x%00', 'a-b'])
      expect((await service.call('GET', `/auth/${unknown}`)).status).toBe(404)
    const wrapped = await service.call('GET', `/enveloped/auth/${id}`)
    expect(wrapped.body).toMatchObject({ success: true, data: { id }, message: null })
  })

  it('is replaced: the old key is accepted until it is disabled, and teams receive an event for each step', async () => {
    const old = await serviceJwk(service)
    expect(await send(old)).toBe(200)
    service.advance(1_000)
    const { active, deprecated } = await rotateServiceKey(service.deps)
    expect(deprecated).toMatchObject({ id: old.kid, status: 'deprecated' })
    const fresh = await serviceJwk(service)
    expect([fresh.kid, await send(old), await send(fresh)]).toEqual([active.id, 200, 200])
    expect((await service.call('GET', `/auth/${old.kid}`)).body['status']).toBe('deprecated')
    expect(await disableServiceKey(service.deps, fresh.kid)).toBeUndefined()
    expect(await disableServiceKey(service.deps, old.kid)).toMatchObject({ status: 'disabled' })
    expect([await send(old), await send(fresh)]).toEqual([400, 200])
    expect(await disableServiceKey(service.deps, old.kid)).toBeUndefined()
    const row = service.store.reader.selectFrom('service_keys').select('private').where('id', '=', old.kid)
    expect(await row.executeTakeFirstOrThrow()).toEqual({ private: '' })
    expect(await events()).toEqual([
      `service_jwk.create ${fresh.kid}`,
      `service_jwk.update ${old.kid}`,
      `service_jwk.update ${old.kid}`,
    ])
  })

  it('is replaced twice if two rotations run at once', async () => {
    await serviceJwk(service)
    await Promise.all([rotateServiceKey(service.deps), rotateServiceKey(service.another().deps)])
    const rows = await service.store.reader.selectFrom('service_keys').select('status').execute()
    expect(rows.map(({ status }) => status).sort()).toEqual(['active', 'deprecated', 'deprecated'])
  })

  it('is announced only to the teams that it concerns', async () => {
    const other = await service.anotherTeam()
    await rotateServiceKey(service.deps)
    const theirs = await service.call('GET', '/events', undefined, { authorization: `Bearer ${other.key}` })
    expect([theirs.body['data'], (await events()).length]).toEqual([[], 1])
  })

  it('can be decrypted by a process that started later', async () => {
    const again = await service.again()
    const made = await sealedCall(again, 'POST', '/entities', company, { cid: 'customer' })
    expect(made.status).toBe(200)
  })
})
