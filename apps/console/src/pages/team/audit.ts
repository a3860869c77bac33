/** The audit log of the team: who did what, when and why. */
import { html, nothing, type TemplateResult } from 'lit'
import { customElement } from 'lit/decorators.js'
import { queryOf } from '../../api.js'
import { Page } from '../../page.js'
import { actorMark } from '../../parts/actor.js'
import { changeList } from '../../parts/changes.js'
import { icon } from '../../parts/icons.js'
import { pageHeader } from '../../parts/page-header.js'
import { panel } from '../../parts/panel.js'
import { type Column, emptyList, type Filter, filterBar, pager, table } from '../../parts/table.js'
import { withBreaks } from '../../parts/with-breaks.js'
import { resourcePageList } from '../../resource-pages.js'
import { address, pathOf } from '../../router.js'
import type { AuditEntry } from '../../shapes.js'
import { words } from '../../words.js'

const { audit: text } = words
/** The changed values that are amounts, in cents. */
const amounts = new Set(['approve_above', 'payment_amount_max', 'limits.payment_amount_max'])

const filters: readonly Filter[] = [
  { name: 'days', label: words.table.made },
  { name: 'area', label: text.area, options: Object.entries(text.areas), single: true },
  { name: 'actor', label: text.actor, fixed: true },
  { name: 'resource', label: text.resource, fixed: true },
]

@customElement('page-audit')
export class AuditPage extends Page {
  private readonly entries = this.load<{ data: AuditEntry[]; next_cursor: string | null }>()

  override get heading(): string {
    return text.title
  }

  protected override render(): TemplateResult {
    const { console, place, entries } = this
    const { query } = place
    const wanted = {
      actor: query.get('actor'),
      area: query.get('area'),
      resource_id: query.get('resource'),
      from_date: query.get('from'),
      to_date: query.get('to'),
    }
    const page_cursor = query.get('cursor')
    entries.read(query.toString(), signal => console.api.get('/console/audit', { ...wanted, page_cursor }, signal))
    return html`${pageHeader(console, {
      title: text.title,
      lead: text.lead,
      tools: html`<a class="btn" download href=${`/api/console/audit/csv${queryOf(wanted)}`}>${icon('down')}${words.table.download}</a>`,
    })}
    ${filterBar(console, place, filters)}
    ${panel(console, entries, {
      title: text.title,
      shape: 'rows',
      flush: true,
      bare: true,
      needs: 'admin',
      empty: ({ data }) => (data.length === 0 ? emptyList(place, filters, text.empty) : null),
      body: ({ data, next_cursor }) => html`${table({ label: text.title, columns: this.columns, rows: data })}
      ${pager(place, { data, next: next_cursor, previous: null })}`,
    })}`
  }

  /** Renders a value that narrows the list when it is chosen. */
  private narrow(name: 'actor' | 'resource', value: string, shown: unknown): TemplateResult {
    const { path, query } = this.place
    const href = address(path, { ...Object.fromEntries(query), cursor: null, [name]: value })
    return html`<a href=${href} title=${text.narrow(value)}>${shown}</a>`
  }

  private get columns(): Column<AuditEntry>[] {
    const { format } = this.console
    const actor = ({ actor, actor_name }: AuditEntry) =>
      this.narrow('actor', actor, actorMark(this.console, actor, { name: actor_name, isWhole: true }))
    return [
      { head: text.at, wide: true, cell: row => html`<small>${format.at(row.at)}</small>` },
      {
        head: text.actor,
        breaks: true,
        cell: row =>
          html`${actor(row)}<small class="narrow">${format.at(row.at)}</small><div class="narrow">${this.actionOf(row)}</div><div class="narrow">${this.resourceOf(row)}</div>`,
      },
      {
        head: text.action,
        wide: true,
        breaks: true,
        cell: row => this.actionOf(row),
      },
      { head: text.resource, wide: true, breaks: true, cell: row => this.resourceOf(row) },
    ]
  }

  private actionOf({ action, reason, changes }: AuditEntry): TemplateResult {
    const { format } = this.console
    const shown = (name: string, value: string | null) =>
      value !== null && amounts.has(name) ? format.money(Number(value)) : value
    const said = text.says[action]
    return html`<code>${withBreaks(action)}</code>${said ? html`<small>${said}</small>` : nothing}${reason ? html`<small>${reason}</small>` : nothing}${changeList(
      changes.map(({ name, before, after }) => ({
        path: name,
        before: shown(name, before),
        after: shown(name, after),
        isHidden: before === null && after === null,
      })),
    )}`
  }

  private resourceOf({ resource_id: id, resource_name: name }: AuditEntry): unknown {
    if (id === null) return ''
    const page = pathOf(resourcePageList, id)
    const isUser = id.startsWith('cusr_')
    const shown = isUser ? html`<span title=${id}>${name ?? text.unnamed}</span>` : html`<span class="id">${id}</span>`
    return html`${this.narrow('resource', id, shown)}${page ? html` <a href=${page}>${text.open}</a>` : nothing}`
  }
}
