import { html } from 'hono/html'
import { ar } from './ar.js'
import { es } from './es.js'

/** The languages of the borrower's site, by their own names. */
export const languages = { en: 'English', es: 'Español', ar: 'العربية' } as const
export type Language = keyof typeof languages

export const directionOf = (language: Language): 'ltr' | 'rtl' => (language === 'ar' ? 'rtl' : 'ltr')

const catalogs: Record<Language, Readonly<Record<string, string>>> = { en: {}, es, ar }

const fill = (text: string, values: Record<string, string>): string =>
  text.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '')

/** Keeps the characters of left-to-right values in order, such as those of $10,000. */
const isolated = (values: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, `\u2068${value}\u2069`]))

/** Returns a sentence in a language, for text without markup such as a title; English if it is not translated. */
export const translate = (language: Language, english: string, values: Record<string, string> = {}): string =>
  fill(catalogs[language][english] ?? english, directionOf(language) === 'rtl' ? isolated(values) : values)

/** Returns a sentence in a language. A sentence that is not translated is marked as English. */
export function sentence(language: Language, english: string, values: Record<string, string> = {}) {
  const isTranslated = language === 'en' || Object.hasOwn(catalogs[language], english)
  const text = translate(language, english, values)
  return isTranslated ? html`${text}` : html`<span lang="en" dir="ltr">${text}</span>`
}
