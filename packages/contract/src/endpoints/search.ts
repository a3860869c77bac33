import { z } from 'zod'
import { endpoint, type Family } from '../declaration/endpoint.js'
import * as examples from '../declaration/examples.js'
import { searchKinds, searchResults } from '../resources/search.js'

export const endpoints = {
  search: endpoint({
    method: 'POST',
    path: '/search',
    scope: 'read',
    summary: 'Find resources by id, name or last digits',
    description:
      'Matches an id, whole words of a name, a phone number, or the last four digits of a phone or an account. Case, accents, ' +
      'apostrophes, hyphens and suffixes such as Jr. make no difference. Words and ' +
      'digits sent together must all match the same person. Returns at most 20 results of each kind, newest first. Changes ' +
      'nothing and takes no `Idempotency-Key`. Search is a POST because URLs are logged and must not contain personal data.',
    body: z.object({
      q: z.string().trim().min(1).max(100),
      kinds: z
        .array(z.enum(searchKinds))
        .max(searchKinds.length)
        .optional()
        .describe('The kinds to search. Default: all kinds'),
    }),
    answer: searchResults,
    example: {
      request: { q: 'ana 0123' },
      answer: {
        data: [
          {
            kind: 'person',
            id: examples.entity.id,
            title: 'Ana Reyes',
            hint: 'Phone ending in 0123',
            status: 'active',
            created_at: examples.entity.created_at,
          },
        ],
      },
    },
  }),
}

export const searchFamily: Family = {
  name: 'Search',
  about: 'One search across people, accounts, payments, sessions, webhooks, requests and events.',
  endpoints,
}
