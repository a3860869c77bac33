// biome-ignore-all lint/style/noExcessiveLinesPerFile: it tests every rule about the data that the log stores, shows and deletes.
/** Tests the request log. */

import { DAY_MS } from '@causeway/contract/time'
import { type KyselyPlugin, sql } from 'kysely'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { sweep } from '../../platform/jobs/sweep.js'
import type { Team } from '../../platform/team.js'
import { errorOf, NEWEST, rejectionOf } from '../../testing/contract/cases.js'
import { publicJwk, sealedCall } from '../../testing/encryption.js'
import { type TestService, testService } from '../../testing/service.js'

type Logged = Parameters<TestService['deps']['requests']['add']>[0]

const service = await testService()

const newest = { 'service-version': NEWEST }
const person = {
  type: 'individual',
  individual: { first_name: 'Ana', last_name: 'Reyes', email: 'ana@example.com', phone: '+15125550101' },
}

/** Makes a request and flushes the log to the store. Returns the request's id and the response. */
async function made(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
  const reply = await service.call(method, path, body, { ...newest, ...headers })
  await service.deps.requests.flush()
  return { id: reply.headers.get('request-id')!, reply }
}
/** Returns a request that a test can add directly to the log. */
const logged = (of: TestService, team: Team, id: string, more: Partial<Logged> = {}): Logged => ({
  id,
  team,
  actor: 'key_1',
  source: 'api',
  method: 'GET',
  route: '/entities',
  params: {},
  status: 200,
  ms: 1,
  version: null,
  idempotency: 'bypassed',
  request: null,
  response: null,
  at: of.deps.clock(),
  ...more,
})
const retrieve = async (id: string) => (await service.call('GET', `/requests/${id}`, undefined, newest)).body
const list = async (query: string) =>
  (await service.call('GET', `/requests?${query}`, undefined, newest)).body['data'] as Record<string, unknown>[]

