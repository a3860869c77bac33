/**
 * Kills the process with SIGKILL while it moves money, both at each named point of a release and at random moments
 * during several releases.
 */
import { randomUUID } from 'node:crypto'
import { allocate, lender, pickyAbove } from '../lender.mjs'

const OPEN_WITHIN = 5_000

/**
 * Expects the service to reopen the store after a crash within five seconds per fault test running on the machine. One
 * start can be slow on a busy machine, so the limit applies to the median of all starts. Returns the longest time, in
 * ms.
 */
export function heldToOpening(times, expect, atOnce) {
  const sorted = [...times].sort((one, other) => one - other).map(Math.round)
  const median = sorted[Math.floor(sorted.length / 2)]
  expect(median < OPEN_WITHIN * atOnce, `the store reopened only after ${median} ms, the median of ${sorted.length}`)
  return sorted.at(-1)
}

/** The service's names for the points that a release passes through. */
const points = ['release.asked', 'release.locked', 'release.payment', 'release.saved', 'release.committed']

/** Creates a person with debts, and a source account that rejects half of the payments. */
async function openBooks(service) {
  const customer = lender(service)
  const { entity, accounts } = await customer.debtor()
  const source = await customer.source({ refusing: true })
  const allocations = allocate(accounts)
  return { entity, source, allocations, payments: accounts.filter(id => allocations[id] <= pickyAbove).length }
}

async function confirm(service, { entity, allocations }, count) {
  const sessions = []
  while (sessions.length < count) sessions.push(await lender(service).confirmed(entity, allocations))
  return sessions
}

/** Returns the response to a release, or null if the connection was lost. */
const released = (service, session, source, key) =>
  lender(service)
    .release(session, source, key)
    .then(({ status, text }) => `${status} ${text}`)
    .catch(() => null)

/** Repeats the release, as a customer would after a failed call, and counts the resulting payments. */
async function settle({ service, books, session, key, told, expect, store }) {
  const before = await lender(service).api('GET', `/opal/sessions/${session}`)
  expect(before.json?.data?.bt?.completed === true, 'a session or its confirmation was lost')
  const again = await lender(service).release(session, books.source, key)
  const bt = again.json?.data?.bt
  expect(bt?.payout_status === 'released', `a repeated release returned ${again.status}: ${again.text}`)
  const ids = Object.values(bt?.payment_ids ?? {}).filter(Boolean)
  const [{ count }] = await store.query(`select count(*) as count from payments where session_id = '${session}'`)
  expect(
    ids.length === books.payments && Number(count) === books.payments,
    `a release returned ${ids.length} payments and created ${count}, instead of ${books.payments}`,
  )
  const same = told === null || told === `${again.status} ${again.text}`
  expect(same, 'a release returns a different response after the crash than before it')
}

/** Kills the process at every point of a release, alternating between releases with and without an Idempotency-Key. */
async function crashedReleases({ launch, rounds, expect, store, atOnce }) {
  let service = await launch()
  const books = await openBooks(service)
  const opened = []
  let kills = 0
  let committed = 0
  await rounds(async round => {
    const sessions = await confirm(service, books, points.length)
    for (const [index, point] of points.entries()) {
      await service.kill()
      const session = sessions[index]
      const key = (round + index) % 2 ? randomUUID() : undefined
      const doomed = await launch({ CRASH_AT: point })
      const told = await released(doomed, session, books.source, key)
      if (told === null) await doomed.ended
      else await doomed.kill()
      expect(told === null, `the service was not killed at ${point}: ${told}`)
      const [row] = await store.query(`select payout_status as state from sessions where id = '${session}'`)
      const there = row.state === 'released'
      expect(there === (point === 'release.committed'), `killed at ${point}, the session is ${row.state}`)
      kills += 1
      if (there) committed += 1
      service = await launch()
      opened.push(service.ms)
      await settle({ service, books, session, key, told, expect, store })
    }
  })
  heldToOpening(opened, expect, atOnce)
  return `${kills} kills at ${points.length} points, ${committed} of them after the commit; in the end, every session is released with ${books.payments} payments`
}

const AT_ONCE = 6

/** Kills the process at random moments during several concurrent releases. */
async function randomKills({ launch, rounds, expect, store, atOnce }) {
  let service = await launch()
  const books = await openBooks(service)
  const opened = []
  let kills = 0
  let answered = 0
  let silent = 0
  await rounds(async () => {
    const sessions = await confirm(service, books, AT_ONCE)
    const key = randomUUID()
    const keyOf = index => (index % 2 ? `${key} ${index}` : undefined)
    const running = sessions.map((session, index) => released(service, session, books.source, keyOf(index)))
    await new Promise(resolve => setTimeout(resolve, Math.random() * 200))
    await service.kill()
    kills += 1
    const said = await Promise.all(running)
    answered += said.filter(Boolean).length
    for (const [index, session] of sessions.entries()) {
      const [row] = await store.query(`select payout_status as state from sessions where id = '${session}'`)
      if (said[index] === null && row.state === 'released') silent += 1
      expect(said[index] === null || row.state === 'released', 'an acknowledged release is missing')
    }
    service = await launch()
    opened.push(service.ms)
    for (const [index, session] of sessions.entries())
      await settle({ service, books, session, key: keyOf(index), told: said[index], expect, store })
  })
  heldToOpening(opened, expect, atOnce)
  return `${kills} kills under ${AT_ONCE} releases each: ${answered} answered before the kill, ${silent} committed without a response; in the end, every session is released with ${books.payments} payments`
}

export const trials = [
  { name: 'release killed at each point', run: crashedReleases, rounds: [1, 12], seconds: 60 },
  { name: 'release killed at random', run: randomKills, rounds: [4, 40], seconds: 60 },
]
