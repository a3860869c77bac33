import { operator as declared } from '@causeway/contract/endpoints/console'
import { describe, expect, it, onTestFinished } from 'vitest'
import { watchLedger } from '../money/ledger/periodic-check.js'
import { consoleOf } from '../testing/console.js'
import { lender } from '../testing/money.js'
import { testService } from '../testing/service.js'

const service = await testService()
const { send, signedIn, operator } = consoleOf(service)
const { cookie, user } = await operator()
const session = user['id'] as string
const bank = lender(service)
const payment = { source: (await bank.source()).id, destination: (await bank.debts()).accounts[0]!.id }

const read = async (path: string) => {
  const reply = await send('GET', `/api/operator/${path}`, { cookie })
  expect(reply.status, reply.text).toBe(200)
  return reply.body as Record<string, unknown> & { data: Record<string, unknown>[]; next_cursor: string | null }
}
const post = (path: string, body: object, as = cookie) => send('POST', `/api/operator/${path}`, { cookie: as, body })
/**
 * Creates a payment.
 * @returns the rejection, or null if there was none
 */
async function pay(): Promise<string | null> {
  const { body } = await service.call('POST', '/payments', { amount: 5_000, description: 'x', ...payment })
  return (body['error'] as { sub_type: string } | null)?.sub_type ?? null
}
const reason = 'The rail reports wrong amounts'

// kills: operator-endpoints
it('rejects users who are not operators, and the API has none of its endpoints', async () => {
  const { cookie: admin } = await signedIn()
  for (const { method, path } of Object.values(declared)) {
    const reply = await send(method, `/api${path.replace(':job_id', 'job_1')}`, {
      cookie: admin,
      body: { team: 'all', confirm: 'STOP ALL', reason },
    })
    expect([path, reply.status]).toEqual([path, 403])
    const bare = await service.app.api.request(path, {
      method,
      headers: { authorization: `Bearer ${service.key}` },
    })
    expect([path, bare.status]).toEqual([path, 404])
  }
})

/** Returns the request ids in the audit log for an action on the team. */
const causes = async (action: string) =>
  (
    await service.store.reader
      .selectFrom('audit')
      .select('request_id')
      .where('team_id', '=', service.team)
      .where('action', '=', action)
      .execute()
  ).map(row => row.request_id)

describe('payments', () => {
  it('of a team stop and start after its name is typed', async () => {
    const body = { team: service.team, confirm: 'Northwind Lending', reason }
    const wrong = await post('payments/stop', { ...body, confirm: 'northwind' })
    expect([wrong.status, wrong.text.includes('Northwind Lending')]).toEqual([400, true])
    expect(await pay()).toBeNull()
    const stopped = await post('payments/stop', body)
    const at = new Date(service.deps.clock()).toISOString()
    expect(stopped.body).toEqual({ team: service.team, stopped_at: at, still_stopped: true })
    expect(await pay()).toBe('PAYMENTS_STOPPED')
    expect(await read('health')).toMatchObject({ payments_stopped: null, teams_stopped: 1 })
    const banner = await send('GET', '/api/session', { cookie })
    expect(banner.body['payments_stopped']).toEqual({ scope: 'team', since: at })
    const started = await post('payments/start', body)
    expect(started.body).toEqual({ team: service.team, stopped_at: null, still_stopped: false })
    expect(await pay()).toBeNull()
    const { data } = await read(`audit?team=${service.team}`)
    expect(data.slice(0, 5)).toContainEqual(
      expect.objectContaining({ action: 'payments.stop', actor: session, reason, resource_id: service.team }),
    )
    expect(await causes('payments.stop')).toEqual([stopped.headers.get('request-id')])
  })

  it('of all teams stop and start after different words are typed, independently of a team’s stop', async () => {
    const team = { team: service.team, confirm: 'Northwind Lending', reason }
    await post('payments/stop', team)
    expect((await post('payments/stop', { team: 'all', confirm: 'START ALL', reason })).status).toBe(400)
    expect((await post('payments/stop', { team: 'all', confirm: 'STOP ALL', reason })).status).toBe(200)
    expect(await read('health')).toMatchObject({ payments_stopped: expect.any(String), teams_stopped: 1 })
    expect((await post('payments/start', team)).body).toMatchObject({ stopped_at: null, still_stopped: true })
    expect(await pay()).toBe('PAYMENTS_STOPPED')
    // The order of entries recorded in the same millisecond is not guaranteed.
    service.advance(1)
    await post('payments/start', { team: 'all', confirm: 'START ALL', reason })
    expect(await read('health')).toMatchObject({ payments_stopped: null, teams_stopped: 0 })
    const { data } = await read('audit')
    expect(data.map(each => [each['action'], each['reason']]).slice(0, 2)).toEqual([
      ['payments.start', reason],
      ['payments.stop', reason],
    ])
  })

  it('of all teams accept two simultaneous stops, and keep the time of the first', async () => {
    const body = { team: 'all', confirm: 'STOP ALL', reason }
    const replies = await Promise.all([1, 2].map(() => post('payments/stop', body)))
    expect(replies.map(each => each.status)).toEqual([200, 200])
    const since = (await read('health'))['payments_stopped']
    service.advance(1_000)
    await post('payments/stop', body)
    expect((await read('health'))['payments_stopped']).toBe(since)
    await post('payments/start', { ...body, confirm: 'START ALL' })
    expect(await read('health')).toMatchObject({ payments_stopped: null })
  })

  it('of an unknown team return 404', async () => {
    const body = { team: 'team_0000000000000', confirm: 'x', reason }
    expect((await post('payments/stop', body)).status).toBe(404)
  })
})

