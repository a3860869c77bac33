/**
 * The text of the consent documents. A record of consent always refers to the English text. If there is a translation
 * of the same version in the person's language, it is shown above the English text. This module loads when the person
 * opens a document.
 */
import type { SessionView, SharedData } from '@causeway/contract/session'
import { type Translations, textOf } from './documents.en.js'
import type { Language } from './language.js'

/** The part of a view that contains the names in the documents: those of the customer and the other recipients. */
export type NamedParties = Pick<SessionView, 'brand' | 'recipients'>

/** A document's paragraphs. `translated` is null if the language has no translation of this version. */
export interface DocumentText {
  translated: string[] | null
  english: string[]
}
/** A document as a view lists it. */
export interface ListedDocument {
  id: string
  version: string
  /** The kinds of data that its text names. */
  shares: readonly SharedData[]
}
export type DocumentTexts = (document: ListedDocument, named: NamedParties) => DocumentText

const translations: Record<string, () => Promise<Translations>> = {
  es: async () => (await import('./documents.es.js')).es,
  ar: async () => (await import('./documents.ar.js')).ar,
}

/** Loads the documents in a language. If the translations can't be loaded, loads only the English texts. */
export async function loadDocuments({ locale }: Pick<Language, 'locale'>): Promise<DocumentTexts> {
  const spoken = locale.split('-')[0]!
  const load = Object.hasOwn(translations, spoken) ? translations[spoken]! : async () => ({})
  const texts: Translations = await load().catch(() => ({}))
  return ({ id, version, shares }, { brand, recipients }) => ({
    translated: texts[id]?.[version]?.(brand.name, recipients, shares) ?? null,
    english: textOf(id, version)(brand.name, recipients, shares),
  })
}
