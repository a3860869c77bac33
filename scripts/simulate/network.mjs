/** Carries requests from clients to the service, over a network that loses, repeats and delays them. */
import { SECRET_KEY } from './service.mjs'

/** True if the service asks the client to repeat the request. */
const isRetry = ({ status, json }) =>
  status === 503 || status === 429 || json?.error?.sub_type === 'IDEMPOTENCY_KEY_IN_USE'

/** Rejects a request whose response did not arrive. The service may or may not have executed it. */
class Lost extends Error {
  name = 'Lost'
}

/** The time after which a client gives up on a response, in ms. */
const CLIENT_TIMEOUT_MS = 40_000

/**
 * @param heard called with every body that is sent and received
 */
export function createNetwork({ world, service, faults, random, timeline, heard }) {
  const latency = where => random.next() * 5 + (faults.hit('delay a request', where) ? random.whole(20, 8_000) : 0)
  const counts = { requests: 0, lost: 0 }

  /**
   * Lets a process answer a request.
   * @param deliver called with the reply, if the process lives long enough
   * @param close called if the reply breaks off, as a download does when the store fails
   */
  function handle(process, { listener, method, path, headers, body }, deliver, close) {
    world.schedule(process, 0, async () => {
      if (!process.app) return
      const request = new Request(`https://${listener}.causeway.example${path}`, { method, headers, body })
      const response = await process.app[listener].fetch(request)
      const text = await response.text().catch(() => null)
      if (!process.isAlive) return
      if (text === null) return void close()
      deliver({ status: response.status, headers: response.headers, text })
    })
  }

  /** Sends a request once. Rejects with {@link Lost} if no response arrives. */
  function send(client, request) {
    counts.requests += 1
    if (!request.path.startsWith('/hooks/')) heard(request.body ?? '')
    heard(request.headers.authorization ?? '')
    return new Promise((resolve, reject) => {
      let isOver = false
      let release = () => {}
      const end = settle => value => {
        if (isOver) return
        isOver = true
        release()
        settle(value)
      }
      const lose = why =>
        world.schedule(world.outside, random.next() * 5, () => {
          if (!isOver) counts.lost += 1
          end(reject)(new Lost(why))
        })
      const isRequestLost = faults.hit('lose a request', client)
      const isResponseLost = faults.hit('lose a response', client)
      const times = faults.hit('deliver a request twice', client) ? 2 : 1
      world.schedule(world.outside, CLIENT_TIMEOUT_MS, () => end(reject)(new Lost('no response in time')))
      const ready = service.ready()
      if (ready.length === 0) return void lose('connection refused')
      if (isRequestLost) return void lose('request lost')
      const process = random.pick(ready)
      const onKill = () => lose('connection closed')
      process.waiting.add(onKill)
      release = () => process.waiting.delete(onKill)
      for (let time = 0; time < times; time += 1)
        world.schedule(world.outside, latency(client), () => {
          if (!process.isAlive || !process.app) return void lose('connection refused')
          const deliver = reply => {
            world.schedule(world.outside, latency(client), () => {
              if (isResponseLost) return void lose('response lost')
              heard(reply.text)
              const isJson = /json/.test(reply.headers.get('content-type') ?? '')
              end(resolve)({ ...reply, json: isJson ? JSON.parse(reply.text) : null })
            })
          }
          handle(process, request, deliver, () => lose('connection closed'))
        })
    })
  }

  const pause = ms => new Promise(resolve => setTimeout(resolve, ms))

  /**
   * Sends a request until a response arrives that is not "retry".
   * @param client the client's name
   * @param options `key` is the Idempotency-Key; `secret` the API key; `listener` is `api` or `frame`; `isImpatient` is
   *   true for a client that sends the request only once
   * @returns the response. For an impatient client, null if none arrived
   */
  async function ask(
    client,
    method,
    path,
    content,
    { key, secret = SECRET_KEY, listener = 'api', headers = {}, isImpatient = false } = {},
  ) {
    const body = content === undefined ? undefined : JSON.stringify(content)
    const request = {
      listener,
      method,
      path,
      body,
      headers: {
        ...(secret && { authorization: `Bearer ${secret}` }),
        ...(body && { 'content-type': 'application/json' }),
        ...(key && { 'idempotency-key': key }),
        ...headers,
      },
    }
    const label = `${method} ${path}${key ? ` (key ${key})` : ''}`
    for (let attempt = 1; ; attempt += 1) {
      timeline.note(client, attempt === 1 ? label : `${label}, attempt ${attempt}`)
      try {
        const reply = await send(client, request)
        timeline.note(client, `${label} → ${reply.status}`)
        timeline.mix(reply.text)
        if (isImpatient || !isRetry(reply)) return reply
      } catch (error) {
        if (!(error instanceof Lost)) throw error
        timeline.note(client, `${label} → ${error.message}`)
        if (isImpatient) return null
      }
      // As real clients do, waits longer after each failure.
      await pause(random.whole(100, 1_000) * Math.min(attempt, 8))
    }
  }

  /** Delivers a company's webhook, and repeats it until the service accepts it or has rejected it five times. */
  async function deliver(company, { path, headers, body }) {
    for (let attempt = 1; attempt <= 5; attempt += 1) {
      try {
        const { status } = await send(company, { listener: 'api', method: 'POST', path, headers, body })
        timeline.note(company, `webhook → ${status}`)
        if (status < 300) return
      } catch (error) {
        if (!(error instanceof Lost)) throw error
        timeline.note(company, `webhook → ${error.message}`)
      }
      await pause(attempt * 1_000)
    }
  }

  return { ask, deliver, pause, counts }
}
