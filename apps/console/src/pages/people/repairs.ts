/** The page that lists the people who must sign in to an institution again before their data can be read. */
import { html, nothing, type TemplateResult } from 'lit'
import { customElement } from 'lit/decorators.js'
import { Page } from '../../page.js'
import { pageHeader } from '../../parts/page-header.js'
import { panel } from '../../parts/panel.js'
import { type Column, nextPage, table } from '../../parts/table.js'
import type { Repairs } from '../../shapes.js'
import { words } from '../../words.js'

const { repairs: text, people } = words

type Row = Repairs['data'][number]

const nameOf = ({ name }: Row): string => name ?? people.unnamed

@customElement('page-repairs')
export class RepairsPage extends Page {
  private readonly repairs = this.load<Repairs>()

  override get heading(): string {
    return text.title
  }

  protected override render(): TemplateResult {
    const { console, repairs, place } = this
    const page_cursor = place.query.get('cursor')
    repairs.read(page_cursor ?? '', signal => console.api.get('/institutions/repairs', { page_cursor }, signal))
    return html`${pageHeader(console, { title: text.title, lead: text.lead })}
      ${panel(console, repairs, {
        title: text.title,
        shape: 'rows',
        flush: true,
        bare: true,
        needs: 'viewer',
        empty: ({ data, next_cursor }) => (data.length === 0 && next_cursor === null ? text.empty : null),
        body: ({ data, next_cursor }) => html`${table({
          label: text.title,
          columns: this.columns,
          rows: data,
          href: ({ id }) => `/people/${id}`,
        })}
          ${nextPage(place, next_cursor, words.table.more)}`,
      })}`
  }

  private get columns(): Column<Row>[] {
    const { format } = this.console
    const { columns } = text
    const institutions = (row: Row) =>
      row.institutions.map(
        ({ name, accounts }) =>
          html`<span>${name}</span> <small>${words.person.institutions.accounts(accounts.length)}</small>`,
      )
    const checked = ({ checked_at }: Row) => (checked_at ? html`<small>${format.at(checked_at)}</small>` : nothing)
    return [
      {
        head: columns.name,
        breaks: true,
        cell: row => html`<b>${nameOf(row)}</b><span class="narrow">${institutions(row)}</span>`,
      },
      { head: columns.institutions, wide: true, breaks: true, cell: institutions },
      { head: columns.checked, end: true, cell: checked },
    ]
  }
}
