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
