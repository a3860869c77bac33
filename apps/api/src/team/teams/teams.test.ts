import { describe, expect, it } from 'vitest'
import { NEWEST } from '../../testing/contract/cases.js'
import { lender } from '../../testing/money.js'
import { testService } from '../../testing/service.js'

const service = await testService()
const bank = lender(service)

const patch = (body: unknown) => bank.must('PATCH', '/team', body)
const refused = (body: unknown) => bank.rejection('PATCH', '/team', body)

const latest = { 'service-version': NEWEST }
/** Lists child teams. Earlier versions return the calling team instead. */
const listed = (who: typeof bank, query = '') => who.call('GET', `/teams${query}`, undefined, latest)

describe('child teams', () => {
  it('are listed newest first, with settings but no keys; other teams and grandchildren are omitted', async () => {
    const parent = lender(service, (await service.anotherTeam()).key)
    expect((await listed(parent)).body['data']).toEqual([])
    const create = async (name: string) => (await parent.call('POST', '/teams', { name }, latest)).body
    const teams = [await create('One'), await create('Two')]
    const child = lender(service, (teams[0]!['key'] as { value: string }).value)
    await child.must('POST', '/teams', { name: 'Grandchild' })
    const data = (await listed(parent)).body['data'] as Record<string, unknown>[]
    expect(data).toEqual([...teams].reverse().map(({ key, ...team }) => team))
    const first = await listed(parent, '?page_limit=1')
    const next = first.headers.get('pagination-page-cursor-next')
    expect((await listed(parent, `?page_cursor=${next}`)).body['data']).toEqual([data[1]])
    expect((await listed(bank)).body['data']).toEqual([])
  })
})

describe('a team', () => {
  it('is shown with its settings, without its keys', async () => {
    const body = await bank.must('GET', '/team')
    expect(body).toMatchObject({
      id: service.team,
      name: 'Northwind Lending',
      version: '2024-04-04',
      payment_description: 'Northwind',
      default_source_account: null,
      allowed_origins: [],
      limits: { payment_amount_max: null, payments_per_month: null },
    })
    for (const hidden of ['data_key', 'dataKey', 'settings', 'clock_offset', 'key'])
      expect(body).not.toHaveProperty(hidden)
  })

  it('changes only the given fields, even inside brand and limits', async () => {
    await patch({ brand: { primary_color: '#1A7f5a' }, limits: { payments_per_month: 7 } })
    const body = await patch({ brand: { support_url: 'https://help.example.com/x' }, payment_description: 'Payoff' })
    expect(body).toMatchObject({
      brand: { name: 'Northwind Lending', primary_color: '#1A7f5a', support_url: 'https://help.example.com/x' },
      limits: { payment_amount_max: null, payments_per_month: 7 },
      payment_description: 'Payoff',
    })
    expect(await bank.must('GET', '/team')).toEqual(body)
    await patch({ limits: { payments_per_month: null } })
  })

  it('loses none of several simultaneous changes', async () => {
    await Promise.all([
      patch({ payment_description: 'Both' }),
      patch({ appearance: 'dark' }),
      patch({ webhook_schedule: 'long' }),
      bank.must('POST', '/simulate/clock', { advance: 'PT1S' }),
    ])
    expect(await bank.must('GET', '/team')).toMatchObject({
      payment_description: 'Both',
      appearance: 'dark',
      webhook_schedule: 'long',
    })
  })

  it.each([
    ['a name that changes the text direction', { brand: { name: 'Acme \u202egnidneL' } }],
    ['a name with invisible characters', { brand: { name: 'Ac\u200bme' } }],
    ['an address with a line break', { brand: { support_url: 'https://a.example/\nb' } }],
    ['an unknown setting', { colour: 'red' }],
    ['an unknown product', { products: ['lottery'] }],
    ['an unknown identity method', { identity_methods: ['palm'] }],
    ['an origin with a path', { allowed_origins: ['https://app.example.com/'] }],
    ['an origin with a wildcard', { allowed_origins: ['https://*.example.com/*'] }],
    ['an origin with the default port', { allowed_origins: ['https://app.example.com:443'] }],
    ['an origin over http', { allowed_origins: ['http://app.example.com'] }],
    ['an invalid origin', { allowed_origins: ['app.example.com'] }],
    ['21 origins', { allowed_origins: Array.from({ length: 21 }, (_, n) => `https://a${n}.example.com`) }],
    ['a logo over http', { brand: { logo: 'http://example.com/logo.svg' } }],
    ['a color by name', { brand: { primary_color: 'green' } }],
    ['a limit of zero', { limits: { payments_per_month: 0 } }],
    ['31 days without a code', { phone_proof_days: 31 }],
  ])('rejects %s', async (_what, body) => expect(await refused(body)).toBe('INVALID_REQUEST'))

  it.each(['elevenchars', ''])('rejects the description %j', async payment_description => {
    expect(await refused({ payment_description })).toBe('INVALID_ACH_DESCRIPTION')
  })

  it('accepts exact origins, including http origins on this machine', async () => {
    const allowed_origins = ['https://app.example.com', 'https://app.example.com:8443', 'http://localhost:3000']
    expect(await patch({ allowed_origins: [...allowed_origins, 'https://app.example.com'] })).toMatchObject({
      allowed_origins,
    })
  })

  it('moves its version forward, never back', async () => {
    expect(await refused({ version: '2023-01-01' })).toBe('INVALID_VERSION')
    expect(await patch({ version: '2024-04-04' })).toMatchObject({ version: '2024-04-04' })
    expect(await patch({ version: '2026-03-30' })).toMatchObject({ version: '2026-03-30' })
    expect(await refused({ version: '2024-04-04' })).toBe('INVALID_REQUEST')
  })

  it('pays from its own ACH account by default', async () => {
    const source = await bank.source()
    const card = (await bank.debts()).accounts[0]!.id
    const theirs = await lender(service, (await service.anotherTeam()).key).source()
    expect(await refused({ default_source_account: card })).toBe('INVALID_SOURCE_LIABILITY')
    expect(await refused({ default_source_account: theirs.id })).toBe('INVALID_SOURCE')
    expect(await patch({ default_source_account: source.id })).toMatchObject({ default_source_account: source.id })
    expect(await patch({ default_source_account: null })).toMatchObject({ default_source_account: null })
  })
})

