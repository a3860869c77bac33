/**
 * Implements the connector's side of the contract on top of three ports, for use in the example connector. Contains no
 * sandbox code.
 */
import { resourceCodes } from '@causeway/contract/errors'
import { clientLimits, readJson } from '../../platform/http/request/json-reader.js'
import { readParts } from '../../platform/http/request/parts.js'
import { decodeUtf8 } from '../../platform/text.js'
import type { Call, Ports } from '../ports.js'
import { OutsideError } from '../ports.js'
import { type Endpoint, type Envelope, endpoints, envelope, MOST_BYTES, OUTCOME, outcomeQuestion } from './contract.js'
import { type RefusalCode, refusals } from './method.js'
import { type SharedKeys, SIGNATURE, sign, verify } from './signature.js'

export interface ServeDeps {
  ports: Ports
  keys: SharedKeys
  /** The real time, in epoch milliseconds. */
  clock(): number
  /** Returns a new id for an answer. */
  id(): string
}

class Refused extends Error {
  readonly code: RefusalCode
  constructor(code: RefusalCode) {
    super(code)
    this.code = code
  }
}

type Act = { working: true } | { answer: unknown }

/**
 * Creates a connector that answers calls as the contract requires. Stores actions in memory, which is enough for a
 * sandbox that moves no money. A real connector must store them in its database, in the same transaction as their
 * effects.
 */
export function createConnector({ ports, keys, clock, id }: ServeDeps): (request: Request) => Promise<Response> {
  const acts = new Map<string, Act>()

  async function perform({ port, name }: Endpoint, { question, request_id, team_id, now }: Envelope): Promise<unknown> {
    if (port === 'network' && name === 'tables') {
      const bureau = ports.network.bureau()
      return {
        merchants: ports.network.merchants(),
        card_products: ports.network.cardProducts(),
        ...(bureau ? { bureau } : {}),
      }
    }
    // If a payment was canceled before its submission arrived, the late submission must not move money.
    if (port === 'rail' && name === 'submit' && isCanceled(team_id, request_id))
      return { status: 'refused', code: resourceCodes.PAYMENT_CANCELED_INSUFFICIENT_FUNDS }
    const methods = ports[port] as unknown as Record<string, ((call: Call) => Promise<unknown>) | undefined>
    const method = methods[name]
    if (!method) throw new Refused('UNKNOWN_METHOD')
    const call: Call = { ...(question as object), request_id, team_id, now }
    return (await method(call)) ?? null
  }

  function isCanceled(team_id: string, request_id: string): boolean {
    const act = acts.get(keyOf('rail/cancel', { team_id, request_id }))
    return act !== undefined && 'answer' in act && (act.answer as { status: string }).status === 'canceled'
  }

  /** Performs an action once per path and request id. Repeated calls receive the same answer. */
  async function once(key: string, work: () => Promise<unknown>): Promise<unknown> {
    const known = acts.get(key)
    if (known) {
      if ('working' in known) throw new Refused('IN_PROGRESS')
      return known.answer
    }
    acts.set(key, { working: true })
    try {
      const answer = await work()
      acts.set(key, { answer })
      return answer
    } catch (error) {
      acts.delete(key)
      throw error
    }
  }

  const keyOf = (path: string, { team_id, request_id }: Pick<Envelope, 'team_id' | 'request_id'>) =>
    `${path} ${team_id} ${request_id}`

  function outcome(call: Envelope): unknown {
    const asked = outcomeQuestion.safeParse(call.question)
    if (!asked.success || endpoints.get(asked.data.method)?.method.kind !== 'act') throw new Refused('INVALID_CALL')
    const known = acts.get(keyOf(asked.data.method, call))
    if (!known) return { known: false }
    if ('working' in known) throw new Refused('IN_PROGRESS')
    return { known: true, answer: known.answer }
  }

  async function answer(path: string, body: Buffer): Promise<unknown> {
    const call = readEnvelope(body)
    if (path === OUTCOME) return outcome(call)
    const endpoint = endpoints.get(path)
    if (!endpoint) throw new Refused('UNKNOWN_METHOD')
    const question = endpoint.method.question.safeParse(call.question)
    if (!question.success) throw new Refused('INVALID_CALL')
    const work = () => perform(endpoint, { ...call, question: question.data })
    return endpoint.method.kind === 'act' ? once(keyOf(path, call), work) : work()
  }

  return async request => {
    const path = new URL(request.url).pathname.slice(1)
    const bytes = await readParts(request.body, MOST_BYTES)
    const body = typeof bytes === 'string' ? undefined : bytes
    const asked =
      body && (await verify(keys, request.headers.get(SIGNATURE), body, { from: 'causeway', about: path }, clock()))
    let status = 200
    let said: unknown
    try {
      if (!body || asked === undefined) throw new Refused('INVALID_SIGNATURE')
      said = { answer: await answer(path, body) }
    } catch (error) {
      const code = error instanceof Refused ? error.code : error instanceof OutsideError ? 'UNAVAILABLE' : undefined
      if (!code) throw error
      status = refusals[code].status
      said = { error: { code, message: refusals[code].what } }
    }
    const text = JSON.stringify(said)
    const signature = await sign(keys, text, { from: 'connector', about: asked ?? 'nobody', id: id() }, clock())
    return new Response(text, { status, headers: { 'content-type': 'application/json', [SIGNATURE]: signature } })
  }
}

function readEnvelope(body: Buffer): Envelope {
  try {
    return envelope.parse(readJson(decodeUtf8(body) ?? '', clientLimits).value)
  } catch {
    throw new Refused('INVALID_CALL')
  }
}
