/** The list of events. */
import type { Event as CausewayEvent } from '@causeway/sdk'
import { html, type TemplateResult } from 'lit'
import { customElement } from 'lit/decorators.js'
import type { List } from '../api.js'
import { shortId } from '../format.js'
import { Page } from '../page.js'
import { breakable } from '../parts/breaks.js'
import { head } from '../parts/head.js'
import { panel } from '../parts/panel.js'
import { type Column, chips, type Filter, nothingListed, pager, table, views } from '../parts/table.js'
import { words } from '../words.js'
import { changesOf } from './event-answer.js'

const { events } = words

const filters: readonly Filter[] = [
  { name: 'type', label: events.columns.type, fixed: true },
  { name: 'resource_id', label: events.columns.resource, fixed: true },
  { name: 'days', label: words.table.made },
]

/** The nouns that support and engineers look for most. */
const fixedViews = [
  { text: events.views.all, set: { kind: null } },
  { text: events.views.payments, set: { kind: 'payment' } },
  { text: events.views.people, set: { kind: 'entity' } },
  { text: events.views.accounts, set: { kind: 'account' } },
]

@customElement('page-events')
export class EventsPage extends Page {
  private readonly rows = this.load<List<CausewayEvent>>()

  override get heading(): string {
    return events.title
  }

  protected override render(): TemplateResult {
    const { console, place, rows } = this
    const { query } = place
    rows.read(query.toString(), signal =>
      console.api.list<CausewayEvent>(
        '/events',
        {
          type: query.get('type'),
          resource_type: query.get('kind'),
          resource_id: query.get('resource_id'),
          from_date: query.get('from'),
          to_date: query.get('to'),
          page_cursor: query.get('cursor'),
          page_limit: 50,
        },
        signal,
      ),
    )
    return html`${head(console, { title: events.title })} ${views(place, events.title, fixedViews)}
    ${chips(console, place, filters)}
    ${panel(console, rows, {
      title: events.title,
      shape: 'rows',
      flush: true,
      bare: true,
      needs: 'engineer',
      empty: ({ data }) => (data.length === 0 ? nothingListed(place, filters, events.empty) : null),
      body: list => html`${table({ label: events.title, columns: this.columns, rows: list.data, href: row => `/events/${row.id}` })}
        ${pager(place, list)}`,
    })}`
  }

  private get columns(): Column<CausewayEvent>[] {
    const { format } = this.console
    const { columns } = events
    return [
      {
        head: columns.type,
        cell: row =>
          html`<code>${breakable(row.type)}</code><small class="narrow">${format.at(row.created_at)}</small>`,
      },
      { head: columns.resource, cell: row => html`<span class="id">${shortId(row.resource_id)}</span>` },
      {
        head: columns.changed,
        wide: true,
        grows: true,
        cell: row =>
          changesOf(row)
            .map(({ name }) => name)
            .join(', ') || (row.diff.before === null ? events.created : ''),
      },
      { head: columns.when, wide: true, cell: row => html`<small>${format.at(row.created_at)}</small>` },
      { head: columns.id, wide: true, cell: row => html`<span class="id">${shortId(row.id)}</span>` },
    ]
  }
}
