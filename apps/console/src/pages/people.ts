/** The list of people. */
import type { Entity } from '@causeway/sdk'
import { html, type TemplateResult } from 'lit'
import { customElement } from 'lit/decorators.js'
import { isErased, personName } from '../accounts.js'
import type { List } from '../api.js'
import { shortId } from '../format.js'
import { Page } from '../page.js'
import { head } from '../parts/head.js'
import { statusPill } from '../parts/marks.js'
import { panel } from '../parts/panel.js'
import { type Column, chips, type Filter, nothingListed, pager, table, views } from '../parts/table.js'
import { wordOf, words } from '../words.js'

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
export class PeoplePage extends Page {
  private readonly rows = this.load<List<Entity>>()

  override get heading(): string {
    return people.title
  }

  protected override render(): TemplateResult {
    const { console, place, rows } = this
    const { query } = place
    rows.read(query.toString(), signal =>
      console.api.list<Entity>(
        '/entities',
        {
          status: query.get('status'),
          from_date: query.get('from'),
          to_date: query.get('to'),
          page_cursor: query.get('cursor'),
          page_limit: 50,
        },
        signal,
      ),
    )
    return html`${head(console, { title: people.title })} ${views(place, people.title, fixedViews)}
    ${chips(console, place, filters)}
    ${panel(console, rows, {
      title: people.title,
      shape: 'rows',
      flush: true,
      bare: true,
      needs: 'viewer',
      empty: ({ data }) => (data.length === 0 ? nothingListed(place, filters, people.empty) : null),
      body: list => html`${table({ label: people.title, columns: this.columns, rows: list.data, href: row => `/people/${row.id}` })}
        ${pager(place, list)}`,
    })}`
  }

  private get columns(): Column<Entity>[] {
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
      { head: columns.phone, wide: true, cell: row => proof(row, 'phone') },
      { head: columns.identity, wide: true, cell: row => proof(row, 'identity') },
      { head: columns.made, wide: true, cell: row => html`<small>${format.at(row.created_at)}</small>` },
      { head: columns.id, wide: true, cell: row => html`<span class="id">${row.id}</span>` },
    ]
  }
}
