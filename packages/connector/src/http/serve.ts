/** Implements the connector's side of the contract: on top of three ports, or of an exchange such as a provider's. */
import { resourceCodes } from '@causeway/contract/errors'
import {
  CAPABILITIES_PATH,
  type Endpoint,
  type Envelope,
  endpointsByPath,
  envelope,
  MAX_ANSWER_BYTES,
  OUTCOME_PATH,
  outcomeQuestion,
  ownMethods,
} from '../methods/contract.js'
import { type ConnectorErrorCode, connectorErrors } from '../methods/method.js'
import type { PortCall } from '../ports/call.js'
import { OutsideError } from '../ports/outside-error.js'
import type { Ports } from '../ports/ports.js'
import { clientLimits, readJson } from '../wire/json-reader.js'
import { readParts } from '../wire/parts.js'
import { decodeUtf8 } from '../wire/text.js'
import { type Exchange, UnknownMethodError } from './exchange.js'
import { type SharedKeys, SIGNATURE_HEADER, sign, verify } from './signature.js'

export interface ServeDeps {
  /** Answers a call whose signature and envelope are valid. */
  exchange: Exchange
  keys: SharedKeys
  /** The real time, in epoch milliseconds. */
  clock(): number
  /** Returns a new id for an answer. */
  id(): string
}

/** Thrown to answer a call with an error of the contract. */
class CallRejection extends Error {
  readonly code: ConnectorErrorCode
  constructor(code: ConnectorErrorCode) {
    super(code)
    this.code = code
  }
}

type ActionState = { working: true } | { answer: unknown }

/**
 * Creates an exchange that calls ports in this process. Stores actions in memory, which is enough for a sandbox that
 * moves no money. A real connector must store them in its database, in the same transaction as their effects.
 */
export function createPortsExchange(ports: Ports): Exchange {
  const actionsByKey = new Map<string, ActionState>()

  const methodOf = ({ port, name }: Pick<Endpoint, 'port' | 'name'>) =>
    (ports[port] as unknown as Record<string, ((call: PortCall) => Promise<unknown>) | undefined> | undefined)?.[name]
  const isServed = (endpoint: Pick<Endpoint, 'port' | 'name'>) =>
    endpoint.port === 'network' && endpoint.name === 'tables' ? 'network' in ports : methodOf(endpoint) !== undefined

  async function perform({ port, name }: Endpoint, { question, request_id, team_id, now }: Envelope): Promise<unknown> {
    if (port === 'network' && name === 'tables') {
      const bureau = ports.network.bureau()
      return {
        merchants: ports.network.merchants(),
        card_products: ports.network.cardProducts(),
        // The contract says null for no bureau, and leaves out a bureau that has no name.
        ...(bureau === undefined ? { bureau: null } : bureau && { bureau }),
      }
    }
    // If a payment was canceled before its submission arrived, the late submission must not move money.
    if (port === 'rail' && name === 'submit' && isCanceled(team_id, request_id))
      return { status: 'refused', code: resourceCodes.PAYMENT_CANCELED_INSUFFICIENT_FUNDS }
    const method = methodOf({ port, name })
    if (!method) throw new CallRejection('UNKNOWN_METHOD')
    const call: PortCall = { ...(question as object), request_id, team_id, now }
    try {
      return (await method(call)) ?? null
    } catch (error) {
      if (error instanceof OutsideError) throw new CallRejection('UNAVAILABLE')
      throw error
    }
  }

  function isCanceled(team_id: string, request_id: string): boolean {
    const action = actionsByKey.get(keyOf('rail/cancel', { team_id, request_id }))
    return action !== undefined && 'answer' in action && (action.answer as { status: string }).status === 'canceled'
  }

  /** Performs an action once per path and request id. Repeated calls receive the same answer. */
  async function performOnce(key: string, work: () => Promise<unknown>): Promise<unknown> {
    const action = actionsByKey.get(key)
    if (action) {
      if ('working' in action) throw new CallRejection('IN_PROGRESS')
      return action.answer
    }
    actionsByKey.set(key, { working: true })
    try {
      const answer = await work()
      actionsByKey.set(key, { answer })
      return answer
    } catch (error) {
      actionsByKey.delete(key)
      throw error
    }
  }

  const keyOf = (path: string, { team_id, request_id }: Pick<Envelope, 'team_id' | 'request_id'>) =>
    `${path} ${team_id} ${request_id}`

  function answerOutcome(call: Envelope): unknown {
    const { method } = call.question as { method: string }
    const action = actionsByKey.get(keyOf(method, call))
    if (!action) return { known: false }
    if ('working' in action) throw new CallRejection('IN_PROGRESS')
    return { known: true, answer: action.answer }
  }

  return async (path, call) => {
    if (path === OUTCOME_PATH) return answerOutcome(call)
    if (path === CAPABILITIES_PATH)
      return { methods: [...endpointsByPath].flatMap(([each, endpoint]) => (isServed(endpoint) ? [each] : [])) }
    const endpoint = endpointsByPath.get(path)
    if (!endpoint) throw new CallRejection('UNKNOWN_METHOD')
    return endpoint.method.kind === 'act'
      ? performOnce(keyOf(path, call), () => perform(endpoint, call))
      : perform(endpoint, call)
  }
}

