import { createHmac } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { NEWEST } from '../../testing/contract/cases.js'
import { type Hooks, startHooks } from '../../testing/hooks.js'

let receiver: Hooks['receiver']
let bank: Hooks['bank']
let happens: Hooks['happens']
let passes: Hooks['passes']
beforeEach(async () => {
  ;({ receiver, bank, happens, passes } = await startHooks())
})

const newest = { 'service-version': NEWEST }
const good = { type: 'entity.create', url: 'https://a.example/hook' }
const create = async (body: object, headers: Record<string, string> = newest, mount = '') => {
  const reply = await bank.call('POST', `${mount}/webhooks`, { ...good, ...body }, headers)
  expect(reply.status).toBe(200)
  return reply.body
}
const versionOf = (url: string) => {
  const call = receiver.calls.find(each => each.url === url)
  const { data } = call!.json['event'] as { data: Record<string, unknown> }
  return 'capabilities' in data ? '2020-12-06' : 'verification' in data ? 'later' : 'unknown'
}

describe("a webhook's version", () => {
  it("is its own or its team's", async () => {
    const own = await create({ url: 'https://own.example/', expand_event: true, api_version: '2020-12-06' })
    const team = await create({ url: 'https://team.example/', expand_event: true })
    expect([own['api_version'], team['api_version']]).toEqual(['2020-12-06', null])
    const shown = await bank.call('GET', `/webhooks/${own.id}`, undefined, newest)
    expect(shown.body['api_version']).toBe('2020-12-06')
    expect(await bank.must('GET', `/webhooks/${own.id}`)).not.toHaveProperty('api_version')
    await happens()
    await passes()
    expect([versionOf('https://own.example/'), versionOf('https://team.example/')]).toEqual(['2020-12-06', 'later'])
    expect(await bank.rejection('POST', '/webhooks', { ...good, api_version: '2019-01-01' })).toBe('INVALID_REQUEST')
  })

  it('determines the name of each type it receives', async () => {
    const type = 'attribute.create'
    await create({ type, url: 'https://old.example/', api_version: '2025-12-01' })
    await create({ type, url: 'https://new.example/', api_version: NEWEST })
    const { entity } = await bank.debts()
    await bank.must('POST', `/entities/${entity}/attributes`, { attributes: ['credit_health_credit_card_usage'] })
    await passes()
    expect(receiver.calls.map(call => call.url)).toEqual(['https://old.example/'])
  })
})

/** A secret of the minimum length. */
const own = 'my-own-secret-of-24-byte'

describe("a webhook's secret", () => {
  it('is generated if none is given, shown once, and used to sign', async () => {
    const made = await create({})
    const secret = String(made['hmac_secret'])
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    const shown = await bank.call('GET', `/webhooks/${made.id}`, undefined, newest)
    expect(shown.body).not.toHaveProperty('hmac_secret')
    expect((await create({ hmac_secret: own, url: 'https://own.example/' }))['hmac_secret']).toBeNull()
    await happens()
    await passes()
    const { headers, body } = receiver.calls.find(call => call.url === good.url)!
    const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`
    const key = Buffer.from(secret.slice(6), 'base64')
    expect(headers['webhook-signature']).toBe(`v1,${createHmac('sha256', key).update(signed).digest('base64')}`)
  })
})

it('a webhook created through /enveloped sends the signature headers of existing receivers', async () => {
  await create({ hmac_secret: own }, {}, '/enveloped')
  await create({ hmac_secret: own, url: 'https://root.example/' })
  await happens()
  await passes()
  const sent = (url: string) => receiver.calls.find(call => call.url === url)!
  const { headers, body } = sent(good.url)
  const timestamp = headers['method-webhook-timestamp']
  expect(timestamp).toBe(headers['Service-Webhook-Timestamp'])
  expect(headers['method-webhook-signature']).toBe(
    createHmac('sha256', own).update(`${timestamp}:${body}`).digest('hex'),
  )
  expect(Object.keys(sent('https://root.example/').headers)).not.toContain('method-webhook-timestamp')
})
