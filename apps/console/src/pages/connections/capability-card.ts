import { html, type TemplateResult } from 'lit'
import { pill } from '../../parts/marks.js'
import { card } from '../../parts/panel.js'
import { table } from '../../parts/table.js'
import { wordOf, words } from '../../words.js'
import type { Capability } from './shapes.js'

const { connections: text } = words
const { offeredColumns: columns } = text

/** Shows what the configured providers can't serve and why, and everything else on request. */
export function capabilityCard(capabilities: readonly Capability[]): TemplateResult {
  const missing = capabilities.filter(({ reason }) => reason !== null)
  const name = (row: Capability) =>
    html`<code>${row.name}</code><small class="narrow">${wordOf(text.kinds, row.kind)}</small>`
  const kind = { head: columns.kind, wide: true, cell: (row: Capability) => wordOf(text.kinds, row.kind) }
  return card(
    text.offered,
    html`${
      missing.length === 0
        ? html`<p class="card-note">${text.allOffered}</p>`
        : table({
            label: text.missing(missing.length),
            rows: missing,
            columns: [
              { head: columns.name, cell: name },
              kind,
              { head: columns.reason, breaks: true, cell: ({ reason }) => reason },
            ],
          })
    }
    <div class="card-body">
      <details class="as-table">
        <summary>${text.offeredAll(capabilities.length)}</summary>
        ${table({
          label: text.offeredAll(capabilities.length),
          rows: capabilities,
          columns: [
            { head: columns.name, cell: name },
            kind,
            { head: columns.providers, breaks: true, cell: ({ providers }) => providers.join(', ') || '—' },
          ],
        })}
      </details>
    </div>`,
    { flush: true, tools: missing.length > 0 ? pill('amber', 'alert', text.missing(missing.length)) : undefined },
  )
}
