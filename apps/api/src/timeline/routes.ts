import { endpoints as searches } from '@causeway/contract/endpoints/search'
import { endpoints } from '@causeway/contract/endpoints/timeline'
import { ServiceError } from '@causeway/contract/errors'
import { momentKinds } from '@causeway/contract/resources/timeline'
import { isPassingFault } from '../platform/db/fault.js'
import { implement } from '../platform/http/implement.js'
import { readCount } from '../platform/http/paging.js'
import { one, type Route } from '../platform/http/route.js'
import { type Kind, type Moment, readers } from './moments.js'
import { relatedTo } from './related.js'
import { search } from './search.js'

const MAX = 100
/** Before every moment. */
const START = { at: Date.parse('2080-01-01T00:00:00.000Z'), id: '' }

const writeCursor = ({ at, id }: Moment) => `${Date.parse(at)}.${id}`

function readCursor(text: string | null): { at: number; id: string } {
  if (text === null) return START
  const [, at, id] = /^(\d{1,13})\.([\w.]{1,60})$/.exec(text) ?? []
  if (at === undefined || id === undefined)
    throw new ServiceError('INVALID_SEARCH_PARAMETERS', 'page_cursor must be next_cursor of the previous page.')
  return { at: Number(at), id }
}

export const timelineRoutes: Route[] = [
  implement(searches.search, {
    handle: async (ctx, { body }) => one({ data: await search(ctx, body.q, body.kinds ?? []) }),
  }),
  implement(endpoints.retrieveTimeline, {
    async handle(ctx, { query }) {
      const about = query.get('about')
      if (about === null) throw new ServiceError('INVALID_REQUEST', 'about must be the id of a resource.')
      const ids = await relatedTo(ctx, about)
      if (!ids) throw new ServiceError('NOT_FOUND', `Nothing of this team was found for about.`)
      const kinds = query.all('kinds')
      const limit = Math.min(readCount(ctx.query, 'page_limit') ?? MAX, MAX)
      const after = readCursor(query.get('page_cursor'))
      const missing: Kind[] = []
      const read = async (kind: Kind): Promise<Moment[]> => {
        try {
          return await readers[kind](ctx, { ids, ...after, limit: limit + 1 })
        } catch (error) {
          // The other kinds are of use without this one.
          if (!isPassingFault(error)) throw error
          missing.push(kind)
          return []
        }
      }
      const found = await Promise.all((kinds.length > 0 ? kinds : momentKinds).map(read))
      const all = found
        .flat()
        .sort((one, other) => (one.at === other.at ? (one.id < other.id ? 1 : -1) : one.at < other.at ? 1 : -1))
      const data = all.slice(0, limit)
      const last = data.at(-1)
      return one({ data, missing, next_cursor: last && all.length > limit ? writeCursor(last) : null })
    },
  }),
]
