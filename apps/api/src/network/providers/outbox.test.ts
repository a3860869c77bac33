import type { Push } from '@causeway/connector/methods/contract'
import { DAY_MS, MINUTE_MS } from '@causeway/contract/time'
import { beforeEach, expect, it } from 'vitest'
import { testService } from '../../testing/service.js'
import { createOutbox } from './outbox.js'

const service = await testService()
const { store, deps } = service
const pushes: Push[] = []
/** The response status of the service, or null if it does not respond. */
let status: number | null = 200

/** Starts the outbox of another process on the same store. */
const start = () =>
  createOutbox({
    ...{ store, clock: deps.clock, log: deps.log },
    async send(push) {
      pushes.push(push)
      if (status === null) throw new TypeError('fetch failed')
      return status
    },
  })
let outbox = start()
const add = (id: string, kind: 'payment' | 'reversal' | 'account' = 'payment') =>
  store.write(tx => outbox.add(tx, service.team, { kind, id }))
const waiting = async () =>
  (await store.reader.selectFrom('provider_pushes').select('id').where('team_id', '=', service.team).execute()).length

beforeEach(async () => {
  await store.write(tx => tx.deleteFrom('provider_pushes').where('team_id', '=', service.team).execute())
  pushes.length = 0
  status = 200
  outbox = start()
})

it('sends each push once, and only about resources that the service reads', async () => {
  await add('pmt_1')
  await add('rvs_1', 'reversal')
  await add('acc_1', 'account')
  await Promise.all([outbox.sendDue(), outbox.sendDue()])
  expect(pushes).toEqual([
    { id: expect.any(String), type: 'payment.changed', team_id: service.team, payment_id: 'pmt_1' },
    { id: expect.any(String), type: 'reversal.changed', team_id: service.team, reversal_id: 'rvs_1' },
  ])
  expect(await waiting()).toBe(0)
})

it.each([null, 401, 503])('after a failure (%s), another process sends the same push later', async failure => {
  status = failure
  await add('pmt_1')
  await outbox.sendDue()
  await outbox.stop()
  status = 200
  const next = start()
  await next.sendDue()
  expect(pushes).toHaveLength(1)
  service.advance(MINUTE_MS)
  await next.sendDue()
  expect(pushes).toHaveLength(2)
  expect(pushes[1]).toEqual(pushes[0])
  expect(await waiting()).toBe(0)
})

it('while the service does not respond, only one push at a time is tried', async () => {
  status = null
  for (let count = 0; count < 5; count++) await add(`pmt_${count}`)
  await outbox.sendDue()
  expect(pushes).toHaveLength(1)
  status = 200
  service.advance(MINUTE_MS)
  await outbox.sendDue()
  expect(new Set(pushes.map(push => JSON.stringify(push))).size).toBe(5)
  expect(await waiting()).toBe(0)
})

it('drops a push that the service rejects as invalid, and one that is older than a day', async () => {
  status = 400
  await add('pmt_1')
  await outbox.sendDue()
  expect(await waiting()).toBe(0)
  status = null
  await add('pmt_2')
  service.advance(DAY_MS + 1)
  await outbox.sendDue()
  expect(await waiting()).toBe(0)
  expect(service.lines.join()).toContain('push_given_up')
})
