import { expect, it } from 'vitest'
import { consoleOf } from '../testing/console.js'
import { testService } from '../testing/service.js'

const service = await testService()
const { open, send, signedIn, operator } = consoleOf(service)
const individual = {
  first_name: 'Ana',
  last_name: 'Reyes',
  email: 'ana.reyes@example.com',
  phone: '+15125550123',
  dob: '1988-04-09',
  ssn: '123456789',
}
const address = { line1: '17 Canary Street', line2: 'Apt 2', city: 'Austin', state: 'TX', zip: '78705' }
const entity = (await service.call('POST', '/entities', { type: 'individual', individual, address })).body[
  'id'
] as string

const reason = 'The caller confirms it'
const reveal = (cookie: string, body: object = { fields: ['dob'], reason }, id = entity) =>
  send('POST', `/api/entities/${id}/reveal`, { cookie, body })
const entries = () =>
  service.store.reader
    .selectFrom('audit')
    .select(['actor', 'action', 'reason', 'request_id'])
    .where('team_id', '=', service.team)
    .where('resource_id', '=', entity)
    .where('action', '=', 'entity.reveal')
    .execute()

// kills: reveal-is-audited
it('shows field values to support for 30 seconds, and records who read them and why', async () => {
  const { cookie, key } = await signedIn(['read', 'sensitive'])
  const reply = await reveal(cookie, { fields: ['email', 'phone', 'dob', 'address', 'ssn'], reason })
  expect(reply.body).toEqual({
    values: {
      email: 'ana.reyes@example.com',
      phone: '+15125550123',
      dob: '1988-04-09',
      address: '17 Canary Street, Apt 2',
      ssn: '123456789',
    },
    until: new Date(service.deps.clock() + 30_000).toISOString(),
  })
  const [row, ...others] = await entries()
  expect([others, row?.actor]).toEqual([[], key])
  expect(row?.request_id).toMatch(/^req_\w+$/)
  expect(reply.headers.get('request-id')).toBe(row?.request_id)
  expect(row?.reason).not.toContain('caller')
  const timeline = await send('GET', `/api/timeline?about=${entity}&kinds[]=staff`, { cookie })
  expect(timeline.body['data']).toMatchObject([{ what: 'entity.reveal', actor: key }])
  const { cookie: desk } = await operator()
  const audit = await send('GET', `/api/operator/audit?team=${service.team}`, { cookie: desk })
  expect(audit.body['data']).toContainEqual(
    expect.objectContaining({ action: 'entity.reveal', reason: `email, phone, dob, address, ssn: ${reason}` }),
  )
})

// kills: reveal-needs-permission
it('shows a value to an operator, but not to a viewer, an engineer or a key without the scope', async () => {
  expect((await reveal((await operator()).cookie)).status).toBe(200)
  const before = (await entries()).length
  for (const scopes of [['read'], ['read', 'write', 'payments', 'sensitive'], ['read', 'write', 'admin']] as const) {
    const reply = await reveal((await signedIn(scopes)).cookie)
    expect([scopes, reply.status]).toEqual([scopes, 403])
    expect(reply.text).not.toContain('1988')
  }
  expect((await entries()).length).toBe(before)
})

it('alerts the operator when the number of revealed SSNs approaches and reaches the limit', async () => {
  const found: string[] = []
  const log: typeof service.deps.log = (level, event) => found.push(`${level} ${event}`)
  const limits = { payment_amount_max: null, payments_per_month: null, sensitive_reads_per_day: 5 }
  expect((await service.call('PATCH', '/team', { limits })).body).toMatchObject({ limits })
  const deps = { ...service.deps, log }
  const at = open({ deps })
  const { cookie } = await signedIn()
  const statuses: number[] = []
  const body = { fields: ['ssn'], reason }
  for (let count = 0; count < 6; count++)
    statuses.push((await send('POST', `/api/entities/${entity}/reveal`, { cookie, body }, at)).status)
  expect(statuses.slice(-1)).toEqual([429])
  expect([...new Set(found.filter(each => each.includes('sensitive')))]).toEqual([
    'warn sensitive_reads_near',
    'warn sensitive_reads_reached',
  ])
  await service.call('PATCH', '/team', { limits: { ...limits, sensitive_reads_per_day: null } })
})

it('requires a reason, a known field and an entity of the team', async () => {
  const { cookie } = await signedIn()
  for (const body of [
    { fields: ['dob'] },
    { fields: ['dob'], reason: '  ' },
    { fields: ['dob'], reason: '\u200b\u200b\u200b' },
    { fields: [], reason },
    { fields: ['name'], reason },
  ])
    expect((await reveal(cookie, body)).status).toBe(400)
  const { key } = await service.anotherTeam()
  const other = await service.call(
    'POST',
    '/entities',
    { type: 'individual', individual: { first_name: 'Bo', dob: '1990-01-01' } },
    { authorization: `Bearer ${key}` },
  )
  expect((await reveal(cookie, { fields: ['dob'], reason }, other.body['id'] as string)).status).toBe(404)
})

it('does not exist in the API', async () => {
  const headers = { authorization: `Bearer ${service.key}` }
  const reply = await service.app.api.request(`/entities/${entity}/reveal`, { method: 'POST', headers })
  expect(reply.status).toBe(404)
})

it('allows 50 revealed values per day, counted separately for each key', async () => {
  const { cookie } = await signedIn()
  const fields = ['email', 'phone', 'dob', 'address']
  for (let count = 0; count < 48; count += fields.length)
    expect((await reveal(cookie, { fields, reason })).status).toBe(200)
  expect((await reveal(cookie, { fields, reason })).status).toBe(429)
  expect((await reveal(cookie, { fields: ['dob', 'email'], reason })).status).toBe(200)
  expect((await reveal(cookie)).status).toBe(429)
  expect((await reveal((await signedIn()).cookie)).status).toBe(200)
})
