/** Endpoints of the console's own listener for the audit log of a team. */
import { z } from 'zod'
import { endpoint, paging } from '../declaration/endpoint.js'
import * as examples from '../declaration/examples.js'
import { auditAreas } from '../fields/audit-areas.js'
import { timestamp } from '../fields/shared.js'

/** An entry in the audit log. */
const auditEntry = z.object({
  id: z.string(),
  actor: z.string().describe('The id of a user, a key or a session, or `operator`'),
  actor_name: z.string().nullable().describe('The name of the console user, or the name on the link'),
  session_id: z.string().nullable().describe('The console session, if the action came from the console'),
  action: z.string(),
  resource_id: z.string().nullable(),
  resource_name: z.string().nullable().describe('The name of the console user whom the action changed'),
  reason: z.string().nullable(),
  changes: z
    .array(z.object({ name: z.string(), before: z.string().nullable(), after: z.string().nullable() }))
    .describe(
      'The values that the action changed, by path. Null means no value. Both are null for a value that the log must not contain, such as a secret',
    ),
  at: timestamp,
})

/** A page of the audit log, newest first. */
export const auditPage = z.object({
  data: z.array(auditEntry),
  next_cursor: z.string().nullable().describe('The `page_cursor` of the next page; null on the last page'),
})

const filters = {
  actor: z.string().describe('The id of a user, a key or a session, or `operator`'),
  resource_id: z.string(),
  area: z.enum(auditAreas).describe('The kind of action, such as `keys` for `key.create` and `key.revoke`'),
  from_date: paging.from_date,
  to_date: paging.to_date,
}

export const consoleAudit = {
  listTeamAudit: endpoint({
    method: 'GET',
    path: '/console/audit',
    summary: 'List the audit entries of the team',
    description:
      'Needs the `users` permission. Each page has at most 50 entries, newest first. Times are real times. Includes stops of payments of all teams and of teams above this one, without the name and the reason of the operator.',
    query: { ...filters, page_cursor: paging.page_cursor },
    answer: auditPage,
    errors: ['INVALID_SEARCH_PARAMETERS'],
    example: {
      answer: {
        data: [
          {
            id: 'aud_mm9x2k1vq4Kd7Lm',
            actor: 'cusr_4kYi8ZbT1mXcV',
            actor_name: 'Ines Farrow',
            session_id: 'csess_4kYq8ZbT1mXd5',
            action: 'key.create',
            resource_id: examples.key.id,
            resource_name: null,
            reason: null,
            changes: [{ name: 'scopes', before: null, after: 'read, write' }],
            at: examples.times.created_at,
          },
        ],
        next_cursor: null,
      },
    },
  }),
  exportTeamAudit: endpoint({
    method: 'GET',
    path: '/console/audit/csv',
    summary: 'Download the audit entries of the team as a CSV file',
    description:
      'Contains every entry that `GET /console/audit` lists with the same filters. Needs the `users` permission. Each file is audited. A user can download at most 200 files per day.',
    query: filters,
    answer: z.string(),
    shape: 'raw',
    type: 'text/csv',
    errors: ['INVALID_SEARCH_PARAMETERS'],
    example: {
      answer: 'id,at,actor,action\r\naud_mm9x2k1vq4Kd7Lm,2026-03-02T15:00:00.000Z,cusr_4kYi8ZbT1mXcV,key.create\r\n',
    },
  }),
}
