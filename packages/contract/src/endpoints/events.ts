import { z } from 'zod'
import { counting, endpoint, type Family, paging, sorting } from '../declaration/endpoint.js'
import * as examples from '../declaration/examples.js'
import { eventNouns, webhookTypes } from '../events.js'
import { event } from '../resources/event.js'

export const endpoints = {
  listEvents: endpoint({
    method: 'GET',
    path: '/events',
    summary: 'List events',
    description: 'Includes events that no webhook receives. Types use the names from the API version of the request.',
    query: {
      resource_id: z.string(),
      resource_type: z.enum([...eventNouns].sort()).describe('The first segment of the type'),
      type: z.string().meta({ enum: [...webhookTypes] }),
      ...paging,
      ...counting,
      ...sorting,
    },
    answer: event,
    shape: 'list',
    example: { answer: [examples.event] },
  }),
  retrieveEvent: endpoint({
    method: 'GET',
    path: '/events/:evt_id',
    summary: 'Retrieve an event',
    answer: event,
    example: { answer: examples.event },
  }),
}

export const eventFamily: Family = {
  name: 'Events',
  about: 'Changes to resources. Each event is stored in the same transaction as the change.',
  endpoints,
}
