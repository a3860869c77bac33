/** Endpoints for the saved views of a console user's lists. They exist only on the console's own listener. */
import { z } from 'zod'
import { endpoint } from '../declaration/endpoint.js'
import * as examples from '../declaration/examples.js'
import { timestamp } from '../fields/shared.js'
import { nameText, text } from '../text.js'

const MAX_QUERY_LENGTH = 1_000

const list = text({
  max: 40,
  pattern: /^\/[a-z]+$/,
  error: "must be the path of a list's page, such as /payments",
}).describe("The path of the list's page")
const query = text({
  max: MAX_QUERY_LENGTH,
  pattern: /^[\w.,:=&-]*$/,
  error: `must be the query of the page's URL: at most ${MAX_QUERY_LENGTH} letters, digits and the characters _ . , : = & -`,
}).describe("The query of the page's URL, which holds the filters and the hidden columns")
const name = nameText(40)

const view = z.object({ id: z.string(), list, name, query, created_at: timestamp })
const example = {
  id: 'cview_4kYq8ZbT1mXd5',
  list: '/payments',
  name: 'Returned this week',
  query: 'status=reversal_required',
  created_at: examples.times.created_at,
}

export const consoleViews = {
  listConsoleViews: endpoint({
    method: 'GET',
    path: '/console/views',
    summary: 'List your saved views',
    answer: z.object({ data: z.array(view) }),
    example: { answer: { data: [example] } },
  }),
  saveConsoleView: endpoint({
    method: 'POST',
    path: '/console/views',
    summary: 'Save a view of a list',
    description: 'Replaces your view of the list with the same name. A user can save at most 100 views.',
    body: z.object({ list, name, query }),
    answer: view,
    example: {
      request: { list: example.list, name: example.name, query: example.query },
      answer: example,
    },
  }),
  deleteConsoleView: endpoint({
    method: 'DELETE',
    path: '/console/views/:cview_id',
    summary: 'Delete a saved view',
    answer: z.object({ id: z.string(), deleted: z.literal(true) }),
    errors: ['NOT_FOUND'],
    example: { answer: { id: example.id, deleted: true } },
  }),
}
