/** The console's requests that need a second person. */
import type { approvalActions } from '@causeway/contract/endpoints/console-approvals'
import { ServiceError } from '@causeway/contract/errors'
import { prefixes } from '@causeway/contract/ids'
import { SegmentRouter } from '../../platform/http/endpoint/router.js'
import type { Permission } from '../roles.js'

export type ActionName = (typeof approvalActions)[number]

/** A value that a request changes. Null means no value. */
interface Change {
  readonly name: string
  readonly before: string | null
  readonly after: string | null
}

/** The effect that a request would have. */
export interface Effect {
  /** In cents; null if the request moves no money. */
  readonly amount: number | null
  readonly resource: string | null
  /** The session whose payments the request creates. */
  readonly session: string | null
  readonly changes: readonly Change[]
}

type Json = Record<string, unknown>

/** A request, with what its action needs to describe it. */
export interface Described {
  readonly params: Readonly<Record<string, string>>
  readonly body: Json
  readonly team: string
  /** The amount, in cents, above which a payment needs a second person. */
  readonly policy: number
  /** Reads from the API as the team. With a body, sends a POST request that changes nothing. Throws a ServiceError. */
  readonly read: (path: string, dryRun?: Json & { dry_run: true }) => Promise<Json>
}

export interface Action {
  readonly name: ActionName
  readonly method: 'POST' | 'PUT' | 'PATCH'
  /** The path's template. */
  readonly path: string
  /** The permission that both people need. */
  readonly permission: Permission
  /** The sentence in the documentation. */
  readonly does: string
  /** The error of a request that another one left nothing to do: its description is then null. Absent if that can't be. */
  readonly spent?: string
  /** Describes what a request would do. Returns null if it needs no second person, whatever the amount. */
  describe(request: Described): Promise<Effect | null>
}

const effect = (given: Partial<Effect>): Effect => ({
  ...{ amount: null, resource: null, session: null, changes: [] },
  ...given,
})
const textOf = (value: unknown): string | null => (value === null || value === undefined ? null : String(value))
const idOf = (params: Described['params'], name: string): string => encodeURIComponent(params[name] ?? '')

const sessionId = new RegExp(`^${prefixes.opal_session}\\w{13}$`)

/** Returns the session that the metadata of a payment names, as a payment of the rest of a loan does; null if none. */
function sessionIn(metadata: unknown): string | null {
  const id = textOf((metadata as Json | null | undefined)?.['session_id'])
  return id !== null && sessionId.test(id) ? id : null
}

/** Returns true if a limit becomes less strict. Null means no limit. */
const isLooser = (before: unknown, after: unknown): boolean =>
  after !== undefined && before !== null && before !== undefined && (after === null || Number(after) > Number(before))

/** The declared actions. The console checks every write against them, and docs/guides/console.md lists them. */
export const actions: readonly Action[] = [
  {
    name: 'payment.create',
    method: 'POST',
    path: '/payments',
    permission: 'payments',
    does: 'Create a payment above the amount',
    async describe({ body, read }) {
      if (body['dry_run'] === true) return null
      const { amount } = await read('/payments', { ...body, dry_run: true })
      return effect({ amount: Number(amount), session: sessionIn(body['metadata']) })
    },
  },
  {
    name: 'loan.release',
    method: 'POST',
    path: '/opal/sessions/:id',
    permission: 'payments',
    does: 'Release a loan whose payments together are above the amount',
    spent: 'The loan was already released, so this request created no payments.',
    async describe({ params, read }) {
      const { data } = await read(`/opal/sessions/${idOf(params, 'id')}`)
      const { id, bt } = data as { id: string; bt?: { allocations: Record<string, number>; payout_status?: string } }
      // Releasing again returns the session and creates no payments.
      if (bt?.payout_status === 'released') return null
      const amount = Object.values(bt?.allocations ?? {}).reduce((sum, cents) => sum + cents, 0)
      return effect({ amount, resource: id, session: id })
    },
  },
  {
    name: 'reversal.approve',
    method: 'PUT',
    path: '/payments/:pmt_id/reversals/:rvs_id',
    permission: 'payments',
    does: 'Approve a reversal above the amount',
    async describe({ params, read }) {
      const payment = `/payments/${idOf(params, 'pmt_id')}`
      const { amount, status, pmt_id } = await read(`${payment}/reversals/${idOf(params, 'rvs_id')}`)
      if (status !== 'pending_approval') throw new ServiceError('INVALID_REVERSAL_STATUS')
      return effect({ amount: Number(amount), resource: String(pmt_id) })
    },
  },
  {
    name: 'limits.change',
    method: 'PATCH',
    path: '/team',
    permission: 'settings',
    does: 'Raise or remove a payment limit of the team, or change its default source account',
    async describe({ body, team, read }) {
      const current = await read('/team')
      const limits = (current['limits'] ?? {}) as Json
      const asked = (typeof body['limits'] === 'object' && body['limits'] !== null ? body['limits'] : {}) as Json
      const changes = ['payment_amount_max', 'payments_per_month']
        .filter(name => isLooser(limits[name], asked[name]))
        .map(name => ({ name, before: textOf(limits[name]), after: textOf(asked[name]) }))
      const source = {
        before: textOf(current['default_source_account']),
        after: textOf(body['default_source_account']),
      }
      if (body['default_source_account'] !== undefined && source.before !== source.after)
        changes.push({ name: 'default_source_account', ...source })
      return changes.length === 0 ? null : effect({ resource: team, changes })
    },
  },
  {
    name: 'payments.start',
    method: 'POST',
    path: '/operator/payments/start',
    permission: 'operate',
    does: 'Lift a stop of payments',
    describe: async ({ body: { team } }) => effect({ resource: team === 'all' ? null : textOf(team) }),
  },
  {
    name: 'approvals.change',
    method: 'POST',
    path: '/console/approval_settings',
    permission: 'settings',
    does: 'Raise the amount, or need no second person anymore',
    describe: async ({ body: { approve_above: after }, policy, team }) =>
      isLooser(policy, after)
        ? effect({
            resource: team,
            changes: [{ name: 'approve_above', before: textOf(policy), after: textOf(after) }],
          })
        : null,
  },
]

const router = new SegmentRouter<Action>()
for (const action of actions) router.add(action.method, action.path, action)

/** Finds the action of a request, and the parameters in its path. */
export function findAction(method: string, path: string): { action: Action; params: Record<string, string> } | null {
  const [[match]] = router.match(method, path)
  return match ? { action: match[0], params: match[1] as Record<string, string> } : null
}

/** Returns true if a request needs a second person. */
export const needsSecondPerson = ({ amount }: Effect, policy: number): boolean =>
  // mutant: approval-above-the-amount (false)
  amount === null || amount > policy
