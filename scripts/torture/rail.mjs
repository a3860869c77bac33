/**
 * A rail that keeps its own record: the sandbox's rail behind the connector contract. The rail runs in the fault test's
 * process, which outlives the service.
 */
import { randomBytes, randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import { createSandbox } from '../../apps/api/dist/sandbox/sandbox.js'
import { createConnector, createPortsExchange } from '../../packages/connector/dist/http/serve.js'
import { readSharedKeys } from '../../packages/connector/dist/http/signature.js'

/** The fraction of calls that never reach the rail, and the fraction of calls whose response is lost. */
const NEVER = 0.01
const LOST = 0.01

const pause = ms => new Promise(resolve => setTimeout(resolve, ms))

/**
 * Returns `{ env, came, denied, did, close() }`. `env` configures a service to use the rail. `came` contains the number
 * of times that each action arrived. `denied` contains actions that the rail reported as never received. `did` lists
 * the executed actions in order, with their requests. All three identify an action as `path id`.
 */
export async function createRail() {
  const sandbox = createSandbox({ sleep: pause })
  const came = new Map()
  const denied = new Set()
  const did = new Map()
  /** The latest time for which the rail has reported a status, by payment. */
  const reported = new Map()
  const isSubmitted = ({ request_id }) => did.has(`rail/submit ${request_id}`)
  const recorded = (name, act) => async call => {
    const answer = await act(call)
    const key = `rail/${name} ${call.request_id}`
    did.set(key, [...(did.get(key) ?? []), { call, answer }])
    return answer
  }
  const rail = {
    ...sandbox.rail,
    submit: recorded('submit', call => sandbox.rail.submit(call)),
    // The sandbox's rail is stateless. It has no record of received or canceled payments, or of a later status that it
    // reported while a call was delayed.
    cancel: recorded('cancel', async call =>
      isSubmitted(call)
        ? sandbox.rail.cancel({ ...call, now: Math.max(call.now, reported.get(call.request_id) ?? 0) })
        : { status: 'canceled' },
    ),
    reverse: recorded('reverse', call => sandbox.rail.reverse(call)),
    async status(call) {
      const stays = did.get(`rail/cancel ${call.request_id}`)?.[0].answer.status === 'canceled'
      if (isSubmitted(call) && !stays) {
        reported.set(call.request_id, Math.max(call.now, reported.get(call.request_id) ?? 0))
        return sandbox.rail.status(call)
      }
      return {
        status: 'pending',
        code: null,
        source_trace_id: null,
        destination_trace_id: null,
        returned: null,
        next_at: null,
      }
    },
  }
  const secret = randomBytes(32).toString('base64')
  const connector = createConnector({
    exchange: createPortsExchange({ ...sandbox, rail }),
    keys: readSharedKeys(secret),
    clock: Date.now,
    id: randomUUID,
  })

  const server = createServer(async (request, response) => {
    const parts = []
    try {
      for await (const part of request) parts.push(part)
    } catch {
      return
    }
    if (Math.random() < NEVER) return request.socket.destroy()
    const body = Buffer.concat(parts)
    const { request_id, question } = JSON.parse(body)
    const key = `${request.url.slice(1)} ${request_id}`
    came.set(key, (came.get(key) ?? 0) + 1)
    const answer = await connector(
      new Request(`http://rail${request.url}`, { method: 'POST', headers: request.headers, body }),
    )
    const text = await answer.text()
    // The action may still be in transit when its outcome is queried. The service then sends the action again, but the
    // rail executes it only once.
    if (request.url === '/outcome' && JSON.parse(text).answer?.known === false)
      denied.add(`${question.method} ${request_id}`)
    if (Math.random() < LOST) return request.socket.destroy()
    response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(text)
  })
  await new Promise(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    env: {
      CONNECTOR_URL: `http://127.0.0.1:${server.address().port}`,
      CONNECTOR_KEY: secret,
      NETWORK_ADAPTER: 'sandbox',
      IDENTITY_ADAPTER: 'sandbox',
    },
    came,
    denied,
    did,
    close: () =>
      new Promise(resolve => {
        server.close(resolve)
        server.closeAllConnections()
      }),
  }
}
