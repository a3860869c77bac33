/** A command to run on the service's machine, with a button that copies it. */
import { html, type TemplateResult } from 'lit'
import type { Console } from '../page.js'
import { words } from '../words.js'
import { copyText } from './copy.js'
import { icon } from './icons.js'

export const commandLine = (console: Console, command: string): TemplateResult =>
  html`<p class="command"
    ><code>${command}</code
    ><button class="icon-button" type="button" aria-label=${words.copy.command} title=${words.copy.command} @click=${() => void copyText(console, command)}>
      ${icon('copy')}
    </button></p
  >`
