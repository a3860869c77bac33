import { OutsideError } from '@causeway/connector/ports/outside-error'
import { describe, expect, it, vi } from 'vitest'
import { createOps } from '../../main/listeners/ops.js'
import { writeJson } from '../../platform/db/json.js'
import { lender } from '../../testing/money.js'
import { freshStore, testService } from '../../testing/service.js'
import { checkLedger } from './check.js'
import { watchLedger } from './periodic-check.js'

const service = await testService()
const bank = lender(service)
const source = (await bank.source()).id
const good: Record<string, unknown> = {
  amount: 5_000,
  source,
  destination: (await bank.debts()).accounts[0]!.id,
  description: 'x',
}

const pay = async () => (await bank.must('POST', '/payments', good)).id
const advance = (by: string) => bank.must('POST', '/simulate/clock', { advance: by })
const faults = async () => (await checkLedger(service.deps)).faults.map(fault => [fault.payment_id, fault.what])
const posted = async (id: string) =>
  (
    await service.store.reader
      .selectFrom('ledger')
      .select(['leg', 'account', 'amount'])
      .where('payment_id', '=', id)
      .orderBy('created_at')
      .orderBy('leg')
      .execute()
  ).map(({ leg, account, amount }) => [leg, account, amount])

describe('the ledger', () => {
  // kills: transitions-are-posted
  it('records the postings of every move, and agrees with payments, reversals and the rail', async () => {
    const id = await pay()
    expect(await posted(id)).toEqual([])
    await advance('P1D')
    await advance('P7D')
    const { source, destination } = good
    expect((await posted(id)).sort()).toEqual(
      [
        ['processing.0', source, -5_000],
        ['processing.1', 'clearing', 5_000],
        ['sent.0', 'transit', 5_000],
        ['sent.1', 'clearing', -5_000],
        ['posted.0', destination, 5_000],
        ['posted.1', 'transit', -5_000],
      ].sort(),
    )
    expect(await checkLedger(service.deps)).toMatchObject({ ok: true, payments: 1, asked: 1, faults: [] })
  })

  it('is not read after the check is stopped', async () => {
    expect(await checkLedger(service.deps, { isStopped: () => true })).toMatchObject({ ok: true, payments: 0 })
  })

  it('finds payments and postings of a nonexistent team', async () => {
    const { store, remove } = await freshStore()
    const rows = await service.store.reader.selectFrom('payments').selectAll().limit(1).execute()
    const postings = await service.store.reader.selectFrom('ledger').selectAll().limit(1).execute()
    await store.write(async tx => {
      await tx
        .insertInto('teams')
        .values(await service.store.reader.selectFrom('teams').selectAll().executeTakeFirstOrThrow())
        .execute()
      await tx
        .insertInto('ledger')
        .values(postings.map(row => ({ ...row, team_id: 'team_no_posting' })))
        .execute()
      await tx
        .insertInto('payments')
        .values(rows.map(row => ({ ...row, team_id: 'team_none', payment_instrument: 'x' })))
        .execute()
    })
    const { faults } = await checkLedger({ ...service.deps, store })
    expect(faults.map(fault => [fault.team_id, fault.what])).toEqual(
      expect.arrayContaining([
        ['team_no_posting', 'postings of a payment that does not exist'],
        ['team_none', 'payments of a team that does not exist'],
      ]),
    )
    await store.close()
    await remove()
  })

  it('is append-only in the database', async () => {
    const change = () => service.store.write(tx => tx.updateTable('ledger').set({ amount: 1 }).execute())
    const remove = () => service.store.write(tx => tx.deleteFrom('ledger').execute())
    await expect(change()).rejects.toThrow('append-only')
    await expect(remove()).rejects.toThrow('append-only')
  })

  it('rejects a second posting of the same leg of a move', async () => {
    const [row] = await service.store.reader.selectFrom('ledger').selectAll().limit(1).execute()
    await expect(service.store.write(tx => tx.insertInto('ledger').values(row!).execute())).rejects.toThrow()
  })
})

