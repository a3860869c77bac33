/** The page for one webhook endpoint: its status, deliveries with their attempts, and a form to resend deliveries. */
import type { Delivery, DeliveryAttempt, DeliveryRequest, Webhook, WebhookStats, WebhookTest } from '@causeway/sdk'
import { html, nothing, type TemplateResult } from 'lit'
import { customElement } from 'lit/decorators.js'
import { type List, sentenceOf } from '../../api.js'
import { shortId, shortUrl } from '../../format.js'
import { Page } from '../../page.js'
import { type Answer, answerPanel } from '../../parts/answer.js'
import { columnChart as chart, legend } from '../../parts/column-chart.js'
import { confirm, showSecret } from '../../parts/dialogs.js'
import { icon } from '../../parts/icons.js'
import { statusPill } from '../../parts/marks.js'
import { loadingPage, pageHeader } from '../../parts/page-header.js'
import { card, panel, staleNote } from '../../parts/panel.js'
import { type Column, emptyList, type Filter, filterBar, pager, table } from '../../parts/table.js'
import { withBreaks } from '../../parts/with-breaks.js'
import { address } from '../../router.js'
import { may } from '../../shapes.js'
import { wordOf, words } from '../../words.js'
import { deliveryCells, deliveryStatuses } from './delivery-cells.js'
import { ResendForm } from './resend-form.js'
import { followDeliveries, isDisabledSoon, outcomeOf } from './resent.js'
import { newSecret } from './secret.js'
import { signingCard } from './signing-card.js'
import { answerOf, outcomesByHour, resendFrom, totalsOf } from './webhook-answer.js'
import { attemptsPanel, requestPanel } from './webhook-delivery.js'
import { tiles } from './webhook-tiles.js'

const { webhook: text } = words

const filters: readonly Filter[] = [
  {
    name: 'status',
    label: words.table.status,
    single: true,
    options: deliveryStatuses,
  },
  { name: 'days', label: words.table.made },
]

@customElement('page-webhook')
export class WebhookPage extends Page {
  private readonly webhook = this.load<Webhook>()
  private readonly stats = this.load<WebhookStats>()
  private readonly deliveries = this.load<List<Delivery>>()
  /** The latest pending deliveries, with the number of all of them. The list's filter does not apply. */
  private readonly pending = this.load<List<Delivery>>()
  private readonly attempts = this.load<List<DeliveryAttempt>>()
  private readonly request = this.load<DeliveryRequest>()
  private readonly again = new ResendForm(
    () => this.requestUpdate(),
    (done, run) => this.act(done, run),
    () => void this.watch(),
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
    const pending = { webhook_id: id, status: 'pending', count: 'capped', page_limit: 20 }
    this.pending.read(id, signal => api.list('/deliveries', pending, signal))
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
    if (!picked) return
    const path = `/webhooks/${id}/deliveries/${picked}`
    this.attempts.read(picked, signal => api.list(`${path}/attempts`, {}, signal))
    this.request.read(picked, signal => api.get(`${path}/request`, {}, signal))
  }

  protected override render(): TemplateResult {
    this.read()
    const { console, webhookId: id, webhook } = this
    const crumb = { text: text.crumb, href: '/webhooks', id }
    const title = shortId(id)
    const instead = loadingPage(console, webhook, { crumb, title, missing: text.missing(id), needs: 'engineer' })
    const { value } = webhook
    if (instead || !value) return instead ?? html``
    return html`${pageHeader(console, {
      crumb,
      title: withBreaks(shortUrl(value.url)),
      mark: statusPill(value.status),
      tools: this.tools(value),
      lead: html`<code>${text.about(value.type)}</code>${value.expand_event ? ` · ${text.expands}` : nothing}`,
    })}
      ${staleNote(console, webhook)} ${this.answer(value)} ${tiles(console, this.stats.value, this.pending.value)}
      <div class="two">
        <div class="stack">${this.delivery(value)} ${this.chart()} ${this.list(value)}</div>
        <div class="stack">
          ${this.mayAct && !this.isBroken(value) ? card(text.again, this.sendAgain(value)) : nothing}
          ${this.picked ? nothing : card(text.this, html`<p class="soft">${text.pick}</p>`)} ${signingCard(value)}
        </div>
      </div>`
  }

  private shownDelivery: string | null = null

