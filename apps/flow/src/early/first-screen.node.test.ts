import type { ViewOf } from '@causeway/contract/session'
import { html, nothing } from 'lit'
import { describe, expect, it } from 'vitest'
import { gallery } from '../../dev/fixtures.js'
import { drawFirstScreen } from './first-screen.js'
import { renderMarkup } from './markup.js'

const consent = gallery.consent['plain'] as ViewOf<'consent'>
const asItIs = { appearance: null, theme: {} }

describe('the markup of a template', () => {
  it('escapes every value, in text and in attributes', () => {
    const value = `<script>"&'`
    const safe = `&lt;script&gt;&quot;&amp;'`
    expect(renderMarkup(html`<p title=${value} class="a ${value}">${value}</p>`)).toBe(
      `<p title="${safe}" class="a ${safe}">${safe}</p>`,
    )
  })

  it('leaves out what only a script can apply, and attributes without a value', () => {
    const act = () => undefined
    expect(
      renderMarkup(
        html`<a @click=${act} .value=${1} ?hidden=${false} ?open=${true} href=${nothing} id="${nothing}">b</a>`,
      ),
    ).toBe('<a open>b</a>')
  })

  it('renders lists and nested templates, and nothing for an absent value', () => {
    expect(renderMarkup(html`<ul>${[1, 2].map(each => html`<li>${each}</li>`)}${null}${nothing}</ul>`)).toBe(
      '<ul><li>1</li><li>2</li></ul>',
    )
  })

  it('refuses a value that is not text', () => {
    expect(() => renderMarkup(html`<p>${new Date()}</p>`)).toThrow("a value of type Date can't be rendered as text")
  })
})

describe('the first screen', () => {
  it("escapes the customer's name", async () => {
    const brand = { ...consent.brand, name: '<img src=x onerror="a">' }
    const { html: text, title } = await drawFirstScreen({ ...consent, brand }, asItIs, ['en'])
    expect(text).not.toContain('<img')
    expect(text).toContain('&lt;img src=x onerror=&quot;a&quot;&gt;')
    expect(title).toContain(brand.name)
  })

  it('escapes the names of the recipients', async () => {
    const recipients = { service: '<b>Harbor</b>', bureau: '<i>&amp;' }
    const { html: text } = await drawFirstScreen({ ...consent, recipients }, asItIs, ['en'])
    expect(text).toContain('What &lt;b&gt;Harbor&lt;/b&gt; receives')
    expect(text).toContain('What &lt;i&gt;&amp;amp; receives')
    expect(text).not.toMatch(/<b>|<i>/)
  })

  it('is in the first language that has texts', async () => {
    const drawn = (languages: (string | null)[]) => drawFirstScreen(consent, asItIs, languages)
    expect(await drawn([null, 'de', 'ar-EG', 'es'])).toMatchObject({ lang: 'ar-EG', dir: 'rtl' })
    expect(await drawn(['de'])).toMatchObject({ lang: 'en-US', dir: 'ltr' })
    expect((await drawn(['es'])).html).toContain('Aceptar y continuar')
  })

  it("has the host page's colors in both schemes, and follows the system unless the page or the team chooses", async () => {
    const drawn = await drawFirstScreen(consent, { appearance: null, theme: { accent: '#0a5', radius: 4 } }, [])
    expect(drawn.scheme).toBeNull()
    expect(drawn.css).toMatch(/^:root\{--accent:#[0-9a-f]{6};.*--r:4px\}:root\[data-scheme="dark"\]\{--accent:#/)
    expect((await drawFirstScreen(consent, { appearance: 'dark', theme: {} }, [])).scheme).toBe('dark')
  })
})