describe('the ledger check', () => {
  it('finds a payment whose status was changed directly in the database', async () => {
    const id = await pay()
    await service.store.write(tx =>
      tx.updateTable('payments').set({ status: 'posted', simulated: 1 }).where('id', '=', id).execute(),
    )
    expect(await faults()).toEqual([[id, expect.stringContaining('posted has other postings')]])
    await service.store.write(tx =>
      tx.updateTable('payments').set({ status: 'canceled' }).where('id', '=', id).execute(),
    )
    expect(await faults()).toEqual([])
  })

  it('finds a payment that only the rail moved, after an hour, and one that only the service moved', async () => {
    const behind = await pay()
    await service.store.write(tx => tx.deleteFrom('jobs').execute())
    await advance('PT30M')
    expect(await faults()).toEqual([])
    await advance('P3D')
    expect(await faults()).toEqual([[behind, 'the payment is pending, and the rail has reported posted for an hour']])
    await service.store.write(tx => tx.updateTable('payments').set({ simulated: 1 }).where('id', '=', behind).execute())
    await advance('PT1H')
    const ahead = await pay()
    await bank.must('POST', `/simulate/payments/${ahead}`, { status: 'processing' })
    expect(await faults()).toEqual([])
    await service.store.write(tx => tx.updateTable('payments').set({ simulated: 0 }).where('id', '=', ahead).execute())
    expect(await faults()).toEqual([[ahead, 'the payment is processing, and the rail reports pending']])
    await service.store.write(tx => tx.updateTable('payments').set({ simulated: 1 }).where('id', '=', ahead).execute())
  })

  it('does not report a payment whose move is merely late', async () => {
    await pay()
    service.advance(3 * 86_400_000)
    expect(await faults()).toEqual([])
    await service.settle()
    expect(await faults()).toEqual([])
  })

  it('does not report a payment whose job failed and waits to be retried', async () => {
    const id = await pay()
    await service.settle()
    service.advance(3 * 86_400_000)
    const put = (change: { run_at: number; attempts: number; failures: number }) =>
      service.store.write(tx =>
        tx
          .updateTable('jobs')
          .set(change)
          .where('payload', '=', writeJson({ payment: id }))
          .execute(),
      )
    await put({ run_at: service.deps.clock() + 600_000, attempts: 8, failures: 8 })
    expect(await faults()).toEqual([])
    for (const attempts of [0, 100]) {
      await put({ run_at: service.deps.clock() + 600_000, attempts, failures: attempts })
      expect(await faults()).toEqual([[id, 'the payment is pending, and the rail has reported posted for an hour']])
    }
    await put({ run_at: service.deps.clock(), attempts: 0, failures: 0 })
    await service.settle()
  })

  it('finds postings without a payment, and exposes a metric', async () => {
    const watch = watchLedger(service.deps)
    await expect.poll(() => watch.last()).not.toBeNull()
    await watch.stop()
    const metrics = async (last: ReturnType<typeof watchLedger>) =>
      (await createOps(service.deps, () => true, last)(new Request('http://ops/metrics'))).text()
    expect(await metrics(watch)).toContain('causeway_ledger_faults 0\n')
    const stray = { payment_id: 'pmt_stray', leg: 'sent.0', team_id: service.team, account: 'transit', amount: 5 }
    await service.store.write(tx =>
      tx
        .insertInto('ledger')
        .values({ ...stray, created_at: 0 })
        .execute(),
    )
    expect(await faults()).toEqual([['pmt_stray', 'postings of a payment that does not exist']])
  })

  it('runs every ten minutes, and skips a run while the previous one is in progress', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    let begun = 0
    let gate = Promise.resolve()
    const behind: typeof service.store.behind = async read => {
      begun++
      await gate
      return service.store.behind(read)
    }
    const deps = { ...service.deps, store: { ...service.store, behind } }
    await checkLedger(deps, { trackedOnly: true, whileServing: true })
    const once = begun
    let finish = () => {}
    gate = new Promise<void>(resolve => {
      finish = resolve
    })
    const watch = watchLedger(deps)
    try {
      await expect.poll(() => begun).toBe(once + 1)
      vi.advanceTimersByTime(30 * 60_000)
      finish()
      await expect.poll(() => watch.last()).not.toBeNull()
      expect(begun).toBe(2 * once)
      // The first check may still be storing its result, so the next check may have to wait for another interval.
      await expect
        .poll(() => {
          vi.advanceTimersByTime(10 * 60_000)
          return begun
        })
        .toBeGreaterThanOrEqual(3 * once)
    } finally {
      vi.useRealTimers()
      await watch.stop()
    }
  })

  it('pauses in proportion to its own work, not to the time spent waiting for the rail', async () => {
    for (let count = 0; count < 2; count++) await pay()
    const { rail } = service.deps.ports
    // The rail is slow, but the time spent waiting for it must not count as work.
    const status: typeof rail.status = async call => {
      await new Promise(resolve => setTimeout(resolve, 200))
      return rail.status(call)
    }
    const ports = { ...service.deps.ports, rail: { ...rail, status } }
    const deps = Object.assign(Object.create(service.deps) as typeof service.deps, { ports })
    // Each time the event loop's clock is read, it reports another 10 ms of work, however fast the machine is.
    const loop = performance.eventLoopUtilization()
    let active = loop.active
    vi.spyOn(performance, 'eventLoopUtilization').mockImplementation(() => {
      active += 10
      return { ...loop, active }
    })
    const timers = vi.spyOn(globalThis, 'setTimeout')
    const { asked } = await checkLedger(deps, { trackedOnly: true, whileServing: true })
    const lengths = timers.mock.calls.map(([, ms]) => ms ?? 0)
    timers.mockRestore()
    expect(asked).toBeGreaterThan(1)
    // If waiting counted as work, the pause after two responses from the rail would be 3,600 ms. Timeouts of 5,000 ms
    // or more belong to the database driver.
    expect(lengths.filter(ms => ms > 2_000 && ms < 5_000)).toEqual([])
  })

  it('stops querying an unavailable rail after three payments, and ends when it is stopped', async () => {
    for (let count = 0; count < 5; count++) await pay()
    let asked = 0
    const status = async () => {
      asked++
      throw new OutsideError('connection refused')
    }
    const ports = { ...service.deps.ports, rail: { ...service.deps.ports.rail, status } }
    const deps = Object.assign(Object.create(service.deps) as typeof service.deps, { ports })
    const report = await checkLedger(deps)
    expect(asked).toBe(3)
    expect(report.unanswered).toBeGreaterThanOrEqual(5)
    const stopped = await checkLedger(deps, { isStopped: () => asked > 3 })
    expect([asked, stopped.unanswered]).toEqual([4, 1])
  })
})

describe('a ledger check', () => {
  it("reports no faults while a team's clock moves", async () => {
    const id = await pay()
    const before = await service.deps.teamOf(service.team)
    await advance('P1D')
    // Simulates a check that reads the team before the clock advances and reads the payments afterward.
    let asked = 0
    const teamOf = async (id: string) => (asked++ === 0 ? before : service.deps.teamOf(id))
    const report = await checkLedger({ ...service.deps, teamOf })
    expect(report.faults.filter(fault => fault.payment_id === id)).toEqual([])
    expect(asked).toBeGreaterThan(1)
  })
})
