/** A customer's servers that receive webhooks. Some are reliable, and the others fail in every possible way. */
import { createServer } from 'node:http'
import { createRequire } from 'node:module'

const require = createRequire(new URL('../../apps/api/package.json', import.meta.url))
const { Webhook } = require('standardwebhooks')

/** Each server's responses, as fractions of its requests. All other requests receive a 200. */
export const manners = {
  well: {},
  moody: { error: 0.08, reset: 0.08, redirect: 0.08, hang: 0.02, slow: 0.04, restart: 0.01 },
  stubborn: { error: 0.5, reset: 0.15, redirect: 0.1 },
  dead: { error: 1 },
  gone: { gone: 1 },
  silent: { hang: 1 },
  late: { late: 1 },
}

/** The delay before a successful response, in ms. */
const delays = { slow: 300, late: 1_500 }

/**
 * Returns `{ origin, manner, acknowledged, refused, forged, times, close() }`. `acknowledged` contains the number of
 * 200 responses to each delivery, keyed by webhook-id. `times` contains the time at which each delivery first arrived.
 * `calls` contains the time of every arrival.
 */
export async function createReceiver(manner, secret) {
  const verifier = new Webhook(secret, { format: 'raw' })
  const receiver = { manner, acknowledged: new Map(), times: new Map(), calls: [], forged: 0 }
  let server
  let port = 0
  const listen = () =>
    new Promise((resolve, reject) => {
      // The run must end even if a fault test fails before it closes its receivers.
      server = createServer(answer).unref()
      server.once('error', reject)
      server.listen(port, '127.0.0.1', () => {
        port = server.address().port
        resolve()
      })
    })
  const stop = () =>
    new Promise(resolve => {
      server.close(resolve)
      server.closeAllConnections()
    })

  let restarting = null
  let isOver = false
  async function comeBack() {
    await stop()
    for (let isUp = false; !isUp && !isOver; ) {
      await new Promise(resolve => setTimeout(resolve, 200 + Math.random() * 600))
      try {
        if (!isOver) await listen()
        isUp = true
      } catch {
        // Another process may briefly be using the receiver's port.
      }
    }
    restarting = null
  }
  const restart = () => {
    restarting ??= comeBack()
  }

  /** Chooses a random response to a request. */
  function draw() {
    let left = Math.random()
    for (const [what, share] of Object.entries(receiver.manner)) {
      left -= share
      if (left < 0) return what
    }
    return 'well'
  }

  async function answer(request, response) {
    receiver.calls.push(Date.now())
    const parts = []
    try {
      for await (const part of request) parts.push(part)
    } catch {
      return
    }
    const body = Buffer.concat(parts).toString()
    try {
      verifier.verify(body, request.headers)
    } catch {
      receiver.forged += 1
      response.writeHead(400).end()
      return
    }
    const what = draw()
    if (what === 'hang') return
    if (what === 'reset') return request.socket.destroy()
    if (what === 'restart') return restart()
    if (what === 'error') return response.writeHead(500).end('x'.repeat(20_000))
    if (what === 'gone') return response.writeHead(410).end()
    if (what === 'redirect') return response.writeHead(302, { Location: '/elsewhere' }).end()
    if (what in delays) await new Promise(resolve => setTimeout(resolve, delays[what]))
    const id = request.headers['webhook-id']
    response.writeHead(200).end(() => {
      receiver.acknowledged.set(id, (receiver.acknowledged.get(id) ?? 0) + 1)
      if (!receiver.times.has(id)) receiver.times.set(id, Date.now())
    })
  }

  await listen()
  const close = async () => {
    isOver = true
    await restarting
    await stop()
  }
  return Object.assign(receiver, { origin: `http://127.0.0.1:${port}`, close })
}