describe('a request in the log', () => {
  it("shows the request's details, and its id sorts by time", async () => {
    const first = await made('POST', '/entities', person, { 'idempotency-key': 'log-1' })
    service.advance(1)
    const second = await made('GET', `/entities/${first.reply.body['id']}`)
    expect(await retrieve(first.id)).toMatchObject({
      id: first.id,
      method: 'POST',
      route: '/entities',
      status: 200,
      sub_type: null,
      version: NEWEST,
      actor: expect.stringMatching(/^key_/),
      source: 'api',
      idempotency: 'stored',
      resource_ids: [first.reply.body['id']],
      created_at: '2026-03-02T15:00:00.000Z',
    })
    expect((await list('')).map(each => each['id']).slice(0, 2)).toEqual([second.id, first.id])
    expect(first.id < second.id).toBe(true)
  })

  it('stores only the parts of its bodies that the contract declares', async () => {
    const { id, reply } = await made('POST', '/entities', {
      ...person,
      metadata: { 'Ana Reyes': 'loan 7' },
      surprise: 'Ana',
    })
    const request = await retrieve(id)
    expect(request['request']).toEqual({
      type: 'individual',
      individual: {
        first_name: '[redacted]',
        last_name: '[redacted]',
        email: '[redacted]',
        phone: '[redacted]',
      },
      metadata: {},
      surprise: '[redacted]',
    })
    expect(request['response']).toMatchObject({
      id: reply.body['id'],
      type: 'individual',
      status: 'incomplete',
      individual: { first_name: '[redacted]', phone: '[redacted]' },
      created_at: reply.body['created_at'],
    })
    expect(JSON.stringify(request)).not.toMatch(/Ana|Reyes|5125550101|loan 7/)
  })

  it('stores no secret from a new key, webhook or token', async () => {
    const { id } = await made('POST', '/team/keys', { scopes: ['read'] })
    expect((await retrieve(id))['response']).toMatchObject({ scopes: ['read'], value: '[redacted]' })
    const token = await made('POST', '/opal/token', { mode: 'connect', entity_id: 'ent_4kYq8ZbT1mXcP' })
    expect(JSON.stringify(await retrieve(token.id))).not.toContain('otkn_')
  })

  it('stores the reason that an encrypted request was rejected, but neither of its bodies', async () => {
    await service.call('POST', '/teams/mle/public_keys', { jwk: await publicJwk('customer') })
    const how = { cid: 'customer', headers: newest }
    const { reply } = await sealedCall(service, 'POST', '/payments', { amount: 10 }, how)
    await service.deps.requests.flush()
    expect(reply.status).toBe(400)
    const request = await retrieve(reply.headers.get('request-id')!)
    expect(request).toMatchObject({ status: 400, request: null, response: null })
    expect(request['sub_type']).toMatch(/^INVALID_/)
  })

  it('stores the reason for a rejection, and can be found by its outcome, its error and its resource', async () => {
    const { id, reply } = await made('GET', '/entities/ent_4kYq8ZbT1mXcP')
    expect(await retrieve(id)).toMatchObject({
      status: 404,
      sub_type: 'NOT_FOUND',
      request: null,
      response: { error: errorOf(reply.body) },
      resource_ids: ['ent_4kYq8ZbT1mXcP'],
    })
    for (const query of ['outcome=failed', 'sub_type=NOT_FOUND', 'resource_id=ent_4kYq8ZbT1mXcP', 'source=api'])
      expect((await list(`${query}&page_limit=1`)).map(each => each['id'])).toEqual([id])
    expect((await list('outcome=succeeded')).map(each => each['id'])).not.toContain(id)
    expect(await list('source=console')).toEqual([])
    const about = 'resource_id=ent_4kYq8ZbT1mXcP'
    for (const query of ['outcome=failed', 'sub_type=NOT_FOUND', 'page=1'])
      expect((await list(`${about}&${query}&page_limit=1`)).map(each => each['id'])).toEqual([id])
    expect(await list(`${about}&outcome=succeeded`)).toEqual([])
    expect(await list(`${about}&sub_type=INVALID_AMOUNT`)).toEqual([])
    for (const more of ['resource_id=ent_4kYq8ZbT1mXcQ', 'source=api'])
      expect(rejectionOf(await service.call('GET', `/requests?${about}&${more}`))).toBe('INVALID_SEARCH_PARAMETERS')
  })

  it('is listed with the resource that it names, page by page', async () => {
    const about = 'ent_4kYq8ZbT1mXcZ'
    const ids: string[] = []
    for (let each = 0; each < 5; each += 1) {
      ids.unshift((await made('GET', `/entities/${about}`)).id)
      service.advance(1)
    }
    const get = (more: string) =>
      service.call('GET', `/requests?resource_id=${about}&page_limit=2${more}`, undefined, newest)
    const idsOf = ({ body }: Awaited<ReturnType<typeof get>>) => (body['data'] as { id: string }[]).map(row => row.id)
    const first = await get('')
    const second = await get(`&page_cursor=${first.headers.get('pagination-page-cursor-next')}`)
    const third = await get(`&page_cursor=${second.headers.get('pagination-page-cursor-next')}`)
    expect([idsOf(first), idsOf(second), idsOf(third)]).toEqual([ids.slice(0, 2), ids.slice(2, 4), ids.slice(4)])
    expect(idsOf(await get(`&page_cursor=${third.headers.get('pagination-page-cursor-prev')}`))).toEqual(
      ids.slice(2, 4),
    )
    expect((await get('&page=1')).headers.get('pagination-total-count')).toBe('5')
  })

  it('also shows a rejection on the other mount', async () => {
    const { id } = await made('GET', '/enveloped/entities/ent_4kYq8ZbT1mXcP')
    expect(await retrieve(id)).toMatchObject({
      sub_type: 'NOT_FOUND',
      response: { success: false, data: { error: { sub_type: 'NOT_FOUND' } } },
    })
  })

  it('is visible only to its own team', async () => {
    const { id } = await made('GET', '/entities')
    const other = await service.anotherTeam()
    const headers = { authorization: `Bearer ${other.key}`, ...newest }
    expect((await service.call('GET', `/requests/${id}`, undefined, headers)).status).toBe(404)
    expect((await service.call('GET', '/requests', undefined, headers)).body['data']).toEqual([])
  })
})

