import { describe, expect, it } from 'vitest'
import { someone } from '../../testing/frame.js'
import { lender } from '../../testing/money.js'
import { testService } from '../../testing/service.js'

const service = await testService()

const auditOf = async (id: string) =>
  (await service.store.reader.selectFrom('audit').select('action').where('resource_id', '=', id).execute()).map(
    row => row.action,
  )

describe('reads of SSNs and full numbers', () => {
  it('are all in the audit log, including replays', async () => {
    const person = await someone(service, '+16505551115')
    const post = () => service.call('POST', `/entities/${person}/identities`, {}, { 'idempotency-key': 'audited' })
    const { id } = (await post()).body as { id: string }
    expect(await auditOf(id)).toEqual(['identity.read'])
    const again = await post()
    expect([again.headers.get('idem-status'), again.text]).toEqual(['replayed', expect.stringContaining('111223333')])
    expect(await auditOf(id)).toEqual(['identity.read', 'identity.read'])
  })

  it('are limited per day; rejected reads are not stored, and replays are neither counted nor rejected', async () => {
    const { key } = await service.anotherTeam()
    const bank = lender(service, key)
    const individual = { first_name: 'Kevin', last_name: 'Doyle', phone: '+16505551115' }
    const person = (await bank.must('POST', '/entities', { type: 'individual', individual })).id
    const path = `/entities/${person}/identities`
    await bank.must('PATCH', '/team', { limits: { sensitive_reads_per_day: 3 } })
    const post = (name: string) => bank.call('POST', path, {}, { 'idempotency-key': name })
    const { id } = (await post('limited-1')).body
    for (let each = 0; each < 4; each += 1) expect((await post('limited-1')).status).toBe(200)
    await bank.must('GET', `${path}/${id}`)
    const account = await bank.source()
    await bank.must('GET', `/accounts/${account.id}`)
    const refused = await post('limited-2')
    expect([refused.status, refused.body.error?.sub_type]).toEqual([429, 'TOO_MANY_REQUESTS'])
    // The client can retry one day after the first counted read.
    expect(refused.headers.get('retry-after')).toBe(String(24 * 3_600))
    expect((await bank.call('GET', `${path}/${id}`)).status).toBe(429)
    expect((await bank.call('GET', `/accounts/${account.id}`)).status).toBe(429)
    expect((await post('limited-1')).status).toBe(200)
    service.advance(24 * 3_600_000)
    const next = await post('limited-2')
    expect([next.status, next.headers.get('idem-status')]).toEqual([200, 'stored'])
  })

  it('do not exceed the limit even if simultaneous', async () => {
    const { key } = await service.anotherTeam()
    const bank = lender(service, key)
    const { id } = await bank.source()
    await bank.must('PATCH', '/team', { limits: { sensitive_reads_per_day: 5 } })
    const replies = await Promise.all(Array.from({ length: 16 }, () => bank.call('GET', `/accounts/${id}`)))
    expect(replies.filter(reply => reply.status === 200)).toHaveLength(5)
    expect(replies.filter(reply => reply.status === 429)).toHaveLength(11)
    expect((await auditOf(id)).filter(action => action === 'account.number.read')).toHaveLength(5)
  })
})