  /** Scrolls the selected delivery into view. */
  protected override updated(): void {
    super.updated()
    const { picked } = this
    if (picked === this.shownDelivery || !this.webhook.value) return
    const isFirst = this.shownDelivery === null && this.deliveries.value === null
    this.shownDelivery = picked
    if (picked && !isFirst) this.querySelector('.delivery')?.scrollIntoView({ block: 'nearest' })
  }

  /** True if the user may resend a single delivery. */
  private get mayResend(): boolean {
    return may(this.console.session, 'resend')
  }

  /** True if the user may resend many deliveries at once. */
  private get mayAct(): boolean {
    return may(this.console.session, 'write')
  }

  private tools({ status }: Webhook): unknown {
    if (!may(this.console.session, 'settings') || status === 'deleted') return nothing
    return html`<button class="btn" ?disabled=${this.busy} @click=${() => void this.test()}>${icon('send')}${text.test}</button>
      <button class="btn" @click=${() => void this.rotate()}>${icon('undo')}${text.rotate}</button>
      ${
        status === 'disabled'
          ? html`<button class="btn" @click=${() => void this.enable()}>${text.enable}</button>`
          : html`<button class="btn" @click=${() => void this.disable()}>${icon('hold')}${text.disable}</button>`
      }`
  }

  private async test(): Promise<void> {
    const { api, format, say } = this.console
    this.busy = true
    try {
      const { response_status, failure, ms } = await api.send<WebhookTest>('POST', `/webhooks/${this.webhookId}/test`)
      if (response_status === null) say(text.testFailed(wordOf(text.failure, failure ?? 'connection')))
      else say(text.testAnswered(response_status, format.ms(ms)))
    } catch (error) {
      say(sentenceOf(error))
    }
    this.busy = false
  }

  private async rotate(): Promise<void> {
    const { console, webhookId: id } = this
    const secret = newSecret()
    const done = await confirm({
      title: text.rotateTitle,
      body: text.rotateBody,
      action: text.rotate,
      run: async () => {
        await console.api.send('POST', `/webhooks/${id}/rotate`, { hmac_secret: secret })
      },
    })
    if (!done) return
    console.say(text.rotated)
    await showSecret(console, { title: words.webhooks.secretTitle, body: words.webhooks.secretBody, secret })
    this.refresh()
  }

  private enable(): Promise<void> {
    return this.act(text.enabled, () =>
      this.console.api.send('PATCH', `/webhooks/${this.webhookId}`, { status: 'active' }),
    )
  }

  private async disable(): Promise<void> {
    const { console, webhookId: id } = this
    const done = await confirm({
      title: text.disableTitle,
      body: text.disableBody,
      action: text.disable,
      danger: true,
      run: async (_, { key }) => {
        await console.api.send('PATCH', `/webhooks/${id}`, { status: 'disabled' }, key)
      },
    })
    if (!done) return
    console.say(text.disabled)
    this.refresh()
  }

  private chart(): TemplateResult {
    const { console } = this
    const { format } = console
    const outcomes = [
      { status: 'delivered', tone: 'teal' },
      { status: 'failed', tone: 'red' },
      { status: 'canceled', tone: 'slate' },
    ] as const
    const series = outcomes.map(({ status, tone }) => ({ status, tone, name: wordOf(words.status, status) }))
    return panel(console, this.stats, {
      title: text.chart,
      shape: 'chart',
      needs: 'engineer',
      note: text.chartNote,
      tools: legend(series),
      empty: ({ buckets }) => (buckets.length === 0 ? text.empty : null),
      body: value => {
        const { delivered, failed, canceled } = totalsOf(value)
        const hours = outcomesByHour(value, console.now())
        return chart({
          label: text.chartLabel(format.count(delivered), format.count(failed), format.count(canceled)),
          labels: hours.map(({ at }) => format.text(at, 'hour')),
          series: series.map(({ status, name, tone }) => ({ name, tone, values: hours.map(each => each[status]) })),
          tableTitle: text.chartTable,
          firstColumn: text.chartHour,
        })
      },
    })
  }

