/** Stores a request that needs a second person, in place of running it. */
import { type ErrorSubType, ServiceError } from '@causeway/contract/errors'
import { reason as reasonField } from '@causeway/contract/fields/reason'
import { NEWEST_VERSION } from '@causeway/contract/versions'
import { audit } from '../../platform/audit/store.js'
import { type Deps, transact } from '../../platform/scope.js'
import type { ConsoleOptions } from '../options.js'
import { actorOf, consoleUserOf, requestSubject, type User, withUser } from '../user.js'
import { type Action, type Described, type Effect, findAction, needsSecondPerson } from './actions.js'
import { personOf } from './people.js'
import { showApproval } from './show.js'
import {
  type ApprovalRow,
  type Asked,
  type Content,
  findApprovalByKey,
  findPolicy,
  insertApproval,
  listApprovals,
  openContent,
} from './store.js'

type Options = Pick<ConsoleOptions, 'deps' | 'api'>

/** The reason that a request's sender gives, percent-encoded. */
const REASON_HEADER = 'approval-reason'

/** Returns a header of a request. */
type Header = (name: string) => string | undefined

/** Reads from the API as a user's team, or makes a dry run. Throws a ServiceError. */
const readerOf =
  ({ deps, api }: Options, user: User, version: string | null): Described['read'] =>
  async (path, dryRun) => {
    const headers = new Headers({ 'content-type': 'application/json' })
    // A dry run is read in the version of the request.
    const sent = dryRun ? version : NEWEST_VERSION
    if (sent !== null) headers.set('service-version', sent)
    const init = dryRun ? { method: 'POST', body: JSON.stringify(dryRun), headers } : { headers }
    const response = await api(new Request(`${deps.apiOrigin}${path}`, init), {
      user: requestSubject(user),
      from: consoleUserOf(user.session),
      actor: actorOf(user.session),
      team: user.team,
      scopes: new Set(dryRun ? ['payments'] : ['read']),
      isPart: true,
    })
    const body = (await response.json()) as Record<string, unknown>
    if (response.ok) return body
    const { sub_type, message } = body['error'] as { sub_type: ErrorSubType; message: string }
    throw new ServiceError(sub_type, message)
  }

/** Describes what a request would do now. @param policy the amount above which a payment needs a second person */
export async function describe(
  options: Options,
  user: User,
  { method, path, body, version }: Asked,
  policy: number,
): Promise<{ action: Action; effect: Effect | null } | null> {
  const match = findAction(method, path)
  if (!match) return null
  const { action, params } = match
  const read = readerOf(options, user, version)
  return { action, effect: await action.describe({ params, body, team: user.team.id, policy, read }) }
}

/** Describes what a request would do. Returns null if it needs no second person. Throws a ServiceError. */
async function describeHeld(options: Options, user: User, asked: Asked) {
  const policy = await findPolicy(options.deps.store.reader, user.team.id)
  if (policy === null) return null
  const { action, effect } = (await describe(options, user, asked, policy)) ?? {}
  return action && effect && needsSecondPerson(effect, policy) ? { action, effect } : null
}

/** Reads the reason that a request gives. Throws INVALID_REQUEST. */
export function readReason(header: Header): string | undefined {
  const encoded = header(REASON_HEADER)
  return encoded === undefined ? undefined : decodeReason(encoded)
}

/** Reads the reason that a request gives. Throws FORBIDDEN without one, so that the console asks for it. */
function requireReason(header: Header): string {
  const reason = readReason(header)
  if (reason !== undefined) return reason
  throw new ServiceError(
    'FORBIDDEN',
    'A second person must approve this. Add the reason, to ask for their approval. Nothing was changed yet.',
    { 'Approval-Required': 'true' },
  )
}

function decodeReason(header: string): string {
  let text: string | null = null
  try {
    text = header.length > 4_000 ? null : decodeURIComponent(header)
  } catch {
    // The text is not percent-encoded UTF-8.
  }
  const reason = reasonField.safeParse(text)
  if (reason.success) return reason.data
  throw new ServiceError(
    'INVALID_REQUEST',
    'The reason must have 3 to 200 characters on one line, with at least three letters or digits, and without control or invisible characters.',
    { 'Approval-Required': 'true' },
  )
}

const MISMATCH = { 'Idempotency-Mismatch': 'true' }

const isSameRequest = (one: Asked, other: Asked): boolean =>
  one.method === other.method && one.path === other.path && JSON.stringify(one.body) === JSON.stringify(other.body)

