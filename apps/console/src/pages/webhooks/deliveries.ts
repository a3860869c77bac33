/** The page that lists the deliveries of all webhooks, and sends selected ones again. */
import type { Delivery, Webhook } from '@causeway/sdk'
import { html, nothing, type TemplateResult } from 'lit'
import { customElement, state } from 'lit/decorators.js'
import type { List } from '../../api.js'
import { shortUrl } from '../../format.js'
import { type ListOptions, ListPage } from '../../list-page.js'
import { statusPill } from '../../parts/marks.js'
import type { Column, Filter } from '../../parts/table.js'
import { withBreaks } from '../../parts/with-breaks.js'
import { may } from '../../shapes.js'
import { dayOf, startOfDay } from '../../time.js'
import { words } from '../../words.js'
import { deliveryCells, deliveryStatuses } from './delivery-cells.js'
import { type Resent, ResentDeliveries } from './resent.js'

const { deliveries: text } = words
/** The largest page of webhooks, and the most webhooks that the API accepts in a filter. */
const MAX_WEBHOOKS = 100

@customElement('page-deliveries')
export class DeliveriesPage extends ListPage<Delivery> {
  private readonly webhooks = this.load<List<Webhook>>()
  private readonly resent = new ResentDeliveries(() => this.requestUpdate())
  @state() private selected: ReadonlySet<string> = new Set()

  protected get list(): ListOptions {
    const known = this.webhooks.value?.data ?? []
    const types = [...new Set(known.map(({ type }) => type))].sort()
    const { format } = this.console
    const yesterday = dayOf(new Date(this.console.now()).toISOString(), format.zone, -1)
    const view = { status: null, from: null, to: null, ended_from: null, ended_to: null }
    const filters: Filter[] = [
      { name: 'status', label: words.table.status, options: deliveryStatuses },
      { name: 'ended', label: text.ended(format.zoneName) },
      { name: 'days', label: words.table.made },
      { name: 'endpoint', label: text.endpoint, single: true, options: endpointsOf(known) },
      { name: 'type', label: text.columns.event, options: types.map(type => [type, type] as const) },
      { name: 'event', label: text.event, fixed: true },
    ]
    return {
      path: '/deliveries',
      isLive: true,
      isCounted: true,
      text,
      needs: 'viewer',
      filters,
      views: [
        { text: text.views.all, set: view },
        { text: text.views.failed, set: { ...view, status: 'failed' } },
        { text: text.views.yesterday, set: { ...view, status: 'failed', ended_from: yesterday, ended_to: yesterday } },
        { text: text.views.pending, set: { ...view, status: 'pending' } },
      ],
      ask: query => ({
        status: query.get('status')?.split(','),
        event_id: query.get('event'),
        webhook_id: webhooksOf(known, query),
        ended_from_date: this.startOf(query.get('ended_from')),
        ended_to_date: this.startOf(query.get('ended_to'), 1),
      }),
      noMatch: query => (this.isByEnd(query) ? text.noneEnded : undefined),
      sortedBy: query => (this.isByEnd(query) ? { column: 'ended', oldestFirst: 'finished_at' } : undefined),
    }
  }

  private isByEnd(query: URLSearchParams): boolean {
    return query.has('ended_from') || query.has('ended_to')
  }

  /** Returns the instant at which a day in the URL starts, some days later, in the zone in which times are shown. */
  private startOf(day: string | null, days = 0): string | null {
    if (day === null || Number.isNaN(Date.parse(`${day}T12:00:00Z`))) return day
    return startOfDay(day, this.console.format.zone, days)
  }

  protected override prepare(): boolean {
    const { query } = this.place
    this.webhooks.read('all', signal => this.console.api.list('/webhooks', { page_limit: MAX_WEBHOOKS }, signal))
    const isFiltered = query.has('endpoint') || query.has('type')
    return !isFiltered || this.webhooks.value !== null || this.webhooks.failure !== null
  }

  protected override readonly hrefOf = (row: Delivery): string => `/webhooks/${row.webhook_id}?delivery=${row.id}`
  protected override readonly nameOf = (row: Delivery): string => deliveryCells(this.console).name(row)

  /** The deliveries on this page that are selected. The selection ends when the page shows other deliveries. */
  private selectedOf(rows: readonly Delivery[]): Delivery[] {
    return rows.filter(({ id }) => this.selected.has(id))
  }

  private select(rows: readonly Delivery[], on: boolean): void {
    const selected = new Set(this.selected)
    for (const { id } of rows)
      if (on) selected.add(id)
      else selected.delete(id)
    this.selected = selected
  }

