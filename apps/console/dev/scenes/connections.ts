/** Scenes for the operators' pages about providers, payees and notices of change. */
import { failure, type Replies, type Reply, reply } from '../fake.js'
import { connector, increase, notices, payees, proposal, rejected, sandbox, twilio } from '../fixtures/connections.js'
import type { Scene } from '../mount.js'
import { operator } from './operations.js'

const page = (data: readonly unknown[], next_cursor: string | null = null): Reply => reply({ data, next_cursor })

const sceneAt =
  (at: string, path: string, usual: Replies) =>
  (over: Replies[string] | null = null, rest: Partial<Scene> = {}): Scene => ({
    at,
    session: operator,
    replies: { ...usual, ...(over && { [path]: over }) },
    ...rest,
  })

const LIST = 'GET /operator/connections'
const connections = sceneAt('/connections', LIST, {
  [LIST]: page([twilio, increase, sandbox]),
  'GET /operator/payees': page([]),
  'GET /operator/notices': page([]),
})
const directory = sceneAt('/connections/payees', 'GET /operator/payees', {
  'GET /operator/payees': page(payees, payees[1]!.id),
})
const changes = sceneAt('/connections/notices', 'GET /operator/notices', {
  'GET /operator/notices': page(notices, '1773057900000.pmt_4kYi8ZbT1mXcV.C99.1773057600000'),
})
const forbidden = failure(403, 'FORBIDDEN')
const admin = { session: { user: { name: 'Ines Farrow', role: 'admin', operator: false } } } as const

export const connectionScenes: Record<string, Record<string, Scene>> = {
  connections: {
    well: connections(),
    rejected: connections(page([twilio, rejected, connector]), {
      replies: {
        [LIST]: page([twilio, rejected, connector]),
        'GET /operator/payees': page([proposal], proposal.id),
        'GET /operator/notices': page(notices),
      },
    }),
    open: connections(null, {
      press: [1, 2, 3].map(index => `.card[aria-label="Twilio"] details:nth-of-type(${index}) summary`),
    }),
    empty: connections(page([])),
    partial: connections(null, {
      replies: {
        [LIST]: page([twilio]),
        'GET /operator/payees': failure(503),
        'GET /operator/notices': failure(503),
      },
    }),
    loading: connections('never', { slow: true }),
    stale: connections([page([twilio]), failure(503)], { again: true }),
    failing: connections(failure(500)),
    forbidden: connections(forbidden, admin),
  },
  payees: {
    active: directory(),
    proposed: directory(page([proposal]), { at: '/connections/payees?status=proposed' }),
    empty: directory(page([])),
    none_proposed: directory(page([]), { at: '/connections/payees?status=proposed' }),
    loading: directory('never', { slow: true }),
    stale: directory([page(payees), failure(503)], { again: true }),
    failing: directory(failure(500)),
    forbidden: directory(forbidden, admin),
  },
  notices: {
    plain: changes(),
    empty: changes(page([])),
    loading: changes('never', { slow: true }),
    stale: changes([page(notices), failure(503)], { again: true }),
    failing: changes(failure(500)),
    forbidden: changes(forbidden, admin),
  },
}