/** Returns the earlier request with the same Idempotency-Key. Throws INVALID_REQUEST if it is of another endpoint. */
async function findEarlier(deps: Deps, user: User, asked: Asked, keyHash: string): Promise<ApprovalRow | undefined> {
  const row = await findApprovalByKey(deps.store.reader, user.team.id, keyHash)
  const earlier = row && openContent(deps, user.team, row).request
  if (earlier && (earlier.method !== asked.method || earlier.path !== asked.path))
    throw new ServiceError(
      'INVALID_REQUEST',
      'This Idempotency-Key was already used for a request with another method or path. Nothing was changed. Use a new key.',
      MISMATCH,
    )
  return row
}

/**
 * Returns the waiting request that does the same. Throws INVALID_STATUS if another person asked for it, or if a waiting
 * request would leave this one nothing to do.
 */
async function findSame(
  deps: Deps,
  user: User,
  asked: Asked,
  { action, effect: { resource } }: { action: Action; effect: Effect },
): Promise<ApprovalRow | undefined> {
  if (resource === null) return undefined
  const rows = await listApprovals(deps.store.reader, user.team.id, { waitingAt: deps.clock(), resource })
  const same = rows.find(row => isSameRequest(openContent(deps, user.team, row).request, asked))
  if (same && same.asked_by !== actorOf(user.session))
    throw new ServiceError(
      'INVALID_STATUS',
      `Another person already asked for this. Decide about their request, ${same.id}, under Approvals.`,
    )
  const other = action.spent !== undefined && !same && rows.find(row => row.action === action.name)
  if (other)
    throw new ServiceError(
      'INVALID_STATUS',
      `Another request for this already waits: ${other.id}, under Approvals. Withdraw or decline it first.`,
    )
  return same
}

const keyHashOf = ({ vault }: Deps, user: User, key: string | null): string | null =>
  key === null ? null : vault.hash('approval key', `${user.team.id} ${key}`)

/** Answers a request with the stored one, which can have another body if both have the same Idempotency-Key. */
async function answer(deps: Deps, user: User, asked: Asked, row: ApprovalRow): Promise<Response> {
  const approval = await showApproval(deps, user, row)
  const isSame = isSameRequest(openContent(deps, user.team, row).request, asked)
  const headers = { 'Content-Type': 'application/json', ...(!isSame && MISMATCH) }
  return new Response(JSON.stringify({ approval }), { status: 202, headers })
}

/**
 * Returns the answer to a request whose Idempotency-Key was used for a request that needed a second person, also after
 * that request has ended. It never runs again.
 */
async function answerEarlier(deps: Deps, user: User, asked: Asked): Promise<Response | null> {
  const keyHash = keyHashOf(deps, user, asked.key)
  const row = keyHash === null ? undefined : await findEarlier(deps, user, asked, keyHash)
  return row ? answer(deps, user, asked, row) : null
}

/** Stores a request that needs a second person. @returns the answer: 202, with the stored request */
async function ask(
  deps: Deps,
  user: User,
  asked: Asked,
  { action, effect }: { action: Action; effect: Effect },
  header: Header,
): Promise<Response> {
  const same = await findSame(deps, user, asked, { action, effect })
  if (same) return answer(deps, user, asked, same)
  const { id, key_id, role, name, user_id, has_second_factor } = user.session
  const content: Content = {
    ...{ request: asked, effect, reason: requireReason(header), asker: personOf(deps, user) },
    session: { id, key_id, role, name, user_id, has_second_factor },
  }
  const keyHash = keyHashOf(deps, user, asked.key)
  const row = await transact(deps, user.team, async scope => {
    const inserted = await insertApproval(scope.db, deps, user.team, { action: action.name, content, keyHash })
    if (inserted)
      await audit(withUser(scope, user.session), actorOf(user.session), 'approval.ask', inserted.id, {
        reason: content.reason,
      })
    return inserted
  })
  const stored = row ?? (await findEarlier(deps, user, asked, keyHash!))!
  return answer(deps, user, asked, stored)
}

/**
 * Stores a request that needs a second person, in place of running it.
 * @param check throws if the request would be rejected now
 * @returns the answer, or null if the request may run now
 */
export async function hold(
  options: Options,
  user: User,
  asked: Asked,
  { header, check }: { header: Header; check?: () => Promise<void> },
): Promise<Response | null> {
  if (!findAction(asked.method, asked.path)) return null
  const earlier = asked.method === 'POST' ? await answerEarlier(options.deps, user, asked) : null
  if (earlier) return earlier
  const described = await describeHeld(options, user, asked)
  if (!described) return null
  await check?.()
  return ask(options.deps, user, asked, described, header)
}
