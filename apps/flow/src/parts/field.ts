/** A labeled field with its hint and error message, linked for screen readers. */
import { html, nothing, type TemplateResult } from 'lit'
import { ifDefined } from 'lit/directives/if-defined.js'
import { live } from 'lit/directives/live.js'
import { icons } from './icons.js'

export interface FieldOptions {
  /**
   * The input's name, which is unique on the screen. The ids of the hint and the error message are derived from this
   * name.
   */
  name: string
  label: string
  value: string
  error?: string | null
  hint?: string
  /** Text shown after the label, such as "optional". */
  aside?: string
  inputmode?: 'text' | 'numeric' | 'tel' | 'decimal'
  autocomplete?: string
  capitalize?: 'words' | 'none'
  digits?: boolean
  onInput: (event: InputEvent) => void
  onBlur?: () => void
}

/** The message below a field. The element is always present so that `aria-describedby` can refer to it. */
export const message = (name: string, error: string | null | undefined): TemplateResult =>
  html`<p class="msg" id="${name}-error" ?hidden=${!error}>${error ? [icons.alert(), html`<span>${error}</span>`] : nothing}</p>`

/** Returns the value for a field's `aria-describedby`; undefined if the field has neither a hint nor an error. */
export function describedBy(name: string, hint: unknown, error: unknown): string | undefined {
  const ids = [hint ? `${name}-hint` : '', error ? `${name}-error` : ''].filter(id => id !== '')
  return ids.length ? ids.join(' ') : undefined
}

export function textField(o: FieldOptions): TemplateResult {
  return html`<div>
    <label class="label" for=${o.name}>${o.label}${o.aside ? html` <small>(${o.aside})</small>` : nothing}</label>
    ${o.hint ? html`<p class="hint" id="${o.name}-hint">${o.hint}</p>` : nothing}
    ${input(o)} ${message(o.name, o.error)}
  </div>`
}

/** The input without its label, for screens that place something next to the input. */
export function input(o: FieldOptions): TemplateResult {
  return html`<input
    class=${o.digits ? 'input digits' : 'input'}
    id=${o.name}
    name=${o.name}
    type="text"
    inputmode=${ifDefined(o.inputmode)}
    autocomplete=${(o.autocomplete ?? 'off') as 'off'}
    autocapitalize=${o.capitalize ?? 'none'}
    spellcheck="false"
    aria-invalid=${o.error ? 'true' : 'false'}
    aria-describedby=${ifDefined(describedBy(o.name, o.hint, o.error))}
    .value=${live(o.value)}
    @input=${o.onInput}
    @blur=${() => o.onBlur?.()}
  />`
}
