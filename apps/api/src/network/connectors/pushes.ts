import { type SharedKeys, SIGNATURE_HEADER, sign, verify } from '@causeway/connector/http/signature'
import { type Push, pushSchema } from '@causeway/connector/methods/contract'
import { clientLimits, readJson } from '@causeway/connector/wire/json-reader'
import { readParts } from '@causeway/connector/wire/parts'
import { decodeUtf8 } from '@causeway/connector/wire/text'
import { ServiceError } from '@causeway/contract/errors'
import { levelOf } from '../../platform/db/fault.js'
import { enqueueLook } from '../../platform/jobs/enqueue-look.js'
import { describeFault } from '../../platform/log.js'
import { type Deps, type Scope, transact } from '../../platform/scope.js'

/** The path on the API listener that receives the connector's pushes. */
export const PUSH_PATH = '/connector/pushes'
const MAX_PUSH_BYTES = 64 * 1024

/** The keys that verify the connector's pushes, and the real time in epoch milliseconds. */
export interface PushKeys {
  keys: SharedKeys
  clock(): number
}

const reply = (status: number, body: object, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify(body), {
    status,
    headers: { 'Content-Type': 'application/json', 'Cache-Control': 'no-store', ...headers },
  })

/** Schedules an immediate read of a subscription's feed. @param id the subscription's id */
type ScheduleFeedRead = (scope: Scope, id: string) => Promise<void>

/** Thrown to reject what arrived. The sender's error has this status and code. */
class IncomingRejection extends Error {
  readonly status: number
  constructor(status: number, code: string) {
    super(code)
    this.status = status
  }
}

/** Throws if what arrived is not accepted. */
export function assertIncoming(holds: boolean, status: number, code: string): asserts holds {
  if (!holds) throw new IncomingRejection(status, code)
}

/**
 * Receives a signed message from outside: reads a limited body, passes it to `accept`, and answers its status.
 * @param countRejected counts a client whose message is rejected, and throws TOO_MANY_REQUESTS
 */
export async function receiveIncoming(
  deps: Pick<Deps, 'log'>,
  request: Request,
  countRejected: () => void,
  accept: (body: Buffer) => Promise<string>,
): Promise<Response> {
  try {
    try {
      assertIncoming(Number(request.headers.get('content-length') ?? 0) <= MAX_PUSH_BYTES, 413, 'TOO_LARGE')
      // The connection may close before the whole body has arrived.
      const body = await readParts(request.body, MAX_PUSH_BYTES).catch(() => null)
      assertIncoming(body !== null, 400, 'INVALID_PUSH')
      assertIncoming(typeof body !== 'string', 413, 'TOO_LARGE')
      return reply(200, { status: await accept(body) })
    } catch (error) {
      if (!(error instanceof IncomingRejection)) throw error
      countRejected()
      return reply(error.status, { error: { code: error.message } })
    }
  } catch (error) {
    if (error instanceof ServiceError && error.subType === 'TOO_MANY_REQUESTS')
      return reply(429, { error: { code: 'BUSY' } }, error.headers)
    deps.log(levelOf(error), 'push_fault', describeFault(error))
    return reply(503, { error: { code: 'UNAVAILABLE' } })
  }
}

/**
 * Receives a push: verifies its signature and processes each id once. A push only indicates what may have changed. A
 * job then queries the connector for the new state, so it does not matter if pushes arrive out of order, more than once
 * or not at all.
 */
export const receivePush = (
  deps: Deps,
  { keys, clock }: PushKeys,
  scheduleFeedRead: ScheduleFeedRead,
  request: Request,
  countRejected: () => void = () => {},
): Promise<Response> =>
  receiveIncoming(deps, request, countRejected, async body => {
    const signature = request.headers.get(SIGNATURE_HEADER)
    const id = await verify(keys, signature, body, { from: 'connector', about: 'push' }, clock())
    assertIncoming(id !== undefined, 401, 'INVALID_SIGNATURE')
    const parsed = pushSchema.safeParse(readJson(decodeUtf8(body) ?? '', clientLimits).value)
    assertIncoming(parsed.success && parsed.data.id === id, 400, 'INVALID_PUSH')
    return processPush(deps, scheduleFeedRead, parsed.data!)
  })

/** `duplicate`: the service has already received the push. `unknown`: the push's team does not exist. */
async function processPush(
  deps: Deps,
  scheduleFeedRead: ScheduleFeedRead,
  push: Push,
): Promise<'accepted' | 'duplicate' | 'unknown'> {
  const team = await deps.teamOf(push.team_id)
  if (!team) return 'unknown'
  return transact(deps, team, async scope => {
    const inserted = await scope.db
      .insertInto('connector_pushes')
      .values({ team_id: team.id, id: push.id, received_at: deps.clock() })
      .onConflict(conflict => conflict.columns(['team_id', 'id']).doNothing())
      .returning('id')
      .executeTakeFirst()
    // mutant: push-counts-once (remove)
    if (!inserted) return 'duplicate'
    await enqueueCheck(scope, scheduleFeedRead, push)
    return 'accepted'
  })
}

async function enqueueCheck(scope: Scope, scheduleFeedRead: ScheduleFeedRead, push: Push): Promise<void> {
  if (push.type === 'feed.changed') await scheduleFeedRead(scope, push.request_id)
  else if (push.type === 'reversal.changed') await enqueueLook(scope, 'reversal.look', ['reversal', push.reversal_id])
  else await enqueueLook(scope, 'payment.look', ['payment', push.payment_id])
}

export interface PushDeps {
  /** The origin of the API listener. */
  url: string
  keys: SharedKeys
  fetch: typeof fetch
  clock(): number
}

/** The time limit for the answer to a push, in ms. */
const PUSH_TIMEOUT_MS = 10_000

/** Sends one push, as the connector does. @returns the response status. Throws if no response arrives in time */
export async function sendPush({ url, keys, fetch, clock }: PushDeps, push: Push): Promise<number> {
  const body = JSON.stringify(push)
  const signature = await sign(keys, body, { from: 'connector', about: 'push', id: push.id }, clock())
  const headers = { 'content-type': 'application/json', [SIGNATURE_HEADER]: signature }
  const response = await fetch(new URL(PUSH_PATH, url), {
    method: 'POST',
    headers,
    body,
    redirect: 'manual',
    signal: AbortSignal.timeout(PUSH_TIMEOUT_MS),
  })
  await response.body?.cancel()
  return response.status
}
