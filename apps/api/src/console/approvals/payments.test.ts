import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { consoleOf } from '../../testing/console.js'
import { consoleUsersOf } from '../../testing/console-users.js'
import { lender } from '../../testing/money.js'
import { testService } from '../../testing/service.js'
import { storePolicy } from './store.js'

const service = await testService()
const desk = consoleOf(service)
const { send } = desk
const { join, post } = consoleUsersOf(service, desk)
const bank = lender(service)
const source = (await bank.source()).id
const destination = (await bank.debts()).accounts[0]!.id
const asker = await join('finance', 'Ines Farrow')
const approver = await join('finance', 'Ben Okafor')
await service.store.write(tx => storePolicy(tx, service.team, 1_000, service.deps.clock()))

// kills: killed-approval-finds-payment
it('an approved payment shows what became of it, also if the process was killed before it recorded the payment', async () => {
  const body = { amount: 3_000, source, destination, description: 'x' }
  const headers = { 'approval-reason': 'Signed', 'idempotency-key': randomUUID() }
  const reply = await send('POST', '/api/payments', { body, cookie: asker.cookie, headers })
  const { id } = reply.body['approval'] as unknown as { id: string }
  const get = async () => (await send('GET', `/api/console/approvals/${id}`, { cookie: approver.cookie })).body
  expect(await get()).toMatchObject({ resource_id: null, payment_status: null })
  const { body: approval } = await post(`/console/approvals/${id}/approve`, {}, approver.cookie)
  expect(approval).toMatchObject({ status: 'approved', payment_status: 'pending' })
  const payment = String(approval['resource_id'])
  // The decision commits with the payment. The payment's id is recorded after it.
  await service.store.write(tx =>
    tx
      .updateTable('console_approvals')
      .set({ resource_id: null })
      .where('team_id', '=', service.team)
      .where('id', '=', id)
      .execute(),
  )
  await bank.must('POST', `/simulate/payments/${payment}`, { status: 'processing' })
  await bank.must('POST', `/simulate/payments/${payment}`, { status: 'failed', error_code: 10003 })
  expect(await get()).toMatchObject({ status: 'approved', resource_id: payment, payment_status: 'failed' })
})