/** Returns the error of the contract for an error of an exchange. Undefined for a fault of our own. */
function codeOf(error: unknown): ConnectorErrorCode | undefined {
  if (error instanceof CallRejection) return error.code
  if (error instanceof UnknownMethodError) return 'UNKNOWN_METHOD'
  if (!(error instanceof OutsideError)) return undefined
  if (error.outcome === 'unknown') return 'IN_PROGRESS'
  return error.retryable ? 'UNAVAILABLE' : 'INVALID_CALL'
}

/** Creates a connector that answers calls as the contract requires: it verifies calls and signs answers. */
export function createConnector({ exchange, keys, clock, id }: ServeDeps): (request: Request) => Promise<Response> {
  async function answerCall(path: string, body: Buffer): Promise<unknown> {
    const call = readEnvelope(body)
    if (path === OUTCOME_PATH) {
      const question = outcomeQuestion.safeParse(call.question)
      if (!question.success || endpointsByPath.get(question.data.method)?.method.kind !== 'act')
        throw new CallRejection('INVALID_CALL')
      return exchange(path, { ...call, question: question.data })
    }
    const method = ownMethods.get(path) ?? endpointsByPath.get(path)?.method
    if (!method) throw new CallRejection('UNKNOWN_METHOD')
    const question = method.question.safeParse(call.question)
    if (!question.success) throw new CallRejection('INVALID_CALL')
    return exchange(path, { ...call, question: question.data })
  }

  return async request => {
    const path = new URL(request.url).pathname.slice(1)
    const bytes = await readParts(request.body, MAX_ANSWER_BYTES)
    const body = typeof bytes === 'string' ? undefined : bytes
    const callId =
      body &&
      (await verify(keys, request.headers.get(SIGNATURE_HEADER), body, { from: 'causeway', about: path }, clock()))
    let status = 200
    let reply: unknown
    try {
      if (!body || callId === undefined) throw new CallRejection('INVALID_SIGNATURE')
      reply = { answer: await answerCall(path, body) }
    } catch (error) {
      const code = codeOf(error)
      if (!code) throw error
      status = connectorErrors[code].status
      reply = { error: { code, message: connectorErrors[code].what } }
    }
    const text = JSON.stringify(reply)
    const signature = await sign(keys, text, { from: 'connector', about: callId ?? 'nobody', id: id() }, clock())
    return new Response(text, {
      status,
      headers: { 'content-type': 'application/json', [SIGNATURE_HEADER]: signature },
    })
  }
}

function readEnvelope(body: Buffer): Envelope {
  try {
    return envelope.parse(readJson(decodeUtf8(body) ?? '', clientLimits).value)
  } catch {
    throw new CallRejection('INVALID_CALL')
  }
}
