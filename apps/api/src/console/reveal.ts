import { reveal as declared, type revealFields } from '@causeway/contract/endpoints/console'
import { ServiceError } from '@causeway/contract/errors'
import { DAY_MS } from '@causeway/contract/time'
import type { EntityDetails } from '../people/holders/entity.js'
import { readDetails } from '../people/holders/show-entity.js'
import { findEntity } from '../people/holders/store.js'
import { audit } from '../platform/audit/store.js'
import { countAction } from '../platform/limits/counters.js'
import type { Limit } from '../platform/limits/limit.js'
import { transact } from '../platform/scope.js'
import { showTime } from '../platform/show.js'
import { countReads } from '../team/teams/reads.js'
import { type ConsoleRoute, implementForConsole } from './console-endpoints.js'
import { requireRecentSignIn } from './recent-sign-in.js'
import { actorOf, limitSubject } from './user.js'

type Field = (typeof revealFields)[number]

/** The time, in ms, for which revealed values stay visible. */
const REVEAL_DURATION_MS = 30_000

const revealLimit: Limit = {
  kind: 'console_reveal',
  max: 50,
  window: DAY_MS,
  error: 'TOO_MANY_REQUESTS',
  sentence: 'Too many values were revealed. A console user can reveal at most 50 values per day.',
}

/** Formats a personal value for display. Returns null if the value is unknown. Pure. */
function formatValue({ address, ...details }: EntityDetails, field: Field): string | null {
  if (field === 'address') return [address.line1, address.line2].filter(Boolean).join(', ') || null
  return field === 'ssn' ? (details.ssn ?? details.ssn_4) : details[field]
}

export const revealRoutes: ConsoleRoute[] = [
  implementForConsole(declared, async ({ deps, user, params }, { fields, reason }) => {
    // mutant: reveal-needs-permission (false)
    if (!user.permissions.has('reveal'))
      throw new ServiceError(
        'FORBIDDEN',
        'Your role does not allow you to reveal personal values. Sign in with a key that has the sensitive scope.',
      )
    await requireRecentSignIn(deps, user)
    const uniqueFields = [...new Set(fields)]
    return transact(deps, user.team, async scope => {
      const row = await findEntity(scope, params.ent_id)
      if (!row || row.withdrawn_at !== null) throw new ServiceError('NOT_FOUND')
      // The limit is per key, not per session, because a session lasts less than a day.
      await countAction(scope, revealLimit, limitSubject(user), uniqueFields.length)
      if (uniqueFields.includes('ssn')) await countReads(scope, 1)
      // mutant: reveal-is-audited (remove)
      await audit(scope, actorOf(user.session), 'entity.reveal', row.id, {
        reason: `${uniqueFields.join(', ')}: ${reason}`,
      })
      const details = readDetails(scope, row)
      return {
        values: Object.fromEntries(uniqueFields.map(field => [field, formatValue(details, field)])),
        until: showTime(deps.clock() + REVEAL_DURATION_MS),
      }
    })
  }),
]
