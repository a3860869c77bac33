import { consoleLive as declared } from '@causeway/contract/endpoints/console-live'
import { ServiceError } from '@causeway/contract/errors'
import { type ConsoleRequest, type ConsoleRoute, implementStream } from '../console-endpoints.js'
import { checkOidcSession } from '../oidc-check.js'
import { findOpenSession } from '../store.js'
import { loadUser, requestSubject, type User } from '../user.js'

/** Returns a text that changes with the user's rights. */
const rightsOf = ({ role, operator, permissions, needsSecondFactor }: User): string =>
  [role, operator, needsSecondFactor, ...permissions].join()

/** Returns true while a user's session is open and has the rights that it had at the time of the request. */
async function hasSameRights({ options, user }: ConsoleRequest): Promise<boolean> {
  const { deps } = options
  const session = await findOpenSession(deps.store.reader, user.session, deps.clock())
  if (!session) return false
  try {
    await checkOidcSession(options, session)
    return rightsOf(await loadUser(options, session)) === rightsOf(user)
  } catch (error) {
    if (error instanceof ServiceError && error.subType === 'UNAUTHORIZED') return false
    throw error
  }
}

export const liveRoutes: ConsoleRoute[] = [
  implementStream(declared.streamNewRows, request =>
    request.options.live.open({
      team: request.user.team.id,
      subject: requestSubject(request.user),
      isAllowed: () => hasSameRights(request),
    }),
  ),
]
