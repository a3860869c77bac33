import { linkedInstitutions as declared } from '@causeway/contract/endpoints/console-connections'
import { ServiceError } from '@causeway/contract/errors'
import { findEntity } from '../../people/holders/store.js'
import { findLinks } from '../../people/links/store.js'
import { reading } from '../../platform/scope.js'
import { showTime } from '../../platform/show.js'
import { type ConsoleRoute, implementForConsole } from '../console-endpoints.js'
import { findSharedAccounts } from './store.js'

/** For all of a team's users. An institution of which the person shares no account is not shown, as in the API. */
export const institutionRoutes: ConsoleRoute[] = [
  implementForConsole(declared, async ({ deps, user, params }) => {
    const scope = reading(deps, user.team)
    if (!(await findEntity(scope, params.ent_id))) throw new ServiceError('NOT_FOUND')
    const links = await findLinks(scope, params.ent_id)
    const shared = await findSharedAccounts(scope.db, user.team.id, params.ent_id)
    return {
      institutions: (links?.institutions ?? []).flatMap(({ name, status, accounts }) => {
        const ids = accounts.flatMap(reference => shared.get(reference) ?? [])
        // mutant: unshared-institution-is-hidden (false)
        return ids.length === 0 ? [] : [{ name, status, accounts: ids }]
      }),
      checked_at: links && links.checked_at > 0 ? showTime(links.checked_at) : null,
    }
  }),
]
