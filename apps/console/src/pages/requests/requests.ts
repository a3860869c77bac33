/** The page that lists requests. */
import type { Request } from '@causeway/sdk'
import { html } from 'lit'
import { customElement } from 'lit/decorators.js'
import { shortId } from '../../format.js'
import { type ListOptions, ListPage } from '../../list-page.js'
import { actorMark } from '../../parts/actor.js'
import { httpPill } from '../../parts/marks.js'
import type { Column, Filter } from '../../parts/table.js'
import { words } from '../../words.js'

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
export class RequestsPage extends ListPage<Request> {
  protected readonly list: ListOptions = {
    path: '/requests',
    isCounted: true,
    text: requests,
    needs: 'engineer',
    real: words.clocks.requests,
    filters,
    views: fixedViews,
    ask: query => ({
      outcome: query.get('outcome'),
      sub_type: query.get('sub_type'),
      resource_id: query.get('resource_id'),
      source: query.get('source'),
    }),
  }
  protected override readonly nameOf = (row: Request): string => `${row.status} ${row.method} ${row.route}`

  protected get columns(): Column<Request>[] {
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
      {
        name: 'error',
        head: columns.error,
        wide: true,
        cell: row => html`<span class="id">${row.sub_type ?? ''}</span>`,
      },
      { name: 'ms', head: columns.ms, end: true, cell: row => format.ms(row.ms) },
      { name: 'key', head: columns.key, wide: true, cell: row => actorMark(this.console, row.actor) },
      { name: 'made', head: columns.made, wide: true, cell: row => html`<small>${format.at(row.created_at)}</small>` },
      { name: 'id', head: columns.id, wide: true, cell: row => html`<span class="id">${shortId(row.id)}</span>` },
    ]
  }
}
