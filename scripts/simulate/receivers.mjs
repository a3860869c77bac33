/** A customer's servers that receive webhooks, each with its own mood, and the connection from the service to them. */
import { createRequire } from 'node:module'
import { manners } from '../torture/receiver.mjs'

const require = createRequire(new URL('../../apps/api/package.json', import.meta.url))
const { Webhook } = require('standardwebhooks')

export const WEBHOOK_SECRET = 'simulation of webhook deliveries'
/** The response time in ms of a receiver that is slow, and of one that is later than the service waits. */
const delays = { slow: 2_000, late: 20_000 }

/**
 * @param expect `expect(holds, sentence)`
 * @param query returns committed rows
 * @param isOutage true in a seed with a long outage of the disk
 */
export function createReceivers({ world, product, random, timeline, expect, query, isOutage }) {
  const verifier = new Webhook(WEBHOOK_SECRET, { format: 'raw' })
  const byHost = new Map()
  /** All bodies, to search them for personal data. */
  const bodies = []
  let isCalm = false
  const arrivedInCalm = new Set()

  function createReceiver(name) {
    const receiver = {
      url: `https://${name.replace(' ', '-')}.example/hook`,
      name,
      // In a long outage, deliveries that must be repeated wait for the store.
      manner: manners[isOutage ? 'stubborn' : random.pick(Object.keys(manners))],
      acknowledged: new Map(),
      calls: 0,
    }
    byHost.set(new URL(receiver.url).host, receiver)
    return receiver
  }

  function draw(manner) {
    let left = random.next()
    for (const [what, share] of Object.entries(manner)) {
      left -= share
      if (left < 0) return what
    }
    return 'well'
  }

  /** Answers a request. @returns `{ delay, status }`, or null to close the connection, or undefined to never answer */
  function answer(receiver, { headers, body }) {
    receiver.calls += 1
    bodies.push(body)
    const id = headers['webhook-id']
    try {
      verifier.verify(body, headers)
    } catch (error) {
      expect(false, `a webhook's signature is wrong: ${error.message}`)
    }
    const [row] = query(
      'select d.id from deliveries d join events e on e.team_id = d.team_id and e.id = d.event_id where d.id = ?',
      id,
    )
    expect(row !== undefined, `${receiver.name} received a delivery that is not in the store: ${id}`)
    if (isCalm) {
      expect(!arrivedInCalm.has(id), `${receiver.name} received ${id} twice, although nothing failed`)
      arrivedInCalm.add(id)
    }
    const what = draw(receiver.manner)
    timeline.note(receiver.name, `receives ${id}: ${what}`)
    switch (what) {
      case 'hang':
        return undefined
      case 'reset':
      case 'restart':
        return null
      case 'error':
        return { delay: 0, status: 500 }
      case 'gone':
        return { delay: 0, status: 410 }
      case 'redirect':
        return { delay: 0, status: 302 }
      default:
        return { delay: delays[what] ?? 0, status: 200, id }
    }
  }

  /** Creates the function with which a process calls customers' URLs. */
  const connect = process => ({
    loopback: false,
    admits: () => true,
    call: call =>
      new Promise((resolve, reject) => {
        let isOver = false
        const end = (delay, settle) =>
          world.schedule(process, delay, () => {
            if (isOver) return
            isOver = true
            settle()
          })
        const fail = (delay, fault) => end(delay, () => reject(new product.OutboundError(fault)))
        fail(call.timeout, 'timeout')
        const receiver = byHost.get(new URL(call.url).host)
        world.schedule(world.outside, 1 + random.next() * 20, () => {
          const headers = Object.fromEntries(
            Object.entries(call.headers).map(([name, value]) => [name.toLowerCase(), value]),
          )
          const reply = receiver ? answer(receiver, { headers, body: call.body ?? '' }) : null
          if (reply === undefined) return
          if (reply === null) return void fail(random.next() * 20, 'connection')
          world.schedule(world.outside, reply.delay + random.next() * 20, () => {
            if (reply.id && !isOver && reply.delay < call.timeout)
              receiver.acknowledged.set(reply.id, (receiver.acknowledged.get(reply.id) ?? 0) + 1)
            end(random.next() * 5, () =>
              resolve({ status: reply.status, headers: {}, header: () => null, body: Buffer.alloc(0) }),
            )
          })
        })
      }),
  })

  return {
    createReceiver,
    connect,
    all: byHost,
    bodies,
    /** Compares the receivers' records with the deliveries in the store. */
    check() {
      const rows = query('select id, status from deliveries')
      const acknowledged = new Set([...byHost.values()].flatMap(each => [...each.acknowledged.keys()]))
      for (const { id, status } of rows) {
        expect(status !== 'pending', `delivery ${id} is still pending`)
        expect(status !== 'delivered' || acknowledged.has(id), `delivery ${id} is delivered, but was never received`)
        // After an acknowledgment, a killed process may send a delivery again, and the webhook may be disabled by then.
      }
      return rows.length
    },
    /** From now on, nothing fails, so that each delivery must arrive once. */
    calm() {
      isCalm = true
    },
    /** Makes every receiver reliable. */
    heal() {
      for (const receiver of byHost.values()) receiver.manner = manners.well
    },
  }
}
