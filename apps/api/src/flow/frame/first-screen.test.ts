import { createHash } from 'node:crypto'
import type { FirstScreen } from '@causeway/contract/session'
import { describe, expect, it } from 'vitest'
import { handleOf, newToken, Person } from '../../testing/frame.js'
import { testService } from '../../testing/service.js'
import { createFrame } from './app.js'
import { type Assets, type DrawFirstScreen, noAssets } from './assets.js'

const service = await testService()

const shell = `<!doctype html><html lang="en"><head><meta name="causeway-view" content="" /><title>Connect</title>
<script type="module" crossorigin src="/assets/index-1.js"></script></head><body><causeway-flow></causeway-flow></body></html>`
const script = 'start("$&")'
const settings = {
  mode: 'balance_transfer',
  display: 'inline',
  locale: 'es',
  appearance: null,
  theme: {},
  hidden: false,
}

/** Creates a frame listener whose renderer records each screen that it is asked to draw. */
function frame(more: Partial<FirstScreen> = {}) {
  const drawn: Parameters<DrawFirstScreen>[] = []
  const draw: DrawFirstScreen = async (...given) => {
    drawn.push(given)
    const [{ brand }] = given
    const html = `<p>$& the screen</p>${brand.logo ? `<img src="${brand.logo}">` : ''}`
    return { title: 'A & <B>', lang: 'es-US', dir: 'ltr', scheme: null, html, css: ':root{--r:1px}', ...more }
  }
  const assets: Assets = { ...noAssets, shell, early: { script, draw } }
  const app = createFrame(service.deps, assets)
  const get = async (path: string, headers: Record<string, string> = {}) => {
    const response = await app.fetch(new Request(`http://localhost:4100${path}`, { headers }))
    return {
      status: response.status,
      policy: response.headers.get('content-security-policy')!,
      text: await response.text(),
    }
  }
  return { drawn, get }
}

const token = (more: Record<string, unknown> = {}) => newToken(service, more)
const pathOf = (text: string, given: object | string = settings) =>
  `/e/${handleOf(text)}?init=${encodeURIComponent(typeof given === 'string' ? given : JSON.stringify(given))}`

describe('the first screen in the page', () => {
  it("is hidden until the page's script shows it, precedes the app, and is in the person's language", async () => {
    const { get, drawn } = frame()
    const { text } = await get(pathOf(await token()), { 'accept-language': 'de,ar;q=0.5' })
    expect(text).toContain('<html lang="es-US" dir="ltr" data-display="inline">')
    expect(text).toContain('<title>A &amp; &lt;B&gt;</title>')
    expect(text).toContain(
      `<div id="early" hidden><p>$& the screen</p></div><causeway-flow></causeway-flow><script>${script}</script>`,
    )
    expect(drawn[0]!.slice(1)).toEqual([{ appearance: null, theme: {} }, ['es', 'ar']])
  })

  it('is followed by the app, which the script loads', async () => {
    const { text } = await frame().get(pathOf(await token()))
    expect(text).toContain('<link rel="modulepreload" crossorigin href="/assets/index-1.js">')
    expect(text).not.toContain('<script type="module"')
  })

  it('is allowed by hashes, and the policy allows no other script or style in the page', async () => {
    const { text, policy } = await frame().get(pathOf(await token()))
    const hash = (part: string) => `'sha256-${createHash('sha256').update(part).digest('base64')}'`
    const style = /<style>(.*)<\/style>/.exec(text)![1]!
    expect(policy).toContain(`; script-src 'self' ${hash(script)}; style-src 'self' ${hash(style)};`)
    expect(policy).not.toMatch(/unsafe|nonce/)
  })

  it('has the fixed color scheme, if there is one', async () => {
    const { text } = await frame({ scheme: 'dark' }).get(pathOf(await token(), { ...settings, appearance: 'dark' }))
    expect(text).toContain('data-display="inline" data-scheme="dark">')
  })

  it('is drawn once for all tokens with the same settings, and has its own logo', async () => {
    const { get, drawn } = frame()
    const team_logo = 'https://logos.example/northwind.png'
    const [one, two] = [await token({ team_logo }), await token({ team_logo })]
    expect((await get(pathOf(one))).text).toContain(`<img src="/logo/${handleOf(one)}">`)
    expect((await get(pathOf(two))).text).toContain(`<img src="/logo/${handleOf(two)}">`)
    expect(drawn).toHaveLength(1)
    await get(pathOf(one, { ...settings, locale: 'ar' }))
    expect(drawn).toHaveLength(2)
  })

  it('keeps a limited number of screens', async () => {
    const { get, drawn } = frame()
    const text = await token()
    const open = (radius: number) =>
      get(pathOf(text, { ...settings, theme: { radius: radius % 25 }, locale: `es-${radius}` }))
    for (let i = 0; i <= 200; i++) await open(100 + i)
    await open(300)
    expect(drawn).toHaveLength(201)
    await open(100)
    expect(drawn).toHaveLength(202)
  })

  it('is absent if it cannot be rendered, and the app draws the screen', async () => {
    const logged: string[] = []
    const deps = { ...service.deps, log: (_level: string, event: string) => void logged.push(event) }
    const draw = async () => Promise.reject(new Error('x'))
    const app = createFrame(deps, { ...noAssets, shell, early: { script, draw } })
    const page = await app.fetch(new Request(`http://localhost:4100${pathOf(await token())}`))
    expect(page.status).toBe(200)
    expect(await page.text()).toContain('<script type="module" crossorigin src="/assets/index-1.js"></script>')
    expect(logged).toContain('first_screen_failed')
  })

  it('is shown in an element that accepts any mode', async () => {
    const page = await frame().get(pathOf(await token(), { ...settings, mode: null }))
    expect(page.text).toContain('id="early"')
  })

  it('is absent without valid settings, for another element and in a hidden frame', async () => {
    const { get, drawn } = frame()
    const text = await token()
    const others = [
      '',
      '{',
      'null',
      '1',
      { ...settings, mode: 'connect' },
      { ...settings, display: 'page' },
      { ...settings, hidden: true },
      { ...settings, padding: 'x'.repeat(1_000) },
    ]
    for (const given of [...others.map(each => pathOf(text, each)), `/e/${handleOf(text)}`]) {
      const page = await get(given)
      expect(page.status).toBe(200)
      expect(page.text).toContain('<script type="module" crossorigin src="/assets/index-1.js"></script>')
      expect(page.text).not.toContain('id="early"')
      expect(page.policy).toContain("script-src 'self'; style-src 'self';")
    }
    expect(drawn).toEqual([])
  })

  it('is absent from the pages of used, expired and unknown tokens, and from the preload page', async () => {
    const { get, drawn } = frame()
    const [used, late] = [await token(), await token()]
    await Person.arrive(service, used)
    await get(pathOf(used))
    service.advance(31 * 60_000)
    expect((await get(pathOf(late))).status).toBe(410)
    expect((await get(pathOf('x'.repeat(40)))).status).toBe(404)
    await get(`/preload?init=${encodeURIComponent(JSON.stringify(settings))}`)
    expect(drawn).toEqual([])
  })
})
