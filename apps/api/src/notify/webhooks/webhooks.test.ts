import { webhookTypes } from '@causeway/contract/events'
import { webhook as schema } from '@causeway/contract/resources/webhook'
import { describe, expect, it } from 'vitest'
import { createOutbound } from '../../platform/outbound/outbound.js'
import { lender } from '../../testing/money.js'
import { testService } from '../../testing/service.js'

const service = await testService()
const bank = lender(service)

const good = { type: 'payment.update', url: 'https://example.com/hook' }
const list = async (who = bank) => (await who.call('GET', '/webhooks')).text

describe('webhooks', () => {
  it('4.8.2 a team without webhooks gets an empty list', async () => expect(await list()).toBe('{"data":[]}'))

  it('4.8.1 are listed under data, without token and secret', async () => {
    const given = { ...good, auth_token: 'canary-token', hmac_secret: 'canary-hmac-of-24-bytes-', metadata: { a: 1 } }
    const made = await bank.call('POST', '/webhooks', { ...given, expand_event: true })
    expect(Object.keys(made.body)).toEqual(
      'id type url metadata expand_event status error created_at updated_at'.split(' '),
    )
    expect(schema.omit({ api_version: true, store_responses: true, weak_secret: true }).parse(made.body)).toMatchObject(
      {
        ...good,
        expand_event: true,
        status: 'active',
        error: null,
      },
    )
    expect(JSON.parse(await list())).toEqual({ data: [made.body] })
    expect(await bank.must('GET', `/webhooks/${made.body.id}`)).toEqual(made.body)
    const row = await service.store.reader.selectFrom('webhooks').selectAll().executeTakeFirstOrThrow()
    expect(made.text + (await list()) + JSON.stringify(row)).not.toContain('canary')
  })

  it('show null and false for omitted fields', async () => {
    expect(await bank.must('POST', '/webhooks', good)).toMatchObject({ metadata: null, expand_event: false })
  })

  it('can receive every type of the catalog', async () => {
    expect(webhookTypes.size).toBeGreaterThan(90)
    for (const type of webhookTypes) await bank.must('POST', '/webhooks', { ...good, type })
  })

  it.each([
    ['a missing type', { type: undefined }],
    ['an unknown type', { type: 'payment.exploded' }],
    ['a missing url', { url: undefined }],
    ['a url over http', { url: 'http://example.com/hook' }],
    ['a url with another scheme', { url: 'ftp://example.com' }],
    ['a url with a password', { url: 'https://a:b@example.com' }],
    ['an invalid url', { url: 'example.com' }],
    ['an expand_event that is not a boolean', { expand_event: 'yes' }],
    ['an empty secret', { hmac_secret: '' }],
    ['a whsec_ secret that is not base64', { hmac_secret: `whsec_${'%'.repeat(24)}` }],
    ['metadata that is not an object', { metadata: 'x' }],
  ])('%s is rejected', async (_what, change) =>
    expect(await bank.rejection('POST', '/webhooks', { ...good, ...change })).toBe('INVALID_REQUEST'),
  )

  it('reject a secret of fewer than 24 characters, on creation and rotation', async () => {
    const enough = 'a-secret-of-24-bytes-sZ7'
    const { id } = await bank.must('POST', '/webhooks', { ...good, hmac_secret: enough })
    const short = { hmac_secret: enough.slice(1) }
    for (const [path, body] of [
      ['/webhooks', { ...good, ...short }],
      [`/webhooks/${id}/rotate`, short],
    ] as const) {
      const refused = await bank.call('POST', path, body)
      expect(refused.status).toBe(400)
      expect(refused.body.error).toMatchObject({
        sub_type: 'INVALID_REQUEST',
        message: 'hmac_secret must be at least 24 characters long.',
      })
    }
  })

  it('are listed by status, without deleted ones', async () => {
    const [active, disabled, deleted] = await Promise.all([1, 2, 3].map(() => bank.must('POST', '/webhooks', good)))
    await bank.must('PATCH', `/webhooks/${disabled!.id}`, { status: 'disabled' })
    await bank.must('DELETE', `/webhooks/${deleted!.id}`)
    const idsOf = async (query: string) =>
      ((await bank.must('GET', `/webhooks?${query}`))['data'] as unknown as { id: string }[]).map(({ id }) => id)
    const off = await idsOf('status=disabled&status=requires_attention')
    expect([off.includes(disabled!.id), off.includes(active!.id), off.includes(deleted!.id)]).toEqual([
      true,
      false,
      false,
    ])
    expect(await idsOf('status=active')).toContain(active!.id)
    expect(await bank.rejection('GET', '/webhooks?status=deleted')).toBe('INVALID_REQUEST')
  })

  it('have every change in the audit log, with the key that was used', async () => {
    const keys = (await bank.must('GET', '/team/keys'))['data'] as unknown as { id: string }[]
    const { id } = await bank.must('POST', '/webhooks', good)
    await bank.must('PATCH', `/webhooks/${id}`, { status: 'disabled' })
    await bank.must('POST', `/webhooks/${id}/rotate`, { auth_token: 'canary-token' })
    await bank.must('DELETE', `/webhooks/${id}`)
    // A rejected request adds no audit entry.
    expect(await bank.rejection('POST', `/webhooks/${id}/rotate`, { auth_token: 'x' })).toBe('NOT_FOUND')
    const rows = await service.store.reader
      .selectFrom('audit')
      .select(['action', 'actor', 'team_id'])
      .where('resource_id', '=', id)
      .execute()
    const who = { actor: keys[0]!.id, team_id: service.team }
    expect(rows.sort((a, b) => (a.action < b.action ? -1 : 1))).toEqual(
      ['create', 'delete', 'rotate', 'update'].map(name => ({ action: `webhook.${name}`, ...who })),
    )
  })

  it('8 metadata of 1,024 bytes is rejected, of 1,023 accepted', async () => {
    const post = (length: number) => bank.call('POST', '/webhooks', { ...good, metadata: { a: 'x'.repeat(length) } })
    expect((await post(1_016)).body.error?.sub_type).toBe('MAX_WEBHOOK_METADATA_SIZE_EXCEEDED')
    expect((await post(1_015)).status).toBe(200)
  })

  it.each(['https://10.0.0.1/', 'https://169.254.169.254/', 'https://[::ffff:10.0.0.1]/', 'https://2130706433:4000/'])(
    'reject %s, which is never called',
    async url => {
      const closed = createOutbound({ loopback: false, ownPorts: () => [4000] })
      const strict = await testService({ outbound: closed })
      expect(await lender(strict).rejection('POST', '/webhooks', { ...good, url })).toBe('INVALID_REQUEST')
    },
  )

  it('on this machine are rejected unless enabled, and the error says how to enable them', async () => {
    const strict = await testService({ outbound: createOutbound({ loopback: false, ownPorts: () => [] }) })
    const made = await lender(strict).call('POST', '/webhooks', { ...good, url: 'http://localhost:9999/hook' })
    expect(made.body.error?.message).toContain('OUTBOUND_LOOPBACK=allow')
  })

  it('on this machine receive deliveries over http', async () => {
    await bank.must('POST', '/webhooks', { ...good, url: 'http://127.0.0.1:9999/hook' })
  })

  it('are disabled and enabled again, with nothing else changed', async () => {
    const { id } = await bank.must('POST', '/webhooks', good)
    const off = await bank.must('PATCH', `/webhooks/${id}`, { status: 'disabled' })
    expect(off).toMatchObject({ status: 'disabled', error: { code: 25005, sub_type: 'WEBHOOK_DISABLED_BY_USER' } })
    expect(await bank.must('PATCH', `/webhooks/${id}`, { status: 'active' })).toMatchObject({
      status: 'active',
      error: null,
    })
    for (const body of [{}, { status: 'requires_attention' }, { status: 'active', url: 'https://example.org' }])
      expect(await bank.rejection('PATCH', `/webhooks/${id}`, body)).toBe('INVALID_REQUEST')
  })

  it('that are deleted no longer exist', async () => {
    const { id } = await bank.must('POST', '/webhooks', good)
    expect((await bank.call('DELETE', `/webhooks/${id}`)).text).toBe('{"data":null}')
    for (const method of ['GET', 'DELETE', 'PATCH'])
      expect(await bank.rejection(method, `/webhooks/${id}`, method === 'GET' ? undefined : { status: 'active' })).toBe(
        'NOT_FOUND',
      )
    expect(await list()).not.toContain(id)
  })

  it('of another team return 404', async () => {
    const { id } = await bank.must('POST', '/webhooks', good)
    const other = lender(service, (await service.anotherTeam()).key)
    expect(await list(other)).toBe('{"data":[]}')
    for (const method of ['GET', 'DELETE']) expect(await other.rejection(method, `/webhooks/${id}`)).toBe('NOT_FOUND')
    expect(await other.rejection('PATCH', `/webhooks/${id}`, { status: 'disabled' })).toBe('NOT_FOUND')
  })
})
