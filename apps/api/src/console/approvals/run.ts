/** Runs a request that a second person approved. */
import { ServiceError } from '@causeway/contract/errors'
import { audit } from '../../platform/audit/store.js'
import type { Db } from '../../platform/db/types.js'
import { type Deps, type Scope, transact, type Within } from '../../platform/scope.js'
import type { ConsoleOptions } from '../options.js'
import { isSessionOpen } from '../store.js'
import { loadUser, type User } from '../user.js'
import { lockUser } from '../users/store.js'
import { describe } from './ask.js'
import { actionOf, personOf, refusalsOf } from './people.js'
import type { Refusal } from './person.js'
import {
  type ApprovalRow,
  type Asked,
  type Content,
  type Decision,
  decide,
  findApproval,
  findPolicy,
  openContent,
  recordOutcome,
  statusOf,
} from './store.js'

/** Runs a request as the user who asked for it, with the reason for asking. `within` runs in its transaction. */
export type Perform = (asker: User, asked: Asked & { reason: string }, within: Within) => Promise<Response>

const sentences: Record<Refusal, string> = {
  asked_it: 'You asked for this, so another person must approve it.',
  no_permission: 'Your role does not allow this, so you cannot approve it.',
  no_name: 'A key or a one-time link names no person, so it cannot approve requests. Sign in with your own account.',
  invited_by_asker:
    'The person who asked invited you, or replaced your passkeys, in the last 7 days. Another person must approve this.',
}

const endings = {
  approved: 'was approved already',
  failed: 'was approved already, and failed',
  declined: 'was declined',
  withdrawn: 'was withdrawn',
  expired: 'expired after 7 days without a decision',
  waiting: 'changed in the meantime',
}

/** Returns the error for a request that does not wait anymore. */
export const endedError = (row: ApprovalRow | undefined, now: number): ServiceError =>
  new ServiceError(
    'INVALID_STATUS',
    `This request ${endings[row ? statusOf(row, now) : 'waiting']}. Nothing was changed.`,
  )

/** Throws INVALID_STATUS unless a request waits, or FORBIDDEN unless the user may decide about it. */
export async function checkApprover(deps: Deps, user: User, row: ApprovalRow, { asker }: Content): Promise<void> {
  if (statusOf(row, deps.clock()) !== 'waiting') throw endedError(row, deps.clock())
  const refusal = (await refusalsOf(deps, deps.store.reader, user))(actionOf(row), asker)
  if (refusal) throw new ServiceError('FORBIDDEN', sentences[refusal])
}

/** Throws unless a user's account is as it was when it was loaded. Locks it until the transaction ends. */
async function checkUnchanged(tx: Db, { account, team }: User, error: ServiceError): Promise<void> {
  if (!account) return
  const now = await lockUser(tx, team.id, account.id)
  // mutant: approval-locks-both-people (false)
  if (now?.status !== 'active' || now.role !== account.role || now.is_operator !== account.is_operator) throw error
}

const askerLost = () =>
  new ServiceError('FORBIDDEN', 'The person who asked may no longer do this. Nothing was changed.')

/** Loads the user who asked, with the permissions that the user has now. Throws FORBIDDEN. */
async function loadAsker(options: ConsoleOptions, user: User, row: ApprovalRow, { session }: Content): Promise<User> {
  const full = {
    provider: null,
    checked_at: null,
    provider_sid_hash: null,
    idle_until: 0,
    expires_at: 0,
    created_at: 0,
    hash: '',
  }
  const asker = await loadUser(options, { ...full, ...session, team_id: user.team.id }).catch((error: unknown) => {
    throw error instanceof ServiceError ? askerLost() : error
  })
  // mutant: asker-keeps-permission (false)
  if (!asker.permissions.has(actionOf(row).permission)) throw askerLost()
  return asker
}

/**
 * Throws INVALID_STATUS if a request would now move another amount than the one that was asked for, or has nothing left
 * to do.
 */
async function checkEffect(options: ConsoleOptions, asker: User, { request, effect }: Content): Promise<void> {
  const policy = await findPolicy(options.deps.store.reader, asker.team.id)
  const now = await describe(options, asker, request, policy ?? 0)
  // mutant: approval-has-an-effect (false)
  if (now?.effect === null && now.action.spent !== undefined) throw new ServiceError('INVALID_STATUS', now.action.spent)
  // mutant: approval-keeps-amount (false)
  if (now?.effect && now.effect.amount !== effect.amount)
    throw new ServiceError('INVALID_STATUS', 'The amount changed after the request was made. Ask for it again.')
}

