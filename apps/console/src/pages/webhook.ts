/** One webhook endpoint: how it does, its deliveries and their attempts, sending again. */
import type { Delivery, DeliveryAttempt, Webhook, WebhookStats } from '@causeway/sdk'
import { html, nothing, type TemplateResult } from 'lit'
import { customElement } from 'lit/decorators.js'
import type { List } from '../api.js'
import { shortId } from '../format.js'
import { Page } from '../page.js'
import { answerPanel } from '../parts/answer.js'
import { breakable } from '../parts/breaks.js'
import { columns as chart, legend } from '../parts/chart.js'
import { confirm } from '../parts/dialogs.js'
import { facts } from '../parts/facts.js'
import { head, whole } from '../parts/head.js'
import { icon } from '../parts/icons.js'
import { statusPill } from '../parts/marks.js'
import { card, panel, staleNote } from '../parts/panel.js'
import { type Column, chips, type Filter, nothingListed, pager, table } from '../parts/table.js'
import { address } from '../router.js'
import { wordOf, words } from '../words.js'
import { SendAgain } from './webhook-again.js'
import { answerOf, hoursOf, totalsOf } from './webhook-answer.js'
import { shortUrl } from './webhooks.js'

const { webhook: text } = words

const filters: readonly Filter[] = [
  {
    name: 'status',
    label: words.table.status,
    single: true,
    options: ['pending', 'delivered', 'failed', 'canceled'].map(each => [each, wordOf(words.status, each)] as const),
  },
  { name: 'days', label: words.table.made },
]

@customElement('page-webhook')
export class WebhookPage extends Page {
  private readonly webhook = this.load<Webhook>()
  private readonly stats = this.load<WebhookStats>()
  private readonly deliveries = this.load<List<Delivery>>()
  private readonly attempts = this.load<List<DeliveryAttempt>>()
  private readonly again = new SendAgain(
    () => this.requestUpdate(),
    (done, run) => this.act(done, run),
  )

  override get heading(): string {
    return this.webhook.value ? shortUrl(this.webhook.value.url) : words.webhooks.title
  }

  private get webhookId(): string {
    return this.place.params['id'] as string
  }

  private get picked(): string | null {
    return this.place.query.get('delivery')
  }

  private read(): void {
    const { console, webhookId: id, place, picked } = this
    const { api } = console
    const { query } = place
    this.webhook.read(id, signal => api.get(`/webhooks/${id}`, {}, signal))
    this.stats.read(id, signal => api.get(`/webhooks/${id}/stats`, {}, signal))
    const wanted = {
      status: query.get('status'),
      from_date: query.get('from'),
      to_date: query.get('to'),
      page_cursor: query.get('cursor'),
      page_limit: 50,
    }
    this.deliveries.read(`${id} ${JSON.stringify(wanted)}`, signal =>
      api.list(`/webhooks/${id}/deliveries`, wanted, signal),
    )
    if (picked)
      this.attempts.read(picked, signal => api.list(`/webhooks/${id}/deliveries/${picked}/attempts`, {}, signal))
  }

  protected override render(): TemplateResult {
    this.read()
    const { console, webhookId: id, webhook } = this
    const crumb = { text: text.crumb, href: '/webhooks', id }
    const instead = whole(console, webhook, { crumb, title: shortId(id), missing: text.missing(id), needs: 'engineer' })
    const { value } = webhook
    if (instead || !value) return instead ?? html``
    return html`${head(console, {
      crumb,
      title: breakable(shortUrl(value.url)),
      mark: statusPill(value.status),
      tools: this.tools(value),
      lead: html`<code>${text.about(value.type)}</code>${value.expand_event ? ` · ${text.expands}` : nothing}`,
    })}
      ${staleNote(console, webhook)} ${this.tiles()}
      <div class="two">
        <div class="stack">${this.chart()} ${this.list()}</div>
        <div class="stack">${this.answer(value)} ${this.mayAct ? this.again.draw(this.console, this.webhookId) : nothing} ${this.delivery()} ${this.signing(value)}</div>
      </div>`
  }