  private list({ status }: Webhook): TemplateResult {
    const { console, place, deliveries, picked } = this
    const here = (id: string) => address(place.path, { ...Object.fromEntries(place.query), delivery: id })
    return panel(console, deliveries, {
      title: text.deliveries,
      shape: 'rows',
      flush: true,
      needs: 'engineer',
      tools: filterBar(console, place, filters),
      empty: ({ data }) => (data.length === 0 ? emptyList(place, filters, text.empty) : null),
      body: list => html`${table({
        label: text.deliveries,
        columns: this.columns(isDisabled(status)),
        rows: list.data,
        href: row => here(row.id),
        name: deliveryCells(console).name,
        selected: row => row.id === picked,
      })}
      ${pager(place, list)}`,
    })
  }

  /** @param off true if the webhook is disabled and nothing can be resent */
  private columns(off: boolean): Column<Delivery>[] {
    const { format } = this.console
    const { columns } = text
    const cells = deliveryCells(this.console)
    const last = ({ attempted_at }: Delivery) => format.at(attempted_at, 'time')
    return [
      { head: columns.state, cell: row => statusPill(row.status) },
      {
        head: columns.event,
        breaks: true,
        cell: row => cells.event(row, last(row)),
      },
      {
        head: columns.answer,
        wide: true,
        cell: cells.answer,
      },
      { head: columns.next, wide: true, cell: row => html`<small>${cells.next(row)}</small>` },
      { head: columns.last, wide: true, cell: row => html`<small>${last(row)}</small>` },
      {
        head: html`<span class="sr">${columns.again}</span>`,
        end: true,
        cell: row =>
          this.mayResend
            ? html`<button
                class="btn small"
                aria-label=${text.againOne(row.id)}
                title=${off ? text.enableFirst : text.again}
                ?disabled=${off}
                @click=${() => void this.resend(row.id)}
              >
                ${icon('undo')}
              </button>`
            : nothing,
      },
    ]
  }

  private async resend(delivery: string): Promise<void> {
    const { api, say } = this.console
    const queued = await this.act(text.againDone, () =>
      api.send<Delivery>('POST', `/webhooks/${this.webhookId}/deliveries/${delivery}/redeliver`),
    )
    if (!queued) return
    let latest = queued
    await followDeliveries(api, [delivery], ([row = latest]) => {
      latest = row
      return this.isConnected
    })
    if (!this.isConnected) return
    say(outcomeOf(this.console, latest))
    this.refresh()
  }

  /** Shows how the webhook fares while many deliveries are sent. */
  private async watch(): Promise<void> {
    const { api, say } = this.console
    const refresh = () => {
      if (this.isConnected) this.refresh()
      return this.isConnected
    }
    const isDisabled = await isDisabledSoon(api, this.webhookId, refresh)
    if (!isDisabled || !refresh()) return
    say(words.resent.switchedOff)
  }

  private problem(value: Webhook): Answer | null {
    const loaded = [this.pending, this.deliveries].flatMap(({ value }) => value?.data ?? [])
    return answerOf(this.console, value, this.stats.value, loaded)
  }

  /** Returns true if the summary reports a problem. The summary then includes the form for resending deliveries. */
  private isBroken(value: Webhook): boolean {
    return this.problem(value) !== null
  }

  private answer(value: Webhook): TemplateResult | typeof nothing {
    const answer = this.problem(value)
    if (!answer) return nothing
    const actions = this.mayAct && value.status !== 'deleted' ? this.sendAgain(value) : nothing
    return answerPanel(this.console, { ...answer, actions })
  }

  private sendAgain({ status, updated_at }: Webhook): TemplateResult {
    const off = isDisabled(status)
    const { value } = this.stats
    return this.again.draw(this.console, {
      webhook: this.webhookId,
      since: resendFrom(value) ?? (off ? (value?.switched_off_at ?? updated_at) : null),
      isDisabled: off,
      mayEnable: may(this.console.session, 'settings'),
    })
  }

  private delivery(webhook: Webhook): TemplateResult | typeof nothing {
    const { console, picked: delivery } = this
    if (!delivery) return nothing
    const store = (on: boolean) =>
      void this.act(on ? text.storing : text.notStoring, () =>
        console.api.send('PATCH', `/webhooks/${webhook.id}`, { store_responses: on }),
      )
    const mayStore = may(console.session, 'settings') && webhook.status !== 'deleted'
    return html`<div class="stack delivery">
      ${attemptsPanel(console, this.attempts, { webhook, delivery, store: mayStore ? store : null })}
      ${requestPanel(console, this.request)}
    </div>`
  }
}

const isDisabled = (status: Webhook['status']): boolean => status === 'disabled' || status === 'deleted'
