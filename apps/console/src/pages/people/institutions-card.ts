/** The card that lists the institutions that a person has linked, and says which need another sign-in. */
import { html, nothing, type TemplateResult } from 'lit'
import type { Load } from '../../load.js'
import type { Console } from '../../page.js'
import { pill } from '../../parts/marks.js'
import { panel } from '../../parts/panel.js'
import { table } from '../../parts/table.js'
import type { LinkedInstitutions } from '../../shapes.js'
import { words } from '../../words.js'

const { institutions: text } = words.person

type Institution = LinkedInstitutions['institutions'][number]

/** Renders nothing for a person who has linked nothing, such as one whose accounts are found without that. */
export function institutionsCard(console: Console, load: Load<LinkedInstitutions>): TemplateResult | typeof nothing {
  if (load.value?.institutions.length === 0 || (load.value === null && !load.failure)) return nothing
  const { value } = load
  return panel(console, load, {
    title: text.title,
    shape: 'rows',
    flush: true,
    needs: 'viewer',
    note: value?.checked_at ? text.checked(console.format.text(value.checked_at, 'moment')) : nothing,
    body: ({ institutions }) =>
      table({
        label: text.title,
        rows: institutions,
        columns: [
          {
            head: text.name,
            breaks: true,
            cell: row =>
              html`<b>${row.name}</b><small>${text.accounts(row.accounts.length)}</small><small class="narrow">${state(row)}</small>`,
          },
          { head: text.state, wide: true, breaks: true, cell: state },
        ],
      }),
  })
}

const state = ({ status }: Institution) =>
  status === 'ok'
    ? pill('good', 'ok', text.states.ok)
    : html`${pill('warn', 'alert', text.states[status])}<small>${status === 'repair' ? text.repairNote : nothing}</small>`
