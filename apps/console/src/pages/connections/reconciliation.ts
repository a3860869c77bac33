/** The comparison of providers' statements with the service's payments, for operators. */
import { html, nothing, type TemplateResult } from 'lit'
import { customElement } from 'lit/decorators.js'
import { shortId } from '../../format.js'
import { Page } from '../../page.js'
import { confirm } from '../../parts/dialogs.js'
import { type IconName, icon } from '../../parts/icons.js'
import { pill, type Tone } from '../../parts/marks.js'
import { pageHeader } from '../../parts/page-header.js'
import { panel } from '../../parts/panel.js'
import { type Column, nextPage, table, viewTabs } from '../../parts/table.js'
import { wordOf, words } from '../../words.js'
import type { Exception, OperatorList, Reconciliation } from './shapes.js'
import { connectionTabs } from './tabs.js'

const { reconciliation: text } = words

const exceptionMarks: Readonly<Record<Exception['status'], [Tone, IconName]>> = {
  open: ['warn', 'alert'],
  explained: ['slate', 'ok'],
  resolved: ['good', 'ok'],
}
const runMarks: Readonly<Record<Reconciliation['status'], [Tone, IconName]>> = {
  scheduled: ['slate', 'clock'],
  complete: ['good', 'ok'],
  failed: ['red', 'x'],
}

@customElement('page-reconciliation')
export class ReconciliationPage extends Page {
  private readonly exceptions = this.load<OperatorList<Exception>>()
  private readonly runs = this.load<OperatorList<Reconciliation>>()

  override get heading(): string {
    return text.title
  }

  private get status(): 'open' | 'all' {
    return this.place.query.get('status') === 'all' ? 'all' : 'open'
  }

  protected override render(): TemplateResult {
    const { console, place } = this
    const views = [
      { text: text.views.open, set: { status: null } },
      { text: text.views.all, set: { status: 'all' } },
    ]
    return html`${pageHeader(console, { title: words.connections.title })} ${connectionTabs(place)}
      <p class="soft">${text.lead}</p>
      ${viewTabs(place, text.exceptions, views)}
      <div class="stack">${this.exceptionPanel()} ${this.runPanel()}</div>`
  }

  private exceptionPanel(): TemplateResult {
    const { console, exceptions, place, status } = this
    const page_cursor = place.query.get('cursor')
    exceptions.read(`${status} ${page_cursor ?? ''}`, signal =>
      console.api.get('/operator/exceptions', { status, page_cursor }, signal),
    )
    return panel(console, exceptions, {
      title: text.exceptions,
      shape: 'rows',
      flush: true,
      needs: 'operator',
      tools: html`<a class="btn small" href="/api/operator/exceptions/csv?status=${status}" download>${text.download}</a>`,
      empty: ({ data }) => (data.length === 0 ? (status === 'open' ? text.empty : text.emptyAll) : null),
      body: ({ data, next_cursor }) => html`${table({ label: text.exceptions, columns: this.columns, rows: data })}
        ${nextPage(place, next_cursor)}`,
    })
  }

  private get columns(): Column<Exception>[] {
    const { format } = this.console
    const { columns } = text
    const mark = ({ status }: Exception) => pill(...exceptionMarks[status], wordOf(text.statuses, status))
    const expected = ({ expected_amount: cents }: Exception) =>
      cents === null ? '' : text.expected(format.money(cents))
    const amount = (row: Exception) =>
      html`<span>${format.signed(row.amount)}</span>${expected(row) ? html`<small>${expected(row)}</small>` : nothing}`
    const about = ({ resource_id, line_id }: Exception) =>
      html`${
        resource_id === null ? nothing : html`<a class="id" href="/go/${resource_id}">${shortId(resource_id)}</a>`
      }${line_id === null ? nothing : html`<small>${text.line} <span class="id" title=${line_id}>${shortId(line_id)}</span></small>`}`
    return [
      {
        head: columns.kind,
        breaks: true,
        cell: row =>
          html`<b>${wordOf(text.kinds, row.kind)}</b>
            <small>${row.explanation ? text.explanation(row.explanation.text, row.explanation.by, format.text(row.explanation.at, 'moment')) : row.status === 'open' ? wordOf(text.todo, row.kind) : nothing}</small>
            <small>${text.seen(format.text(row.first_seen_at, 'moment'), format.text(row.last_seen_at, 'moment'))}</small>
            <small class="narrow">${mark(row)} ${row.provider} · ${[format.signed(row.amount), expected(row)].filter(Boolean).join(', ')} · ${format.at(row.at)}</small>
            <small class="narrow">${about(row)}</small>`,
      },
      {
        head: columns.provider,
        wide: true,
        cell: row => html`<span>${row.provider}</span><small>${format.at(row.at)}</small>`,
      },
      { head: columns.amount, wide: true, end: true, cell: amount },
      { head: columns.about, wide: true, cell: about },
      { head: columns.status, wide: true, cell: mark },
      {
        head: html`<span class="sr">${columns.explain}</span>`,
        end: true,
        cell: row =>
          row.status === 'open'
            ? html`<button class="btn small" aria-label=${text.explainOne(row.id)} @click=${() => void this.explain(row)}>
                ${text.explain}
              </button>`
            : nothing,
      },
    ]
  }

