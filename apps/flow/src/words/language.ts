/** A language: the catalogue, and money, dates and counts as people of that locale write them. */
import { money } from '@causeway/contract/money'
import { en, type FirstWords, type Words } from './en.js'

export interface Language {
  /** BCP 47, what `Intl` and `lang` get. */
  locale: string
  dir: 'ltr' | 'rtl'
  /** Whole once {@link completeLanguage} has run; before that only the shell's and the first screen's are there. */
  words: Words
  /** Cents, such as `$1,287.60`. */
  money(cents: number): string
  /** Cents without the zeros of whole dollars, such as `$10,000`. */
  short(cents: number): string
  percent(percent: number): string
  /** A moment: the time today, else the date. */
  moment(iso: string, now: Date): string
  date(iso: string): string
  time(iso: string): string
  /** Seconds as `0:24`. */
  countdown(seconds: number): string
  list(items: readonly string[], kind?: 'conjunction' | 'disjunction'): string
}

type Rest = Omit<Words, keyof FirstWords>
interface Catalogue {
  first: () => Promise<FirstWords> | FirstWords
  rest: () => Promise<Rest>
}
const catalogues: Record<string, Catalogue> = {
  en: { first: () => en, rest: async () => (await import('./en.rest.js')).rest },
}
const spokenOf = (locale: string) => locale.split('-')[0]!.toLowerCase()
const RTL = new Set(['ar', 'fa', 'he', 'ur'])

function createLanguage(locale: string, first: FirstWords): Language {
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' })
  const time = new Intl.DateTimeFormat(locale, { timeStyle: 'short' })
  const date = new Intl.DateTimeFormat(locale, { dateStyle: 'medium' })
  const sameDay = (a: Date, b: Date) => a.toDateString() === b.toDateString()
  return {
    locale,
    dir: RTL.has(spokenOf(locale)) ? 'rtl' : 'ltr',
    words: first as Words,
    money: cents => money(cents, locale),
    short: cents => money(cents, locale, true),
    percent: percent =>
      new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 2 }).format(percent / 100),
    moment: (iso, now) => {
      const at = new Date(iso)
      return sameDay(at, now) ? `${relative.format(0, 'day')}, ${time.format(at)}` : date.format(at)
    },
    date: iso => date.format(new Date(iso)),
    time: iso => time.format(new Date(iso)),
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

/** The language for a wanted locale; English where there is no catalogue for it. */
export async function loadLanguage(wanted: string | null): Promise<Language> {
  const catalogue = wanted ? catalogues[spokenOf(wanted)] : undefined
  if (!wanted || !catalogue) return english
  try {
    return createLanguage(wanted, await catalogue.first())
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
