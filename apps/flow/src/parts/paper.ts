/**
 * A copy to save or print, in a window of its own: the frame's sandbox lets a popup out, and print from there. Built
 * from text alone, so nothing in it can be anything but text.
 */
import type { Language } from '../words/language.js'
import type { Sum } from './sums.js'

export interface Paper {
  title: string
  lead: string
  sums: readonly Sum[]
  sections: readonly { title: string; paragraphs: readonly string[] }[]
}

export function openPaper(window: Window, paper: Paper, language: Language): void {
  const popup = window.open('', '_blank', 'width=720,height=900')
  if (!popup) return
  const { document } = popup
  const add = (tag: string, text: string, parent: Element = document.body, css: Record<string, string> = {}) => {
    const element = parent.appendChild(document.createElement(tag))
    element.textContent = text
    for (const [name, value] of Object.entries(css)) element.style.setProperty(name, value)
    return element
  }
  document.title = paper.title
  document.documentElement.lang = language.locale
  document.documentElement.dir = language.dir
  document.body.style.setProperty('font', '15px/1.5 Arial, sans-serif')
  document.body.style.setProperty('max-width', '40em')
  document.body.style.setProperty('margin', '2em auto')
  add('h1', paper.title)
  add('p', paper.lead)
  const { documentsIn } = language.words.consent
  if (documentsIn && paper.sections.length) add('p', documentsIn)
  if (paper.sums.length) {
    const table = add('table', '', document.body, { width: '100%', 'border-collapse': 'collapse' })
    for (const { name, note, amount } of paper.sums) {
      const row = add('tr', '', table)
      const line = { 'border-bottom': '1px solid #ccc', padding: '6px 0', 'text-align': 'start' }
      add('th', note ? `${name} (${note})` : name, row, { ...line, 'font-weight': 'normal' })
      add('td', amount, row, { ...line, 'text-align': 'end' })
    }
  }
  for (const { title, paragraphs } of paper.sections) {
    add('h2', title, document.body, { 'font-size': '17px' })
    for (const paragraph of paragraphs) add('p', paragraph)
  }
  popup.print()
}
