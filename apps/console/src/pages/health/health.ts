/** The health page for operators: open tasks, dead jobs, the ledger check, and the switch that stops all payments. */
import { html, nothing, type TemplateResult } from 'lit'
import { customElement, state } from 'lit/decorators.js'
import { shortId } from '../../format.js'
import { Page } from '../../page.js'
import { answerPanel } from '../../parts/answer.js'
import { ApprovalNote } from '../../parts/approval-note.js'
import { clockNote } from '../../parts/clock.js'
import { statusPill } from '../../parts/marks.js'
import { pageHeader } from '../../parts/page-header.js'
import { card, panel, staleNote } from '../../parts/panel.js'
import { type Column, nextPage, table } from '../../parts/table.js'
import { withBreaks } from '../../parts/with-breaks.js'
import type { DeadJob, DeadJobs, Health, LedgerCheck } from '../../shapes.js'
import { words } from '../../words.js'
import { answerOf } from './health-answer.js'
import { paymentsButton, restartNote } from './payments-switch.js'

const { health: text } = words

@customElement('page-health')
export class HealthPage extends Page {
  private readonly health = this.load<Health>()
  private readonly jobs = this.load<DeadJobs>()
  private readonly approval = new ApprovalNote(this.load())
  /** The result of "Check now", kept until the user leaves the page. */
  @state() private checked: LedgerCheck | null = null

  override get heading(): string {
    return text.title
  }

  protected override render(): TemplateResult {
    const { console, health, place } = this
    const { api } = console
    const page_cursor = place.query.get('cursor')
    health.read('health', signal => api.get('/operator/health', {}, signal))
    this.jobs.read(page_cursor ?? '', signal => api.get('/operator/jobs', { page_cursor }, signal))
    const { value } = health
    return html`${pageHeader(console, { title: text.title, tools: value ? paymentsButton(console, value, this.switched) : nothing })}
      ${clockNote(console, words.clocks.health)} ${staleNote(console, health)} ${this.approval.draw(console, { action: 'payments.start' })} ${value ? restartNote(console, value) : nothing}
      <div class="stack">
        ${
          value
            ? html`${answerPanel(console, answerOf(console, value))} ${this.tiles(value)} ${this.deadJobs()}
              ${this.ledger(this.checked ?? value.ledger)}`
            : panel(console, health, { title: text.title, bare: true, needs: 'operator', body: () => nothing })
        }
      </div>`
  }

  private tiles({ requests, jobs, lanes_paused }: Health): TemplateResult {
    const { format } = this.console
    const tile = (name: string, content: string, kind = '') =>
      html`<div>
        <dt>${name}</dt>
        <dd class=${kind}>${content}</dd>
      </div>`
    return html`<dl class="tiles" aria-label=${text.now}>
      ${tile(text.tiles.dead, format.count(jobs.dead), jobs.dead > 0 ? 'bad-text' : '')}
      ${tile(text.tiles.lag, format.span(jobs.lag_seconds * 1000))} ${tile(text.tiles.ready, format.count(jobs.ready))}
      ${tile(text.tiles.running, format.count(requests.running))} ${tile(text.tiles.waiting, format.count(requests.waiting))}
      ${tile(text.tiles.lanes, format.count(lanes_paused), lanes_paused > 0 ? 'warn-text' : '')}
    </dl>`
  }

  private deadJobs(): TemplateResult {
    const { console, jobs, place } = this
    return panel(console, jobs, {
      title: text.jobs,
      shape: 'rows',
      flush: true,
      needs: 'operator',
      empty: ({ data }) => (data.length === 0 ? text.jobsEmpty : null),
      body: ({ data, next_cursor }) => html`${table({ label: text.jobs, columns: this.columns, rows: data })}
        ${nextPage(place, next_cursor, text.more)}`,
    })
  }

  private get columns(): Column<DeadJob>[] {
    const { api, format } = this.console
    const { columns } = text
    return [
      {
        head: columns.kind,
        cell: row =>
          html`<code>${withBreaks(row.kind)}</code><small class="narrow">${format.at(row.created_at)}</small>`,
      },
      { head: columns.fault, breaks: true, cell: row => row.last_error ?? text.noError },
      { head: columns.attempts, wide: true, end: true, cell: row => format.count(row.attempts) },
      {
        head: columns.request,
        wide: true,
        cell: row =>
          row.request_id ? html`<a class="id" href="/requests/${row.request_id}">${shortId(row.request_id)}</a>` : '',
      },
      { head: columns.team, wide: true, cell: row => html`<span class="id">${shortId(row.team_id)}</span>` },
      { head: columns.made, wide: true, cell: row => html`<small>${format.at(row.created_at)}</small>` },
      {
        head: html`<span class="sr">${columns.retry}</span>`,
        end: true,
        cell: ({ id, team_id }) =>
          html`<button
            class="btn small"
            aria-label=${text.retryOne(id)}
            @click=${() => void this.act(text.retried, () => api.send('POST', `/operator/jobs/${id}/retry`, { team: team_id }))}
          >
            ${columns.retry}
          </button>`,
      },
    ]
  }

  private ledger(check: LedgerCheck | null): TemplateResult {
    const { console } = this
    const { api, format } = console
    const run = async () => {
      this.checked = await api.send<LedgerCheck>('POST', '/operator/ledger/checks')
    }
    const tools = html`${check ? statusPill(check.ok ? 'agrees' : 'disagrees') : nothing}
      <button class="btn small" aria-busy=${this.busy ? 'true' : 'false'} @click=${() => void this.act(text.checking, run)}>
        ${text.check}
      </button>`
    if (!check) return card(text.ledger, html`<p class="soft">${text.unchecked}</p>`, { tools })
    const notes = [
      check.complete ? '' : text.incomplete,
      check.unanswered > 0 ? text.unanswered(check.unanswered) : '',
      check.ok && check.complete ? text.agrees : '',
    ].filter(Boolean)
    return card(
      text.ledger,
      html`${notes.length > 0 ? html`<div class="card-body soft">${notes.map(each => html`<p>${each}</p>`)}</div>` : nothing}
      ${
        check.faults.length > 0
          ? table({
              label: text.ledger,
              rows: check.faults,
              href: row => `/payments/${row.payment_id}`,
              columns: [
                { head: words.payment.facts.id, cell: row => html`<span class="id">${row.payment_id}</span>` },
                {
                  head: text.faultColumns.team,
                  wide: true,
                  cell: row => html`<span class="id">${shortId(row.team_id)}</span>`,
                },
                { head: text.faultColumns.fault, breaks: true, cell: row => row.what },
              ],
            })
          : nothing
      }`,
      { flush: true, tools, note: text.checked(format.count(check.payments), format.text(check.at, 'moment')) },
    )
  }

  private readonly switched = (): void => {
    void this.console.renew()
    this.refresh()
  }
}
