import { describe, expect, it } from 'vitest'
import { reading, transact } from '../../platform/scope.js'
import { linkService } from '../../testing/linking.js'
import { findEntity } from '../holders/store.js'
import { readPage, replacePage } from './pages.js'
import { findLinks } from './store.js'

describe('a page that was replaced', () => {
  // kills: replaced-page-changes-nothing
  it('changes nothing, even if its outcome was read before', async () => {
    const { service, atLink, browse } = await linkService()
    const { person, entity } = await atLink()
    const team = (await service.deps.teamOf(service.team))!
    const scope = reading(service.deps, team)
    const row = (await findEntity(scope, entity))!
    const before = (await findLinks(scope, entity))!
    await browse(person.data('link').url)
    const saveOutcome = await readPage(scope, row, before.page!)
    const saveNext = (await replacePage(scope, row, before, null))!
    await transact(service.deps, team, saveNext)
    expect(await transact(service.deps, team, saveOutcome)).toBe(false)
    const after = (await findLinks(scope, entity))!
    expect(after.page).toMatchObject({ request_id: `${entity}.2` })
    expect(after.institutions).toEqual([])
  })

  it('is created once, whichever of two calls is faster', async () => {
    const { service, atLink, paths } = await linkService()
    const { entity } = await atLink()
    const team = (await service.deps.teamOf(service.team))!
    const scope = reading(service.deps, team)
    const row = (await findEntity(scope, entity))!
    const before = (await findLinks(scope, entity))!
    const saves = [await replacePage(scope, row, before, null), await replacePage(scope, row, before, null)]
    const [first, second] = await Promise.all(saves.map(save => transact(service.deps, team, save!)))
    expect(second!.page).toEqual(first!.page)
    expect(paths.filter(path => path === '/link/token/create')).toHaveLength(2)
  })
})

describe('a person who withdraws', () => {
  // kills: withdrawal-disconnects-institutions
  it('has no institutions at the provider afterward, even if it does not answer at first', async () => {
    const { service, atLink, browse, emulator, state } = await linkService()
    const { person, entity } = await atLink()
    await browse(person.data('link').url)
    await person.send({ action: 'check' })
    expect(emulator.items.size).toBe(1)
    state.isDown = true
    const { status } = await service.call('POST', `/entities/${entity}/consent`, {
      type: 'withdraw',
      reason: 'entity_withdrew_consent',
    })
    expect(status).toBe(200)
    await service.settle()
    expect(emulator.items.size).toBe(1)
    state.isDown = false
    service.advance(60_000)
    await service.settle()
    expect(emulator.items.size).toBe(0)
    const rows = await service.store.reader.selectFrom('entity_links').select('entity_id').execute()
    expect(rows).toEqual([])
  })
})
