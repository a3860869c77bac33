/** Health, for operators: rates and lags of the installation, whether the ledger agrees, and the jobs that gave up. */
import { html, nothing, type TemplateResult } from 'lit'
import { customElement, state } from 'lit/decorators.js'
import { Failure, type List } from '../api.js'
import { shortId } from '../format.js'
import { Page } from '../page.js'
import { answerPanel } from '../parts/answer.js'
import { head } from '../parts/head.js'
import { statusPill } from '../parts/marks.js'
import { panel, staleNote } from '../parts/panel.js'
import { type Column, pager, table } from '../parts/table.js'
import type { DeadJob, Health, LedgerCheck } from '../shapes.js'
import { wordOf, words } from '../words.js'
import { answerOf } from './health-answer.js'

const { health: text } = words

@customElement('page-health')
export class HealthPage extends Page {
  private readonly health = this.load<Health>()
  private readonly jobs = this.load<List<DeadJob>>()
  private readonly ledger = this.load<LedgerCheck>()
  /** A write is running: a second press does nothing. */
  @state() private busy = false

  override get heading(): string {
    return text.title
  }

  protected override render(): TemplateResult {
    const { console, health, place } = this
    const { api, format } = console
    const cursor = place.query.get('cursor')
    health.read('health', signal => api.get('/operator/health', {}, signal))
    this.ledger.read('ledger', signal => api.get('/operator/ledger', {}, signal))
    this.jobs.read(cursor ?? '', signal =>
      api.list('/operator/jobs', { status: 'dead', page_cursor: cursor, page_limit: 50 }, signal),
    )
    const { value } = health
    return html`${head(console, {
      title: text.title,
      lead: value ? words.overview.asOf(format.text(value.as_of, 'time'), format.zoneName) : nothing,
    })}
      ${staleNote(console, health)}
      ${
        value
          ? html`${answerPanel(console, answerOf(console, value, this.ledger.value))}${this.tiles(value)}`
          : panel(console, health, { title: text.title, bare: true, needs: 'operator', body: () => nothing })
      }
      <div class="stack">${this.deadJobs()} ${this.ledgerCard()}</div>`
  }

  private tiles({ requests, deliveries, jobs }: Health): TemplateResult {
    const { format } = this.console
    const tile = (name: string, content: unknown, kind = '') =>
      html`<div>
        <dt>${name}</dt>
        <dd class=${kind}>${content}</dd>
      </div>`
    const tried = deliveries.delivered + deliveries.failed
    return html`<dl class="tiles">
      ${tile(text.tiles.errors, format.percent(requests.failed, requests.count), requests.failed > 0 ? 'warn-text' : '')}
      ${tile(text.tiles.p95, format.ms(requests.p95_ms))}
      ${tile(text.tiles.delivered, format.percent(deliveries.delivered, tried))}
      ${tile(text.tiles.lag, format.span(jobs.lag_seconds * 1000))} ${tile(text.tiles.ready, format.count(jobs.ready))}
      ${tile(text.tiles.dead, format.count(jobs.dead), jobs.dead > 0 ? 'bad-text' : '')}
    </dl>`
  }

  /** Runs a write once, says how it ended and reads the page again. */
  private async act(done: string, path: string): Promise<void> {
    if (this.busy) return
    this.busy = true
    try {
      await this.console.api.send('POST', path)
      this.console.say(done)
      this.refresh()
    } catch (error) {
      this.console.say((error instanceof Failure && error.message) || words.dialog.failed)
    }
    this.busy = false
  }

  private deadJobs(): TemplateResult {
    const { console, place, jobs } = this
    return panel(console, jobs, {
      title: text.jobs,
      shape: 'rows',
      flush: true,
      needs: 'operator',
      empty: ({ data }) => (data.length === 0 ? text.jobsEmpty : null),
      body: list => html`${table({ label: text.jobs, columns: this.columns, rows: list.data })} ${pager(place, list)}`,
    })
  }

  private get columns(): Column<DeadJob>[] {
    const { format } = this.console
    const { columns } = text
    return [
      {
        head: columns.kind,
        cell: row => html`<code>${row.kind}</code><small class="narrow">${format.at(row.failed_at)}</small>`,
      },
      { head: columns.fault, breaks: true, cell: row => wordOf(text.faults, row.fault) },
      { head: columns.attempts, wide: true, end: true, cell: row => format.count(row.attempts) },
      { head: columns.about, wide: true, cell: row => aboutOf(row) },
      { head: columns.failed, wide: true, cell: row => html`<small>${format.at(row.failed_at)}</small>` },
      {
        head: html`<span class="sr">${columns.retry}</span>`,
        end: true,
        cell: row =>
          html`<button
            class="btn small"
            aria-label=${text.retryOne(row.id)}
            @click=${() => void this.act(text.retried, `/operator/jobs/${row.id}/retry`)}
          >
            ${columns.retry}
          </button>`,
      },
    ]
  }

  private ledgerCard(): TemplateResult {
    const { console, ledger } = this
    const { format } = console
    return panel(console, ledger, {
      title: text.ledger,
      flush: true,
      needs: 'operator',
      note: ledger.value?.checked_at
        ? text.checked(format.count(ledger.value.payments), format.text(ledger.value.checked_at, 'moment'))
        : text.unchecked,
      tools: html`${ledger.value?.checked_at ? statusPill(ledger.value.faults.length === 0 ? 'agrees' : 'disagrees') : nothing}
        <button class="btn small" @click=${() => void this.act(text.checking, '/operator/ledger/check')}>${text.check}</button>`,
      empty: ({ checked_at, faults }) =>
        checked_at === null ? text.uncheckedBody : faults.length === 0 ? text.agrees : null,
      body: ({ faults }) =>
        table({
          label: text.ledger,
          rows: faults,
          href: row => `/payments/${row.payment_id}`,
          columns: [
            { head: words.payment.facts.id, cell: row => html`<span class="id">${row.payment_id}</span>` },
            {
              head: columnsOfFaults.team,
              wide: true,
              cell: row => html`<span class="id">${shortId(row.team_id)}</span>`,
            },
            { head: columnsOfFaults.fault, breaks: true, cell: row => wordOf(text.disagreements, row.fault) },
          ],
        }),
    })
  }
}

const columnsOfFaults = text.faultColumns

const aboutOf = ({ about }: DeadJob): unknown =>
  about ? html`<a class="id" href="/go/${about}">${shortId(about)}</a>` : nothing
