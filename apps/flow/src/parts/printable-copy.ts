/**
 * Opens a copy of the documents and any amounts in a separate window, where the person can save or print it. The
 * frame's sandbox keeps the frame from printing, but allows popups, which can print. The copy is built only from text
 * nodes so that its content can't become markup.
 */
import { type ListedDocument, loadDocuments, type NamedParties } from '../words/documents.js'
import type { Language } from '../words/language.js'
import type { AmountRow } from './amount-table.js'

export interface PrintableCopy {
  title: string
  lead: string
  /** Details at the top of the copy: a reference and dates. */
  facts: readonly { name: string; value: string }[]
  sums: readonly AmountRow[]
  /** The documents, each printed in the version that the person accepted; `note` names that version. */
  documents: readonly (ListedDocument & { note: string })[]
}

/** @param named the names that appear in the documents */
export async function openPrintableCopy(
  window: Window,
  paper: PrintableCopy,
  named: NamedParties,
  language: Language,
): Promise<void> {
  const popup = window.open('', '_blank', 'width=720,height=900')
  if (!popup) return
  const textsOf = await loadDocuments(language)
  const { document } = popup
  const main = document.body.appendChild(document.createElement('main'))
  const add = (tag: string, text: string, parent: Element = main, css: Record<string, string> = {}) => {
    const element = parent.appendChild(document.createElement(tag))
    element.textContent = text
    for (const [name, value] of Object.entries(css)) element.style.setProperty(name, value)
    return element
  }
  const addTable = (rows: readonly (readonly [name: string, value: string, next?: string | undefined])[]) => {
    if (rows.length === 0) return
    const table = add('table', '', main, { width: '100%', 'border-collapse': 'collapse' })
    for (const [name, value, next] of rows) {
      const row = add('tr', '', table)
      const line = { 'border-bottom': '1px solid #ccc', padding: '6px 0', 'text-align': 'start' }
      const head = add('th', name, row, { ...line, 'font-weight': 'normal' })
      if (next) add('div', next, head, { 'font-size': '13px' })
      add('td', value, row, { ...line, 'text-align': 'end' })
    }
  }
  document.title = paper.title
  document.documentElement.lang = new Intl.Locale(language.locale).baseName
  document.documentElement.dir = language.dir
  document.body.style.setProperty('font', '15px/1.5 Arial, sans-serif')
  document.body.style.setProperty('max-width', '40em')
  document.body.style.setProperty('margin', '2em auto')
  document.body.style.setProperty('padding', '0 1em')
  add('h1', paper.title)
  add('p', paper.lead)
  addTable(paper.facts.map(({ name, value }) => [name, value]))
  addTable(paper.sums.map(({ name, note, amount, next }) => [note ? `${name} (${note})` : name, amount, next] as const))
  const { consent, documents } = language.words
  const small = { 'font-size': '13px', margin: '1em 0 0' }
  if (consent.documentsIn && paper.documents.length) add('p', consent.documentsIn)
  for (const { id, version, shares, note } of paper.documents) {
    add('h2', documents[id as keyof typeof documents] ?? documents.other, main, { 'font-size': '17px' })
    const { translated, english } = textsOf({ id, version, shares }, named)
    if (translated) {
      add('h3', consent.translation, main, small)
      for (const paragraph of translated) add('p', paragraph)
      add('h3', consent.original, main, small)
    }
    for (const paragraph of english) {
      // The person agreed to the English text, even if the copy is in another language.
      const element = add('p', paragraph)
      element.lang = 'en'
      element.dir = 'ltr'
    }
    add('p', note)
  }
  popup.print()
}
