/** The runs that compare the statement of Increase's emulator with the store: scheduled, interrupted, and continued. */
import { reconciliation as declared } from '@causeway/contract/endpoints/console-reconciliation'
import { DAY_MS } from '@causeway/contract/time'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { bankService } from '../../testing/bank.js'
import { consoleOf } from '../../testing/console.js'
import { comparePages, emptyProgress } from './reconcile.js'
import { scheduleReconciliations, watchStatements } from './schedule.js'

let isDown = (_path: string) => false
let isRejecting = false
const bank = await bankService({
  network: answer => async request => {
    const { pathname } = new URL(request.url)
    if (isDown(pathname)) throw new TypeError('fetch failed')
    return isRejecting ? new Response('{}', { status: 401 }) : answer(request)
  },
})
const { service, emulator, team, sendAsOperator, compare, runs } = bank
const { send, signedIn } = consoleOf(service)

beforeAll(async () => {
  await team.must('PATCH', '/team', { ach_destinations: true })
  const [source, destination] = [(await team.source()).id, (await team.source('1000001')).id]
  await team.must('POST', '/payments', { amount: 5_000, source, destination, description: 'x' })
  await service.settle()
})

describe('a run', () => {
  it('that the provider interrupts is repeated, and never complete before its last page', async () => {
    for (let index = 0; index < 120; index++)
      emulator.bank.post(emulator.accounts[0]!, -1, 'x', { category: 'fee_payment', transfer: '' })
    let pages = 0
    isDown = path => path === '/transactions' && ++pages > 1
    await compare()
    const run = (await runs())[0]!
    expect(run).toMatchObject({ status: 'scheduled', ended_at: null, result: null })
    expect(pages).toBeGreaterThan(1)
    isDown = () => true
    for (let attempts = 0; attempts < 10; attempts++) {
      service.advance(15 * 60_000)
      await service.settle()
    }
    expect((await runs())[0]).toMatchObject({ id: run['id'], status: 'failed', result: null })
    isDown = () => false
    service.advance(2 * 60 * 60_000)
    await service.settle()
    expect((await runs())[0]).toMatchObject({
      id: run['id'],
      status: 'complete',
      result: { lines: expect.any(Number) },
    })
  })

  it('records that the provider rejects the key, and that it accepts the key again', async () => {
    const rejectedAt = async () => {
      const query = service.store.reader.selectFrom('provider_states').select('rejected_key_at')
      return (await query.where('provider', '=', 'increase').executeTakeFirst())?.rejected_key_at ?? null
    }
    isRejecting = true
    expect(await compare()).toMatchObject({ status: 'failed', result: null })
    expect(await rejectedAt()).toBe(service.deps.clock())
    isRejecting = false
    service.advance(60 * 60_000)
    await service.settle()
    expect((await runs())[0]).toMatchObject({ status: 'complete' })
    expect(await rejectedAt()).toBeNull()
  })

  it('continues after each part as if it had not stopped', async () => {
    const [source] = service.deps.statements
    const now = service.deps.clock()
    const day = (at: number) => new Date(at).toISOString().slice(0, 10)
    const input = {
      ...{ source: source!, team: { id: service.team, clockOffset: 0 } },
      ...{ from: day(now - 7 * DAY_MS), to: day(now), resourcesSince: 0 },
    }
    const whole = await comparePages(service.deps, input, emptyProgress())
    let progress = emptyProgress()
    let parts = 0
    do {
      progress = JSON.parse(JSON.stringify(await comparePages(service.deps, input, progress, 0)))
      parts++
    } while (progress.cursor !== null)
    expect(parts).toBeGreaterThan(1)
    expect(progress).toEqual(whole)
  })

  // kills: one-process-schedules
  it('is scheduled once a day by one of several processes', async () => {
    await compare()
    const count = (await runs()).length
    const other = service.another()
    const search = { team: null, provider: null, dueBefore: service.deps.clock() - DAY_MS }
    const load = vi.spyOn(service.deps, 'teamOf')
    await scheduleReconciliations(service.deps, search)
    // A team whose comparison is not due costs no transaction.
    expect(load).not.toHaveBeenCalled()
    load.mockRestore()
    expect(await runs()).toHaveLength(count)
    service.advance(DAY_MS)
    const due = { ...search, dueBefore: service.deps.clock() - DAY_MS }
    await Promise.all([scheduleReconciliations(service.deps, due), scheduleReconciliations(other.deps, due)])
    await service.settle()
    await scheduleReconciliations(other.deps, { ...due, team: service.team })
    await service.settle()
    expect(await runs()).toHaveLength(count + 1)
    expect((await runs())[0]).toMatchObject({ status: 'complete' })
    service.advance(DAY_MS)
    const stop = watchStatements(service.deps)
    await vi.waitFor(async () => expect(await runs()).toHaveLength(count + 2))
    await stop()
  })

  it('of an unknown team or provider is refused', async () => {
    const start = async (body: object) => (await sendAsOperator('POST', 'reconciliations', body)).status
    expect(await start({ team: 'team_0000000000000' })).toBe(404)
    expect(await start({ team: 'all', provider: 'twilio' })).toBe(400)
  })

  it('shows operators only', async () => {
    const { cookie: admin } = await signedIn()
    for (const { method, path } of Object.values(declared)) {
      const { status } = await send(method, `/api${path.replace(':rex_id', 'rex_1')}`, { cookie: admin, body: {} })
      expect([path, status]).toEqual([path, 403])
    }
  })
})