/** Adds 60 dead jobs, whose ids are returned, and `job_live`. They are deleted at the end of the test. */
async function addJobs(): Promise<string[]> {
  const at = service.deps.clock()
  const row = (id: string, state: 'ready' | 'dead') => ({
    id,
    team_id: service.team,
    kind: 'entity.match',
    payload: '{}' as never,
    state,
    run_at: at + 1e9,
    clocked: 0,
    attempts: 20,
    claims: 20,
    failures: 20,
    takeovers: 0,
    last_error: 'Error',
    created_at: at,
  })
  const ids = Array.from({ length: 60 }, (_, index) => `job_${String(index).padStart(3, '0')}`)
  await service.store.write(tx =>
    tx
      .insertInto('jobs')
      .values([...ids.map(id => row(id, 'dead')), row('job_live', 'ready')])
      .execute(),
  )
  onTestFinished(async () => {
    await service.store.write(tx => tx.deleteFrom('jobs').where('team_id', '=', service.team).execute())
  })
  return ids
}

it('lists dead jobs, the latest first', async () => {
  const ids = await addJobs()
  const first = await read('jobs')
  const second = await read(`jobs?page_cursor=${first.next_cursor}`)
  expect([...first.data, ...second.data].map(each => each['id'])).toEqual(ids.toReversed())
  expect(second.next_cursor).toBeNull()
  expect(first.data[0]).toMatchObject({ team_id: service.team, kind: 'entity.match', attempts: 20 })
  // Counts are cached for up to a minute.
  service.advance(60_000)
  expect((await read('health'))['jobs']).toMatchObject({ dead: 60 })
})

it('retries a dead job once, and the audit log names the request', async () => {
  await addJobs()
  const done = await post('jobs/job_059/retry', { team: service.team })
  expect(done.body).toEqual({ id: 'job_059', team_id: service.team, state: 'ready' })
  expect((await read(`audit?team=${service.team}`)).data[0]).toMatchObject({ action: 'job.retry', actor: session })
  expect(await causes('job.retry')).toEqual([done.headers.get('request-id')])
  expect((await post('jobs/job_059/retry', { team: service.team })).status).toBe(404)
  expect((await read('jobs')).data[0]).toMatchObject({ id: 'job_058' })
})

it('retries neither a live job nor a job of another team', async () => {
  await addJobs()
  expect((await post('jobs/job_live/retry', { team: service.team })).status).toBe(404)
  const other = (await service.anotherTeam()).team
  expect((await post('jobs/job_059/retry', { team: other })).status).toBe(404)
  expect((await read('jobs')).data[0]).toMatchObject({ id: 'job_059' })
})

it('checks the ledger on request, and shows the last scheduled check of any process', async () => {
  const checked = await post('ledger/checks', {})
  expect(checked.body).toMatchObject({ ok: true, complete: true, faulty: 0, faults: [] })
  expect(await read('health')).toMatchObject({ ledger: null })
  const watch = watchLedger(service.deps)
  await expect.poll(() => watch.last()).not.toBeNull()
  await watch.stop()
  const at = new Date(service.deps.clock()).toISOString()
  await expect.poll(async () => (await read('health'))['ledger']).toMatchObject({ ok: true, faulty: 0, at })
})

it('lists all teams in pages', async () => {
  for (let count = 0; count < 55; count++) await service.anotherTeam()
  const first = await read('teams')
  const second = await read(`teams?page_cursor=${first.next_cursor}`)
  const ids = [...first.data, ...second.data].map(each => each['id'])
  expect([first.data.length, new Set(ids).size, ids.includes(service.team)]).toEqual([50, ids.length, true])
  const wrong = await send('GET', '/api/operator/teams?page_cursor=;', { cookie })
  expect(wrong.status).toBe(400)
})

it('returns the responses that its endpoints declare', async () => {
  for (const [path, { answer }] of [
    ['health', declared.retrieveHealth],
    ['jobs', declared.listDeadJobs],
    ['audit', declared.listAudit],
    ['teams', declared.listTeams],
  ] as const)
    answer.parse(await read(path))
  for (const { answer, example } of Object.values(declared)) answer.parse(example.answer)
})
