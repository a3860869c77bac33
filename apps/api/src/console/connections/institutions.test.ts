import { expect, it } from 'vitest'
import { consoleOf } from '../../testing/console.js'
import { HARBOR, LAKESIDE, linkService } from '../../testing/linking.js'

// kills: unshared-institution-is-hidden
it('the institutions that a person linked are shown to the team, except those of which they share no account', async () => {
  const { service, atLink, browse, emulator, deliver } = await linkService()
  const { person, entity } = await atLink('+15125550101', 'connect', { selection_type: 'multiple' })
  const { send, signedIn } = consoleOf(service)
  const { cookie } = await signedIn(['read'])
  const get = (id: string, as = cookie) => send('GET', `/api/entities/${id}/institutions`, { cookie: as })
  for (const institution of [HARBOR, LAKESIDE]) {
    await browse(person.data('link').url, institution)
    await person.send({ action: 'check' })
  }
  expect((await get(entity)).body['institutions']).toEqual([])
  await person.send({ action: 'continue' })
  await person.wait()
  const card = person.data('selection').accounts.find(({ type }) => type === 'credit_card')!.id
  await person.send({ action: 'select', accounts: [card] })
  const harbor = { name: 'Harbor Credit Union', accounts: [card] }
  expect((await get(entity)).body).toEqual({
    institutions: [{ ...harbor, status: 'ok' }],
    checked_at: expect.stringMatching(/^2026-/),
  })
  await deliver()
  const [id] = [...emulator.items.keys()]
  emulator.breakItem(id!)
  await deliver()
  await service.settle()
  const { body, text } = await get(entity)
  expect(body['institutions']).toEqual([{ ...harbor, status: 'repair' }])
  expect(text).not.toContain(id)
  expect((await get('ent_unknown')).status).toBe(404)
  expect((await get(entity, '')).status).toBe(401)
})

it('the people who must sign in to an institution again are listed, except those who share none of its accounts', async () => {
  const { service, atLink, browse, emulator, deliver } = await linkService()
  const { send, signedIn } = consoleOf(service)
  const { cookie } = await signedIn(['read'])
  const list = async (query = '') => (await send('GET', `/api/institutions/repairs${query}`, { cookie })).body
  const sharing = async (phone: string) => {
    const { person, entity } = await atLink(phone)
    await browse(person.data('link').url)
    await person.send({ action: 'check' })
    await person.send({ action: 'continue' })
    await person.wait()
    const accounts = person.data('selection').accounts.map(({ id }) => id)
    await person.send({ action: 'select', accounts })
    return { entity, accounts }
  }
  const sharer = await sharing('+15125550101')
  await sharing('+15125550110')
  // The third person has not shared anything yet, so the team sees nothing of their institution.
  const { person } = await atLink('+15125550120')
  await browse(person.data('link').url)
  await person.send({ action: 'check' })
  await deliver()
  const [first, , third] = [...emulator.items.keys()]
  const count = async () => (await list('?count=only'))['total']
  expect(await list()).toEqual({ data: [], next_cursor: null })
  expect(await count()).toEqual({ count: 0, more: false })
  emulator.breakItem(first!)
  emulator.breakItem(third!)
  await deliver()
  await service.settle()
  expect(await list()).toEqual({
    data: [
      {
        id: sharer.entity,
        name: expect.stringMatching(/\w/),
        institutions: [{ name: 'Harbor Credit Union', accounts: sharer.accounts }],
        checked_at: expect.stringMatching(/^2026-/),
      },
    ],
    next_cursor: null,
  })
  expect(await count()).toEqual({ count: 1, more: false })
  expect(await list(`?page_cursor=${'z'.repeat(60)}`)).toEqual({ data: [], next_cursor: null })
  for (const query of ['page_cursor=!', 'count=all'])
    expect((await send('GET', `/api/institutions/repairs?${query}`, { cookie })).status).toBe(400)
})
