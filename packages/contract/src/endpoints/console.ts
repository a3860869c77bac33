/** Endpoints of the console's own listener. They cannot be called with an API key, so they are not part of the API. */
import { z } from 'zod'
import { endpoint } from '../declaration/endpoint.js'
import * as examples from '../declaration/examples.js'
import { reason } from '../fields/reason.js'
import { timestamp } from '../fields/shared.js'
import { auditPage } from './console-audit.js'

export const revealFields = ['email', 'phone', 'dob', 'address', 'ssn'] as const

const page_cursor = z.string().describe('The `next_cursor` of the previous page')
const next_cursor = z.string().nullable().describe('The `page_cursor` of the next page; null on the last page')

const ledgerCheck = z.object({
  at: timestamp,
  ok: z.boolean(),
  complete: z.boolean().describe('False if the check timed out'),
  payments: z.int(),
  asked: z.int().describe('The number of payments whose status was requested from the rail'),
  unanswered: z.int().describe('The number of those payments for which the rail did not respond'),
  faulty: z.int(),
  receivable: z
    .object({ payments: z.int(), cents: z.int() })
    .describe(
      'Payments that the destination keeps although the debit was returned, until a reversal recovers the money',
    ),
  faults: z
    .array(z.object({ team_id: z.string(), payment_id: z.string(), what: z.string() }))
    .describe('The first 100 faults'),
})
const checked = {
  at: examples.times.created_at,
  ok: true,
  complete: true,
  payments: 120,
  asked: 3,
  unanswered: 0,
  faulty: 0,
  receivable: { payments: 0, cents: 0 },
  faults: [],
}
const paymentsSwitch = z.object({
  team: z.string().describe('The id of a team, or `all`'),
  confirm: z.string().describe("The team's name. If `team` is `all`, `STOP ALL` or `START ALL`"),
  reason,
})
const switched = z.object({
  team: z.string(),
  stopped_at: timestamp.nullable(),
  still_stopped: z.boolean().describe('True if another stop, of all payments or of a parent team, is still in effect'),
})

export const reveal = endpoint({
  method: 'POST',
  path: '/entities/:ent_id/reveal',
  summary: "Reveal an entity's personal data",
  description:
    'Available to operators, and to support and admin users whose key has the `sensitive` scope. Each request is audited.',
  body: z.object({ fields: z.array(z.enum(revealFields)).min(1).max(revealFields.length), reason }),
  answer: z.object({
    values: z.partialRecord(z.enum(revealFields), z.string().nullable()),
    until: timestamp.describe('When to hide the values again'),
  }),
  errors: ['TOO_MANY_REQUESTS'],
  example: {
    request: { fields: ['dob'], reason: 'The caller confirms the birth date' },
    answer: { values: { dob: '1988-04-09' }, until: '2026-03-02T15:00:30.000Z' },
  },
})

const consoleSession = z.object({
  id: z.string(),
  key_id: z.string().nullable().describe('The key that signed in; null for a user and for a link'),
  user_id: z.string().nullable().describe('The user who signed in; null for a key and for a link'),
  name: z.string().nullable().describe('The name on the link, if any'),
  role: z.string().nullable().describe('The role on the link; null for a key and for an operator'),
  operator: z.boolean(),
  current: z.boolean().describe('True for the session that sent the request'),
  created_at: timestamp,
  last_used_at: timestamp.describe('Accurate to a minute'),
  expires_at: timestamp,
})

/** Endpoints for the sessions of console users. */
export const consoleSessions = {
  listConsoleSessions: endpoint({
    method: 'GET',
    path: '/console/sessions',
    summary: 'List console sessions',
    description: "Users see their own sessions. Admins and operators see all of the team's sessions.",
    answer: z.object({ data: z.array(consoleSession) }),
    example: {
      answer: {
        data: [
          {
            id: 'csess_4kYq8ZbT1mXd5',
            key_id: 'key_4kYq8ZbT1mXd5',
            user_id: null,
            name: null,
            role: null,
            operator: false,
            current: true,
            created_at: examples.times.created_at,
            last_used_at: examples.times.created_at,
            expires_at: examples.times.updated_at,
          },
        ],
      },
    },
  }),
  endConsoleSession: endpoint({
    method: 'POST',
    path: '/console/sessions/:csess_id/end',
    summary: 'End a console session',
    description: 'Users can end their own sessions. Admins and operators can end every session of the team.',
    answer: z.object({ ended: z.array(z.string()) }),
    errors: ['NOT_FOUND'],
    example: { answer: { ended: ['csess_4kYq8ZbT1mXd5'] } },
  }),
  endOwnConsoleSessions: endpoint({
    method: 'POST',
    path: '/console/sessions/end',
    summary: 'Sign out everywhere',
    description: "Ends all of the user's sessions, including the one that sends the request.",
    answer: z.object({ ended: z.array(z.string()) }),
    example: { answer: { ended: ['csess_4kYq8ZbT1mXd5'] } },
  }),
}