describe('bodies that are stored together', () => {
  /** Creates an entity for each key. Returns the ids of the requests, which are all in one batch. */
  async function madeBy(of: TestService, keys: readonly string[]): Promise<string[]> {
    const ids: string[] = []
    for (const key of keys) {
      const reply = await of.call('POST', '/entities', person, { ...newest, authorization: `Bearer ${key}` })
      ids.push(reply.headers.get('request-id')!)
    }
    return ids
  }
  const get = async (of: TestService, id: string, key: string) =>
    (await of.call('GET', `/requests/${id}`, undefined, { ...newest, authorization: `Bearer ${key}` })).body
  const rowsOf = (of: TestService) => of.store.reader.selectFrom('request_bodies').selectAll().execute()
  const stored = {
    request: expect.objectContaining({ type: 'individual' }),
    response: expect.objectContaining({ status: 'incomplete' }),
  }

  it('are separate for each team in a batch, and only that team can open them', async () => {
    const own = await testService()
    const other = await own.anotherTeam()
    const [first, second, third] = await madeBy(own, [own.key, other.key, own.key])
    await own.deps.requests.flush()
    expect(await get(own, first!, own.key)).toMatchObject(stored)
    expect(await get(own, second!, other.key)).toMatchObject(stored)
    expect(await get(own, third!, own.key)).toMatchObject(stored)
    const rows = await rowsOf(own)
    expect(rows.map(row => row.team_id).sort()).toEqual([own.team, other.team].sort())
    const [one, two] = await Promise.all([own.team, other.team].map(id => own.deps.teamOf(id)))
    const { id, sealed } = rows.find(row => row.team_id === own.team)!
    const opened = (team: typeof one, at: string) =>
      own.deps.vault.sealer(team!.id, team!.dataKey).unpack({ id: at, field: 'bodies' }, sealed)
    expect(Object.keys(JSON.parse(opened(one, id)))).toEqual([first, third])
    expect(() => opened(two, id)).toThrow()
    expect(() => opened(one, `${id}x`)).toThrow()
    expect(() => own.deps.vault.sealer(other.team, one!.dataKey).unpack({ id, field: 'bodies' }, sealed)).toThrow()
  })

  it('are readable, with their requests counted once, if a batch is written again after a lost commit', async () => {
    let losesCommit = false
    const own = await testService({
      store: inner => ({
        ...inner,
        async write(work) {
          const done = await inner.write(work)
          if (losesCommit) throw Object.assign(new Error('x'), { code: '40001' })
          return done
        },
      }),
    })
    const ids = await madeBy(own, [own.key, own.key])
    losesCommit = true
    await expect(own.deps.requests.flush()).rejects.toThrow()
    losesCommit = false
    // The next attempt writes the same batch plus one more request.
    ids.push(...(await madeBy(own, [own.key])))
    await own.deps.requests.flush()
    for (const id of ids) expect(await get(own, id, own.key)).toMatchObject(stored)
    const { body } = await own.call('GET', '/requests/stats', undefined, newest)
    expect(body['buckets']).toMatchObject([{ count: 3 }])
    const { id: team, dataKey } = (await own.deps.teamOf(own.team))!
    const opened = (await rowsOf(own)).map(({ id, sealed }) =>
      own.deps.vault.sealer(team, dataKey).unpack({ id, field: 'bodies' }, sealed),
    )
    expect(opened.flatMap(text => Object.keys(JSON.parse(text))).sort()).toEqual([...ids].sort())
  })

  it('are counted once if the first attempt commits while the batch is written again', async () => {
    let attempt: Parameters<TestService['store']['write']>[0] | 'lost' | undefined
    const own = await testService({
      store: inner => ({
        ...inner,
        async write(work) {
          if (attempt === 'lost') {
            attempt = work
            throw Object.assign(new Error('x'), { code: '40001' })
          }
          if (attempt) await inner.write(attempt)
          attempt = undefined
          return inner.write(work)
        },
      }),
    })
    // On SQLite, the result of a commit is always known.
    if (own.store.engine === 'postgres') {
      const [id] = await madeBy(own, [own.key])
      attempt = 'lost'
      await expect(own.deps.requests.flush()).rejects.toThrow()
      await expect(own.deps.requests.flush()).rejects.toThrow()
      await own.deps.requests.flush()
      expect(await get(own, id!, own.key)).toMatchObject(stored)
      const { body } = await own.call('GET', '/requests/stats', undefined, newest)
      expect(body['buckets']).toMatchObject([{ count: 1 }])
      expect(await own.deps.metrics.registry.metrics()).toContain('causeway_request_log_dropped_total 0')
    }
  })

  it('continue in another row when they are large', async () => {
    const own = await testService()
    const team = (await own.deps.teamOf(own.team))!
    const text = JSON.stringify({ type: 'individual', surprise: 'x'.repeat(16_000) })
    const ids = Array.from({ length: 12 }, (_, each) => `req_${String(each).padStart(20, '0')}`)
    for (const id of ids) own.deps.requests.add(logged(own, team, id, { method: 'POST', request: text }))
    await own.deps.requests.flush()
    expect(await rowsOf(own)).toHaveLength(2)
    for (const id of ids)
      expect(await get(own, id, own.key)).toMatchObject({ request: { type: 'individual' }, response: null })
  })

  it("from an earlier release are in their requests' rows, for 7 days", async () => {
    const own = await testService()
    const [id] = await madeBy(own, [own.key])
    await own.deps.requests.flush()
    const team = (await own.deps.teamOf(own.team))!
    const { seal } = own.deps.vault.sealer(team.id, team.dataKey)
    const [request, response] = (['request', 'response'] as const).map(field =>
      seal({ id: id!, field }, JSON.stringify({ type: field })),
    )
    await own.store.write(tx =>
      tx
        .updateTable('requests')
        .set({ bodies_id: null, request, response })
        .where('team_id', '=', own.team)
        .where('id', '=', id!)
        .execute(),
    )
    expect(await get(own, id!, own.key)).toMatchObject({ request: { type: 'request' }, response: { type: 'response' } })
    own.advance(7 * DAY_MS + 1)
    await sweep(own.deps)
    expect(await get(own, id!, own.key)).toMatchObject({ status: 200, request: null, response: null })
  })
})

