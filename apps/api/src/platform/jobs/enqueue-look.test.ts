import { beforeEach, expect, it } from 'vitest'
import { type TestService, testService } from '../../testing/service.js'
import { transact } from '../scope.js'
import { enqueueLook } from './enqueue-look.js'

let service: TestService
beforeEach(async () => {
  service = await testService({})
})

const jobs = () =>
  service.store.reader.selectFrom('jobs').selectAll().where('kind', '=', 'payment.look').orderBy('created_at').execute()

async function look(payment: string): Promise<void> {
  const team = (await service.deps.teamOf(service.team))!
  await transact(service.deps, team, scope => enqueueLook(scope, 'payment.look', ['payment', payment]))
}

async function change(set: { lease_owner?: string; run_at?: number }): Promise<void> {
  await service.store.write(tx =>
    tx.updateTable('jobs').set(set).where('team_id', '=', service.team).where('kind', '=', 'payment.look').execute(),
  )
}

it('queues one job for each resource, however often it is reported', async () => {
  for (const payment of ['pmt_1', 'pmt_2', 'pmt_1', 'pmt_1']) await look(payment)
  expect((await jobs()).map(each => each.payload)).toEqual(['{"payment":"pmt_1"}', '{"payment":"pmt_2"}'])
})

// kills: running-look-does-not-count
it('queues one more job while a job is running', async () => {
  await look('pmt_1')
  await change({ lease_owner: 'worker' })
  await look('pmt_1')
  await look('pmt_1')
  expect(await jobs()).toHaveLength(2)
  await change({ lease_owner: 'worker' })
  await look('pmt_1')
  expect(await jobs()).toHaveLength(3)
})

it('starts a job now that would have started later', async () => {
  await look('pmt_1')
  await change({ run_at: service.deps.clock() + 60_000 })
  await look('pmt_1')
  expect((await jobs()).map(each => each.run_at)).toEqual([service.deps.clock()])
})
