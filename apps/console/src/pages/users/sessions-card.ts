/** A card that lists console sessions, each with a button that ends it. */
import { html, type TemplateResult } from 'lit'
import type { Load } from '../../load.js'
import type { Console } from '../../page.js'
import { panel } from '../../parts/panel.js'
import { type Column, table } from '../../parts/table.js'
import type { ConsoleSession } from '../../shapes.js'
import { words } from '../../words.js'

const { consoleSessions: text } = words

interface SessionsCard {
  title: string
  isShown?: (session: ConsoleSession) => boolean
  end: (session: ConsoleSession) => void
}

export function sessionsCard(
  console: Console,
  load: Load<{ data: ConsoleSession[] }>,
  { title, isShown = () => true, end }: SessionsCard,
): TemplateResult {
  load.read('sessions', signal => console.api.get('/console/sessions', {}, signal))
  const { format } = console
  const nameOf = ({ name, key_id }: ConsoleSession) => name ?? key_id ?? words.operator
  const columns: Column<ConsoleSession>[] = [
    {
      head: text.who,
      breaks: true,
      cell: row =>
        html`<span>${nameOf(row)}${row.current ? ` ${text.current}` : ''}</span><small class="narrow">${text.used(format.text(row.last_used_at, 'moment'))}</small>`,
    },
    { head: text.lastUsed, wide: true, cell: row => format.at(row.last_used_at) },
    { head: text.since, wide: true, cell: row => format.at(row.created_at) },
    { head: text.until, wide: true, cell: row => format.at(row.expires_at) },
    {
      head: html`<span class="sr">${text.end}</span>`,
      end: true,
      cell: row =>
        html`<button class="btn small" aria-label=${text.endOf(nameOf(row), format.text(row.created_at, 'moment'))} @click=${() => end(row)}>${text.end}</button>`,
    },
  ]
  return panel(console, load, {
    title,
    shape: 'rows',
    flush: true,
    body: ({ data }) => table({ label: title, columns, rows: data.filter(isShown) }),
  })
}
