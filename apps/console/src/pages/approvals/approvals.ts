/** The requests that need a second person, waiting ones first. */
import { html, nothing, type TemplateResult } from 'lit'
import { customElement } from 'lit/decorators.js'
import { Page } from '../../page.js'
import { actorMark } from '../../parts/actor.js'
import { approvalPill, titleOf } from '../../parts/approval-text.js'
import { clockNote } from '../../parts/clock.js'
import { pageHeader } from '../../parts/page-header.js'
import { panel } from '../../parts/panel.js'
import { type Column, pager, table, viewTabs } from '../../parts/table.js'
import type { Approval } from '../../shapes.js'
import { words } from '../../words.js'

const { approvals: text } = words
const views = [
  { text: text.views.waiting, set: { status: null } },
  { text: text.views.all, set: { status: 'all' } },
]

@customElement('page-approvals')
export class ApprovalsPage extends Page {
  private readonly approvals = this.load<{ data: Approval[]; next_cursor: string | null }>()

  override get heading(): string {
    return text.title
  }

  protected override render(): TemplateResult {
    const { console, place, approvals } = this
    const status = place.query.get('status')
    const page_cursor = place.query.get('cursor')
    approvals.read(place.query.toString(), signal =>
      console.api.get('/console/approvals', { status, page_cursor }, signal),
    )
    return html`${pageHeader(console, { title: text.title, lead: text.lead })} ${clockNote(console, words.clocks.approvals)}
    ${viewTabs(place, text.title, views)}
    ${panel(console, approvals, {
      title: text.title,
      shape: 'rows',
      flush: true,
      bare: true,
      needs: 'viewer',
      empty: ({ data }) => (data.length === 0 ? html`<p>${status === 'all' ? text.emptyAll : text.empty}</p>` : null),
      body: ({ data, next_cursor }) =>
        html`${table({ label: text.title, columns: this.columns, rows: data, href: ({ id }) => `/approvals/${id}` })}
        ${pager(place, { data, next: next_cursor, previous: null })}`,
    })}`
  }

  private get columns(): Column<Approval>[] {
    const { console } = this
    const { format } = console
    const by = ({ asked_by: { id, name } }: Approval) => actorMark(console, id, { name })
    return [
      {
        head: text.columns.what,
        breaks: true,
        cell: row =>
          html`<b>${titleOf(console, row)}</b>${row.entity?.name ? html`<small>${words.payment.for} ${row.entity.name}</small>` : nothing}<small>${row.reason}</small><small class="narrow">${by(row)}</small>`,
      },
      { head: text.columns.by, wide: true, cell: by },
      { head: text.columns.when, wide: true, cell: row => html`<small>${format.at(row.created_at)}</small>` },
      { head: text.columns.status, cell: approvalPill },
    ]
  }
}
