import { DAY_MS } from '@causeway/contract/time'
import { describe, expect, it } from 'vitest'
import { sweep } from '../../platform/jobs/sweep.js'
import { lender } from '../../testing/money.js'
import { testService } from '../../testing/service.js'

const service = await testService()
const bank = lender(service)
const identity = {
  individual: {
    first_name: 'Quillonia',
    last_name: 'Abernathwaite',
    phone: '+12025550123',
    email: 'quillonia@abernathwaite.example',
    ssn: '519283746',
    address: { line1: '8841 Zephyrine Court', city: 'Austin', state: 'TX', zip: '78705' },
  },
}
const context = { external_user_id: 'usr_7', client_ip_address: '203.0.113.7', client_user_agent: 'Mozilla/5.0' }
const body = { event: 'lending.offer_sent', identity, context, metadata: { campaign: 'spring' } }

const rows = () => service.store.reader.selectFrom('intents').selectAll().where('team_id', '=', service.team).execute()

describe('an intent', () => {
  it('is returned without the identity, and stored sealed', async () => {
    const intent = await bank.must('POST', '/intents', body)
    expect(intent).toEqual({
      id: expect.stringMatching(/^int_evt_\w{13}$/),
      event: 'lending.offer_sent',
      context: { ...context, session_id: null, source: null },
      metadata: { campaign: 'spring' },
      created_at: expect.any(String),
      updated_at: expect.any(String),
    })
    const stored = JSON.stringify(await rows())
    expect(stored).toContain(intent.id)
    expect(stored).not.toMatch(/Abernathwaite|519283746|203\.0\.113|usr_7/)
  })

  it('creates no entity and no event, and shows nothing about a person who is known', async () => {
    const id = await bank.verified('+15125550101')
    const countEvents = async () => ((await bank.must('GET', '/events')) as unknown as { data: unknown[] }).data.length
    const countEntities = async () =>
      ((await bank.must('GET', '/entities')) as unknown as { data: unknown[] }).data.length
    const before = [await countEvents(), await countEntities()]
    const { individual } = await bank.must('GET', `/entities/${id}`)
    const known = { individual: { first_name: 'Kevin', last_name: 'Doyle', phone: (individual as Body)['phone'] } }
    const reply = await bank.must('POST', '/intents', { event: 'lending.offer_sent', identity: known })
    expect(Object.keys(reply)).toEqual(['id', 'event', 'context', 'metadata', 'created_at', 'updated_at'])
    expect([await countEvents(), await countEntities()]).toEqual(before)
  })

  it.each([
    ['of an unknown event', { event: 'lending.other' }, /^event must be/],
    ['without an identity', { identity: undefined }, /^identity is required/],
    ['of a person without a name or an address to reach', { identity: { individual: {} } }, /must have a first_name/],
    ['from an address that is not an IP address', { context: { client_ip_address: 'home' } }, /IPv4 or IPv6/],
    ['with metadata of 1,024 bytes', { metadata: { a: 'x'.repeat(1_016) } }, /^metadata must be smaller/],
  ])('%s is rejected, and nothing is stored', async (_name, change, message) => {
    const before = (await rows()).length
    const { status, body: refused } = await bank.call('POST', '/intents', { ...body, ...change })
    expect([status, refused.error!.message]).toEqual([400, expect.stringMatching(message)])
    expect(await rows()).toHaveLength(before)
  })

  it('is unknown to version 2020-12-06', async () => {
    expect((await bank.call('POST', '/intents', body, { 'service-version': '2020-12-06' })).status).toBe(404)
  })

  it('is deleted after 90 days', async () => {
    await bank.must('POST', '/intents', body)
    const sweepAfter = (days: number) =>
      sweep({ store: service.store, clock: () => service.deps.clock() + days * DAY_MS, log: service.deps.log })
    await sweepAfter(89)
    expect(await rows()).not.toEqual([])
    await sweepAfter(91)
    expect(await rows()).toEqual([])
  })
})

type Body = Record<string, unknown>
