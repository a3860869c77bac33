/** The list of sessions. */
import type { OpalSession } from '@causeway/sdk'
import { html, type TemplateResult } from 'lit'
import { customElement } from 'lit/decorators.js'
import type { List } from '../api.js'
import { Page } from '../page.js'
import { head } from '../parts/head.js'
import { statusPill } from '../parts/marks.js'
import { panel } from '../parts/panel.js'
import { type Column, chips, type Filter, nothingListed, pager, table, views } from '../parts/table.js'
import { wordOf, words } from '../words.js'
import { sessionStatus } from './progress-answer.js'

const { sessions } = words

const filters: readonly Filter[] = [
  { name: 'days', label: words.table.made },
  { name: 'entity_id', label: words.payments.columns.person, fixed: true },
  { name: 'step', label: words.session.step, fixed: true },
]

const fixedViews = [
  { text: sessions.views.all, set: { stuck_for: null } },
  { text: sessions.views.stuck, set: { stuck_for: 'P1D' } },
]

@customElement('page-sessions')
export class SessionsPage extends Page {
  private readonly rows = this.load<List<OpalSession>>()

  override get heading(): string {
    return sessions.title
  }

  protected override render(): TemplateResult {
    const { console, place, rows } = this
    const { query } = place
    rows.read(query.toString(), signal =>
      console.api.list<OpalSession>(
        '/opal/sessions',
        {
          entity_id: query.get('entity_id'),
          step: query.get('step'),
          stuck_for: query.get('stuck_for'),
          from_date: query.get('from'),
          to_date: query.get('to'),
          page_cursor: query.get('cursor'),
          page_limit: 50,
        },
        signal,
      ),
    )
    return html`${head(console, { title: sessions.title })} ${views(place, sessions.title, fixedViews)}
    ${chips(console, place, filters)}
    ${panel(console, rows, {
      title: sessions.title,
      shape: 'rows',
      flush: true,
      bare: true,
      needs: 'viewer',
      empty: ({ data }) =>
        data.length === 0
          ? nothingListed(place, filters, place.query.has('stuck_for') ? sessions.noneStuck : sessions.empty)
          : null,
      body: list => html`${table({ label: sessions.title, columns: this.columns, rows: list.data, href: row => `/sessions/${row.id}` })}
        ${pager(place, list)}`,
    })}`
  }

  private get columns(): Column<OpalSession>[] {
    const { format } = this.console
    const { columns } = sessions
    return [
      {
        head: columns.status,
        cell: row => html`${statusPill(sessionStatus(row))}<small class="narrow">${format.at(row.created_at)}</small>`,
      },
      { head: columns.kind, grows: true, cell: row => wordOf(words.modes, row.mode) },
      { head: columns.loan, end: true, cell: row => (row.bt ? html`<b>${format.money(row.bt.loan_amount)}</b>` : '') },
      { head: columns.made, wide: true, cell: row => html`<small>${format.at(row.created_at)}</small>` },
      { head: columns.updated, wide: true, cell: row => html`<small>${format.at(row.updated_at)}</small>` },
      { head: columns.id, wide: true, cell: row => html`<span class="id">${row.id}</span>` },
    ]
  }
}
