import { HOUR_MS } from '@causeway/contract/time'
import { beforeEach, describe, expect, it } from 'vitest'
import { carrier } from '../../sandbox/tables/inputs.js'
import { errorOf } from '../../testing/contract/cases.js'
import { HOST, LOAN, redeemToken, someone } from '../../testing/frame.js'
import { testService } from '../../testing/service.js'
import { createFrame } from './app.js'
import { noAssets } from './assets.js'

const LENDER = 'https://www.lender.example'
const template = '<meta name="causeway-hosted" content="" />'

const service = await testService()
const entity = await someone(service, '+15125550101')
beforeEach(async () => {
  await service.call('PATCH', '/team', { allowed_origins: [LENDER], brand: { name: 'Northwind' } })
})

const make = (more: Record<string, unknown> = {}) =>
  service.call('POST', '/elements/token', {
    type: 'balance_transfer',
    entity_id: entity,
    balance_transfer: LOAN,
    redirect_url: `${LENDER}/back?application=7`,
    ...more,
  })
const link = async (more: Record<string, unknown> = {}) => {
  const { status, body, text } = await make(more)
  if (status !== 200) throw new Error(text)
  const [address, secret] = (body['hosted_url'] as string).split('#')
  return {
    token: body['element_token'] as string,
    path: new URL(address!).pathname,
    address: address!,
    secret: secret!,
  }
}
const get = async (path: string, headers: Record<string, string> = {}) => {
  const app = createFrame(service.deps, { ...noAssets, hosted: template })
  const response = await app.fetch(new Request(`http://localhost:4100${path}`, { headers }))
  const text = await response.text()
  const content = /content="([^"]*)"/.exec(text)?.[1] ?? ''
  const known = JSON.parse(
    content.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&'),
  )
  return { status: response.status, headers: response.headers, text, known }
}
const redeem = async (token: string, origin: string | null) => {
  const { status, body } = await redeemToken(service, token, { origin })
  return [status, body.error?.sub_type]
}

describe('a link to a hosted page', () => {
  it('is returned with the token, with its secret after the # and its handle before it', async () => {
    const { token, address, secret } = await link()
    expect(token.slice('pk_elem_'.length)).toBe(address.split('/h/')[1]! + secret)
    expect(address).toMatch(/^http:\/\/localhost:4100\/h\/[0-9A-Za-z]{16}$/)
  })

  it("tells its page whether it is the person's own page", async () => {
    expect((await get((await link()).path)).known.own).toBe(false)
    const own = { mode: 'manage', entity_id: entity, redirect_url: `${LENDER}/` }
    const made = await service.call('POST', '/opal/token', own)
    const { pathname } = new URL((made.body['data'] as unknown as { hosted_url: string }).hosted_url)
    expect((await get(pathname)).known.own).toBe(true)
  })

  it('created with an Opal token works too, and expires with the token', async () => {
    const made = await service.call('POST', '/opal/token', {
      mode: 'connect',
      entity_id: entity,
      redirect_url: `${LENDER}/`,
    })
    const { token, hosted_url, valid_until } = made.body['data'] as Record<string, string>
    const [path, secret] = hosted_url!.split('/h/')[1]!.split('#')
    expect(token).toBe(`otkn_${path}${secret}`)
    expect(Date.parse(valid_until!) - service.deps.clock()).toBe(24 * HOUR_MS)
    // The page has the handle and the secret, but not the token's kind.
    expect(await redeem(`pk_elem_${path}${secret}`, null)).toEqual([200, undefined])
    await service.call('DELETE', '/opal/token', undefined, { authorization: `Bearer ${token}` })
    expect(await get(`/h/${path}`)).toMatchObject({ status: 410, known: { link: 'late' } })
  })

  it('is created only if a redirect_url is sent', async () => {
    for (const redirect_url of [undefined, null])
      expect(Object.keys((await make({ redirect_url })).body)).toEqual(['element_token', 'session_id'])
  })

  // kills: return-to-allowed-origins
  it("returns to an allowed origin: the token's or else the team's", async () => {
    const refused = async (more: Record<string, unknown>) => {
      const { status, body } = await make(more)
      return [status, errorOf(body).sub_type, /^redirect_url must be/.test(errorOf(body).message)]
    }
    for (const redirect_url of [
      'https://evil.example/',
      `${LENDER}.evil.example/`,
      `https://www.lender.example:8443/`,
      `http://www.lender.example/`,
      `blob:${LENDER}/x`,
      `https://user@www.lender.example/`,
      'javascript:alert(1)',
      'myapp://done',
      '/back',
      '',
      7,
      `${LENDER}/${'x'.repeat(2_000)}`,
    ])
      expect([redirect_url, await refused({ redirect_url })]).toEqual([redirect_url, [400, 'INVALID_REQUEST', true]])
    expect((await refused({ allowed_origins: ['https://other.example'] }))[0]).toBe(400)
    const other = { allowed_origins: ['https://other.example'], redirect_url: 'https://other.example/' }
    expect((await make(other)).status).toBe(200)
  })

  it('without a list returns only to this machine, as elements do in the sandbox', async () => {
    await service.call('PATCH', '/team', { allowed_origins: [] })
    expect((await make({ redirect_url: 'http://127.0.0.1:4300/back' })).status).toBe(200)
    expect((await make()).status).toBe(400)
  })

  // kills: link-opens-no-element
  it('is exchanged once, by the page itself and never by an element', async () => {
    const { token } = await link()
    for (const origin of [LENDER, HOST, 'http://localhost:4100'])
      expect(await redeem(token, origin)).toEqual([403, 'ORIGIN_NOT_ALLOWED'])
    expect(await redeem(token, null)).toEqual([200, undefined])
    expect(await redeem(token, null)).toEqual([400, 'EXPIRED_TOKEN'])
  })

  it('does not exist for an element’s token', async () => {
    const { body } = await make({ redirect_url: undefined })
    expect(await redeem(body['element_token'], null)).toEqual([403, 'ORIGIN_NOT_ALLOWED'])
    const handle = (body['element_token'] as string).slice('pk_elem_'.length).slice(0, 16)
    expect((await get(`/h/${handle}`)).known).toEqual({ link: 'unknown' })
  })

  it('expires after exactly 24 hours', async () => {
    const [first, second] = [await link(), await link()]
    service.advance(24 * HOUR_MS - 1)
    expect(await redeem(first.token, null)).toEqual([200, undefined])
    service.advance(1)
    expect(await redeem(second.token, null)).toEqual([400, 'EXPIRED_TOKEN'])
    expect(await get(second.path)).toMatchObject({ status: 410, known: { link: 'late' } })
  })
})