/** Endpoints for operators. */
export const operator = {
  retrieveHealth: endpoint({
    method: 'GET',
    path: '/operator/health',
    summary: 'Retrieve the health of the installation',
    answer: z.object({
      jobs: z.object({
        ready: z.int(),
        dead: z.int(),
        missing: z
          .int()
          .describe('The number of resources that wait for a job that does not exist or was given up; should be 0'),
        lag_seconds: z.number(),
      }),
      requests: z.object({ running: z.int(), waiting: z.int() }),
      lanes_paused: z.int().describe('The number of addresses to which calls are currently paused'),
      ledger: ledgerCheck.nullable().describe('The last check of payments that can still change'),
      payments_stopped: timestamp.nullable().describe('When all payments were stopped; null if they are not stopped'),
      teams_stopped: z.int().describe('The number of teams with their own payment stop'),
      payments_start: z
        .object({
          needs: z
            .enum(['nothing', 'second_operator', 'command'])
            .describe(
              '`second_operator` if the team needs a second person for money; `command` if a command started the stop, which only a command can lift',
            ),
          operators: z.array(z.string()).describe('The names of the other operators who can approve it now'),
          command: z.string().describe("The command that always lifts the stop, on the service's machine"),
        })
        .describe('What lifting a stop of all payments needs from the user who sent the request'),
    }),
    example: {
      answer: {
        jobs: { ready: 2, dead: 0, missing: 0, lag_seconds: 0 },
        requests: { running: 1, waiting: 0 },
        lanes_paused: 0,
        ledger: checked,
        payments_stopped: null,
        teams_stopped: 0,
        payments_start: {
          needs: 'second_operator',
          operators: ['Ines Farrow'],
          command: 'pnpm admin payments start all',
        },
      },
    },
  }),
  listDeadJobs: endpoint({
    method: 'GET',
    path: '/operator/jobs',
    summary: 'List dead jobs',
    query: { page_cursor },
    answer: z.object({
      data: z.array(
        z.object({
          id: z.string(),
          team_id: z.string(),
          kind: z.string(),
          attempts: z.int(),
          last_error: z.string().nullable(),
          request_id: z.string().nullable(),
          created_at: timestamp,
        }),
      ),
      next_cursor,
    }),
    example: { answer: { data: [], next_cursor: null } },
  }),
  retryJob: endpoint({
    method: 'POST',
    path: '/operator/jobs/:job_id/retry',
    summary: 'Retry a dead job',
    body: z.object({ team: z.string() }),
    answer: z.object({ id: z.string(), team_id: z.string(), state: z.literal('ready') }),
    example: {
      request: { team: 'team_4kYq8ZbT1mXd5' },
      answer: { id: 'job_4kYq8ZbT1mXd5', team_id: 'team_4kYq8ZbT1mXd5', state: 'ready' },
    },
  }),
  checkLedger: endpoint({
    method: 'POST',
    path: '/operator/ledger/checks',
    summary: 'Check the ledger now',
    description: 'Checks the payments that can still change, for at most 10 seconds.',
    answer: ledgerCheck,
    example: { answer: checked },
  }),
  stopPayments: endpoint({
    method: 'POST',
    path: '/operator/payments/stop',
    summary: 'Stop the payments of one team or all teams',
    description:
      'Stopping a team also stops the teams below it. No payment is created or submitted until you resume payments.',
    body: paymentsSwitch,
    answer: switched,
    errors: ['NOT_FOUND'],
    example: {
      request: { team: 'all', confirm: 'STOP ALL', reason: 'The rail reports wrong amounts' },
      answer: { team: 'all', stopped_at: examples.times.created_at, still_stopped: true },
    },
  }),
  startPayments: endpoint({
    method: 'POST',
    path: '/operator/payments/start',
    summary: 'Lift a payment stop',
    body: paymentsSwitch,
    answer: switched,
    errors: ['NOT_FOUND'],
    example: {
      request: { team: 'all', confirm: 'START ALL', reason: 'The rail is fixed' },
      answer: { team: 'all', stopped_at: null, still_stopped: false },
    },
  }),
  listAudit: endpoint({
    method: 'GET',
    path: '/operator/audit',
    summary: 'List audit entries',
    query: {
      team: z.string().describe('The id of a team. Default: entries that do not belong to a specific team'),
      page_cursor,
    },
    answer: auditPage,
    errors: ['NOT_FOUND'],
    example: { answer: { data: [], next_cursor: null } },
  }),
  listTeams: endpoint({
    method: 'GET',
    path: '/operator/teams',
    summary: 'List all teams',
    query: { page_cursor },
    answer: z.object({
      data: z.array(
        z.object({
          id: z.string(),
          parent_id: z.string().nullable(),
          name: z.string(),
          payments_stopped_at: timestamp
            .nullable()
            .describe('When the payment stop for this team began; null if there is none'),
          created_at: timestamp,
        }),
      ),
      next_cursor,
    }),
    example: { answer: { data: [], next_cursor: null } },
  }),
}
