import { secret as schema } from '@causeway/contract/resources/secret'
import { describe, expect, it } from 'vitest'
import { lender } from '../../testing/money.js'
import { testService } from '../../testing/service.js'

const service = await testService()
const bank = lender(service)

const CANARY = 'hunter2-canary-value'
const list = async (who = bank) => (await who.call('GET', '/secrets')).text

describe('secrets', () => {
  it('4.6.2 a team without secrets gets an empty list', async () => expect(await list()).toBe('{"data":[]}'))

  it('4.6.1 are listed under data, in the form in which they were returned', async () => {
    const reply = await bank.call('POST', '/secrets', { value: CANARY, metadata: { for: 'core' } })
    expect(reply.status).toBe(200)
    expect(Object.keys(reply.body)).toEqual(['id', 'metadata', 'status', 'created_at', 'updated_at'])
    expect(schema.parse(reply.body)).toMatchObject({ status: 'active', metadata: { for: 'core' } })
    expect(reply.body.id).toMatch(/^sec_\w{13}$/)
    expect(JSON.parse(await list())).toEqual({ data: [reply.body] })
  })

  it('4.6.3 a list never shows a value, and neither does the create response or the database', async () => {
    const reply = await bank.call('POST', '/secrets', { value: CANARY })
    const rows = await service.store.reader.selectFrom('secrets').selectAll().execute()
    expect(await list()).toContain(reply.body.id)
    expect(reply.text + (await list()) + JSON.stringify(rows)).not.toContain(CANARY)
  })

  it('are in the audit log when created and deleted, by id only', async () => {
    const { id } = await bank.must('POST', '/secrets', { value: CANARY })
    await bank.must('DELETE', `/secrets/${id}`)
    expect(await bank.rejection('DELETE', `/secrets/${id}`)).toBe('NOT_FOUND')
    const rows = await service.store.reader.selectFrom('audit').selectAll().where('resource_id', '=', id).execute()
    expect(rows.map(row => row.action).sort()).toEqual(['secret.create', 'secret.delete'])
    expect(JSON.stringify(rows)).not.toContain(CANARY)
  })

  it('4.7.1 one is returned by its id, without its value', async () => {
    const secret = await bank.must('POST', '/secrets', { value: CANARY })
    const reply = await bank.call('GET', `/secrets/${secret.id}`)
    expect(reply.body).toEqual({ ...secret, metadata: {} })
    expect(reply.text).not.toContain(CANARY)
  })

  it.each([
    ['a missing value', {}, 'INVALID_REQUEST'],
    ['an empty value', { value: '' }, 'INVALID_REQUEST'],
    ['a value that is not a string', { value: 5 }, 'INVALID_REQUEST'],
    ['metadata that is not an object', { value: 'x', metadata: [] }, 'INVALID_REQUEST'],
    [
      '8 metadata of 1,024 bytes',
      { value: 'x', metadata: { a: 'x'.repeat(1_016) } },
      'MAX_SECRET_METADATA_SIZE_EXCEEDED',
    ],
  ])('%s is rejected', async (_what, body, sub_type) =>
    expect(await bank.rejection('POST', '/secrets', body)).toBe(sub_type),
  )

  it('that are deleted are gone, along with the stored value', async () => {
    const secret = await bank.must('POST', '/secrets', { value: CANARY })
    const sealed = () =>
      service.store.reader.selectFrom('secrets').select('value').where('id', '=', secret.id).executeTakeFirst()
    const before = await sealed()
    expect((await bank.call('DELETE', `/secrets/${secret.id}`)).text).toBe('{"data":null}')
    expect((await sealed())?.value.length).toBeLessThan(before!.value.length)
    expect(await bank.rejection('GET', `/secrets/${secret.id}`)).toBe('NOT_FOUND')
    expect(await bank.rejection('DELETE', `/secrets/${secret.id}`)).toBe('NOT_FOUND')
    expect(await list()).not.toContain(secret.id)
  })

  it('of another team return 404', async () => {
    const secret = await bank.must('POST', '/secrets', { value: CANARY })
    const other = lender(service, (await service.anotherTeam()).key)
    expect(await list(other)).toBe('{"data":[]}')
    expect(await other.rejection('GET', `/secrets/${secret.id}`)).toBe('NOT_FOUND')
    expect(await other.rejection('DELETE', `/secrets/${secret.id}`)).toBe('NOT_FOUND')
  })
})
