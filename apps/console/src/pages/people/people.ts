/** The page that lists people. */
import type { Entity } from '@causeway/sdk'
import { html } from 'lit'
import { customElement } from 'lit/decorators.js'
import { isErased, personName } from '../../accounts.js'
import { shortId } from '../../format.js'
import { type ListOptions, ListPage } from '../../list-page.js'
import { statusPill } from '../../parts/marks.js'
import type { Column, Filter } from '../../parts/table.js'
import { wordOf, words } from '../../words.js'

const { people } = words

const filters: readonly Filter[] = [
  {
    name: 'status',
    label: words.table.status,
    single: true,
    options: ['active', 'incomplete', 'disabled'].map(each => [each, wordOf(words.status, each)] as const),
  },
  { name: 'days', label: words.table.made },
]

const fixedViews = [
  { text: people.views.all, set: { status: null } },
  { text: people.views.incomplete, set: { status: 'incomplete' } },
  { text: people.views.disabled, set: { status: 'disabled' } },
]

const nameOf = (entity: Entity): string => (isErased(entity) ? people.erased : (personName(entity) ?? people.unnamed))

@customElement('page-people')
export class PeoplePage extends ListPage<Entity> {
  protected readonly list: ListOptions = {
    path: '/entities',
    isLive: true,
    isCounted: true,
    text: people,
    needs: 'viewer',
    filters,
    views: fixedViews,
    ask: query => ({ status: query.get('status') }),
  }

  protected get columns(): Column<Entity>[] {
    const { format } = this.console
    const { columns } = people
    const proof = (entity: Entity, kind: 'phone' | 'identity') => {
      const { verified, matched } = entity.verification?.[kind] ?? {}
      return html`<span class=${verified ? '' : 'soft'}>${verified ? people.verified : matched ? people.matched : people.no}</span>`
    }
    return [
      {
        head: columns.name,
        grows: true,
        cell: row => html`<b>${nameOf(row)}</b><small class="narrow">${format.at(row.created_at)}</small>`,
      },
      {
        head: columns.status,
        cell: row =>
          html`${statusPill(isErased(row) ? 'erased' : row.status)}<small class="narrow id">${shortId(row.id)}</small>`,
      },
      { name: 'phone', head: columns.phone, wide: true, cell: row => proof(row, 'phone') },
      { name: 'identity', head: columns.identity, wide: true, cell: row => proof(row, 'identity') },
      { name: 'made', head: columns.made, wide: true, cell: row => html`<small>${format.at(row.created_at)}</small>` },
      { name: 'id', head: columns.id, wide: true, cell: row => html`<span class="id">${row.id}</span>` },
    ]
  }
}
