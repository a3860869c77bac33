/** Banks' notifications of change, for operators. */
import { html, nothing, type TemplateResult } from 'lit'
import { customElement } from 'lit/decorators.js'
import { shortId } from '../../format.js'
import { Page } from '../../page.js'
import { clockNote } from '../../parts/clock.js'
import { pill } from '../../parts/marks.js'
import { pageHeader } from '../../parts/page-header.js'
import { panel } from '../../parts/panel.js'
import { type Column, nextPage, table } from '../../parts/table.js'
import { wordOf, words } from '../../words.js'
import { detailList, merchantName } from './merchant.js'
import type { Notice, OperatorList } from './shapes.js'
import { connectionTabs } from './tabs.js'

const { notices: text } = words

@customElement('page-notices')
export class NoticesPage extends Page {
  private readonly notices = this.load<OperatorList<Notice>>()

  override get heading(): string {
    return text.title
  }

  protected override render(): TemplateResult {
    const { console, notices, place } = this
    const page_cursor = place.query.get('cursor')
    notices.read(page_cursor ?? '', signal => console.api.get('/operator/notices', { page_cursor }, signal))
    return html`${pageHeader(console, { title: words.connections.title })} ${connectionTabs(place)}
      <p class="soft">${text.lead}</p>
      ${clockNote(console, words.clocks.notices)}
      ${panel(console, notices, {
        title: text.title,
        shape: 'rows',
        flush: true,
        bare: true,
        needs: 'operator',
        empty: ({ data }) => (data.length === 0 ? text.empty : null),
        body: ({ data, next_cursor }) => html`${table({ label: text.title, columns: this.columns, rows: data })}
          ${nextPage(place, next_cursor)}`,
      })}`
  }

  private get columns(): Column<Notice>[] {
    const { format } = this.console
    const { columns } = text
    const merchant = (row: Notice) => (row.merchant ? merchantName(row.merchant) : text.ownAccount)
    const payment = (row: Notice) =>
      html`<a class="id" href="/payments/${row.payment_id}">${shortId(row.payment_id)}</a>`
    const state = ({ state: name }: Notice) =>
      pill(name === 'open' ? 'warn' : 'good', name === 'open' ? 'alert' : 'ok', wordOf(text.states, name))
    return [
      {
        head: columns.code,
        breaks: true,
        cell: row =>
          html`<b>${row.code}</b> ${wordOf(text.codes, row.code) === row.code ? nothing : wordOf(text.codes, row.code)}
            <small class="narrow">${merchant(row)}</small>
            <small class="narrow">${columns.corrected}: ${detailList(row.corrected) || '—'}</small>
            <small class="narrow">${state(row)} ${wordOf(text.todo, row.state)}</small>
            <small class="narrow">${payment(row)} · ${format.at(row.received_at)}</small>`,
      },
      { head: columns.merchant, wide: true, breaks: true, cell: merchant },
      { head: columns.corrected, wide: true, breaks: true, cell: row => detailList(row.corrected) || '—' },
      {
        head: columns.todo,
        wide: true,
        breaks: true,
        cell: row => html`${state(row)}<small>${wordOf(text.todo, row.state)}</small>`,
      },
      { head: columns.payment, wide: true, cell: payment },
      { head: columns.received, wide: true, cell: row => html`<small>${format.at(row.received_at)}</small>` },
    ]
  }
}
