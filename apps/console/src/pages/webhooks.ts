/** The list of webhook endpoints. */
import type { Webhook } from '@causeway/sdk'
import { html, type TemplateResult } from 'lit'
import { customElement } from 'lit/decorators.js'
import type { List } from '../api.js'
import { Page } from '../page.js'
import { breakable } from '../parts/breaks.js'
import { head } from '../parts/head.js'
import { statusPill } from '../parts/marks.js'
import { panel } from '../parts/panel.js'
import { type Column, chips, type Filter, nothingListed, pager, table } from '../parts/table.js'
import { words } from '../words.js'

const { webhooks } = words
const filters: readonly Filter[] = [{ name: 'days', label: words.table.made }]

/** An address without its scheme, as people say it. */
export const shortUrl = (url: string): string => url.replace(/^https?:\/\//, '').replace(/\/$/, '')

@customElement('page-webhooks')
export class WebhooksPage extends Page {
  private readonly rows = this.load<List<Webhook>>()

  override get heading(): string {
    return webhooks.title
  }

  protected override render(): TemplateResult {
    const { console, place, rows } = this
    const { query } = place
    rows.read(query.toString(), signal =>
      console.api.list<Webhook>(
        '/webhooks',
        { from_date: query.get('from'), to_date: query.get('to'), page_cursor: query.get('cursor'), page_limit: 50 },
        signal,
      ),
    )
    return html`${head(console, { title: webhooks.title })} ${chips(console, place, filters)}
    ${panel(console, rows, {
      title: webhooks.title,
      shape: 'rows',
      flush: true,
      bare: true,
      needs: 'engineer',
      empty: ({ data }) => (data.length === 0 ? nothingListed(place, filters, webhooks.empty) : null),
      body: list => html`${table({ label: webhooks.title, columns: this.columns, rows: list.data, href: row => `/webhooks/${row.id}` })}
        ${pager(place, list)}`,
    })}`
  }

  private get columns(): Column<Webhook>[] {
    const { format } = this.console
    const { columns } = webhooks
    return [
      {
        head: columns.address,
        grows: true,
        cell: row => html`<b>${breakable(shortUrl(row.url))}</b><small class="narrow">${row.type}</small>`,
      },
      { head: columns.status, cell: row => statusPill(row.status) },
      { head: columns.type, wide: true, cell: row => html`<code>${row.type}</code>` },
      { head: columns.made, wide: true, cell: row => html`<small>${format.at(row.created_at, 'day')}</small>` },
      { head: columns.id, wide: true, cell: row => html`<span class="id">${row.id}</span>` },
    ]
  }
}
