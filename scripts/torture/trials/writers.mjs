/** Runs writers continuously against a service that is killed repeatedly. */
import { randomUUID } from 'node:crypto'
import { lender } from '../lender.mjs'
import { heldToOpening } from './crashes.mjs'

const WRITERS = 32
/** The maximum time to wait for the required responses before a kill, in ms. The limit only protects against hangs. */
const HANG_TIMEOUT_MS = 60_000

/**
 * Each writer posts payments and entities with keys. A request without a response is repeated with the same key once
 * the service is running again. Afterward, every acknowledged write must exist exactly once, and a repeated request
 * must get the same response.
 */
async function writersUnderKills({ launch, rounds, expect, store, atOnce }) {
  let service = await launch()
  const customer = lender(service)
  const { accounts } = await customer.debtor()
  const source = await customer.source()
  /** Responses by key. */
  const told = new Map()
  let unanswered = 0
  let busy = 0
  const opened = []
  let kills = 0
  let over = false
  let back = Promise.resolve()

  const bodyOf = (key, index) =>
    index % 2
      ? ['/entities', { type: 'corporation', corporation: { name: 'Under kills' }, metadata: { key } }]
      : [
          '/payments',
          { source, destination: accounts[index % accounts.length], amount: 1_000 + index, description: 'torture' },
        ]

  async function writer(first) {
    for (let index = first; !over; index += 1) {
      const key = randomUUID()
      const [path, body] = bodyOf(key, index)
      for (;;) {
        await back
        const used = service
        try {
          const reply = await lender(used).api('POST', path, body, { 'idempotency-key': key })
          // An overloaded service rejects the request, which then has no effect, and specifies when to retry it.
          if (reply.status === 503 && reply.headers['retry-after']) {
            busy += 1
            await new Promise(resolve => setTimeout(resolve, Number(reply.headers['retry-after']) * 1_000))
            continue
          }
          expect(reply.status === 200, `a write returned ${reply.status}: ${reply.text}`)
          told.set(key, { path, body, text: reply.text })
          break
        } catch {
          unanswered += 1
          await used.ended
        }
      }
    }
  }

  const writers = Array.from({ length: WRITERS }, (_, index) => writer(index))
  await rounds(async () => {
    const enough = told.size + WRITERS
    const until = performance.now() + HANG_TIMEOUT_MS
    while (told.size < enough && performance.now() < until) await new Promise(resolve => setTimeout(resolve, 10))
    await new Promise(resolve => setTimeout(resolve, Math.random() * 300))
    let open = () => {}
    back = new Promise(resolve => {
      open = resolve
    })
    await service.kill()
    kills += 1
    service = await launch()
    opened.push(service.ms)
    open()
  })
  over = true
  await Promise.all(writers)

  const payments = await store.query('select idempotency_key as key, id from payments')
  const byKey = new Map(payments.map(({ key, id }) => [key, id]))
  const entities = await store.query('select metadata from entities where metadata is not null')
  const entitiesOf = new Map()
  for (const { metadata } of entities) {
    const { key } = JSON.parse(metadata)
    entitiesOf.set(key, (entitiesOf.get(key) ?? 0) + 1)
  }
  const keysOf = path => [...told].filter(([, each]) => each.path === path).map(([key]) => key)
  for (const key of keysOf('/payments'))
    expect(byKey.get(key) === JSON.parse(told.get(key).text).id, 'an acknowledged payment is missing or different')
  for (const key of keysOf('/entities'))
    expect(entitiesOf.get(key) === 1, `an acknowledged entity exists ${entitiesOf.get(key) ?? 0} times`)
  expect(
    payments.length === keysOf('/payments').length,
    `${payments.length} payments of ${keysOf('/payments').length} keys`,
  )
  const sample = [...told].filter((_, index) => index % Math.ceil(told.size / 200) === 0)
  for (const [key, { path, body, text }] of sample) {
    const again = await lender(service).api('POST', path, body, { 'idempotency-key': key })
    expect(
      again.text === text && again.headers['idempotency-replayed'] === 'true',
      'a key returns a different response after the kills',
    )
  }
  return `${kills} kills under ${WRITERS} writers: ${told.size} writes acknowledged, none lost and none duplicated; ${unanswered} responses were cut off and requested again; ${busy} returned 503; open again after at most ${heldToOpening(opened, expect, atOnce)} ms`
}

export const trials = [{ name: 'writers under kills', run: writersUnderKills, rounds: [3, 40], seconds: 90 }]
