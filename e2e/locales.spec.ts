import type { Flow } from './support/flow.js'
import { phones } from './support/people.js'
import { expect, test, usualLoan } from './support/test.js'

const widely = { width: 390, height: 844 }

/** The text of the buttons and headings that the test uses, in each language. */
const spoken = {
  es: {
    consent: '¿Qué deudas pagará tu préstamo?',
    translated: 'Prevalece la versión inglesa.',
    agree: 'Aceptar y continuar',
    code: 'Código de seis dígitos',
    chosen: /^Continuar con 2 cuentas/,
    review: 'Revisar los pagos',
    check: 'Revisa y confirma',
    confirm: 'Confirmar los pagos',
    confirmed: 'Tus pagos están confirmados',
    money: '$4,120.55',
  },
  ar: {
    consent: 'لنبحث عن الديون التي سيسددها قرضك',
    translated: 'النص الإنجليزي هو المعتمد.',
    agree: 'أوافق وأتابع',
    code: 'رمز من ستة أرقام',
    chosen: /^تابع مع حسابين/,
    review: 'راجع الدفعات',
    check: 'راجع وأكّد',
    confirm: 'أكّد الدفعات',
    confirmed: 'تم تأكيد دفعاتك',
    money: /4,120\.55/,
  },
}

const direction = (frame: Flow['frame']) =>
  frame.locator('html').evaluate((root: HTMLElement) => `${root.lang} ${root.dir}`)

for (const [language, opening, tag] of [
  ['es', { locale: 'es' }, 'es-US ltr'],
  ['ar', { lang: 'ar' }, 'ar-US rtl'],
] as const)
  test(`a person who reads ${language} goes from the first screen to the confirmation in that language`, async ({
    begin,
    flow,
    hostPage,
    page,
  }, info) => {
    const words = spoken[language]
    await page.setViewportSize(widely)
    await begin(phones.allPayable, usualLoan, opening)
    const see = async (name: string) => {
      const wide = await flow.frame.locator('html').evaluate(root => root.scrollWidth - root.clientWidth)
      expect(wide, `${name} should not scroll sideways`).toBe(0)
      await page.screenshot({ path: info.outputPath(`${language}-${name}.png`), animations: 'disabled' })
    }
    await flow.at(words.consent)
    expect(await direction(flow.frame)).toBe(tag)
    await expect(flow.say(words.translated)).toBeVisible()
    await see('consent')
    await flow.press(words.agree)
    await flow.field(words.code).waitFor()
    await see('code')
    await flow.field(words.code).fill('123456')
    await flow.choose('Citi Double Cash', 'Chase Freedom Unlimited')
    await see('selection')
    await flow.press(words.chosen)
    await flow.button(words.review).waitFor()
    await see('allocation')
    await flow.press(words.review)
    await flow.at(words.check)
    await expect(flow.say(words.money)).toBeVisible()
    await see('review')
    await flow.press(words.confirm)
    await flow.at(words.confirmed)
    await see('done')
    expect(hostPage.refused).toEqual([])
  })

test.describe('on a page that declares no language', () => {
  test.use({ locale: 'es-MX' })

  test("the flow uses the browser's language, unless the page sets its own", async ({ begin, flow, page }) => {
    await begin(phones.allPayable, usualLoan, { lang: '' })
    await flow.at(spoken.es.consent)
    await page.locator('opal-balance-transfer-element').evaluate(element => element.setAttribute('locale', 'ar'))
    await flow.at(spoken.ar.consent)
    expect(await direction(flow.frame)).toBe('ar-US rtl')
    await page.locator('opal-balance-transfer-element').evaluate(element => element.setAttribute('locale', 'en'))
    await flow.at('Let’s find the debts your loan will pay off')
    expect(await direction(flow.frame)).toBe('en-US ltr')
  })
})
