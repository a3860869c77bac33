import { eventTypes } from '@causeway/contract/events'
import { versions } from '@causeway/contract/versions'
import { describe, expect, it } from 'vitest'
import { lender } from '../../testing/money.js'
import { testService } from '../../testing/service.js'
import { pathAndRefsOf } from './event.js'

const service = await testService()
const bank = lender(service)
const debts = await bank.debts()
const entity = debts.entity
const account = debts.accounts[0]!.id
const source = (await bank.source()).id
const payment = (
  await bank.must('POST', '/payments', { amount: 5_000, source, destination: account, description: 'x' })
).id
await bank.must('POST', `/simulate/payments/${payment}`, { status: 'processing' })
await service.settle()

type Told = Record<string, unknown> & { id: string; type: string; resource_id: string }
const diffIn = (event: Told | undefined) => event?.['diff'] as { before: object; after: object }
const list = async (query: string, headers: Record<string, string> = {}) =>
  (await bank.call('GET', `/events${query}`, undefined, headers)).body['data'] as Told[]

describe('events', () => {
  it('are listed latest first, and each can be read', async () => {
    const all = await list('')
    expect(all.length).toBeGreaterThan(10)
    expect(all.map(event => event.id)).toEqual(
      all
        .map(event => event.id)
        .sort()
        .reverse(),
    )
    expect(await bank.must('GET', `/events/${all[3]?.id}`)).toEqual(all[3])
    expect(Object.keys(all[0]!).sort()).toEqual(
      ['created_at', 'data', 'diff', 'id', 'resource_id', 'resource_type', 'type', 'updated_at'].sort(),
    )
  })

  it('are filtered by resource, kind and type', async () => {
    expect((await list(`?resource_id=${payment}`)).map(event => event.type)).toEqual([
      'payment.update',
      'payment.create',
    ])
    expect(new Set((await list('?resource_type=account')).map(event => event.resource_id.slice(0, 4)))).toEqual(
      new Set(['acc_']),
    )
    expect((await list('?type=payment.update')).map(event => event.resource_id)).toEqual([payment])
    expect(await list('?type=payment.update&resource_id=acc_0000000000000')).toEqual([])
    expect(await list('?from_date=2026-03-03')).toEqual([])
    expect((await list('?page_limit=2')).length).toBe(2)
    for (const name of ['constructor', '__proto__', 'toString', 'no.such.type'])
      expect([name, (await service.call('GET', `/events?type=${name}`)).status]).toEqual([name, 400])
  })

  it('contain the changed fields, and all fields of a new resource', async () => {
    const [update, create] = await list(`?resource_id=${payment}`)
    expect(create).toMatchObject({ diff: { before: null, after: { status: 'pending', amount: 5_000 } } })
    expect(update?.['diff']).toMatchObject({ before: { status: 'pending' }, after: { status: 'processing' } })
    expect(Object.keys(diffIn(update).before)).not.toContain('amount')
    expect(update).toMatchObject({ data: { id: payment, status: 'processing', amount: 5_000 } })
  })

  it("show data and diff in the request's version", async () => {
    const newest = { 'service-version': '2026-03-30' }
    const [, recent] = await list(`?resource_id=${payment}`, newest)
    const [, old] = await list(`?resource_id=${payment}`)
    expect(recent?.['data']).toHaveProperty('idempotency_key')
    expect(diffIn(recent).after).toEqual(recent?.['data'])
    expect(old?.['data']).not.toHaveProperty('idempotency_key')
    expect(diffIn(old).after).toEqual(old?.['data'])
  })

  it('can be read in every version', async () => {
    for (const version of versions) {
      const all = await list('', { 'service-version': version })
      expect([version, all.length]).toEqual([version, (await list('')).length])
      for (const { data, diff } of all as { data?: unknown; diff?: { before: object | null; after: unknown } }[])
        if (diff?.before === null) expect(diff.after).toEqual(data)
    }
  })

  it("use the version's type names, also as a filter", async () => {
    await bank.must('POST', `/entities/${entity}/attributes`, { attributes: ['credit_health_credit_card_usage'] })
    await service.settle()
    expect(new Set((await list('?type=attribute.create')).map(event => event['resource_type']))).toEqual(
      new Set(['attribute']),
    )
    expect((await list('?resource_type=attribute')).length).toBeGreaterThan(0)
    const newest = { 'service-version': '2026-03-30' }
    expect(await list('?type=attribute.create', newest)).toEqual([])
    expect((await list('?type=entity_attribute.create', newest))[0]).toMatchObject({
      resource_type: 'entity_attribute',
    })
  })

  it('of another team return 404 and appear in no list', async () => {
    const [event] = await list('')
    const other = lender(service, (await service.anotherTeam()).key)
    expect(await other.rejection('GET', `/events/${event?.id}`)).toBe('NOT_FOUND')
    expect((await other.must('GET', '/events'))['data']).toEqual([])
    expect((await other.must('GET', `/events?resource_id=${payment}`))['data']).toEqual([])
  })

  it('contain nothing about a person who withdrew consent', async () => {
    const { id } = await bank.must('POST', '/entities', {
      type: 'individual',
      individual: { first_name: 'Kevin', last_name: 'Doyle', phone: '+15125550105' },
      metadata: { mine: 'canary' },
    })
    await bank.must('POST', `/entities/${id}/consent`, { type: 'withdraw', reason: 'entity_withdrew_consent' })
    const told = await list(`?resource_id=${id}`)
    expect(JSON.stringify(told)).not.toContain('canary')
    expect(told.at(-1)).toMatchObject({ data: { id }, diff: { before: null, after: null } })
  })

  it('have the path of an existing resource, for each event in this test', async () => {
    const rows = await service.store.reader.selectFrom('events').selectAll().execute()
    expect(new Set(rows.map(row => row.type)).size).toBeGreaterThan(12)
    for (const { type, path } of rows) {
      expect([type, path]).toEqual([type, expect.stringMatching(/^\//)])
      expect([type, path, (await bank.call('GET', path!)).status]).toEqual([type, path, 200])
    }
  })

  it('of every type have a path', () => {
    const about = { id: 'x_1', entity_id: 'ent_1', account_id: 'acc_1' }
    for (const type of eventTypes) {
      const body = type.startsWith('payment_reversal') ? { id: 'rvs_1', pmt_id: 'pmt_1' } : about
      expect([type, pathAndRefsOf(type, body).path]).toEqual([type, expect.any(String)])
    }
    expect(pathAndRefsOf('account.opened', { id: 'ent_1' })).toEqual({
      path: '/entities/ent_1',
      refs: { entity: 'ent_1' },
    })
  })
})