describe('the hosted page', () => {
  it("can open the same carrier URLs as an element's page, and no others", async () => {
    const of = async (path: string) => {
      const { headers } = await get(path, { 'sec-ch-ua': '"Chromium";v="141"' })
      return headers.get('content-security-policy')!.includes(`connect-src 'self' ${carrier};`)
    }
    expect([await of((await link()).path), await of(`/h/${'x'.repeat(16)}`)]).toEqual([true, false])
  })

  it("can't be framed, sends no referrer, is not cached, and runs only its own scripts", async () => {
    const { headers } = await get((await link()).path)
    const policy = headers.get('content-security-policy')!
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).toContain("script-src 'self'")
    expect(policy).not.toContain('unsafe')
    expect(headers.get('referrer-policy')).toBe('no-referrer')
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('cross-origin-opener-policy')).toBe('same-origin')
  })

  it('contains its brand and its redirect address, but neither the person nor the secret', async () => {
    const { path, secret, token } = await link()
    const open = await get(path)
    expect(open.status).toBe(200)
    expect(open.known).toEqual({
      link: 'open',
      brand: 'Northwind',
      logo: null,
      accent: null,
      appearance: 'system',
      own: false,
      redirect: `${LENDER}/back?application=7`,
    })
    expect(open.text).not.toContain(secret)
    await redeem(token, null)
    expect((await get(path)).known).toMatchObject({ link: 'used' })
  })

  // kills: hosted-page-escapes-names
  it('renders names as text, whatever they contain', async () => {
    const team_name = '"><script>alert(1)</script>&quot;'
    const { text, known } = await get((await link({ team_name })).path)
    expect(known).toMatchObject({ brand: team_name })
    expect(text).not.toContain('<script')
  })

  it("loads the customer's logo from our own origin", async () => {
    const { path } = await link({ team_logo: 'https://cdn.lender.example/logo.svg' })
    expect((await get(path)).known).toMatchObject({ logo: path.replace('/h/', '/logo/') })
  })

  it('does not redirect to an origin that was removed from the list', async () => {
    const { path } = await link()
    await service.call('PATCH', '/team', { allowed_origins: ['https://other.example'] })
    expect((await get(path)).known).toMatchObject({ link: 'open', redirect: null })
  })

  it('is served for an unknown link too, to explain the error, but never for an element', async () => {
    for (const handle of ['x'.repeat(16), 'short', '%00', '%0d%0aX-Evil:1'])
      expect([handle, (await get(`/h/${handle}`)).status]).toEqual([handle, 404])
    const { path } = await link()
    const framed = await service.app.frame.fetch(new Request(`http://localhost:4100${path.replace('/h/', '/e/')}`))
    expect(framed.status).toBe(404)
  })
})
