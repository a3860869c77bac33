import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { speaking } from '../../../testing/contract/cases.js'
import { testService } from '../../../testing/service.js'

const service = await testService()

const blank = { type: 'individual', individual: {} }
const error = {
  type: 'API_ERROR',
  code: 503,
  sub_type: 'IDEMPOTENCY_UNAVAILABLE',
  message:
    'The service cannot check idempotency keys right now. Nothing was changed. Retry later with the same Idempotency-Key. Send the request without a key only if no earlier attempt can have succeeded.',
}
const entities = async () => (await service.call('GET', '/entities')).body['data'] as unknown[]

/** Sends a customer's requests while idempotency keys can't be checked. */
async function meet() {
  const before = (await entities()).length
  for (const { mount, headers } of speaking) {
    const keyed = await service.call('POST', `${mount}/entities`, blank, { ...headers, 'idempotency-key': 'k' })
    expect(keyed.status).toBe(503)
    expect(keyed.headers.get('idem-status')).toBe('bypassed')
    expect(keyed.headers.get('request-id')).toMatch(/^req_/)
    expect(keyed.body).toEqual(mount === '' ? { error } : { success: false, data: { error }, message: error.message })
  }
  expect(await entities()).toHaveLength(before)
  expect((await service.call('POST', '/entities', blank)).status).toBe(200)
  expect(await entities()).toHaveLength(before + 1)
}

it('7 IDEMPOTENCY_UNAVAILABLE with a sandbox fault POST requests with a key are 503 without effect, others work, and all recover', async () => {
  const fault = { target: 'idempotency', mode: 'failing', for: 'PT30S' }
  expect((await service.call('POST', '/simulate/faults', fault)).status).toBe(200)
  await meet()
  service.advance(30_000)
  const reply = await service.call('POST', '/entities', blank, { 'idempotency-key': 'k' })
  expect([reply.status, reply.headers.get('idem-status')]).toEqual([200, 'stored'])
})

it('7 IDEMPOTENCY_UNAVAILABLE without the table the same applies, and it recovers automatically', async () => {
  const rename = (from: string, to: string) =>
    service.store.write(tx => sql`alter table ${sql.table(from)} rename to ${sql.table(to)}`.execute(tx))
  await rename('idempotency', 'idempotency_gone')
  await meet()
  await rename('idempotency_gone', 'idempotency')
  const reply = await service.call('POST', '/entities', blank, { 'idempotency-key': 'k2' })
  expect([reply.status, reply.headers.get('idem-status')]).toEqual([200, 'stored'])
})
