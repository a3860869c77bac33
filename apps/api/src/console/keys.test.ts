import { describe, expect, it } from 'vitest'
import { consoleOf } from '../testing/console.js'
import { consoleUsersOf } from '../testing/console-users.js'
import { testService } from '../testing/service.js'

const service = await testService()
const desk = consoleOf(service)
const { send } = desk
const { join } = consoleUsersOf(service, desk)
const allScopes = ['read', 'write', 'payments', 'sensitive', 'admin']

describe('a key that a user creates in the console', () => {
  it('is shown once, works at the API, and names the user as its creator', async () => {
    const { cookie, id } = await join('admin', 'Ines Farrow')
    const created = await send('POST', '/api/team/keys', { cookie, body: { scopes: allScopes } })
    expect(created.body).toMatchObject({ scopes: allScopes, created_by: id, value: expect.stringMatching(/^sk_/) })
    const headers = { authorization: `Bearer ${created.body['value']}` }
    expect((await service.call('GET', '/team', undefined, headers)).status).toBe(200)
    const listed = await send('GET', '/api/team/keys', { cookie })
    expect(listed.text).not.toContain(created.body['value'])
    const rows = await service.store.reader
      .selectFrom('audit')
      .select(['action', 'actor', 'actor_name'])
      .where('team_id', '=', service.team)
      .where('resource_id', '=', String(created.body['id']))
      .execute()
    expect(rows).toEqual([{ action: 'key.create', actor: id, actor_name: 'Ines Farrow' }])
    const revoked = await send('DELETE', `/api/team/keys/${created.body['id']}`, { cookie })
    expect(revoked.status).toBe(200)
    expect((await service.call('GET', '/team', undefined, headers)).status).toBe(401)
  })

  it.each(['viewer', 'support', 'engineer', 'finance'])('needs an admin: a %s creates none', async role => {
    const { cookie } = await join(role)
    const created = await send('POST', '/api/team/keys', { cookie, body: { scopes: ['read'] } })
    expect(created.status).toBe(403)
  })
})
