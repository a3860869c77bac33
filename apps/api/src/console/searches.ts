/** Limits console searches for full phone numbers, because a match would confirm a guess. */

import { DAY_MS } from '@causeway/contract/time'
import { audit } from '../platform/audit/store.js'
import { readObject } from '../platform/http/request/body.js'
import { countAction, rejectIfLimitReached } from '../platform/limits/counters.js'
import type { Limit } from '../platform/limits/limit.js'
import { type Deps, depsFor, reading, transact } from '../platform/scope.js'
import { readSearchedPhone } from '../timeline/search.js'
import { actorOf, consoleUserOf, limitSubject, type User } from './user.js'

const searchLimit: Limit = {
  kind: 'console_phone_search',
  max: 200,
  window: DAY_MS,
  error: 'TOO_MANY_REQUESTS',
  sentence: 'You searched for too many phone numbers. A console user can search for at most 200 phone numbers per day.',
}

/**
 * Records and rate-limits searches for a full phone number. Throws TOO_MANY_REQUESTS.
 * @param body the request body
 * @param requestId the id of the request
 */
export async function countSearch(deps: Deps, user: User, body: string, requestId: string): Promise<void> {
  const { q } = readObject(body)
  if (typeof q !== 'string' || readSearchedPhone(q.trim()) === null) return
  const subject = limitSubject(user)
  // Checks the limit before writing, so a rejection needs no write lock.
  await rejectIfLimitReached(reading(deps, user.team), searchLimit, subject)
  await transact(depsFor(deps, requestId, consoleUserOf(user.session)), user.team, async scope => {
    await countAction(scope, searchLimit, subject)
    await audit(scope, actorOf(user.session), 'search.phone', null)
  })
}
