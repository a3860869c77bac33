import { createHmac } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { beforeEach, describe, expect, it } from 'vitest'
import { type Hooks, startHooks } from '../../testing/hooks.js'

let service: Hooks['service']
let receiver: Hooks['receiver']
let bank: Hooks['bank']
let hook: Hooks['hook']
let happens: Hooks['happens']
let passes: Hooks['passes']
beforeEach(async () => {
  ;({ service, receiver, bank, hook, happens, passes } = await startHooks())
})

describe('signatures', () => {
  const secret = 'a long secret of the customer'
  const next = 'the next secret of the customer'
  const verifies = (call: Hooks['receiver']['calls'][number] | undefined, webhook: Webhook) =>
    webhook.verify(call?.body ?? '', call?.headers ?? {})
  /** Sets the test's clock to the real time, which the library uses to check timestamps. */
  const now = () => service.advance(Date.now() - service.deps.clock())

  it('cover the timestamp and body; the Standard Webhooks library accepts its signatures', async () => {
    now()
    const standard = `whsec_${Buffer.alloc(24, 5).toString('base64')}`
    await hook({ hmac_secret: secret, auth_token: 'token-1' })
    await hook({ hmac_secret: standard, url: 'https://b.example/' })
    await happens()
    await passes()
    const plain = receiver.calls.find(call => call.url.includes('a.example'))
    const headers = plain?.headers ?? {}
    const said = `${headers['Service-Webhook-Timestamp']}:${plain?.body}`
    expect(headers['Service-Webhook-Signature']).toBe(createHmac('sha256', secret).update(said).digest('hex'))
    expect(headers['Service-Webhook-Timestamp']).toBe(String(Math.floor(service.deps.clock() / 1_000)))
    expect(headers['Authorization']).toBe(Buffer.from('token-1').toString('base64'))
    expect(headers['webhook-id']).toMatch(/^dlv_/)
    expect(verifies(plain, new Webhook(secret, { format: 'raw' }))).toEqual(plain?.json)
    expect(
      verifies(
        receiver.calls.find(call => call.url.includes('b.example')),
        new Webhook(standard),
      ),
    ).toBeTruthy()
    expect(() => verifies({ ...plain!, body: `${plain?.body} ` }, new Webhook(secret, { format: 'raw' }))).toThrow()
  })

  it('keep their id across attempts, with a new timestamp and signature for each', async () => {
    await hook({ hmac_secret: secret })
    receiver.reply([500])
    await happens()
    await passes(1)
    const [first, second] = receiver.calls.map(call => call.headers)
    expect(second?.['webhook-id']).toBe(first?.['webhook-id'])
    expect(Number(second?.['webhook-timestamp'])).toBe(Number(first?.['webhook-timestamp']) + 1)
    expect(second?.['webhook-signature']).not.toBe(first?.['webhook-signature'])
    expect(receiver.calls[1]?.body).toBe(receiver.calls[0]?.body)
  })

  it('are omitted for an older webhook without a secret, except the id and timestamp', async () => {
    const { id } = await hook()
    // Webhooks created before the service generated secrets have no secret.
    await service.store.write(tx =>
      tx.updateTable('webhooks').set({ hmac_secret: null }).where('id', '=', id).execute(),
    )
    await happens()
    await passes()
    expect(Object.keys(receiver.calls[0]?.headers ?? {}).sort()).toEqual(
      ['Content-Type', 'Service-Webhook-Timestamp', 'User-Agent', 'webhook-id', 'webhook-timestamp'].sort(),
    )
  })

  it('use both secrets for a day after a rotation', async () => {
    now()
    const { id } = await hook({ hmac_secret: secret, auth_token: 'token-1' })
    await bank.must('POST', `/webhooks/${id}/rotate`, { hmac_secret: next, auth_token: 'token-2' })
    await happens()
    await passes()
    const [call] = receiver.calls
    for (const each of [secret, next]) expect(verifies(call, new Webhook(each, { format: 'raw' }))).toBeTruthy()
    expect(call?.headers['Authorization']).toBe(Buffer.from('token-2').toString('base64'))
    service.advance(24 * 3_600_000)
    await happens()
    await passes()
    expect(receiver.calls[1]?.headers['webhook-signature']?.split(' ')).toHaveLength(1)
  })

  it.each([
    {},
    { hmac_secret: '' },
    { hmac_secret: 'x'.repeat(23) },
    { hmac_secret: `whsec_${'%'.repeat(24)}` },
    { url: 'https://b.example/' },
  ])('cannot be rotated to %j', async body => {
    const { id } = await hook({ hmac_secret: secret })
    expect(await bank.rejection('POST', `/webhooks/${id}/rotate`, body)).toBe('INVALID_REQUEST')
  })
})