/** Records a decision, with its entry in the audit log. Throws INVALID_STATUS if the request does not wait anymore. */
export async function decideAs(scope: Scope, user: User, id: string, to: Decision['to'], note?: string) {
  const { deps, db, team } = scope
  const by = personOf(deps, user)
  const row = await decide(db, deps, team, id, { to, by, ...(note !== undefined && { note }) })
  if (!row) throw endedError(await findApproval(db, team.id, id), deps.clock())
  const action = { approved: 'approve', failed: 'fail', declined: 'decline', withdrawn: 'withdraw' }[to]
  await audit(scope, by.actor, `approval.${action}`, id, to === 'declined' ? { reason: note } : {})
  return row
}

/** A response that says nothing about the request itself, such as one of a service that is busy. */
const isPassing = (status: number) => status === 409 || status === 429 || status >= 500

/**
 * Approves a request and runs it. The decision commits in the request's own transaction, so that it runs once, and only
 * while the request waits and both people may do what it does. If the service rejects the request, it ends as failed.
 */
export async function approve(
  options: ConsoleOptions,
  deps: Deps,
  user: User,
  row: ApprovalRow,
  perform: Perform,
): Promise<ApprovalRow> {
  const content = openContent(deps, user.team, row)
  await checkApprover(deps, user, row, content)
  const end = (to: 'approved' | 'failed', note?: string) =>
    transact(deps, user.team, scope => decideAs(scope, user, row.id, to, note))
  let response: Response
  const state: { refusal: unknown; isDecided: boolean } = { refusal: undefined, isDecided: false }
  try {
    const asker = await loadAsker(options, user, row, content)
    await checkEffect(options, asker, content)
    response = await perform(asker, { ...content.request, reason: content.reason }, async tx => {
      state.refusal = undefined
      try {
        const scope: Scope = {
          deps,
          team: user.team,
          now: deps.clock() + user.team.clockOffset,
          db: tx,
          after: () => {},
        }
        if (!(await isSessionOpen(tx, user.session, deps.clock())))
          throw new ServiceError('UNAUTHORIZED', 'You are signed out of the console. Nothing was changed.')
        for (const each of [asker, user].sort(byAccount))
          await checkUnchanged(
            tx,
            each,
            each === asker ? askerLost() : new ServiceError('FORBIDDEN', 'Your role changed. Reload the page.'),
          )
        await decideAs(scope, user, row.id, 'approved')
        state.isDecided = true
      } catch (error) {
        state.refusal = error
        throw error
      }
    })
  } catch (error) {
    if (error === state.refusal || !(error instanceof ServiceError) || isPassing(error.status)) throw error
    return end('failed', error.message)
  }
  if (state.refusal !== undefined) throw state.refusal
  // A rejection undoes the decision, because both are part of the same transaction.
  const now = await findApproval(deps.store.reader, user.team.id, row.id)
  const isDecided = state.isDecided && /* mutant: rejection-undoes-decision (true) */ now?.status !== 'waiting'
  return finish(deps, user, row, { response, isDecided, end })
}

/** Two approvals at once lock accounts in the same order. */
const byAccount = (one: User, other: User): number => ((one.account?.id ?? '') < (other.account?.id ?? '') ? -1 : 1)

/** Records what came of an approved request. */
async function finish(
  deps: Deps,
  { team }: User,
  { id, resource_id }: ApprovalRow,
  {
    response,
    isDecided,
    end,
  }: {
    response: Response
    isDecided: boolean
    end: (to: 'approved' | 'failed', note?: string) => Promise<ApprovalRow>
  },
): Promise<ApprovalRow> {
  const body = (await response.json()) as { id?: string; error?: { message: string; sub_type: string } | null }
  const find = async () => (await findApproval(deps.store.reader, team.id, id))!
  if (response.ok) {
    // The service replays the response to a request that ran before with the same key.
    if (!isDecided) await end('approved')
    const created = resource_id === null && typeof body.id === 'string' ? body.id : null
    if (created !== null) await deps.store.write(tx => recordOutcome(tx, deps, { team, id }, { resource: created }))
    return find()
  }
  const message = body.error?.message ?? 'The service rejected the request.'
  if (body.error?.sub_type === 'PAYMENTS_STOPPED')
    throw new ServiceError(
      'PAYMENTS_STOPPED',
      'Payments are stopped, so nothing was paid. Approve the request again after payments resume.',
    )
  if (isPassing(response.status))
    throw new ServiceError('SERVICE_UNAVAILABLE', `${message} Approve the request again in a few seconds.`)
  if (!isDecided) return end('failed', message)
  await deps.store.write(tx => recordOutcome(tx, deps, { team, id }, { error: message }))
  return find()
}