  /** Support may send one delivery again, engineers also all since a time. */
  private get mayResend(): boolean {
    return this.console.session.user.role !== 'viewer'
  }

  private get mayAct(): boolean {
    const { role } = this.console.session.user
    return role === 'admin' || role === 'engineer'
  }

  private tools({ status }: Webhook): unknown {
    if (this.console.session.user.role !== 'admin' || status === 'deleted') return nothing
    return status === 'disabled'
      ? html`<button class="btn" @click=${() => void this.switchOn()}>${text.on}</button>`
      : html`<button class="btn" @click=${() => void this.switchOff()}>${icon('hold')}${text.off}</button>`
  }

  private switchOn(): Promise<void> {
    return this.act(text.switchedOn, () =>
      this.console.api.send('PATCH', `/webhooks/${this.webhookId}`, { status: 'active' }),
    )
  }

  private async switchOff(): Promise<void> {
    const { console, webhookId: id } = this
    const key = crypto.randomUUID()
    const done = await confirm({
      title: text.offTitle,
      body: text.offBody,
      action: text.off,
      danger: true,
      run: async () => {
        await console.api.send('PATCH', `/webhooks/${id}`, { status: 'disabled' }, key)
      },
    })
    if (!done) return
    console.say(text.switchedOff)
    this.refresh()
  }

  private tiles(): TemplateResult | typeof nothing {
    const { value } = this.stats
    const { format, now } = this.console
    if (!value) return nothing
    const { delivered, failed, p50, p95 } = totalsOf(value)
    const pending = this.deliveries.value?.data.filter(({ status }) => status === 'pending').length ?? 0
    const paused = value.paused_until ? Date.parse(value.paused_until) - now() : 0
    const tile = (name: string, content: unknown, kind = '') =>
      html`<div>
        <dt>${name}</dt>
        <dd class=${kind}>${content}</dd>
      </div>`
    return html`<dl class="tiles">
      ${tile(text.tiles.arrived, format.percent(delivered, delivered + failed))} ${tile(text.tiles.p50, format.ms(p50))}
      ${tile(text.tiles.p95, format.ms(p95))} ${tile(text.tiles.pending, format.count(pending))}
      ${tile(text.tiles.failed, format.count(failed), failed > 0 ? 'bad-text' : '')}
      ${
        paused > 0
          ? tile(
              text.tiles.paused,
              html`${format.span(paused)}
                <small>${value.paused_by === 'endpoint' ? text.tiles.byEndpoint : text.tiles.byFailures}</small>`,
              'warn-text',
            )
          : nothing
      }
    </dl>`
  }

  private chart(): TemplateResult {
    const { console } = this
    const { format } = console
    const series = [
      { name: text.arrived, tone: 'teal' as const },
      { name: text.failed, tone: 'red' as const },
    ]
    return panel(console, this.stats, {
      title: text.chart,
      shape: 'chart',
      needs: 'engineer',
      tools: legend(series),
      empty: ({ buckets }) => (buckets.length === 0 ? text.empty : null),
      body: value => {
        const { delivered, failed } = totalsOf(value)
        const hours = hoursOf(value, console.now())
        return chart({
          label: text.chartLabel(format.count(delivered), format.count(failed)),
          labels: hours.map(({ at }) => format.text(at, 'hour')),
          series: [
            { name: text.arrived, tone: 'teal', values: hours.map(each => each.delivered) },
            { name: text.failed, tone: 'red', values: hours.map(each => each.failed) },
          ],
          tableTitle: text.chartTable,
          firstColumn: text.chartHour,
        })
      },
    })
  }

