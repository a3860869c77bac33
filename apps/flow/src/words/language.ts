/** A language: its catalog, and its locale's formats for money, dates and counts. */
import { money } from '@causeway/contract/money'
import { en, type FirstWords, type RestWords, type Words } from './en.js'

export interface Language {
  /**
   * A BCP 47 tag with a region, for `Intl`. Digits are 0 to 9 in every language, to match masks, codes and typed
   * amounts.
   */
  locale: string
  dir: 'ltr' | 'rtl'
  /**
   * Complete after {@link completeLanguage}. Before that call, it contains only the texts of the shell and the first
   * screen.
   */
  words: Words
  /** Formats cents as an amount such as `$1,287.60`. */
  money(cents: number): string
  /** Formats cents as an amount without trailing zeros for whole dollars, such as `$10,000`. */
  short(cents: number): string
  percent(percent: number): string
  /** Formats a time: only the time if it is today, only the date if it is earlier, and both if it is in the future. */
  moment(iso: string, now: Date): string
  date(iso: string): string
  time(iso: string): string
  /** Formats seconds as a countdown such as `0:24`. */
  countdown(seconds: number): string
  list(items: readonly string[], kind?: 'conjunction' | 'disjunction'): string
}

interface Catalogue {
  first: () => Promise<FirstWords> | FirstWords
  rest: () => Promise<RestWords>
}
/** English is part of the app. All other languages are fetched when needed. */
export const catalogues: Record<string, Catalogue> = {
  en: { first: () => en, rest: async () => (await import('./en.rest.js')).rest },
  es: { first: async () => (await import('./es.js')).es, rest: async () => (await import('./es.rest.js')).rest },
  ar: { first: async () => (await import('./ar.js')).ar, rest: async () => (await import('./ar.rest.js')).rest },
}
const spokenOf = (locale: string) => locale.split('-')[0]!.toLowerCase()
const RTL = new Set(['ar', 'fa', 'he', 'ur'])

/**
 * Returns the `Intl` locale for a requested locale. The default region is the United States, which determines the
 * formats of amounts and dates.
 */
function localeOf(wanted: string): string {
  const { language, region = 'US' } = new Intl.Locale(wanted)
  return RTL.has(language) ? `${language}-${region}-u-nu-latn` : `${language}-${region}`
}

/** Creates a value on first use. Creating date formatters takes longer than everything else at startup combined. */
function late<T>(make: () => T): () => T {
  let made: T | undefined
  return () => (made ??= make())
}

function createLanguage(wanted: string, first: FirstWords): Language {
  const locale = localeOf(wanted)
  const dir = RTL.has(spokenOf(locale)) ? 'rtl' : 'ltr'
  // In right-to-left text, isolate amounts: otherwise, the currency sign would move to the far end.
  const apart = (text: string) => (dir === 'rtl' ? `\u2066${text.replace(/[\u200e\u200f]/g, '')}\u2069` : text)
  const relative = late(() => new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }))
  const time = late(() => new Intl.DateTimeFormat(locale, { timeStyle: 'short' }))
  const date = late(() => new Intl.DateTimeFormat(locale, { dateStyle: 'medium' }))
  const sameDay = (a: Date, b: Date) => a.toDateString() === b.toDateString()
  return {
    locale,
    dir,
    words: first as Words,
    money: cents => apart(money(cents, locale)),
    short: cents => apart(money(cents, locale, true)),
    percent: percent =>
      new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 2 }).format(percent / 100),
    moment: (iso, now) => {
      const at = new Date(iso)
      return sameDay(at, now)
        ? `${relative().format(0, 'day')}${dir === 'rtl' ? '،' : ','} ${time().format(at)}`
        : `${date().format(at)}${at > now ? `${dir === 'rtl' ? '،' : ','} ${time().format(at)}` : ''}`
    },
    date: iso => date().format(new Date(iso)),
    time: iso => time().format(new Date(iso)),
    countdown: seconds => {
      const whole = Math.max(0, Math.ceil(seconds))
      const [h, m, s] = [Math.floor(whole / 3600), Math.floor((whole % 3600) / 60), whole % 60]
      const two = (value: number) => String(value).padStart(2, '0')
      return h > 0 ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`
    },
    list: (items, kind = 'conjunction') => new Intl.ListFormat(locale, { type: kind }).format(items),
  }
}

/** The default language, used until another is requested. */
export const english: Language = createLanguage('en-US', en)

/** Returns the language for the first of these locales that has a catalog, or English if none does. */
export async function loadLanguage(wanted: readonly (string | null)[]): Promise<Language> {
  const locale = wanted.find(each => each && Object.hasOwn(catalogues, spokenOf(each)))
  if (!locale) return english
  try {
    return createLanguage(locale, await catalogues[spokenOf(locale)]!.first())
  } catch {
    return english
  }
}

const whole = new WeakSet<Words>()

/** True if a language has the texts of every screen. */
export const isComplete = ({ words }: Language): boolean => whole.has(words)

/** Adds the texts of every screen to a language. Returns the language unchanged if it already has them. */
export async function completeLanguage(language: Language): Promise<Language> {
  if (isComplete(language)) return language
  const words = { ...language.words, ...(await catalogues[spokenOf(language.locale)]!.rest()) }
  whole.add(words)
  return { ...language, words }
}
