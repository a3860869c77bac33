import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { type VerifyWebhookParams, verifyWebhook, WebhookVerificationError } from './index.js'

const secret = 'a long secret'
const at = 1_774_000_000
const body = '{"id":"pmt_1","type":"payment.update","op":"update","event":"evt_1","webhook_id":"whk_1","refs":null}'
const sign = (key: string | Buffer = secret, text = `dlv_1.${at}.${body}`) =>
  `v1,${createHmac('sha256', key).update(text).digest('base64')}`
const given = (more: Partial<VerifyWebhookParams> = {}, headers: Record<string, string | undefined> = {}) => ({
  body,
  headers: { 'webhook-id': 'dlv_1', 'webhook-timestamp': String(at), 'webhook-signature': sign(), ...headers },
  secret,
  now: () => at * 1_000,
  ...more,
})
const reason = (params: VerifyWebhookParams) => {
  try {
    verifyWebhook(params)
  } catch (error) {
    return error instanceof WebhookVerificationError ? error.reason : error
  }
  return 'none'
}

describe('verifyWebhook', () => {
  it('gives back what was sent, with the id of the delivery', () => {
    expect(verifyWebhook(given())).toEqual({ ...JSON.parse(body), delivery_id: 'dlv_1' })
  })

  it('takes the headers of fetch and of Node', () => {
    const { headers } = given()
    expect(reason(given({ headers: new Headers(headers as Record<string, string>) }))).toBe('none')
    expect(reason(given({ headers: { ...headers, 'webhook-id': ['dlv_1'] } }))).toBe('none')
  })

  it('takes any of several signatures, by any of several secrets', () => {
    expect(reason(given({}, { 'webhook-signature': `v1a,x ${sign('other')} ${sign()}` }))).toBe('none')
    expect(reason(given({ secret: ['new', secret] }))).toBe('none')
  })

  it('takes a secret of Standard Webhooks', () => {
    const key = Buffer.alloc(24, 3)
    expect(reason(given({ secret: `whsec_${key.toString('base64')}` }, { 'webhook-signature': sign(key) }))).toBe(
      'none',
    )
  })

  it.each([
    ['another body', given({ body: `${body} ` }), 'signature'],
    ['another secret', given({ secret: 'other' }), 'signature'],
    ['another id', given({}, { 'webhook-id': 'dlv_2' }), 'signature'],
    ['another version of signatures', given({}, { 'webhook-signature': sign().replace('v1,', 'v2,') }), 'signature'],
    ['a signature cut short', given({}, { 'webhook-signature': sign().slice(0, 20) }), 'signature'],
    ['no signature', given({}, { 'webhook-signature': undefined }), 'missing_header'],
    ['no id', given({}, { 'webhook-id': '' }), 'missing_header'],
    ['one that is old', given({ now: () => (at + 301) * 1_000 }), 'timestamp'],
    ['one from the future', given({ now: () => (at - 301) * 1_000 }), 'timestamp'],
    ['a timestamp that is none', given({}, { 'webhook-timestamp': 'soon' }), 'timestamp'],
    ['no JSON', given({ body: 'x' }, { 'webhook-signature': sign(secret, `dlv_1.${at}.x`) }), 'body'],
  ] as const)('refuses %s', (_what, params, wanted) => expect(reason(params as VerifyWebhookParams)).toBe(wanted))

  it('takes one that is old where that is allowed', () => {
    expect(reason(given({ now: () => (at + 900) * 1_000, tolerance: 1_000 }))).toBe('none')
  })
})
