/** The log of requests. */
import type { Request } from '@causeway/sdk'
import { html, type TemplateResult } from 'lit'
import { customElement } from 'lit/decorators.js'
import type { List } from '../api.js'
import { shortId } from '../format.js'
import { Page } from '../page.js'
import { head } from '../parts/head.js'
import { httpPill } from '../parts/marks.js'
import { panel } from '../parts/panel.js'
import { type Column, chips, type Filter, nothingListed, pager, table, views } from '../parts/table.js'
import { words } from '../words.js'

const { requests } = words

const filters: readonly Filter[] = [
  {
    name: 'outcome',
    label: requests.outcome,
    single: true,
    options: [
      ['failed', requests.failed],
      ['succeeded', requests.succeeded],
    ],
  },
  { name: 'sub_type', label: requests.columns.error, fixed: true },
  { name: 'resource_id', label: requests.about, fixed: true },
  { name: 'days', label: words.table.made },
]

const fixedViews = [
  { text: requests.views.all, set: { outcome: null, source: null } },
  { text: requests.views.failed, set: { outcome: 'failed', source: null } },
  { text: requests.views.console, set: { outcome: null, source: 'console' } },
]

@customElement('page-requests')
export class RequestsPage extends Page {
  private readonly rows = this.load<List<Request>>()

  override get heading(): string {
    return requests.title
  }

  protected override render(): TemplateResult {
    const { console, place, rows } = this
    const { query } = place
    rows.read(query.toString(), signal =>
      console.api.list<Request>(
        '/requests',
        {
          outcome: query.get('outcome'),
          sub_type: query.get('sub_type'),
          resource_id: query.get('resource_id'),
          source: query.get('source'),
          from_date: query.get('from'),
          to_date: query.get('to'),
          page_cursor: query.get('cursor'),
          page_limit: 50,
        },
        signal,
      ),
    )
    return html`${head(console, { title: requests.title })} ${views(place, requests.title, fixedViews)}
    ${chips(console, place, filters)}
    ${panel(console, rows, {
      title: requests.title,
      shape: 'rows',
      flush: true,
      bare: true,
      needs: 'engineer',
      empty: ({ data }) => (data.length === 0 ? nothingListed(place, filters, requests.empty) : null),
      body: list => html`${table({
        label: requests.title,
        columns: this.columns,
        rows: list.data,
        href: row => `/requests/${row.id}`,
        name: row => `${row.status} ${row.method} ${row.route}`,
      })}
      ${pager(place, list)}`,
    })}`
  }

  private get columns(): Column<Request>[] {
    const { format } = this.console
    const { columns } = requests
    return [
      {
        head: columns.status,
        cell: row => html`${httpPill(row.status)}<small class="narrow">${format.at(row.created_at)}</small>`,
      },
      {
        head: columns.call,
        grows: true,
        cell: row => html`<code>${row.method} ${row.route}</code><small class="narrow">${row.sub_type ?? ''}</small>`,
      },
      { head: columns.error, wide: true, cell: row => html`<span class="id">${row.sub_type ?? ''}</span>` },
      { head: columns.ms, end: true, cell: row => format.ms(row.ms) },
      { head: columns.key, wide: true, cell: row => html`<span class="id">${shortId(row.actor)}</span>` },
      { head: columns.made, wide: true, cell: row => html`<small>${format.at(row.created_at)}</small>` },
      { head: columns.id, wide: true, cell: row => html`<span class="id">${shortId(row.id)}</span>` },
    ]
  }
}
