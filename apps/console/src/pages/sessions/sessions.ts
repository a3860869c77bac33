/** The page that lists sessions. */
import type { Entity, OpalSession } from '@causeway/sdk'
import { html } from 'lit'
import { customElement } from 'lit/decorators.js'
import { personName } from '../../accounts.js'
import type { List } from '../../api.js'
import { shortId } from '../../format.js'
import { type ListOptions, ListPage } from '../../list-page.js'
import { statusPill } from '../../parts/marks.js'
import type { Column, Filter } from '../../parts/table.js'
import { wordOf, words } from '../../words.js'
import { sessionStatus } from './progress-answer.js'

const { sessions } = words

const filters: readonly Filter[] = [
  { name: 'days', label: words.table.made },
  { name: 'entity_id', label: words.payments.columns.person, fixed: true },
  { name: 'step', label: words.session.step, fixed: true },
]

const noView = { stuck_for: null, payout_status: null, unpaid: null }
const fixedViews = [
  { text: sessions.views.all, set: noView },
  { text: sessions.views.stuck, set: { ...noView, stuck_for: 'P1D' } },
  { text: sessions.views.release, set: { ...noView, payout_status: 'pending_release' } },
  { text: sessions.views.unpaid, set: { ...noView, unpaid: 'true' } },
]

@customElement('page-sessions')
export class SessionsPage extends ListPage<OpalSession> {
  protected readonly list: ListOptions = {
    path: '/opal/sessions',
    isLive: true,
    isCounted: true,
    text: sessions,
    needs: 'viewer',
    filters,
    views: fixedViews,
    ask: query => ({
      entity_id: query.get('entity_id'),
      step: query.get('step'),
      stuck_for: query.get('stuck_for'),
      unpaid: query.get('unpaid'),
      payout_status: query.get('payout_status'),
    }),
    counts: query => !query.has('unpaid') && !query.has('stuck_for'),
    empty: query =>
      query.has('payout_status')
        ? sessions.noneToRelease
        : query.has('unpaid')
          ? sessions.nonePartlyPaid
          : query.has('stuck_for')
            ? sessions.noneStuck
            : sessions.empty,
  }

  private readonly people = this.load<List<Entity>>()

  /** Loads the names of the people on the page. Ids are shown until the names arrive. */
  protected override listed(rows: readonly OpalSession[]): void {
    const ids = [...new Set(rows.flatMap(({ entity_id }) => entity_id ?? []))]
    const { api } = this.console
    if (ids.length > 0)
      this.people.read(ids.join(), signal => api.list('/entities', { id: ids, page_limit: ids.length }, signal))
  }

  private personOf({ entity_id: id }: OpalSession): unknown {
    if (id === null) return ''
    const person = this.people.value?.data.find(each => each.id === id)
    const name = person && personName(person)
    return html`<a class=${name ? '' : 'id'} href="/people/${id}">${name ?? shortId(id)}</a>`
  }

  protected get columns(): Column<OpalSession>[] {
    const { format } = this.console
    const { columns } = sessions
    return [
      {
        head: columns.status,
        cell: row =>
          html`${statusPill(sessionStatus(row))}<small class="narrow">${this.personOf(row)}</small
            ><small class="narrow">${format.at(row.created_at)}</small>`,
      },
      { head: columns.person, grows: true, wide: true, cell: row => this.personOf(row) },
      {
        name: 'step',
        head: columns.step,
        wide: true,
        cell: row => (row.step === null ? sessions.unseen : wordOf(words.steps, row.step)),
      },
      { name: 'kind', head: columns.kind, wide: true, cell: row => wordOf(words.modes, row.mode) },
      {
        name: 'loan',
        head: columns.loan,
        end: true,
        cell: row => (row.bt ? html`<b>${format.money(row.bt.loan_amount)}</b>` : ''),
      },
      { name: 'made', head: columns.made, wide: true, cell: row => html`<small>${format.at(row.created_at)}</small>` },
      {
        name: 'updated',
        head: columns.updated,
        wide: true,
        cell: row => html`<small>${format.at(row.updated_at)}</small>`,
      },
      { name: 'id', head: columns.id, wide: true, cell: row => html`<span class="id">${row.id}</span>` },
    ]
  }
}
