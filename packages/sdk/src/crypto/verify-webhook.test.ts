// kills: webhook-needs-signature
import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { signWebhook, VerificationError, type VerifyWebhookParams, verifyWebhook } from '../index.js'

const at = 1_780_000_000
const now = () => at * 1000
const body = JSON.stringify({
  webhook_id: 'whk_1',
  id: 'pmt_1',
  type: 'payment.update',
  op: 'update',
  event: 'evt_1',
  refs: null,
})
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text)

const ours = (secret: string, text = body, seconds = at) => ({
  'Service-Webhook-Timestamp': String(seconds),
  'Service-Webhook-Signature': hmac(secret, `${seconds}:${text}`).digest('hex'),
})
const standard = (keys: (string | Buffer)[], text = body, seconds = at) => ({
  'webhook-id': 'dlv_1',
  'webhook-timestamp': String(seconds),
  'webhook-signature': keys.map(key => `v1,${hmac(key, `dlv_1.${seconds}.${text}`).digest('base64')}`).join(' '),
})
const lower = (headers: Record<string, string>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
const reasonOf = async (delivery: Partial<VerifyWebhookParams>) => {
  const error = await verifyWebhook({ body, headers: {}, secret: 's1', now, ...delivery }).then(
    () => null,
    reason => reason,
  )
  expect(error).toBeInstanceOf(VerificationError)
  return (error as VerificationError).reason
}

describe('a delivery is accepted', () => {
  it.each([
    ['as fetch passes them', (all: Record<string, string>) => new Headers(all)],
    ['as Node passes them', (all: Record<string, string>) => ({ ...all, cookie: ['a', 'b'], host: undefined })],
    ['in lowercase', (all: Record<string, string>) => lower(all)],
    ['as a Map', (all: Record<string, string>) => new Map(Object.entries(all))],
    ['as entries', (all: Record<string, string>) => Object.entries(all)],
    [
      'as the entries of another Headers class',
      (all: Record<string, string>) => new Map(Object.entries(all)).entries(),
    ],
  ])('with headers %s', async (_, convert) => {
    const accepted = { id: 'pmt_1', event: 'evt_1' }
    const plain = { body, secret: 's1', now }
    expect(await verifyWebhook({ ...plain, headers: convert(standard(['s1'])) })).toMatchObject(accepted)
    const own = { ...plain, headers: convert(ours('s1')), scheme: 'service' } as const
    expect(await verifyWebhook(own)).toMatchObject(accepted)
  })

  it('as bytes too', async () => {
    const text = JSON.stringify({ name: 'Zoë' })
    const delivery = { body: Buffer.from(text), headers: standard(['s1'], text), secret: 's1', now }
    expect(await verifyWebhook(delivery)).toMatchObject({ name: 'Zoë' })
  })

  it('as bytes that begin with a byte order mark, but not as bytes that are not UTF-8', async () => {
    const deliver = (bytes: Buffer) => {
      const signature = createHmac('sha256', 's1').update(`dlv_1.${at}.`).update(bytes).digest('base64')
      const headers = { ...standard([]), 'webhook-signature': `v1,${signature}` }
      return { body: bytes, headers, secret: 's1', now }
    }
    expect(await verifyWebhook(deliver(Buffer.from('\ufeff{"name":"Zoë"}')))).toMatchObject({ name: 'Zoë' })
    await expect(verifyWebhook(deliver(Buffer.from('{"name":"Zoë"}', 'latin1')))).rejects.toThrow(VerificationError)
  })

  it('with either of two secrets during a rotation, whichever the receiver has', async () => {
    const headers = { ...ours('new'), ...standard(['new', 'old']) }
    for (const secret of ['new', 'old', ['other', 'old'], ['new', 'old']])
      expect(await verifyWebhook({ body, headers, secret, now })).toMatchObject({ id: 'pmt_1' })
  })

  it('with the bytes after whsec_ in the standard headers, and with its text in our own header', async () => {
    const key = Buffer.from('0123456789abcdef0123456789abcdef')
    const secret = `whsec_${key.toString('base64')}`
    expect(await verifyWebhook({ body, headers: standard([key]), secret, now })).toMatchObject({ id: 'pmt_1' })
    const own = { body, headers: ours(secret), secret, now, scheme: 'service' } as const
    expect(await verifyWebhook(own)).toMatchObject({ id: 'pmt_1' })
  })

  it("with an id for detecting duplicates: the event's id under the service's scheme", async () => {
    expect(await verifyWebhook({ body, headers: standard(['s1']), secret: 's1', now })).toEqual({
      ...JSON.parse(body),
      delivery_id: 'dlv_1',
    })
    const both = { ...ours('s1'), ...standard(['s1']) }
    for (const headers of [ours('s1'), both])
      expect(await verifyWebhook({ body, headers, secret: 's1', now, scheme: 'service' })).toMatchObject({
        delivery_id: 'evt_1',
      })
  })

  it('at the limit of its tolerance', async () => {
    expect(await verifyWebhook({ body, headers: standard(['s1'], body, at - 300), secret: 's1', now })).toBeTruthy()
  })
})

it.each([
  ['a tolerance that is not a number', { tolerance: Number.NaN }],
  ['a negative tolerance', { tolerance: -1 }],
  ['a tolerance as text', { tolerance: '300' as unknown as number }],
  ['a time that is not a number', { now: () => Number.NaN }],
])('a delivery of any age is not accepted with %s', async (_, options) => {
  const old = { body, headers: standard(['s1'], body, at - 86_400), secret: 's1', now, ...options }
  await expect(verifyWebhook(old)).rejects.toBeInstanceOf(TypeError)
})

const own = { scheme: 'service' } as const

describe('a delivery is rejected', () => {
  it.each([
    ['without a signature', { headers: { 'service-webhook-timestamp': String(at) } }, 'missing'],
    ['without an id, under the standard', { headers: { ...standard(['s1']), 'webhook-id': '' } }, 'missing'],
    ['with another secret', { ...own, headers: ours('s2') }, 'signature'],
    ['whose standard headers were removed', { headers: ours('s1') }, 'missing'],
    ['whose own headers were removed, under that scheme', { ...own, headers: standard(['s1']) }, 'missing'],
    ['with another secret, under the standard', { headers: standard(['s2', 's3']) }, 'signature'],
    [
      'with an invalid standard signature, whatever ours is',
      { headers: { ...ours('s1'), ...standard(['s2']) } },
      'signature',
    ],
    ['with another body', { ...own, headers: ours('s1'), body: `${body} ` }, 'signature'],
    ['with another id', { headers: { ...standard(['s1']), 'webhook-id': 'dlv_2' } }, 'signature'],
    [
      'with another timestamp',
      { ...own, headers: { ...ours('s1'), 'Service-Webhook-Timestamp': String(at + 1) } },
      'signature',
    ],
    [
      'with a signature that is not hex',
      { ...own, headers: { ...ours('s1'), 'Service-Webhook-Signature': 'zz' } },
      'signature',
    ],
    [
      'in upper-case hex',
      {
        ...own,
        headers: { ...ours('s1'), 'Service-Webhook-Signature': ours('s1')['Service-Webhook-Signature'].toUpperCase() },
      },
      'signature',
    ],
    [
      'with another scheme',
      {
        headers: {
          ...standard(['s1']),
          'webhook-signature': standard(['s1'])['webhook-signature'].replace('v1,', 'v1a,'),
        },
      },
      'signature',
    ],
    ['when it is old', { ...own, headers: ours('s1', body, at - 301) }, 'expired'],
    ['when it is from the future', { headers: standard(['s1'], body, at + 301) }, 'expired'],
    [
      'without a timestamp',
      { ...own, headers: { ...ours('s1'), 'Service-Webhook-Timestamp': undefined } },
      'malformed',
    ],
    ['when it is not an object', { body: '[]', headers: standard(['s1'], '[]') }, 'malformed'],
  ] as [string, Partial<VerifyWebhookParams>, string][])('%s', async (_, delivery, reason) => {
    expect(await reasonOf(delivery)).toBe(reason)
  })

  it('as a caller mistake, with another scheme or with headers that are not entries', async () => {
    const plain = { body, secret: 's1', now, headers: standard(['s1']) }
    await expect(verifyWebhook({ ...plain, scheme: 'any' as 'standard' })).rejects.toThrow(TypeError)
    const raw = ['webhook-id', 'dlv_1'] as unknown as [string, string][]
    await expect(verifyWebhook({ ...plain, headers: raw })).rejects.toThrow(TypeError)
  })

  it('as a caller mistake, with an empty secret or no secret', async () => {
    for (const secret of ['', [], ['s1', '']])
      await expect(verifyWebhook({ body, headers: ours('s1'), secret, now })).rejects.toThrow(TypeError)
  })
})

it('signWebhook signs exactly as the service does', async () => {
  const key = Buffer.from('0123456789abcdef0123456789abcdef')
  const secret = `whsec_${key.toString('base64')}`
  expect(await signWebhook({ body, secret, id: 'dlv_1', now })).toEqual({
    'Content-Type': 'application/json',
    ...ours(secret),
    ...standard([key]),
  })
})
