import { MINUTE_MS } from '@causeway/contract/time'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { consoleOf, origin } from '../../testing/console.js'
import { lender } from '../../testing/money.js'
import { literal, plan, recorded, type Statement } from '../../testing/queries/plans.js'
import { testService } from '../../testing/service.js'
import { findLatestRows } from './latest-rows.js'
import { createLiveRows } from './live-rows.js'

const service = await testService()
const bank = lender(service)
const source = (await bank.source()).id
const { accounts } = await bank.debts()
const pay = () =>
  bank.must('POST', '/payments', { amount: 100, source, destination: accounts[0]!.id, description: 'L' })
const addPerson = () => bank.must('POST', '/entities', { type: 'individual', individual: {} })
const { open, send, operator } = consoleOf(service)

const READ_INTERVAL_MS = 2_000

beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }))
afterEach(() => void vi.useRealTimers())

/** Lets an interval pass, and lets the store answer. */
async function passInterval(): Promise<void> {
  await vi.advanceTimersByTimeAsync(READ_INTERVAL_MS)
  await new Promise(setImmediate)
}

/** Opens a stream as a browser does. */
async function listen(cookie: string, live = createLiveRows(service.deps)) {
  const at = open({ live })
  const request = new Request(`${origin}/api/console/live`, { headers: { cookie, 'sec-fetch-site': 'same-origin' } })
  const response = await at.fetch(request)
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
  return {
    response,
    next: async () => (await reader.read()).value,
    cancel: () => reader.cancel(),
    /** Lets the service read the lists until it has sent a message, which this returns. */
    async read() {
      let isSent = false
      const message = reader.read().then(({ value }) => {
        isSent = true
        return value
      })
      while (!isSent) await passInterval()
      return message
    },
    live,
  }
}

const signIn = async () => (await operator({ role: 'viewer', name: 'Vic Ames' })).cookie
const sessionOf = (name: string) =>
  service.store.reader
    .selectFrom('console_sessions')
    .selectAll()
    .where('team_id', '=', service.team)
    .where('name', '=', name)
    .executeTakeFirstOrThrow()

describe('a page that shows new rows', () => {
  it('receives the paths of the lists that have them, and nothing else', async () => {
    const { response, next, read, cancel } = await listen(await signIn())
    expect(response.headers.get('content-type')).toBe('text/event-stream')
    expect(await next()).toBe(':\n\n')
    await addPerson()
    expect(await read()).toBe('event: rows\ndata: {"lists":["/entities","/events"]}\n\n')
    await pay()
    expect(await read()).toBe('event: rows\ndata: {"lists":["/payments","/events"]}\n\n')
    await cancel()
  })

  it('receives a comment every 10 seconds, so that proxies keep the connection open', async () => {
    const { next, read, cancel } = await listen(await signIn())
    await next()
    expect(await read()).toBe(':\n\n')
    await cancel()
  })

  it("receives nothing about other teams' rows", async () => {
    const other = lender(service, (await service.anotherTeam()).key)
    const { next, read, cancel } = await listen(await signIn())
    await next()
    await other.must('POST', '/entities', { type: 'individual', individual: {} })
    expect(await read()).toBe(':\n\n')
    await pay()
    expect(await read()).toBe('event: rows\ndata: {"lists":["/payments","/events"]}\n\n')
    await cancel()
  })

  // kills: live-rows-end-with-session
  it('receives nothing after its session ended', async () => {
    const cookie = await signIn()
    const { next, read } = await listen(cookie)
    await next()
    await send('DELETE', '/api/session', { cookie })
    await addPerson()
    expect(await read()).toBe('event: end\ndata: {}\n\n')
    expect(await next()).toBeUndefined()
  })

  it('receives nothing after its session was idle for too long, which the stream does not change', async () => {
    const { next, read } = await listen((await operator({ role: 'viewer', name: 'Ida Lund' })).cookie)
    await next()
    const idleUntil = async () => (await sessionOf('Ida Lund')).idle_until
    const before = await idleUntil()
    service.advance(2 * MINUTE_MS)
    expect(await read()).toBe(':\n\n')
    expect(await idleUntil()).toBe(before)
    service.advance(30 * MINUTE_MS)
    expect(await read()).toBe('event: end\ndata: {}\n\n')
  })

  it('receives nothing after its role changed', async () => {
    const { next, read } = await listen(await signIn())
    await next()
    await service.store.write(tx =>
      tx
        .updateTable('console_sessions')
        .set({ role: 'engineer' })
        .where('team_id', '=', service.team)
        .where('name', '=', 'Vic Ames')
        .execute(),
    )
    await addPerson()
    expect(await read()).toBe('event: end\ndata: {}\n\n')
  })

  it('ends when the service stops, and is not opened anymore', async () => {
    const cookie = await signIn()
    const { next, live } = await listen(cookie)
    await next()
    live.stop()
    expect(await next()).toBeUndefined()
    const late = await listen(cookie, live)
    await late.next()
    expect(await late.next()).toBeUndefined()
    expect(vi.getTimerCount()).toBe(0)
  })

  // kills: live-rows-are-limited
  it('is refused if the user has 8 others, until one is closed', async () => {
    const cookie = await signIn()
    const live = createLiveRows(service.deps)
    const pages = []
    for (let count = 0; count < 8; count += 1) pages.push(await listen(cookie, live))
    const refused = await listen(cookie, live)
    expect([refused.response.status, refused.response.headers.get('retry-after')]).toEqual([429, '60'])
    await pages[0]!.cancel()
    expect((await listen(cookie, live)).response.status).toBe(200)
    expect((await listen(await signIn(), live)).response.status).toBe(200)
    live.stop()
  })

  it('that reads no messages is disconnected', async () => {
    const { next } = await listen(await signIn())
    for (let count = 0; count < 60; count += 1) {
      await addPerson()
      await passInterval()
    }
    let messages = 0
    while ((await next()) !== undefined) messages += 1
    expect(messages).toBeLessThan(60)
  })

  it('needs a session', async () => {
    expect((await listen('console-4400=none')).response.status).toBe(401)
  })
})

describe('finding new rows', () => {
  it('reads one row of each list by its key', async () => {
    const statements: Statement[] = []
    const store = recorded(service.store, statements)
    await findLatestRows(store.reader, service.team)
    const found = await plan(service.store.reader, literal(statements[0]!))
    for (const table of ['payments', 'sessions', 'entities', 'events', 'deliveries']) expect(found).toContain(table)
    expect(found).not.toMatch(/SCAN (?!CONSTANT)|TEMP B-TREE|Seq Scan|Sort/)
  })
})
