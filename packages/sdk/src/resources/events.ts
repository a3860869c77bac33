import type { Event } from '@causeway/contract/resources/event'
import { at } from '../address.js'
import type { ListParams } from '../page.js'
import type { RequestOptions } from '../transport.js'
import type { Verbs } from '../verbs.js'

export interface EventListParams extends ListParams {
  resource_id?: string
  /** What the type begins with, such as `payment`. */
  resource_type?: string
  type?: string
}

/** What changed, newest first: also what no webhook was sent. */
export const createEvents = (verbs: Verbs) => ({
  retrieve: (id: string, options?: RequestOptions) => verbs.get<Event>(at`/events/${id}`, {}, options),
  list: (params?: EventListParams, options?: RequestOptions) => verbs.list<Event>('/events', params, options),
})
