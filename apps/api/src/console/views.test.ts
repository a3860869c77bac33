import { describe, expect, it } from 'vitest'
import { consoleOf } from '../testing/console.js'
import { consoleUsersOf } from '../testing/console-users.js'
import { testService } from '../testing/service.js'

const service = await testService()
const desk = consoleOf(service)
const { send } = desk
const { join } = consoleUsersOf(service, desk)
const returned = { list: '/payments', name: 'Returned', query: 'status=reversal_required&hide=person,why' }

const save = (cookie: string, body: object = returned) => send('POST', '/api/console/views', { cookie, body })
const remove = (cookie: string, id: unknown) => send('DELETE', `/api/console/views/${id}`, { cookie })
const listed = async (cookie: string) =>
  (await send('GET', '/api/console/views', { cookie })).body['data'] as Record<string, unknown>[]

describe('a saved view', () => {
  it('is listed in every session of its user, until it is deleted', async () => {
    const { cookie } = await join('viewer', 'Vera Lind')
    const saved = await save(cookie)
    expect(saved.status).toBe(200)
    expect(await listed(cookie)).toEqual([{ ...returned, id: saved.body['id'], created_at: expect.any(String) }])
    expect((await remove(cookie, saved.body['id'])).body).toEqual({ id: saved.body['id'], deleted: true })
    expect(await listed(cookie)).toEqual([])
    expect((await remove(cookie, saved.body['id'])).status).toBe(404)
  })

  it('replaces the view of the same list with the same name', async () => {
    const { cookie } = await join('finance', 'Finn Okoro')
    const { body } = await save(cookie)
    await save(cookie, { ...returned, list: '/sessions', query: '' })
    const again = await save(cookie, { ...returned, name: ' Returned ', query: 'status=failed' })
    expect(again.body).toMatchObject({ id: body['id'], query: 'status=failed' })
    // Views that were saved in the same millisecond have no order.
    expect((await listed(cookie)).map(({ list, query }) => [list, query]).sort()).toEqual([
      ['/payments', 'status=failed'],
      ['/sessions', ''],
    ])
  })

  // kills: views-belong-to-their-user
  it('cannot be seen or deleted by another user', async () => {
    const owner = await join('admin', 'Ada Brandt')
    const other = await join('admin', 'Omar Said')
    const { body } = await save(owner.cookie)
    expect(await listed(other.cookie)).toEqual([])
    expect((await remove(other.cookie, body['id'])).status).toBe(404)
    expect(await listed(owner.cookie)).toHaveLength(1)
  })

  for (const [field, value] of [
    ['list', 'payments'],
    ['list', `/${'a'.repeat(40)}`],
    ['name', ' '],
    ['name', 'a'.repeat(41)],
    ['name', 'A‮B'],
    ['query', 'person=Ana Rivera'],
    ['query', 'a'.repeat(1_001)],
    ['query', null],
  ] as const)
    it(`cannot have the ${field} ${JSON.stringify(value)?.slice(0, 20)}`, async () => {
      const { cookie } = await desk.signedIn(['read'])
      const reply = await save(cookie, { ...returned, [field]: value })
      expect(reply.status).toBe(400)
      expect(reply.text).toContain(field)
      expect(await listed(cookie)).toEqual([])
    })

  it('can be saved a hundred times, and the next one changes nothing', async () => {
    const { cookie } = await desk.signedIn(['read'])
    for (let number = 1; number <= 100; number++) await save(cookie, { ...returned, name: `View ${number}` })
    const reply = await save(cookie)
    expect(reply.status).toBe(400)
    expect(reply.text).toContain('Delete one before you save another.')
    expect(await listed(cookie)).toHaveLength(100)
    expect((await save(cookie, { ...returned, name: 'View 7' })).status).toBe(200)
  })
})
