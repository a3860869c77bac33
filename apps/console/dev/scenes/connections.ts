/** Scenes for the operators' pages about providers, payees, notices of change and reconciliation. */
import type { RepairCount } from '../../src/shapes.js'
import { failure, type Replies, type Reply, reply } from '../fake.js'
import {
  allExceptions,
  capabilities,
  connector,
  exceptions,
  increase,
  notices,
  payees,
  proposal,
  rejected,
  runs,
  sandbox,
  twilio,
} from '../fixtures/connections.js'

import { userOf } from '../fixtures/people.js'
import type { Scene } from '../mount.js'
import { operator } from './operations.js'

const page = (data: readonly unknown[], next_cursor: string | null = null): Reply => reply({ data, next_cursor })

/** Returns a function that creates scenes at an address with the usual replies. */
const scenesAt =
  (at: string, usual: Replies) =>
  (over: Replies = {}, rest: Partial<Scene> = {}): Scene => ({
    at,
    session: operator,
    replies: { ...usual, ...over },
    ...rest,
  })

const PROVIDERS = 'GET /operator/connections'
const PAYEES = 'GET /operator/payees'
const NOTICES = 'GET /operator/notices'
const EXCEPTIONS = 'GET /operator/exceptions'
const RUNS = 'GET /operator/reconciliations'

const list = (
  data: readonly unknown[],
  missing = capabilities,
  repairs: RepairCount = { count: 0, more: false },
): Reply => reply({ data, capabilities: missing, repairs })
const offered = capabilities.filter(({ reason }) => reason === null)

const connections = scenesAt('/connections', {
  [PROVIDERS]: list([twilio, increase, sandbox], offered),
  [PAYEES]: page([]),
  [NOTICES]: page([]),
  [EXCEPTIONS]: page([]),
})
const directory = scenesAt('/connections/payees', { [PAYEES]: page(payees, payees[1]!.id) })
const changes = scenesAt('/connections/notices', {
  [NOTICES]: page(notices, '1773057900000.pmt_4kYi8ZbT1mXcV.C99.1773057600000'),
})
const reconciliation = scenesAt('/connections/reconciliation', {
  [EXCEPTIONS]: page(exceptions, 'rex_4kYq8ZbT1mXd4.team_4kWa1NoRtHw1'),
  [RUNS]: page(runs),
  'POST /operator/exceptions/:id/explanation': reply({}),
  'POST /operator/reconciliations': reply({ scheduled: 1 }),
})
const forbidden = failure(403, 'FORBIDDEN')
const admin = { session: { user: userOf('Ines Farrow', 'admin') } }

export const connectionScenes: Record<string, Record<string, Scene>> = {
  connections: {
    well: connections(),
    rejected: connections({
      [PROVIDERS]: list([twilio, rejected, connector], capabilities, { count: 12, more: false }),
      [PAYEES]: page([proposal], proposal.id),
      [NOTICES]: page(notices),
      [EXCEPTIONS]: page(exceptions),
    }),
    open: connections(
      {},
      { press: [1, 2, 3].map(index => `.card[aria-label="Twilio"] details:nth-of-type(${index}) summary`) },
    ),
    empty: connections({ [PROVIDERS]: list([], []) }),
    partial: connections({
      ...{ [PROVIDERS]: list([twilio], offered), [PAYEES]: failure(503) },
      ...{ [NOTICES]: failure(503), [EXCEPTIONS]: failure(503) },
    }),
    loading: connections({ [PROVIDERS]: 'never' }, { slow: true }),
    stale: connections({ [PROVIDERS]: [list([twilio]), failure(503)] }, { again: true }),
    failing: connections({ [PROVIDERS]: failure(500) }),
    forbidden: connections({ [PROVIDERS]: forbidden }, admin),
  },
  payees: {
    active: directory(),
    proposed: directory({ [PAYEES]: page([proposal]) }, { at: '/connections/payees?status=proposed' }),
    empty: directory({ [PAYEES]: page([]) }),
    none_proposed: directory({ [PAYEES]: page([]) }, { at: '/connections/payees?status=proposed' }),
    loading: directory({ [PAYEES]: 'never' }, { slow: true }),
    stale: directory({ [PAYEES]: [page(payees), failure(503)] }, { again: true }),
    failing: directory({ [PAYEES]: failure(500) }),
    forbidden: directory({ [PAYEES]: forbidden }, admin),
  },
  notices: {
    plain: changes(),
    empty: changes({ [NOTICES]: page([]) }),
    loading: changes({ [NOTICES]: 'never' }, { slow: true }),
    stale: changes({ [NOTICES]: [page(notices), failure(503)] }, { again: true }),
    failing: changes({ [NOTICES]: failure(500) }),
    forbidden: changes({ [NOTICES]: forbidden }, admin),
  },
  reconciliation: {
    open: reconciliation(),
    all: reconciliation({ [EXCEPTIONS]: page(allExceptions) }, { at: '/connections/reconciliation?status=all' }),
    explaining: reconciliation({}, { press: ['tbody .btn'] }),
    empty: reconciliation({ [EXCEPTIONS]: page([]), [RUNS]: page([]) }),
    partial: reconciliation({ [RUNS]: failure(503) }),
    loading: reconciliation({ [EXCEPTIONS]: 'never', [RUNS]: 'never' }, { slow: true }),
    stale: reconciliation({ [EXCEPTIONS]: [page(exceptions), failure(503)] }, { again: true }),
    forbidden: reconciliation({ [EXCEPTIONS]: forbidden, [RUNS]: forbidden }, admin),
  },
}
