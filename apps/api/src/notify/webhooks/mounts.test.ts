/** Tests what the `/enveloped` mount accepts in a webhook beyond the root mount, and how webhooks keep it. */
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, it } from 'vitest'
import { describeApi } from '../../main/openapi/document.js'
import { transact } from '../../platform/scope.js'
import { NEWEST } from '../../testing/contract/cases.js'
import { type Hooks, startHooks } from '../../testing/hooks.js'
import { emit } from '../emit.js'

let service: Hooks['service']
let receiver: Hooks['receiver']
let bank: Hooks['bank']
let passes: Hooks['passes']
;({ service, receiver, bank, passes } = await startHooks())

const newest = { 'service-version': NEWEST }
const peer = { 'method-version': NEWEST }
const good = { type: 'payment.update', url: 'https://a.example/hook' }
const create = (mount: string, body: object) =>
  bank.call('POST', `${mount}/webhooks`, { ...good, ...body }, mount ? peer : newest)
const WARNING = 'hmac_secret has fewer than 24 characters. Rotate it.'

describe("a webhook's secret", () => {
  it.each([
    ['of one character', 'a', true],
    ['of 22 characters', 'webhook-signing-secret', true],
    ['of 24 characters', 'k'.repeat(24), false],
    ['of 255 characters', 'k'.repeat(255), false],
  ])('%s is accepted on /enveloped, and a weak one is named', async (_name, hmac_secret, isWeak) => {
    const made = await create('/enveloped', { hmac_secret })
    expect(made.status).toBe(200)
    expect(made.headers.get('service-warning')).toBe(isWeak ? WARNING : null)
    const { data } = made.body as unknown as { data: { id: string } }
    const shown = await bank.call('GET', `/webhooks/${data.id}`, undefined, newest)
    expect(shown.body['weak_secret']).toBe(isWeak)
    const root = await create('', { hmac_secret })
    expect(root.status).toBe(isWeak ? 400 : 200)
  })

  it.each([
    ['an empty one', ''],
    ['one of 256 characters', 'k'.repeat(256)],
    ['one whose whsec_ part is not base64', 'whsec_%'],
  ])('is rejected on /enveloped: %s', async (_name, hmac_secret) => {
    expect((await create('/enveloped', { hmac_secret })).status).toBe(400)
  })

  it('stops being weak when it is rotated, and can be rotated to a weak one only on /enveloped', async () => {
    const made = await create('/enveloped', { hmac_secret: 'short' })
    const { id } = (made.body as unknown as { data: { id: string } }).data
    const rotate = (mount: string, hmac_secret: string) =>
      bank.call('POST', `${mount}/webhooks/${id}/rotate`, { hmac_secret }, mount ? peer : newest)
    const strong = await rotate('', 'r'.repeat(24))
    expect([strong.body['weak_secret'], strong.headers.get('service-warning')]).toEqual([false, null])
    expect((await rotate('', 'short')).status).toBe(400)
    expect((await rotate('/enveloped', 'short')).headers.get('service-warning')).toBe(WARNING)
  })
})

describe('method_jwk.*', () => {
  const happens = async () =>
    transact(service.deps, (await service.deps.teamOf(service.team))!, scope =>
      emit(scope, 'service_jwk.update', { id: 'svc_jwk_1', status: 'retiring' }, { id: 'svc_jwk_1', status: 'active' }),
    )

  it('creates a webhook on /enveloped that keeps the name in responses, lists and deliveries', async () => {
    expect((await create('', { type: 'method_jwk.update' })).status).toBe(400)
    const made = await create('/enveloped', { type: 'method_jwk.update', expand_event: true })
    const { id, type } = (made.body as unknown as { data: { id: string; type: string } }).data
    expect(type).toBe('method_jwk.update')
    await create('/enveloped', { type: 'service_jwk.update', url: 'https://own.example/', expand_event: true })
    await happens()
    await passes()
    const sent = receiver.calls.map(({ url, json }) => {
      const event = json['event'] as { type: string; resource_type: string }
      return [url, json['type'], json['op'], event.type, event.resource_type]
    })
    expect(sent.sort()).toEqual([
      [good.url, 'method_jwk.update', 'update', 'method_jwk.update', 'method_jwk'],
      ['https://own.example/', 'service_jwk.update', 'update', 'service_jwk.update', 'service_jwk'],
    ])
    const { body } = await bank.call('GET', `/webhooks/${id}/deliveries`, undefined, newest)
    expect((body['data'] as { type: string }[]).map(each => each.type)).toEqual(['method_jwk.update'])
    const again = { since: '2020-01-01T00:00:00.000Z', dry_run: true }
    await bank.must('PATCH', `/webhooks/${id}`, { status: 'disabled' })
    await bank.must('PATCH', `/webhooks/${id}`, { status: 'active' })
    expect(await bank.must('POST', `/webhooks/${id}/redeliver`, again)).toMatchObject({ webhook_id: id })
  })

  it('finds the events of our name', async () => {
    await happens()
    const read = async (type: string) => {
      const { body } = await bank.call('GET', `/enveloped/events?type=${type}`, undefined, peer)
      return (body['data'] as { id: string }[]).map(({ id }) => id)
    }
    expect(await read('method_jwk.update')).toEqual(await read('service_jwk.update'))
    expect(await read('method_jwk.update')).not.toEqual([])
  })
})

describe('a status', () => {
  it('of deleted deletes the webhook and its secret', async () => {
    const { id } = (await create('', {})).body
    expect(await bank.must('PATCH', `/webhooks/${id}`, { status: 'deleted' })).toMatchObject({ id, status: 'deleted' })
    expect((await bank.call('GET', `/webhooks/${id}`)).status).toBe(404)
    const row = await service.store.reader
      .selectFrom('webhooks')
      .selectAll()
      .where('id', '=', String(id))
      .executeTakeFirstOrThrow()
    expect(row).toMatchObject({ status: 'deleted', hmac_secret: null })
  })

  it('of requires_attention, which only the service sets, is rejected with the statuses that can be set', async () => {
    const { id } = (await create('', {})).body
    const { status, text } = await bank.call('PATCH', `/webhooks/${id}`, { status: 'requires_attention' })
    expect([status, text]).toEqual([400, expect.stringContaining('status must be one of: active, disabled, deleted.')])
  })
})

describe("a webhook's URL", () => {
  const { post } = describeApi('https://api.example').paths['/webhooks'] as unknown as {
    post: { requestBody: { content: { 'application/json': { schema: { properties: { url: object } } } } } }
  }
  const documented = new Ajv2020({ strict: false, validateFormats: false }).compile(
    post.requestBody.content['application/json'].schema.properties.url,
  )
  it.each([
    ['https', 'https://a.example/hook', true],
    ['2,000 characters', `https://a.example/${'x'.repeat(1_982)}`, true],
    ['2,001 characters', `https://a.example/${'x'.repeat(1_983)}`, false],
    ['http', 'http://a.example/hook', false],
    ['an uppercase scheme', 'HTTPS://a.example/hook', false],
    ['a scheme without slashes', 'https:a.example', false],
    ['another scheme', 'ftp://a.example/hook', false],
    ['empty text', '', false],
  ])('is judged alike by the document and the service: %s', async (_name, url, isValid) => {
    expect([documented(url), (await create('', { url })).status]).toEqual([isValid, isValid ? 200 : 400])
  })
})
