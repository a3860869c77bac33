import { beforeEach, expect, it } from 'vitest'
import { consoleOf } from '../../testing/console.js'
import { someone } from '../../testing/frame.js'
import { testService } from '../../testing/service.js'
import { createOps } from '../listeners/ops.js'
import { type CheckInput, checks } from './doctor-checks.js'

const service = await testService()
const { send, operator } = consoleOf(service)
const cookie = (await operator()).cookie
const hook = { type: 'entity.create', url: 'https://hooks.example.com/one', hmac_secret: 'a secret of the receiver' }
expect((await service.call('POST', '/webhooks', hook)).status).toBe(200)
await someone(service, '+15125550101')
// Counts are cached for up to a minute.
beforeEach(() => service.advance(60_000))

/** Returns what the operator sees: in the metrics, on the operations page and in the output of `doctor`. */
async function shown() {
  const metrics = await (await createOps(service.deps, () => true)(new Request('http://ops/metrics'))).text()
  const health = (await send('GET', '/api/operator/health', { cookie })).body as unknown as {
    jobs: { missing: number }
  }
  const { store } = service
  const doctor = await checks.find(({ name }) => name === 'jobs')!.run({ store } as CheckInput)
  return {
    metric: Number(/^causeway_jobs_missing (\d+)$/m.exec(metrics)?.[1]),
    page: health.jobs.missing,
    doctor: doctor.message,
  }
}

it('a pending delivery with a live job is not counted as missing its job', async () => {
  const pending = await service.store.reader
    .selectFrom('deliveries')
    .select('id')
    .where('team_id', '=', service.team)
    .where('status', '=', 'pending')
    .execute()
  expect(pending).toHaveLength(1)
  expect(await shown()).toMatchObject({ metric: 0, page: 0 })
})

it('a pending delivery whose job was given up is counted', async () => {
  const setState = (state: 'dead' | 'ready') =>
    service.store.write(tx =>
      tx
        .updateTable('jobs')
        .set({ state })
        .where('team_id', '=', service.team)
        .where('kind', '=', 'webhook.deliver')
        .execute(),
    )
  await setState('dead')
  expect(await shown()).toMatchObject({ metric: 1, page: 1, doctor: expect.stringContaining('1 of webhook.deliver') })
  await setState('ready')
})

it('a pending delivery whose job does not exist is counted', async () => {
  await service.store.write(tx =>
    tx.deleteFrom('jobs').where('team_id', '=', service.team).where('kind', '=', 'webhook.deliver').execute(),
  )
  expect(await shown()).toEqual({
    metric: 1,
    page: 1,
    doctor:
      'Resources wait for jobs that do not exist: 1 deliveries. For deliveries, run POST /webhooks/{id}/redeliver.',
  })
})
