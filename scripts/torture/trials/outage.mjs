/**
 * Makes the table of idempotency keys unavailable. POST requests with a key must then be rejected without any effect,
 * while everything else works.
 */
import { randomUUID } from 'node:crypto'
import { errors } from '../../../packages/contract/dist/errors.js'
import { lender } from '../lender.mjs'

const { type, message } = errors.IDEMPOTENCY_UNAVAILABLE
const EXACT = JSON.stringify({
  error: { type, code: 503, sub_type: 'IDEMPOTENCY_UNAVAILABLE', message },
})

async function whileGone(service, store, expect, posts) {
  const body = { type: 'corporation', corporation: { name: 'While it is gone' } }
  const count = async () => Number((await store.query('select count(*) as count from entities'))[0].count)
  const before = await count()
  const replies = await Promise.all(
    Array.from({ length: posts }, () =>
      lender(service).api('POST', '/entities', body, { 'idempotency-key': randomUUID() }),
    ),
  )
  for (const { status, text } of replies)
    expect(status === 503 && text === EXACT, `a POST with a key returned ${status}: ${text}`)
  expect((await count()) === before, 'a POST with a key had an effect although its key could not be stored')
  const bare = await lender(service).api('POST', '/entities', body)
  expect(
    bare.status === 200 && (await count()) === before + 1,
    `a POST without a key returned ${bare.status}: ${bare.text}`,
  )
  return replies.length
}

/** @param within the maximum number of milliseconds that requests with a key may still be rejected */
async function afterwards(service, expect, within = 0) {
  const key = randomUUID()
  const body = { type: 'corporation', corporation: { name: 'Afterwards' } }
  const post = () => lender(service).api('POST', '/entities', body, { 'idempotency-key': key })
  let first = await post()
  for (const until = performance.now() + within; first.status === 503 && performance.now() < until; ) {
    await new Promise(resolve => setTimeout(resolve, 100))
    first = await post()
  }
  const second = await post()
  expect(first.status === 200 && second.text === first.text, `keys still do not work: ${first.status} ${first.text}`)
}

/** Renames the table while the service is running, and later restores it. */
async function claimTableGone({ services: [service], store, rounds, expect }) {
  let refused = 0
  await rounds(async () => {
    await store.query('alter table idempotency rename to idempotency_away')
    refused += await whileGone(service, store, expect, 20)
    await store.query('alter table idempotency_away rename to idempotency')
    await afterwards(service, expect)
  })
  return `${refused} POSTs with a key returned 503 without an effect, and POSTs without a key worked; keys work again once the table is back`
}

/**
 * The requested fault lasts `FAULT` seconds, and its effects may last up to `LATE` ms longer. A second request can
 * shorten the fault to one second.
 */
const FAULT = 600
const LATE = 60_000

/** Runs the same check with the fault that customers can request. */
async function faultOnRequest({ services: [service], store, expect }) {
  const fail = async seconds => {
    const fault = { target: 'idempotency', mode: 'failing', for: `PT${seconds}S` }
    const asked = await lender(service).api('POST', '/simulate/faults', fault)
    expect(asked.status === 200, `requesting the fault returned ${asked.status}: ${asked.text}`)
  }
  await fail(FAULT)
  const refused = await whileGone(service, store, expect, 20)
  await fail(1)
  await afterwards(service, expect, LATE)
  return `${refused} POSTs with a key returned 503 without an effect; keys work again once the fault ends`
}

export const trials = [
  { name: 'claim table gone', run: claimTableGone, processes: 1, rounds: [1, 5], seconds: 20 },
  { name: 'fault on request', run: faultOnRequest, processes: 1, rounds: [1, 1], seconds: 20 },
]