describe('the cost of the request log', () => {
  it('a batch on PostgreSQL takes one statement, regardless of its size, and does not wait for the disk', async () => {
    let statements = 0
    let waits: unknown
    const counter: KyselyPlugin = {
      transformQuery: ({ node }) => node,
      async transformResult({ result }) {
        statements += 1
        return result
      },
    }
    const own = await testService({
      store: inner => ({
        ...inner,
        write: work =>
          inner.write(async tx => {
            const done = await work(tx.withPlugin(counter))
            if (inner.engine === 'postgres')
              waits = (await sql<{ synchronous_commit: string }>`show synchronous_commit`.execute(tx)).rows
            return done
          }),
      }),
    })
    const team = (await own.deps.teamOf(own.team))!
    const ids = Array.from({ length: 101 }, (_, each) => `req_${String(each).padStart(20, '0')}`)
    const refused = { params: { id: 'ent_4kYq8ZbT1mXcP' }, status: 404, response: '{}' }
    const counts: number[] = []
    for (const batch of [ids.slice(0, 1), ids.slice(1)]) {
      for (const id of batch) own.deps.requests.add(logged(own, team, id, refused))
      statements = 0
      await own.deps.requests.flush()
      counts.push(statements)
    }
    const isPostgres = own.store.engine === 'postgres'
    expect(counts).toEqual(isPostgres ? [1, 1] : [4, 22])
    expect(waits).toEqual(isPostgres ? [{ synchronous_commit: 'off' }] : undefined)
    const path = '/requests?resource_id=ent_4kYq8ZbT1mXcP&page=1'
    const { headers } = await own.call('GET', path, undefined, newest)
    expect(headers.get('pagination-total-count')).toBe('101')
  })

  it('a body over 16 kB is omitted', async () => {
    const { id } = await made('POST', '/entities', { ...person, metadata: { a: 'x'.repeat(20_000) } })
    expect(await retrieve(id)).toMatchObject({ status: 400, request: null })
  })

  it('requests that arrive during a write wait for the next one', async () => {
    let arrive = () => {}
    const own = await testService({
      store: inner => ({
        ...inner,
        write(work) {
          arrive()
          return inner.write(work)
        },
      }),
    })
    const team = (await own.deps.teamOf(own.team))!
    const late = `req_${'9'.repeat(20)}`
    own.deps.requests.add(logged(own, team, `req_${'1'.repeat(20)}`))
    let writes = 0
    arrive = () => {
      if (writes === 0) own.deps.requests.add(logged(own, team, late))
      writes += 1
    }
    await own.deps.requests.flush()
    expect(writes).toBe(1)
    const get = async () => (await own.call('GET', `/requests/${late}`, undefined, newest)).status
    expect(await get()).toBe(404)
    await own.deps.requests.flush()
    expect(await get()).toBe(200)
  })

  it('writes queued requests once the store works again', async () => {
    const other = await testService({
      store: inner => ({
        ...inner,
        write: work => (broken ? Promise.reject(Object.assign(new Error('x'), { code: '40001' })) : inner.write(work)),
      }),
    })
    let broken = false
    await other.call('GET', '/entities')
    broken = true
    await expect(other.deps.requests.flush()).rejects.toThrow()
    broken = false
    await other.deps.requests.flush()
    expect((await other.call('GET', '/requests')).body['data']).toHaveLength(1)
  })

  it('writes a full batch immediately, but waits for the timer after a failure', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    onTestFinished(() => void vi.useRealTimers())
    let broken = false
    let attempts = 0
    const other = await testService({
      store: inner => ({
        ...inner,
        write(work) {
          attempts += 1
          return broken ? Promise.reject(Object.assign(new Error('x'), { code: '40001' })) : inner.write(work)
        },
      }),
    })
    const team = (await other.deps.teamOf(other.team))!
    const stop = other.deps.requests.start()
    attempts = 0
    let added = 0
    const add = (count: number) => {
      for (const last = added + count; added < last; added += 1)
        other.deps.requests.add(logged(other, team, `req_${String(added).padStart(20, '0')}`))
    }
    const stored = async (count: number) =>
      vi.waitFor(async () =>
        expect((await other.store.reader.selectFrom('requests').select('id').execute()).length).toBe(count),
      )
    const turns = async () => {
      for (let turn = 0; turn < 3; turn += 1) await new Promise(setImmediate)
    }
    add(99)
    await turns()
    expect(attempts).toBe(0)
    add(1)
    // The batch must not delay the response to the request that filled it.
    expect(attempts).toBe(0)
    await stored(100)
    expect(attempts).toBe(1)
    broken = true
    add(100)
    await turns()
    expect(attempts).toBe(2)
    add(200)
    await turns()
    expect(attempts).toBe(2)
    broken = false
    vi.advanceTimersByTime(1_000)
    await stored(400)
    await stop()
  })

  it('counts the requests that it drops when too many are queued, and writes the rest on an orderly stop', async () => {
    const other = await testService()
    await other.call('GET', '/entities')
    const [sample] = await other.store.reader.selectFrom('teams').selectAll().execute()
    const team = (await other.deps.teamOf(sample!.id))!
    const stop = other.deps.requests.start()
    for (let each = 0; each < 5_010; each += 1)
      other.deps.requests.add(logged(other, team, `req_0000000${String(each).padStart(13, '0')}`))
    await stop()
    const { count } = await other.store.reader
      .selectFrom('requests')
      .select(query => query.fn.countAll<number>().as('count'))
      .where('team_id', '=', team.id)
      .executeTakeFirstOrThrow()
    expect(Number(count)).toBe(5_000)
    expect(await other.deps.metrics.registry.metrics()).toContain('causeway_request_log_dropped_total 11')
  })
})

