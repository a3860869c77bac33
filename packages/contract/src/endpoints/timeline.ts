import { z } from 'zod'
import { endpoint, type Family, paging } from '../declaration/endpoint.js'
import * as examples from '../declaration/examples.js'
import { momentKinds, timeline } from '../resources/timeline.js'

export const endpoints = {
  retrieveTimeline: endpoint({
    method: 'GET',
    path: '/timeline',
    summary: "Retrieve a resource's timeline",
    description:
      'The timeline of an entity includes its latest accounts, sessions and payments. The timeline of a payment includes its ' +
      'reversal. Requests and staff actions use the real time. In the sandbox, all other entries use the time of the sandbox clock.',
    query: {
      about: z.string().describe('The id of a resource'),
      kinds: z.enum(momentKinds).describe('Default: all kinds'),
      page_cursor: z.string().describe('The `next_cursor` of the previous page'),
      page_limit: paging.page_limit,
    },
    required: ['about'],
    answer: timeline,
    errors: ['NOT_FOUND'],
    example: {
      answer: {
        data: [
          {
            at: examples.times.created_at,
            kind: 'event',
            id: examples.event.id,
            what: 'payment.update',
            status: null,
            actor: null,
            amount: null,
            refs: [examples.payment.id],
          },
        ],
        missing: [],
        next_cursor: null,
      },
    },
  }),
}

export const timelineFamily: Family = {
  name: 'Timeline',
  about: 'Requests, events, deliveries, postings, flow steps and staff actions in one list.',
  endpoints,
}
