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