  protected override above(rows: readonly Delivery[]): unknown {
    if (!may(this.console.session, 'write') || rows.length === 0) return nothing
    const selected = this.selectedOf(rows)
    // Phones show no head of the table, which has this checkbox elsewhere.
    return html`<div class="select-bar">
      <span class="aside narrow">${this.selectAll(rows)}</span>
        <button
          class="btn small ${selected.length > 0 ? 'go' : ''}"
          ?disabled=${selected.length === 0 || this.busy}
          @click=${() => void this.resend(selected)}
        >
          ${text.resend(selected.length)}
        </button>
        <span class="soft" role="status">${selected.length === 0 ? text.choose : nothing}</span>
      </div>`
  }

  /** Renders the checkbox that selects every delivery on the page. */
  private selectAll(rows: readonly Delivery[]): TemplateResult {
    const count = this.selectedOf(rows).length
    return html`<input
      type="checkbox"
      aria-label=${text.selectAll}
      .checked=${rows.length > 0 && count === rows.length}
      .indeterminate=${count > 0 && count < rows.length}
      @change=${(event: Event) => this.select(rows, (event.target as HTMLInputElement).checked)}
    />`
  }

  protected override outcome(): unknown {
    const { value } = this.webhooks
    const isDeleted = ({ webhook_id }: Delivery) =>
      value !== null && value.next === null && !value.data.some(({ id }) => id === webhook_id)
    return this.resent.draw(this.console, { href: this.hrefOf, endpoint: row => this.endpointOf(row), isDeleted })
  }

  private async resend(rows: readonly Delivery[]): Promise<void> {
    const { api } = this.console
    const sent = await this.act<Resent>(
      ({ queued }) => (queued > 0 ? words.resent.queued(queued) : words.resent.noneQueued),
      () => api.send('POST', '/deliveries/redeliver', { ids: rows.map(({ id }) => id) }),
    )
    if (!sent) return
    this.selected = new Set()
    await this.resent.follow(api, rows, sent, () => this.isConnected)
    if (this.isConnected) this.refresh()
  }

  protected get columns(): Column<Delivery>[] {
    const { console } = this
    const { format } = console
    const { columns } = text
    const cells = deliveryCells(console)
    const last = ({ attempted_at }: Delivery) => (attempted_at ? format.at(attempted_at) : '')
    const mayWrite = may(console.session, 'write')
    const one = (row: Delivery) =>
      html`<input
        type="checkbox"
        aria-label=${text.selectOne(cells.name(row))}
        .checked=${this.selected.has(row.id)}
        @change=${(event: Event) => this.select([row], (event.target as HTMLInputElement).checked)}
      />`
    return [
      ...(mayWrite ? [{ head: this.selectAll(this.shown), cell: one, aside: true }] : []),
      { head: columns.status, cell: row => statusPill(row.status) },
      {
        head: columns.event,
        breaks: true,
        cell: row => html`${cells.event(row, last(row))}<small class="narrow">${this.endpointOf(row)}</small>`,
      },
      { name: 'endpoint', head: columns.endpoint, wide: true, breaks: true, cell: row => this.endpointOf(row) },
      { name: 'answer', head: columns.answer, wide: true, cell: cells.answer },
      { name: 'last', head: columns.last, wide: true, cell: row => html`<small>${last(row)}</small>` },
      {
        name: 'ended',
        head: columns.ended,
        wide: true,
        cell: row => html`<small>${row.finished_at ? format.at(row.finished_at) : ''}</small>`,
      },
      { name: 'made', head: columns.made, wide: true, cell: row => html`<small>${format.at(row.created_at)}</small>` },
    ]
  }

  private endpointOf({ webhook_id }: Delivery): unknown {
    const webhook = this.webhooks.value?.data.find(({ id }) => id === webhook_id)
    return webhook ? withBreaks(shortUrl(webhook.url)) : html`<span class="id">${webhook_id}</span>`
  }
}

/**
 * Returns each address with the id of its first webhook, which stands for the address in the URL of this page. An
 * address usually has a webhook for each type of event.
 */
const endpointsOf = (webhooks: readonly Webhook[]): (readonly [string, string])[] => {
  const first = new Map<string, string>()
  for (const { id, url } of webhooks) if (!first.has(url)) first.set(url, id)
  return [...first].map(([url, id]) => [id, shortUrl(url)] as const)
}

/** Returns the webhooks that the filters select, or undefined if they select all. */
function webhooksOf(webhooks: readonly Webhook[], query: URLSearchParams): string[] | undefined {
  const endpoint = query.get('endpoint')
  const types = query.get('type')?.split(',')
  if (!endpoint && !types) return undefined
  const url = webhooks.find(({ id }) => id === endpoint)?.url
  const matching = webhooks.filter(each => (!endpoint || each.url === url) && (!types || types.includes(each.type)))
  // An address whose webhooks were deleted is no longer in the list.
  return matching.length > 0 ? matching.map(({ id }) => id) : [endpoint ?? 'none']
}