  private list(): TemplateResult {
    const { console, place, deliveries, picked } = this
    const here = (id: string) => address(place.path, { ...Object.fromEntries(place.query), delivery: id })
    return panel(console, deliveries, {
      title: text.deliveries,
      shape: 'rows',
      flush: true,
      needs: 'engineer',
      tools: chips(console, place, filters),
      empty: ({ data }) => (data.length === 0 ? nothingListed(place, filters, text.empty) : null),
      body: list => html`${table({
        label: text.deliveries,
        columns: this.columns,
        rows: list.data,
        href: row => here(row.id),
        name: row => `${wordOf(words.status, row.status)}: ${row.type}`,
        selected: row => row.id === picked,
      })}
      ${pager(place, list)}`,
    })
  }

  private get columns(): Column<Delivery>[] {
    const { format, now } = this.console
    const { columns } = text
    const answer = ({ response_status, failure, status }: Delivery) =>
      html`<code class=${status === 'delivered' ? '' : 'bad-text'}
        >${failure ? wordOf(text.failure, failure) : (response_status ?? '')}</code
      >`
    const next = ({ status, next_attempt_at }: Delivery) =>
      status === 'failed'
        ? text.givenUp
        : status === 'canceled'
          ? text.calledOff
          : next_attempt_at
            ? text.in(format.span(Date.parse(next_attempt_at) - now()))
            : ''
    return [
      { head: columns.state, cell: row => statusPill(row.status) },
      {
        head: columns.event,
        breaks: true,
        cell: row => html`<code>${breakable(row.type)}</code><small class="narrow">${answer(row)} ${next(row)}</small>`,
      },
      {
        head: columns.answer,
        wide: true,
        cell: row =>
          html`${answer(row)}${row.attempts > 1 ? html`<small>${words.timeline.attempt(row.attempts)}</small>` : nothing}`,
      },
      { head: columns.next, wide: true, cell: row => html`<small>${next(row)}</small>` },
      { head: columns.last, wide: true, cell: row => html`<small>${format.at(row.attempted_at, 'time')}</small>` },
      {
        head: html`<span class="sr">${columns.again}</span>`,
        end: true,
        cell: row =>
          this.mayResend
            ? html`<button
                class="btn small"
                aria-label=${text.againOne(row.id)}
                title=${text.again}
                @click=${() => void this.resend(row.id)}
              >
                ${icon('undo')}
              </button>`
            : nothing,
      },
    ]
  }

  private resend(delivery: string): Promise<void> {
    return this.act(text.againDone, () =>
      this.console.api.send('POST', `/webhooks/${this.webhookId}/deliveries/${delivery}/redeliver`),
    )
  }

  private answer(value: Webhook): TemplateResult | typeof nothing {
    const answer = answerOf(this.console, value, this.stats.value, this.deliveries.value?.data ?? [])
    return answer ? answerPanel(this.console, answer) : nothing
  }

  private delivery(): TemplateResult {
    const { console, attempts, picked } = this
    const { format } = console
    if (!picked) return card(text.this, html`<p class="soft">${text.pick}</p>`)
    return panel(console, attempts, {
      title: text.this,
      flush: true,
      needs: 'engineer',
      note: html`<span class="id">${shortId(picked)}</span>`,
      empty: ({ data }) => (data.length === 0 ? text.empty : null),
      body: ({ data }) =>
        html`<table aria-label=${text.attempts}>
            <tbody>
              ${data.map(
                ({ number, at, ms, response_status, failure }) =>
                  html`<tr>
                    <td class="soft">${number}</td>
                    <td>${format.at(at, 'time')}</td>
                    <td>
                      <code class=${failure || (response_status ?? 500) >= 300 ? 'bad-text' : ''}
                        >${failure ? wordOf(text.failure, failure) : response_status}</code
                      >
                    </td>
                    <td class="end soft">${format.ms(ms)}</td>
                  </tr>`,
              )}
            </tbody>
          </table>`,
    })
  }

  private signing({ api_version }: Webhook): TemplateResult {
    return card(
      text.signing,
      facts(
        [text.secret, html`whsec_<span class="mask">••••</span>`],
        [text.check, text.standard],
        [text.version, api_version ?? text.teamVersion],
      ),
    )
  }
}
