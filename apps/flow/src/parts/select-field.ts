/** A labeled native select, with its error. */
import { html, type TemplateResult } from 'lit'
import { ifDefined } from 'lit/directives/if-defined.js'
import { describedBy, message } from './field.js'
import { icons } from './icons.js'

interface SelectField {
  name: string
  label: string
  /** The selected option; empty if none is selected. */
  value: string
  /** The text of the option that stands for no selection. */
  choose: string
  /** The value and the text of each option, in order. */
  options: readonly (readonly [value: string, text: string])[]
  error: string | null | undefined
  autocomplete?: 'address-level1'
  onChange: (value: string) => void
}

export const selectField = (select: SelectField): TemplateResult => html`<div>
  <label class="label" for=${select.name}>${select.label}</label>
  <div class="select"><select
    class="input"
    id=${select.name}
    name=${select.name}
    autocomplete=${ifDefined(select.autocomplete)}
    aria-invalid=${select.error ? 'true' : 'false'}
    aria-describedby=${ifDefined(describedBy(select.name, null, select.error))}
    @change=${(event: Event) => select.onChange((event.target as HTMLSelectElement).value)}
  >
    <option value="" ?selected=${select.value === ''}>${select.choose}</option>
    ${select.options.map(
      ([value, text]) => html`<option value=${value} ?selected=${select.value === value}>${text}</option>`,
    )}
  </select>${icons.down()}</div>
  ${message(select.name, select.error)}
</div>`
