import type { Ports } from '@causeway/connector/ports/ports'
import { HOUR_MS } from '@causeway/contract/time'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { advanceTeamClock } from '../../team/teams/store.js'
import { lender } from '../../testing/money.js'
import { testService } from '../../testing/service.js'
import type { Store } from '../db/types.js'

let asked = () => {}
const isAsked = new Promise<void>(resolve => {
  asked = resolve
})
let answer = () => {}
const mayAnswer = new Promise<void>(resolve => {
  answer = resolve
})
let moving = false
let reported = () => {}
/** Resolves when the job begins to save its outcome, while the clock is being moved. */
const isReported = new Promise<void>(resolve => {
  reported = resolve
})
const ports = (given: Ports): Ports => ({
  ...given,
  rail: {
    ...given.rail,
    async submit(call) {
      asked()
      await mayAnswer
      return given.rail.submit(call)
    },
  },
})
const store = (given: Store): Store => ({
  ...given,
  write(work) {
    if (moving) reported()
    return given.write(work)
  },
})
const service = await testService({ ports, store })

/**
 * Resolves when a transaction is waiting for another transaction's lock. Not needed on SQLite, where all other writers
 * wait anyway.
 */
async function isBlocked(): Promise<void> {
  const waiting = sql<{ pid: number }>`select pid from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`
  while ((await waiting.execute(service.store.reader)).rows.length === 0);
}

it('a job that reschedules itself while the clock is moved runs again at the right time', async () => {
  const bank = lender(service)
  const source = (await bank.source()).id
  const destination = (await bank.debts()).accounts[0]!.id
  await bank.must('POST', '/payments', { amount: 5_000, source, destination, description: 'x' })
  const settled = service.settle()
  await isAsked
  // Does the same as `/simulate/clock`, but keeps the transaction open until the job's own transaction waits for it.
  await service.store.write(async tx => {
    await advanceTeamClock(tx, service.team, HOUR_MS)
    await tx
      .updateTable('jobs')
      .set({ run_at: sql<number>`run_at - ${HOUR_MS}` })
      .where('clocked', '=', 1)
      .execute()
    moving = true
    answer()
    await isReported
    if (service.store.engine === 'postgres') await isBlocked()
    moving = false
  })
  await settled
  const [job] = await service.store.reader
    .selectFrom('jobs')
    .select('run_at')
    .where('kind', '=', 'payment.follow')
    .execute()
  expect(new Date(Number(job?.run_at) + HOUR_MS).toISOString()).toBe('2026-03-02T16:30:00.000Z')
})