  private async explain({ id, team_id }: Exception): Promise<void> {
    const { console } = this
    const done = await confirm({
      title: text.explainTitle,
      body: text.explainBody,
      action: text.explain,
      fields: html`<label class="field"
          ><span>${text.by}</span><input class="input" name="by" required maxlength="60" autocomplete="name" /></label
        ><label class="field"
          ><span>${text.text}</span
          ><input class="input" name="text" required minlength="3" maxlength="500" autocomplete="off"
        /></label>`,
      run: async (values, { key }) => {
        const body = { team: team_id, by: String(values.get('by')).trim(), text: String(values.get('text')).trim() }
        await console.api.send('POST', `/operator/exceptions/${id}/explanation`, body, key)
      },
    })
    if (!done) return
    console.say(text.explained)
    this.refresh()
  }

  private runPanel(): TemplateResult {
    const { console, runs } = this
    const { api } = console
    runs.read('runs', signal => api.get('/operator/reconciliations', {}, signal))
    return panel(console, runs, {
      title: text.runs,
      shape: 'rows',
      flush: true,
      needs: 'operator',
      tools: html`<button
        class="btn small"
        aria-busy=${this.busy ? 'true' : 'false'}
        @click=${() => void this.act(text.started, () => api.send('POST', '/operator/reconciliations', { team: 'all' }))}
      >
        ${icon('scale')}${text.compare}
      </button>`,
      empty: ({ data }) => (data.length === 0 ? text.runsEmpty : null),
      body: ({ data }) => table({ label: text.runs, columns: this.runColumns, rows: data }),
    })
  }

  private get runColumns(): Column<Reconciliation>[] {
    const { format } = this.console
    const { runColumns: columns } = text
    const mark = ({ status }: Reconciliation) => pill(...runMarks[status], wordOf(text.runStatuses, status))
    const count = (of: (result: NonNullable<Reconciliation['result']>) => number) => (row: Reconciliation) =>
      row.result ? format.count(of(row.result)) : '—'
    const notes = ({ result }: Reconciliation) =>
      result
        ? [
            ...(result.recent > 0 ? [text.recent(format.count(result.recent))] : []),
            ...result.other.map(({ category, count: lines, sum }) =>
              text.other(format.count(lines), format.signed(sum), category),
            ),
          ].join(' · ')
        : ''
    return [
      {
        head: columns.days,
        breaks: true,
        cell: row =>
          html`<span>${format.bankDate(row.from)} – ${format.bankDate(row.to)}</span>
            <small class="narrow">${row.provider} ${mark(row)} ${format.at(row.ended_at ?? row.created_at)}</small>
            ${
              row.result
                ? html`<small class="narrow"
                    >${columns.matched}: ${format.count(row.result.matched)} / ${format.count(row.result.lines)} · ${columns.exceptions}:
                    ${format.count(row.result.exceptions)}</small
                  >`
                : nothing
            }
            ${notes(row) ? html`<small>${notes(row)}</small>` : nothing}`,
      },
      { head: columns.provider, wide: true, cell: row => row.provider },
      { head: columns.status, wide: true, cell: mark },
      { head: columns.lines, wide: true, end: true, cell: count(({ lines }) => lines) },
      { head: columns.matched, wide: true, end: true, cell: count(({ matched }) => matched) },
      { head: columns.exceptions, wide: true, end: true, cell: count(({ exceptions }) => exceptions) },
      {
        head: columns.sums,
        wide: true,
        end: true,
        cell: ({ result }) =>
          result
            ? html`<span>${format.signed(result.money_out)}</span><small>${format.signed(result.money_in)}</small>`
            : '—',
      },
      {
        head: columns.when,
        wide: true,
        cell: row => html`<small>${format.at(row.ended_at ?? row.created_at)}</small>`,
      },
    ]
  }
}
