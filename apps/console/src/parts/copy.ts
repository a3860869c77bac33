/** Copy buttons. The copied text contains personal data only if the user requested exactly that data. */
import { html, type TemplateResult } from 'lit'
import type { Console } from '../page.js'
import { words } from '../words.js'
import { icon } from './icons.js'

export async function copyText(console: Console, text: string, done: string = words.copy.done): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    console.say(done)
  } catch {
    console.say(words.copy.failed)
  }
}

export const copyButton = (console: Console, text: string, label: string, kind = ''): TemplateResult =>
  html`<button class="btn ${kind}" type="button" @click=${() => void copyText(console, text)}>${icon('copy')}${label}</button>`

/** Renders an id with a copy button. */
export const idWithCopy = (console: Console, id: string): TemplateResult =>
  html`<span class="id">${id}</span
    ><button class="icon-button" aria-label=${words.copy.id} title=${words.copy.id} @click=${() => void copyText(console, id)}>
      ${icon('copy')}
    </button>`
