/** The page that lists payments. */
import type { Entity, Payment } from '@causeway/sdk'
import { html } from 'lit'
import { customElement } from 'lit/decorators.js'
import { accountName, personName } from '../../accounts.js'
import type { List } from '../../api.js'
import { shortId } from '../../format.js'
import { type ListOptions, ListPage } from '../../list-page.js'
import { paymentPill, shownStatus } from '../../parts/marks.js'
import type { Column, Filter } from '../../parts/table.js'
import { wordOf, words } from '../../words.js'

const { payments } = words
const statuses = [
  'pending',
  'processing',
  'sent',
  'posted',
  'cashed',
  'settled',
  'reversal_required',
  'reversal_processing',
  'reversed',
  'partially_reversed',
  'failed',
  'canceled',
] as const

const filters: readonly Filter[] = [
  { name: 'status', label: words.table.status, options: statuses.map(each => [each, wordOf(words.money, each)]) },
  { name: 'days', label: words.table.made },
  { name: 'person', label: payments.columns.person, fixed: true },
]

const fixedViews = [
  { text: payments.views.all, set: { status: null } },
  { text: payments.views.look, set: { status: 'reversal_required,failed' } },
  { text: payments.views.way, set: { status: 'pending,processing,sent' } },
  { text: payments.views.done, set: { status: 'posted,cashed,settled' } },
]

@customElement('page-payments')
export class PaymentsPage extends ListPage<Payment> {
  protected readonly list: ListOptions = {
    path: '/payments',
    isLive: true,
    isCounted: true,
    text: payments,
    needs: 'viewer',
    filters,
    views: fixedViews,
    ask: query => ({
      status: query.get('status')?.split(','),
      holder_id: query.get('person'),
    }),
    expand: ['destination'],
  }

  private readonly people = this.load<List<Entity>>()

  /** Loads the names of the people on the page. Ids are shown until the names arrive. */
  protected override listed(rows: readonly Payment[]): void {
    const ids = [...new Set(rows.flatMap(row => holderOf(row) ?? []))]
    const { api } = this.console
    if (ids.length > 0)
      this.people.read(ids.join(), signal => api.list('/entities', { id: ids, page_limit: ids.length }, signal))
  }

  private personOf(row: Payment): unknown {
    const holder = holderOf(row)
    if (holder === null) return ''
    const person = this.people.value?.data.find(({ id }) => id === holder)
    const name = person && personName(person)
    return html`<a class=${name ? '' : 'id'} href="/people/${holder}">${name ?? shortId(holder)}</a>`
  }

  protected override readonly nameOf = (row: Payment): string =>
    `${wordOf(words.money, shownStatus(row))}: ${words.payment.title(this.console.format.money(row.amount), accountName(row.destination))}`

  protected get columns(): Column<Payment>[] {
    const { format } = this.console
    const { columns } = payments
    return [
      {
        head: columns.status,
        cell: row => html`${paymentPill(shownStatus(row))}<small class="narrow">${format.at(row.created_at)}</small>`,
      },
      {
        head: columns.amount,
        end: true,
        cell: row =>
          html`<b>${format.money(row.amount)}</b><small class="narrow">${accountName(row.destination)}</small>`,
      },
      { name: 'to', head: columns.to, wide: true, breaks: true, cell: row => accountName(row.destination) },
      { name: 'person', head: columns.person, wide: true, cell: row => this.personOf(row) },
      {
        name: 'why',
        head: columns.why,
        wide: true,
        cell: row => causeOf(row, this.console.session.payments_stopped !== null),
      },
      { name: 'made', head: columns.made, wide: true, cell: row => html`<small>${format.at(row.created_at)}</small>` },
      { name: 'id', head: columns.id, wide: true, cell: row => html`<span class="id">${row.id}</span>` },
    ]
  }
}

const holderOf = ({ destination }: Payment): string | null =>
  typeof destination === 'object' ? (destination?.holder_id ?? null) : null

/** Returns the cause of a payment's hold or, with the error code, the reason that the payment hasn't completed. */
function causeOf(row: Payment, isStopped: boolean): unknown {
  if (shownStatus(row) === 'hold') return words.cause[isStopped ? 'PAYMENTS_STOPPED' : 'HELD']
  const { error } = row
  return error ? html`${wordOf(words.cause, error.code)} <span class="id">${error.code}</span>` : ''
}
