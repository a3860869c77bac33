/** A language: the catalog, and money, dates and counts as people of that locale write them. */
import { money } from '@causeway/contract/money'
import { en, type FirstWords, type RestWords, type Words } from './en.js'

export interface Language {
  /** BCP 47 with a region, what `Intl` gets. Digits are 0 to 9 everywhere: masks, codes and typed amounts are. */
  locale: string
  dir: 'ltr' | 'rtl'
  /** Whole once {@link completeLanguage} has run; before that only the shell's and the first screen's are there. */
  words: Words
  /** Cents, such as `$1,287.60`. */
  money(cents: number): string
  /** Cents without the zeros of whole dollars, such as `$10,000`. */
  short(cents: number): string
  percent(percent: number): string
  /** A moment: the time today, the date before, and both of what is to come. */
  moment(iso: string, now: Date): string
  date(iso: string): string
  time(iso: string): string
  /** Seconds as `0:24`. */
  countdown(seconds: number): string
  list(items: readonly string[], kind?: 'conjunction' | 'disjunction'): string
}

interface Catalogue {
  first: () => Promise<FirstWords> | FirstWords
  rest: () => Promise<RestWords>
}
/** English comes with the app; every other language is fetched by those who speak it. */
export const catalogues: Record<string, Catalogue> = {
  en: { first: () => en, rest: async () => (await import('./en.rest.js')).rest },
  es: { first: async () => (await import('./es.js')).es, rest: async () => (await import('./es.rest.js')).rest },
  ar: { first: async () => (await import('./ar.js')).ar, rest: async () => (await import('./ar.rest.js')).rest },
}
const spokenOf = (locale: string) => locale.split('-')[0]!.toLowerCase()
const RTL = new Set(['ar', 'fa', 'he', 'ur'])

/**
 * The locale that `Intl` gets for a requested one. Without a region it is the United States: dollars, and dates as they
 * are there.
 */
function localeOf(wanted: string): string {
  const { language, region = 'US' } = new Intl.Locale(wanted)
  return RTL.has(language) ? `${language}-${region}-u-nu-latn` : `${language}-${region}`
}

/** Made at its first use: making what formats a date takes longer than all else that starts the app. */
function late<T>(make: () => T): () => T {
  let made: T | undefined
  return () => (made ??= make())
}

function createLanguage(wanted: string, first: FirstWords): Language {
  const locale = localeOf(wanted)
  const dir = RTL.has(spokenOf(locale)) ? 'rtl' : 'ltr'
  // An amount keeps its own order in a sentence that runs the other way: currency signs would jump to its far end.
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

/** The default, needed before anyone said what they speak. */
export const english: Language = createLanguage('en-US', en)

/** The language for the first of these locales that has a catalog; English where none has. */
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

/** The same language with the words of every screen; itself where it has them already. */
export async function completeLanguage(language: Language): Promise<Language> {
  if (whole.has(language.words)) return language
  const words = { ...language.words, ...(await catalogues[spokenOf(language.locale)]!.rest()) }
  whole.add(words)
  return { ...language, words }
}
