/** The page that lists webhook endpoints. */
import type { Webhook } from '@causeway/sdk'
import { html, nothing } from 'lit'
import { customElement } from 'lit/decorators.js'
import { type ListOptions, ListPage } from '../../list-page.js'
import { statusPill } from '../../parts/marks.js'
import type { Column, Filter } from '../../parts/table.js'
import { withBreaks } from '../../parts/with-breaks.js'
import { words } from '../../words.js'

const { webhooks } = words
const filters: readonly Filter[] = [{ name: 'days', label: words.table.made }]

/** Returns a URL without its scheme. */
export const shortUrl = (url: string): string => url.replace(/^https?:\/\//, '').replace(/\/$/, '')

@customElement('page-webhooks')
export class WebhooksPage extends ListPage<Webhook> {
  protected readonly list: ListOptions = {
    path: '/webhooks',
    text: webhooks,
    needs: 'engineer',
    filters,
  }

  protected get columns(): Column<Webhook>[] {
    const { format } = this.console
    const { columns } = webhooks
    return [
      {
        head: columns.address,
        grows: true,
        cell: row =>
          html`<b>${withBreaks(shortUrl(row.url))}</b><small class="narrow">${row.type}</small>${
            row.error ? html`<small class="why">${row.error.message}</small>` : nothing
          }`,
      },
      { head: columns.status, cell: row => statusPill(row.status) },
      { head: columns.type, wide: true, cell: row => html`<code>${row.type}</code>` },
      { head: columns.made, wide: true, cell: row => html`<small>${format.at(row.created_at, 'day')}</small>` },
      { head: columns.id, wide: true, cell: row => html`<span class="id">${row.id}</span>` },
    ]
  }
}
