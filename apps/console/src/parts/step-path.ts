/** Renders a path of completed, current and upcoming steps. */
import { html, nothing, type TemplateResult } from 'lit'
import type { Tone } from './marks.js'

export interface PathStep {
  name: string
  note?: unknown
  state: 'done' | 'here' | 'ahead'
  tone?: Tone
}

export const stepPath = (stops: readonly PathStep[], label: string): TemplateResult =>
  html`<ol class="path" aria-label=${label}>
    ${stops.map(
      ({ name, note, state, tone }) =>
        html`<li class="${state} c-${tone ?? (state === 'done' ? 'good' : 'blue')}" aria-current=${state === 'here' ? 'step' : nothing}>
          <b>${name}</b> <span>${note ?? nothing}</span>
        </li>`,
    )}
  </ol>`
