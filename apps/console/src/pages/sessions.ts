/** The page that lists sessions. */
import type { OpalSession } from '@causeway/sdk'
import { html } from 'lit'
import { customElement } from 'lit/decorators.js'
import { type ListOptions, ListPage } from '../list-page.js'
import { statusPill } from '../parts/marks.js'
import type { Column, Filter } from '../parts/table.js'
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
export class SessionsPage extends ListPage<OpalSession> {
  protected readonly list: ListOptions = {
    path: '/opal/sessions',
    text: sessions,
    needs: 'viewer',
    filters,
    views: fixedViews,
    ask: query => ({
      entity_id: query.get('entity_id'),
      step: query.get('step'),
      stuck_for: query.get('stuck_for'),
    }),
    empty: query => (query.has('stuck_for') ? sessions.noneStuck : sessions.empty),
  }

  protected get columns(): Column<OpalSession>[] {
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