describe('keys', () => {
  it('are shown once, and the last one cannot be deleted', async () => {
    const { key, team } = await service.anotherTeam()
    const other = lender(service, key)
    const list = async () =>
      (await other.must('GET', '/team/keys'))['data'] as unknown as { id: string; last4: string }[]
    const [first] = await list()
    expect(await other.rejection('DELETE', `/team/keys/${first!.id}`)).toBe('INVALID_REQUEST')
    const newKey = await other.must('POST', '/team/keys')
    expect(newKey['value']).toMatch(/^sk_\w{40}$/)
    expect((await list()).map(each => each.id)).toEqual([newKey.id, first!.id])
    expect(JSON.stringify(await list())).not.toContain(newKey['value'])
    const second = lender(service, newKey['value'] as string)
    expect(await second.must('GET', '/team')).toMatchObject({ id: team })
    expect((await other.must('DELETE', `/team/keys/${first!.id}`))['data']).toBeNull()
    expect(await other.rejection('GET', '/team')).toBe('UNAUTHORIZED')
    expect(await second.rejection('DELETE', `/team/keys/${first!.id}`)).toBe('NOT_FOUND')
    expect((await second.must('GET', '/team/keys'))['data']).toMatchObject([
      { id: newKey.id, last_used_at: expect.any(String) },
    ])
  })

  it('keep at least one of the last two if both are deleted simultaneously', async () => {
    const { key } = await service.anotherTeam()
    const other = lender(service, key)
    const newKey = await other.must('POST', '/team/keys')
    const keys = (await other.must('GET', '/team/keys'))['data'] as unknown as { id: string }[]
    const replies = await Promise.all(keys.map(each => other.call('DELETE', `/team/keys/${each.id}`)))
    expect(replies.filter(reply => reply.status === 200)).toHaveLength(1)
    const alive = await Promise.all(
      [key, newKey['value'] as string].map(value => lender(service, value).call('GET', '/team')),
    )
    expect(alive.filter(reply => reply.status === 200)).toHaveLength(1)
  })

  it("of another team return 404, and a child team's first key opens only that team", async () => {
    const child = await bank.must('POST', '/teams', { name: 'East branch' })
    expect(child).toMatchObject({ name: 'East branch', parent_id: service.team, version: '2024-04-04' })
    const key = child['key'] as { id: string; value: string }
    const east = lender(service, key.value)
    expect(await east.must('GET', '/team')).toMatchObject({ id: child.id })
    expect(await bank.rejection('DELETE', `/team/keys/${key.id}`)).toBe('NOT_FOUND')
    expect(await bank.rejection('POST', '/teams', { name: ' ' })).toBe('INVALID_REQUEST')
  })
})