describe('statistics of requests', () => {
  it('count requests by hour, with times and errors', async () => {
    const other = await testService()
    for (const path of ['/entities', '/entities', '/entities/ent_x'])
      await other.call('GET', path, undefined, { 'service-version': NEWEST })
    other.advance(3_600_000)
    await other.call('GET', '/entities', undefined, { 'service-version': NEWEST })
    await other.deps.requests.flush()
    const { body } = await other.call('GET', '/requests/stats', undefined, { 'service-version': NEWEST })
    expect(body).toMatchObject({
      bucket: 'hour',
      buckets: [
        { at: '2026-03-02T15:00:00.000Z', count: 3, by_status: { '2xx': 2, '4xx': 1, '5xx': 0 } },
        { at: '2026-03-02T16:00:00.000Z', count: 1, by_status: { '2xx': 1, '4xx': 0, '5xx': 0 } },
      ],
      top_errors: [{ sub_type: 'NOT_FOUND', count: 1 }],
    })
    // Statistics come from the stored counts, so deleting the log doesn't change them.
    await other.store.write(tx => tx.deleteFrom('requests').where('team_id', '=', other.team).execute())
    const days = await other.call('GET', '/requests/stats?bucket=day&from_date=2026-03-01&to_date=2026-03-02')
    expect(days.body['buckets']).toMatchObject([{ at: '2026-03-02T00:00:00.000Z', count: 4 }])
    const wide = await other.call('GET', '/requests/stats?from_date=2026-01-01&to_date=2026-03-02')
    expect([wide.status, rejectionOf(wide)]).toEqual([400, 'INVALID_REQUEST'])
  })
})

it('bodies are kept for 7 days, and requests for 30 days', async () => {
  const { id } = await made('GET', '/entities/ent_4kYq8ZbT1mXcP')
  service.advance(7 * DAY_MS + 1)
  await sweep(service.deps)
  expect(await retrieve(id)).toMatchObject({ status: 404, response: null })
  expect(await service.store.reader.selectFrom('request_bodies').select('id').execute()).toEqual([])
  service.advance(23 * DAY_MS)
  await sweep(service.deps)
  expect((await service.call('GET', `/requests/${id}`, undefined, newest)).status).toBe(404)
  const { count } = await service.store.reader
    .selectFrom('request_refs')
    .select(query => query.fn.countAll<number>().as('count'))
    .where('team_id', '=', service.team)
    .where('request_id', '=', id)
    .executeTakeFirstOrThrow()
  expect(Number(count)).toBe(0)
})
