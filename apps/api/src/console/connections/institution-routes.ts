import { institutions as declared } from '@causeway/contract/endpoints/console-connections'
import { ServiceError } from '@causeway/contract/errors'
import { findHolderNames } from '../../people/holders/holder-names.js'
import { findEntity } from '../../people/holders/store.js'
import { countRepairs, findLinks, type Links, listRepairs } from '../../people/links/store.js'
import { reading } from '../../platform/scope.js'
import { showTime } from '../../platform/show.js'
import { type ConsoleRoute, implementForConsole } from '../console-endpoints.js'
import { PAGE_SIZE, readCursor, toPage } from '../operator-store.js'
import { findSharedAccounts } from './store.js'

type Shared = Awaited<ReturnType<typeof findSharedAccounts>>

/** Shows the institutions of a person. One of which the person shares no account is not shown, as in the API. */
const showInstitutions = (entity: string, links: Links | undefined, shared: Shared) =>
  (links?.institutions ?? []).flatMap(({ name, status, accounts }) => {
    const ids = accounts.flatMap(reference => shared(entity, reference) ?? [])
    // mutant: unshared-institution-is-hidden (false)
    return ids.length === 0 ? [] : [{ name, status, accounts: ids }]
  })

const showChecked = (links: Links | undefined) => (links && links.checked_at > 0 ? showTime(links.checked_at) : null)

/** For all of a team's users. */
export const institutionRoutes: ConsoleRoute[] = [
  implementForConsole(declared.listOfPerson, async ({ deps, user, params }) => {
    const scope = reading(deps, user.team)
    if (!(await findEntity(scope, params.ent_id))) throw new ServiceError('NOT_FOUND')
    const links = await findLinks(scope, params.ent_id)
    const shared = await findSharedAccounts(scope.db, user.team.id, [params.ent_id])
    return { institutions: showInstitutions(params.ent_id, links, shared), checked_at: showChecked(links) }
  }),
  implementForConsole(declared.listRepairs, async ({ deps, user, query }) => {
    const scope = reading(deps, user.team)
    const counts = query.get('count')
    if (counts !== null && counts !== 'only')
      throw new ServiceError('INVALID_SEARCH_PARAMETERS', 'count must be only, or omitted.')
    if (counts) return { data: [], next_cursor: null, total: await countRepairs(scope) }
    const [after = null] = readCursor(query.get('page_cursor'), /^\w{1,60}$/) ?? []
    const rows = await listRepairs(scope, { after, limit: PAGE_SIZE + 1 })
    const { data, next_cursor } = toPage(rows, ({ entity }) => entity)
    const people = data.map(({ entity }) => entity)
    const shared = await findSharedAccounts(scope.db, user.team.id, people)
    const names = await findHolderNames(scope, people)
    return {
      data: data.flatMap(({ entity, links }) => {
        const broken = showInstitutions(entity, links, shared).filter(({ status }) => status === 'repair')
        if (broken.length === 0) return []
        const institutions = broken.map(({ name, accounts }) => ({ name, accounts }))
        return [{ id: entity, name: names.get(entity)?.name ?? null, institutions, checked_at: showChecked(links) }]
      }),
      next_cursor,
    }
  }),
]
