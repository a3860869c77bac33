import { endpoints as searches } from '@causeway/contract/endpoints/search'
import { endpoints } from '@causeway/contract/endpoints/timeline'
import { ServiceError } from '@causeway/contract/errors'
import { momentKinds } from '@causeway/contract/resources/timeline'
import { findChanges } from '../notify/events/changes.js'
import { isTemporaryFault } from '../platform/db/fault.js'
import { implement } from '../platform/http/endpoint/implement.js'
import { readCount } from '../platform/http/endpoint/paging.js'
import { one, type Route } from '../platform/http/endpoint/route.js'
import type { Ctx } from '../platform/scope.js'
import { compareNewestFirst, type Kind, type Moment, type MomentPage, type Position, readers } from './moments.js'
import { findRelatedIds } from './related-ids.js'
import { search } from './search.js'

const MAX = 100
/** The position at the top of a timeline, before its newest moment. */
const START = { at: Date.parse('2080-01-01T00:00:00.000Z'), id: '' }

const writeCursor = ({ at, id }: Position) => `${at}.${id}`
const placeOf = ({ at, id }: Moment): Position => ({ at: Date.parse(at), id })

function readCursor(text: string | null): { at: number; id: string } {
  if (text === null) return START
  const [, at, id] = /^(\d{1,13})\.([\w.]{0,60})$/.exec(text) ?? []
  if (at === undefined || id === undefined)
    throw new ServiceError('INVALID_SEARCH_PARAMETERS', 'page_cursor must be the next_cursor of the previous page.')
  return { at: Number(at), id }
}

/** Adds the changed fields to the events among a page's moments. Opening an event takes longer than finding it. */
async function addChanges(ctx: Ctx, moments: readonly Moment[]): Promise<Moment[]> {
  const events = moments.filter(each => each.kind === 'event').map(each => each.id)
  const changes = await findChanges(ctx, events, ctx.version)
  return moments.map(each => {
    const fields = each.kind === 'event' ? (changes.get(each.id) ?? []) : []
    return fields.length > 0 ? { ...each, changes: fields } : each
  })
}

export const timelineRoutes: Route[] = [
  implement(searches.search, {
    handle: async (ctx, { body }) => one({ data: await search(ctx, body.q, body.kinds ?? []) }),
  }),
  implement(endpoints.retrieveTimeline, {
    async handle(ctx, { query }) {
      const about = query.get('about')
      const ids = await findRelatedIds(ctx, about)
      if (!ids) throw new ServiceError('NOT_FOUND', "about must be the id of one of this team's resources.")
      const kinds = query.all('kinds')
      const limit = Math.min(readCount(ctx.query, 'page_limit') ?? MAX, MAX)
      const after = readCursor(query.get('page_cursor'))
      const missing: Kind[] = []
      const read = async (kind: Kind): Promise<MomentPage> => {
        try {
          return await readers[kind](ctx, { ids, ...after, limit: limit + 1 })
        } catch (error) {
          // If one kind can't be read, the other kinds are still useful.
          if (!isTemporaryFault(error)) throw error
          missing.push(kind)
          return { moments: [], end: null }
        }
      }
      const pages = await Promise.all((kinds.length > 0 ? kinds : momentKinds).map(read))
      // The page ends where the first incomplete kind ends, because the next moments of that kind are unknown.
      const end = pages.flatMap(each => (each.end ? [each.end] : [])).sort(compareNewestFirst)[0] ?? null
      const all = pages
        .flatMap(each => each.moments)
        .filter(each => end === null || compareNewestFirst(placeOf(each), end) <= 0)
        .sort((one, other) => compareNewestFirst(placeOf(one), placeOf(other)))
      const data = await addChanges(ctx, all.slice(0, limit))
      const next = all.length > limit ? placeOf(data.at(-1)!) : end
      return one({ data, missing, next_cursor: next && writeCursor(next) })
    },
  }),
]
