import { endpoints } from '@causeway/contract/endpoints/events'
import { ServiceError } from '@causeway/contract/errors'
import { eventNouns, eventTypeOf, webhookTypes } from '@causeway/contract/events'
import type { Version } from '@causeway/contract/versions'
import { checkKnown } from '../../platform/http/endpoint/declaration.js'
import { implement } from '../../platform/http/endpoint/implement.js'
import { page } from '../../platform/http/endpoint/paging.js'
import { type Route, shown } from '../../platform/http/endpoint/route.js'
import { findRow } from '../../platform/rows.js'
import type { Ctx } from '../../platform/scope.js'
import { hasEvent } from '../../versions/chain.js'
import { typesShownAs } from './event.js'
import { nounInVersion, showEvents, typeInVersion } from './show.js'

/**
 * Returns the event types that don't exist in a version. Events of these types are omitted from that version's lists.
 */
const typesMissingIn = (version: Version): string[] => [...webhookTypes].filter(type => !hasEvent(version, type))

/**
 * Rejects an event type that doesn't exist in any version. There are too many types to list, so the message lists only
 * those with the same noun.
 */
function checkTypes({ query }: Ctx, types: readonly string[]): void {
  const known = [...webhookTypes].sort()
  const unknown = types.filter(type => !known.includes(type))
  if (unknown.length === 0) return
  const similar = known.filter(each => unknown.some(type => nounOf(type) === nounOf(each)))
  if (similar.length > 0) checkKnown(query, 'type', similar)
  const nouns = [...new Set(known.map(nounOf))].join(', ')
  throw new ServiceError('INVALID_REQUEST', `type must be an event type. Event types begin with one of: ${nouns}.`)
}
const nounOf = (type: string) => type.split('.')[0]!

export const eventRoutes: Route[] = [
  implement(endpoints.listEvents, {
    async handle(ctx, { query: filter }) {
      const resources = filter.all('resource_id')
      const nouns = filter.all('resource_type')
      const types = filter.all('type').map(eventTypeOf)
      checkTypes(ctx, types)
      const { rows, headers } = await page(ctx, 'event', from => {
        let query = from('events').where('team_id', '=', ctx.team.id)
        const missing = typesMissingIn(ctx.version)
        if (missing.length > 0) query = query.where('type', 'not in', missing)
        if (resources.length > 0) query = query.where('resource_id', 'in', resources)
        if (nouns.length > 0) {
          const shownAs = eventNouns.filter(each => nouns.includes(nounInVersion(ctx.version, each)))
          query = query.where('resource_type', 'in', [...nouns, ...shownAs])
        }
        if (types.length > 0) {
          const shownAs = types.flatMap(type => typesShownAs(type, each => typeInVersion(ctx.version, each)))
          query = query.where('type', 'in', [...new Set(shownAs)])
        }
        return query
      })
      return shown({ shape: 'list', body: await showEvents(ctx, rows, ctx.version), headers })
    },
  }),
  implement(endpoints.retrieveEvent, {
    async handle(ctx, { params }) {
      const row = await findRow(ctx, 'events', params.evt_id)
      if (!row || !hasEvent(ctx.version, row.type)) throw new ServiceError('NOT_FOUND')
      const [body] = await showEvents(ctx, [row], ctx.version)
      return shown({ shape: 'one', body })
    },
  }),
]
