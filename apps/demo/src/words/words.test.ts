import { describe, expect, it } from 'vitest'
import { desk, form, page, useSite } from '../testing/site.js'
import { ar } from './ar.js'
import { es } from './es.js'

const { site, visit, submit } = useSite()
const speak = (header: string) => ({ cookie: site.cookie, 'Accept-Language': header })
const opening = (text: string) => /<html [^>]*>/.exec(text)?.[0]

describe('the language of the borrower’s site', () => {
  it.each([
    ['es-MX,es;q=0.9,en;q=0.8', '<html lang="es" dir="ltr">', 'Continuar'],
    ['ar', '<html lang="ar" dir="rtl">', 'متابعة'],
    ['de-DE,de;q=0.9', '<html lang="en" dir="ltr">', 'Continue'],
  ])('follows a browser that asks for %s', async (header, tag, button) => {
    const text = await (await visit('/', speak(header))).text()
    expect([opening(text), text.includes(`>${button}</button>`)]).toEqual([tag, true])
  })

  it('is changed by the switch, which returns to the same page, and stays changed', async () => {
    await submit('/applications', form)
    expect(await (await visit(page)).text()).toContain(`href="${page}?lang=es"`)
    const answer = await visit(`${page}?lang=es`)
    expect(await answer.text()).toContain('Vincular mis cuentas')
    const chosen = answer.headers.get('Set-Cookie')?.split(';')[0]
    const later = await visit(page, { cookie: `${site.cookie}; ${chosen}`, 'Accept-Language': 'en' })
    expect(opening(await later.text())).toBe('<html lang="es" dir="ltr">')
  })

  it('falls back to English for single sentences, which are marked as English', async () => {
    const text = await (await visit('/', speak('es'))).text()
    expect(text).toContain('<h2 id="rates"><span lang="en" dir="ltr">One rate, no fees</span></h2>')
    expect(text).toContain('<h2 id="how">Cómo funciona</h2>')
  })

  it('ignores a language that the site does not have, and is English in the back office', async () => {
    expect(opening(await (await visit('/?lang=%3Cb%3E')).text())).toBe('<html lang="en" dir="ltr">')
    await submit('/applications', form)
    expect(opening(await (await visit(desk, speak('es'))).text())).toBe('<html lang="en" dir="ltr">')
  })
})

it('keeps the order of an amount in a sentence that is written from right to left', async () => {
  await submit('/applications', form)
  expect(await (await visit(page, speak('ar'))).text()).toContain('\u2068$10,000\u2069')
})

it('the translations have the same sentences, with the same values', () => {
  expect(Object.keys(ar)).toEqual(Object.keys(es))
  const values = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(([name]) => name).sort()
  for (const catalog of [es, ar])
    for (const [english, text] of Object.entries(catalog))
      expect([english, values(text)]).toEqual([english, values(english)])
})
