/** A language: its catalog, and its locale's formats for money, dates and counts. */
import { readLocale } from '@causeway/contract/frame'
import { en, type FirstWords, type RestWords, type Words } from './en.js'
import type { FirstFormats, Formats } from './formats.js'
import { lazy } from './lazy.js'

export interface Language extends FirstFormats, Formats {
  /**
   * Complete after {@link completeLanguage}. Until then, the catalog contains only the text of the shell and the first
   * screen, and the language has no {@link Formats}.
   */
  words: Words
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
 * Returns the `Intl` locale for a requested locale. The region determines the formats of amounts and dates. The default
 * region is the United States.
 */
function localeOf(wanted: string): string {
  const { language, region = 'US' } = new Intl.Locale(wanted)
  return RTL.has(language) ? `${language}-${region}-u-nu-latn` : `${language}-${region}`
}

function createLanguage(wanted: string, first: FirstWords): Language {
  const locale = localeOf(wanted)
  const dir = RTL.has(spokenOf(locale)) ? 'rtl' : 'ltr'
  const time = lazy(() => new Intl.DateTimeFormat(locale, { timeStyle: 'short' }))
  const date = lazy(() => new Intl.DateTimeFormat(locale, { dateStyle: 'medium' }))
  return {
    locale,
    dir,
    words: first as Words,
    date: iso => date().format(new Date(iso)),
    time: iso => time().format(new Date(iso)),
  } as Language
}

/** The default language, used until another one has loaded. */
export const english: Language = createLanguage('en-US', en)

/**
 * Returns the language for the first of these locales that has a catalog, or English if none does. Ignores text that is
 * not a language tag.
 */
export async function loadLanguage(wanted: readonly (string | null)[]): Promise<Language> {
  const locale = wanted.map(readLocale).find(each => each && Object.hasOwn(catalogues, spokenOf(each)))
  if (!locale) return english
  try {
    return createLanguage(locale, await catalogues[spokenOf(locale)]!.first())
  } catch {
    return english
  }
}

/** Returns the languages that the person's browser prefers. Some browsers and webviews name only one, or none. */
export function browserLocales(navigator: {
  readonly languages?: readonly string[] | null
  readonly language?: string
}): readonly string[] {
  const { languages, language } = navigator
  return (languages ?? [language]).filter(tag => typeof tag === 'string')
}

const completeWords = new WeakSet<Words>()

/** True if a language has the text of every screen. */
export const isComplete = ({ words }: Language): boolean => completeWords.has(words)

/** Adds the text and formats of every screen to a language. Returns the language unchanged if it already has them. */
export async function completeLanguage(language: Language): Promise<Language> {
  if (isComplete(language)) return language
  const [rest, { createFormats }] = await Promise.all([
    catalogues[spokenOf(language.locale)]!.rest(),
    import('./formats.js'),
  ])
  const words = { ...language.words, ...rest }
  completeWords.add(words)
  return { ...language, ...createFormats(language), words }
}
