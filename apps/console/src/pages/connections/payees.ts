/** The payee directory, for operators. It is changed by commands only, because a second person must confirm a change. */
import { html, nothing, type TemplateResult } from 'lit'
import { customElement } from 'lit/decorators.js'
import { shortId } from '../../format.js'
import { Page } from '../../page.js'
import { pageHeader } from '../../parts/page-header.js'
import { panel } from '../../parts/panel.js'
import { type Column, nextPage, table, viewTabs } from '../../parts/table.js'
import { wordOf, words } from '../../words.js'
import { detailList, merchantName } from './merchant.js'
import type { OperatorList, Payee } from './shapes.js'
import { connectionTabs } from './tabs.js'

const { payees: text } = words

@customElement('page-payees')
export class PayeesPage extends Page {
  private readonly payees = this.load<OperatorList<Payee>>()

  override get heading(): string {
    return text.title
  }

  private get isProposed(): boolean {
    return this.place.query.get('status') === 'proposed'
  }

  protected override render(): TemplateResult {
    const { console, payees, place, isProposed } = this
    const status = isProposed ? 'proposed' : 'active'
    const page_cursor = place.query.get('cursor')
    payees.read(`${status} ${page_cursor ?? ''}`, signal =>
      console.api.get('/operator/payees', { status, page_cursor }, signal),
    )
    const views = [
      { text: text.views.active, set: { status: null } },
      { text: text.views.proposed, set: { status: 'proposed' } },
    ]
    return html`${pageHeader(console, { title: words.connections.title })} ${connectionTabs(place)}
      <p class="soft">${text.lead}</p>
      ${viewTabs(place, text.title, views)}
      ${panel(console, payees, {
        title: text.title,
        shape: 'rows',
        flush: true,
        bare: true,
        needs: 'operator',
        empty: ({ data }) => (data.length === 0 ? (isProposed ? text.emptyProposed : text.empty) : null),
        body: ({ data, next_cursor }) => html`${isProposed ? html`<p class="card-note">${text.confirm}</p>` : nothing}
          ${table({ label: text.title, columns: this.columns, rows: data })}
          ${nextPage(place, next_cursor)}`,
      })}`
  }

  private get columns(): Column<Payee>[] {
    const { format } = this.console
    const { columns } = text
    const limit = ({ max_amount }: Payee) => (max_amount === null ? text.noLimit : format.money(max_amount))
    const by = (name: string | null, at: string | null) =>
      name === null ? '—' : html`<span>${name}</span><small>${format.at(at)}</small>`
    return [
      {
        head: columns.merchant,
        breaks: true,
        cell: row =>
          html`${merchantName(row.merchant)}
            <small class="narrow">${wordOf(text.routes, row.route)}: ${detailList(row.details)}</small>
            <small class="narrow">${columns.limit}: ${limit(row)}</small>
            <small class="narrow">${columns.proposed}: ${text.by(row.proposed_by, format.text(row.proposed_at, 'moment'))}</small>
            ${
              row.confirmed_by && row.confirmed_at
                ? html`<small class="narrow">${columns.confirmed}: ${text.by(row.confirmed_by, format.text(row.confirmed_at, 'moment'))}</small>`
                : nothing
            }
            ${row.note ? html`<small>${row.note}</small>` : nothing}`,
      },
      { head: columns.route, wide: true, cell: row => wordOf(text.routes, row.route) },
      { head: columns.details, wide: true, breaks: true, cell: row => detailList(row.details) },
      { head: columns.limit, wide: true, end: true, cell: limit },
      { head: columns.proposed, wide: true, cell: row => by(row.proposed_by, row.proposed_at) },
      ...(this.isProposed
        ? []
        : [{ head: columns.confirmed, wide: true, cell: (row: Payee) => by(row.confirmed_by, row.confirmed_at) }]),
      {
        head: columns.id,
        // The command that confirms a payee needs its id.
        cell: row => html`<span class="id" title=${row.id}>${this.isProposed ? row.id : shortId(row.id)}</span>`,
        wide: !this.isProposed,
      },
    ]
  }
}
