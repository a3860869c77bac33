import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { consoleOf } from '../../testing/console.js'
import { consoleUsersOf } from '../../testing/console-users.js'
import { confirmed, LOAN } from '../../testing/frame.js'
import { lender } from '../../testing/money.js'
import { testService } from '../../testing/service.js'
import { storePolicy } from './store.js'

const service = await testService()
const desk = consoleOf(service)
const { send } = desk
const { join } = consoleUsersOf(service, desk)
const bank = lender(service)
const asker = await join('finance', 'Ines Farrow')
const viewer = await join('viewer', 'Ben Okafor')
await service.store.write(tx => storePolicy(tx, service.team, 1_000, service.deps.clock()))

const ask = async (method: string, path: string, body: object) => {
  const headers = { 'approval-reason': 'Signed', 'idempotency-key': randomUUID() }
  const reply = await send(method, `/api${path}`, { body, cookie: asker.cookie, headers })
  expect(reply.status, reply.text).toBe(202)
  return reply.body['approval'] as Record<string, unknown>
}
const listIds = async (query: string) => {
  const { body } = await send('GET', `/api/console/approvals?${query}`, { cookie: viewer.cookie })
  return (body['data'] as { id: string }[]).map(({ id }) => id)
}

it('a request names the person whose debts it pays, and is found by the session whose payments it creates', async () => {
  const { session } = await confirmed(service, '+15125550110', LOAN, [10_000, 20_000])
  const { data } = (await bank.must('GET', `/opal/sessions/${session}`)) as unknown as {
    data: { entity_id: string; bt: { allocations: Record<string, number> } }
  }
  const { entity_id, bt } = data
  const entity = { id: entity_id, name: expect.stringMatching(/^\S+ \S+/) }
  const release = await ask('POST', `/opal/sessions/${session}`, { action: 'release_payments' })
  expect(release).toMatchObject({ session_id: session, resource_id: session, entity })

  const source = (await bank.source()).id
  const payment = { amount: 10_000, source, destination: Object.keys(bt.allocations)[0], description: 'x' }
  const rest = await ask('POST', '/payments', { ...payment, metadata: { session_id: session } })
  expect(rest).toMatchObject({ session_id: session, resource_id: null, entity })
  const other = await ask('POST', '/payments', { ...payment, metadata: { session_id: 'Kevin Doyle' } })
  expect(other).toMatchObject({ session_id: null, entity })
  expect(new Set(await listIds(`session_id=${session}`))).toEqual(new Set([release['id'], rest['id']]))
  expect(await listIds('session_id=osess_0000000000000')).toEqual([])

  const paid = await bank.must('POST', '/payments', payment)
  for (const status of ['processing', 'sent', 'posted'])
    await bank.must('POST', `/simulate/payments/${paid.id}`, { status })
  const returned = { status: 'reversal_required', error_code: 10009 }
  const { reversal_id } = await bank.must('POST', `/simulate/payments/${paid.id}`, returned)
  const reversal = await ask('PUT', `/payments/${paid.id}/reversals/${reversal_id}`, { status: 'pending' })
  expect(reversal).toMatchObject({ session_id: null, resource_id: paid.id, entity })
})
