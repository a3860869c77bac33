/** A small native select with its label, for choosing how a list is arranged. */
import { html, type TemplateResult } from 'lit'
import { live } from 'lit/directives/live.js'
import { icons } from './icons.js'

interface CompactSelect<Name extends string> {
  id: string
  label: string
  /** True if only screen readers announce the label. */
  isLabelHidden?: boolean
  /** The text of each option, in order. */
  options: readonly (readonly [name: Name, text: string])[]
  value: Name
  onChange: (name: Name) => void
}

export const compactSelect = <Name extends string>(select: CompactSelect<Name>): TemplateResult =>
  html`<label class=${select.isLabelHidden ? 'sr' : 'label'} for=${select.id}>${select.label}</label>
    <div class="select"><select
      class="input compact"
      id=${select.id}
      @change=${(event: Event) => select.onChange((event.target as HTMLSelectElement).value as Name)}
      @input=${(event: Event) => event.stopPropagation()}
    >
      ${select.options.map(
        ([name, text]) => html`<option value=${name} .selected=${live(name === select.value)}>${text}</option>`,
      )}
    </select>${icons.down()}</div>`
