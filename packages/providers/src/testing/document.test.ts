import { describe, expect, it } from 'vitest'
import { checked } from './checked.js'
import { readDocument, recordViolations } from './document.js'

const service = `VA${'0'.repeat(32)}`
const verifications = `https://verify.twilio.com/v2/Services/${service}/Verifications`
const form = (body: string) => ({
  method: 'POST',
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
  body,
})
const good = { request: new Request(verifications, form('To=%2B15125550142&Channel=sms')), status: 201, body: {} }

async function violationsOf(change: { request?: Request; status?: number; body?: object | string }) {
  const { request, status, body } = { ...good, request: good.request.clone(), ...change }
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const response = new Response(text, { status, headers: { 'content-type': 'application/json' } })
  const documents = [readDocument('twilio-verify'), readDocument('twilio-lookups')]
  const error = { type: 'object', required: ['code'], properties: { code: { type: 'integer' } } }
  const { answer, violations } = recordViolations(documents, async () => response, { error })
  await answer(request)
  return violations
}

describe('the document check', () => {
  it('accepts a request and an answer of the document', async () => {
    expect(await violationsOf({})).toEqual([])
    expect(await violationsOf({ status: 404, body: { code: 20404 } })).toEqual([])
    const query = 'PageSize=20&DateCreatedAfter=2026-11-29T00:00:00Z'
    const request = new Request(`https://verify.twilio.com/v2/Attempts?${query}`)
    expect(await violationsOf({ request, status: 200 })).toEqual([])
  })

  it.each([
    ['an unknown path', { request: new Request('https://verify.twilio.com/v3') }, 'GET /v3 is not in the document'],
    [
      'a parameter of the path',
      { request: new Request(verifications.replace('VA', 'VB'), form('To=a&Channel=sms')) },
      'path/ServiceSid must match pattern',
    ],
    [
      'an unknown parameter of the query',
      { request: new Request('https://verify.twilio.com/v2/Attempts?To=1'), status: 200 },
      'query must NOT have additional properties: To',
    ],
    [
      'the type of a parameter',
      { request: new Request('https://verify.twilio.com/v2/Attempts?PageSize=many'), status: 200 },
      'query/PageSize must be integer',
    ],
    ['a missing member', { request: new Request(verifications, form('To=a')) }, "required property 'Channel'"],
    [
      'an unknown member',
      { request: new Request(verifications, form('To=a&Channel=sms&Chanel=x')) },
      'body must NOT have unevaluated properties: Chanel',
    ],
    [
      'the type of the body',
      { request: new Request(verifications, { method: 'POST', body: 'To=a' }) },
      'a body of the type text/plain is not in the document',
    ],
    ['a status', { status: 302 }, 'answer 302: the document has no such status'],
    ['a member of the answer', { body: { sid: 'VX' } }, 'body/sid must match pattern'],
    ['an error', { status: 404, body: { code: 'none' } }, 'answer 404: body/code must be integer'],
    ['an unreadable answer', { body: '{' }, 'the body is not JSON'],
    ['an answer without its body', { body: '' }, 'answer 201: the body is missing'],
  ])('reports %s', async (_, change, message) => {
    const violations = await violationsOf(change)
    expect(violations.join('\n')).toContain(message)
  })

  it('lists the operations that were called', async () => {
    const { answer, calls } = checked([readDocument('twilio-verify')], async () => Response.json({}, { status: 201 }))
    await answer(good.request.clone())
    expect([...calls]).toEqual(['POST /v2/Services/{ServiceSid}/Verifications 201'])
  })

  it.fails('fails the test', async () => {
    const { answer } = checked([readDocument('twilio-verify')], async () => Response.json({}, { status: 404 }))
    await answer(good.request.clone())
  })

  it.each(['increase', 'twilio-verify', 'twilio-lookups'])('reads %s', async name => {
    const { answer, violations } = recordViolations([readDocument(name)], async () => new Response())
    await answer(new Request('https://example.com/nothing'))
    expect(violations).toHaveLength(1)
  })
})
