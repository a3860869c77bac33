/** The page for one payment: the reason for its status, its path, its timeline, and its ledger postings. */
import type {
  Entity,
  Merchant,
  Payment,
  PaymentExplanation,
  PaymentPostings,
  PaymentReversal,
  Timeline,
} from '@causeway/sdk'
import { html, nothing, type TemplateResult } from 'lit'
import { customElement, state } from 'lit/decorators.js'
import { accountId, accountName, bankOf, personName } from '../../accounts.js'
import type { List } from '../../api.js'
import { shortId } from '../../format.js'
import { Page } from '../../page.js'
import { answerPanel } from '../../parts/answer.js'
import { ApprovalNote } from '../../parts/approval-note.js'
import { copyButton } from '../../parts/copy.js'
import { confirm } from '../../parts/dialogs.js'
import { factList, jsonBlock } from '../../parts/fact-list.js'
import { endedUnpaid, paymentPill, shownStatus, statusPill } from '../../parts/marks.js'
import { loadingPage, pageHeader } from '../../parts/page-header.js'
import { card, loadFault, panel, skeleton, staleNote } from '../../parts/panel.js'
import { stepPath } from '../../parts/step-path.js'
import { table } from '../../parts/table.js'
import { TimelineView } from '../../parts/timeline.js'
import { may, type PaymentProvider } from '../../shapes.js'
import { wordOf, words } from '../../words.js'
import { answerOf, laterPayment, nameIn, stopsOf, withLater } from './payment-answer.js'
import { providerCard } from './provider-card.js'

const { payment: text } = words

/** The statuses of a payment that hasn't arrived yet. For these statuses, the page shows the expected arrival date. */
const onTheWay = new Set(['pending', 'processing', 'sent'])

@customElement('page-payment')
export class PaymentPage extends Page {
  private readonly payment = this.load<Payment>()
  private readonly explanation = this.load<PaymentExplanation>()
  private readonly postings = this.load<PaymentPostings>()
  private readonly provider = this.load<PaymentProvider>()
  private readonly reversal = this.load<PaymentReversal>()
  private readonly bank = this.load<Merchant>()
  private readonly person = this.load<Entity>()
  private readonly others = this.load<List<Payment>>()
  private readonly later = this.load<List<Payment>>()
  private readonly timeline = new TimelineView(this.load<Timeline>(), () => this.requestUpdate())
  private readonly approval = new ApprovalNote(this.load())
  @state() private raw = false

  override get heading(): string {
    const { value } = this.payment
    return value ? this.titleOf(value) : words.payments.title
  }

  private titleOf(value: Payment): string {
    return text.title(this.console.format.money(value.amount), accountName(value.destination))
  }

  private get paymentId(): string {
    return this.place.params['id'] as string
  }

  private read(): void {
    const { paymentId: id, console } = this
    const { api } = console
    this.payment.read(id, signal => api.get(`/payments/${id}`, { expand: ['source', 'destination'] }, signal))
    this.explanation.read(id, signal => api.get(`/payments/${id}/explanation`, {}, signal))
    this.postings.read(id, signal => api.get(`/payments/${id}/postings`, {}, signal))
    this.provider.read(id, signal => api.get(`/payments/${id}/provider`, {}, signal))
    this.timeline.read(console, id)
    const { value } = this.payment
    if (!value) return
    const to = accountId(value.destination)
    if (to && endedUnpaid.has(value.status))
      this.later.read(to, signal => api.list('/payments', { destination: to, page_limit: 20 }, signal))
    const reversal = value.reversal_id
    if (reversal) this.reversal.read(reversal, signal => api.get(`/payments/${id}/reversals/${reversal}`, {}, signal))
    const { destination } = value
    const merchant = typeof destination === 'object' ? destination?.liability?.mch_id : null
    if (typeof merchant === 'string') this.bank.read(merchant, signal => api.get(`/merchants/${merchant}`, {}, signal))
    const holder = this.holder
    if (!holder) return
    this.person.read(holder, signal => api.get(`/entities/${holder}`, {}, signal))
    this.others.read(holder, signal =>
      api.list('/payments', { holder_id: holder, page_limit: 6, expand: ['destination'] }, signal),
    )
  }

  private get holder(): string | null {
    const { destination } = this.payment.value ?? {}
    return destination && typeof destination === 'object' ? destination.holder_id : null
  }

  protected override render(): TemplateResult {
    this.read()
    const { console, paymentId: id, payment } = this
    const crumb = { text: text.crumb, href: '/payments', id }
    const instead = loadingPage(console, payment, {
      crumb,
      title: shortId(id),
      missing: text.missing(id),
      needs: 'viewer',
    })
    const { value } = payment
    if (instead || !value) return instead ?? html``
    const { format } = console
    const holder = this.holder
    return html`${pageHeader(console, {
      crumb,
      title: this.titleOf(value),
      mark: paymentPill(shownStatus(value)),
      tools: copyButton(console, `${location.origin}/payments/${id}`, words.copy.link, 'wide'),
      lead: html`${holder ? html`${text.for} <a href="/people/${holder}">${(this.person.value && personName(this.person.value)) ?? shortId(holder)}</a> · ` : nothing}${text.released(
        format.text(value.created_at, 'moment'),
      )}`,
    })}
      ${staleNote(console, payment)} ${this.approval.draw(console, { resource_id: id })}
      <div class="two">
        <div class="stack">
          ${this.answer(value)}
          ${card(text.way, stepPath(stopsOf(console, value, this.isDebit), text.way), {
            flush: true,
            note:
              value.estimated_completion_date && onTheWay.has(value.status)
                ? text.expected(format.bankDate(value.estimated_completion_date))
                : null,
          })}
          ${this.timeline.draw(console, {
            names: namesOf(value),
            waits:
              value.status === 'reversal_required'
                ? { text: html`<b>${words.status['pending_approval']}</b>`, since: value.updated_at }
                : undefined,
          })}
        </div>
        <div class="stack">
          ${this.ledger(value)} ${value.reversal_id ? this.reversalCard(value) : nothing} ${providerCard(console, value, this.provider)}
          ${this.details(value)} ${this.otherCards()}
        </div>
      </div>`
  }

  /**
   * Renders the summary, which requires the explanation. If the explanation is unavailable, the rest of the page is
   * still shown.
   */
  private answer(value: Payment): TemplateResult {
    const { console, explanation } = this
    if (explanation.value) {
      const answer = answerOf(
        console,
        value,
        explanation.value,
        this.bank.value?.parent_name ?? bankOf(value.destination),
      )
      const later = laterPayment(value, this.later.value?.data ?? [])
      return answerPanel(console, {
        ...(later ? withLater(answer) : answer),
        actions: html`${later ? html`<a class="btn" href="/payments/${later.id}">${text.later.open}</a> ${paymentPill(shownStatus(later))}` : nothing}${this.buttons(value, explanation.value.actions)}`,
      })
    }
    if (explanation.failure) return html`<div class="card">${loadFault(explanation, 'viewer')}</div>`
    return explanation.slow
      ? html`<div class="card">${skeleton('lines', words.answer.why)}</div>`
      : html`<div class="waiting lines"></div>`
  }

  private buttons(value: Payment, actions: PaymentExplanation['actions']): unknown {
    const { format } = this.console
    const known: Record<string, { label: string; kind: string; run: () => Promise<unknown> }> = {
      approve_reversal: {
        label: text.act.approve(format.money(value.amount)),
        kind: 'go',
        run: () => this.approve(value),
      },
      cancel: { label: text.act.cancel, kind: '', run: () => this.cancel(value) },
    }
    return actions.map(({ name, allowed, why_not }) => {
      const action = known[name]
      if (!action || !may(this.console.session, 'payments')) return nothing
      if (name === 'approve_reversal' && this.approval.isWaiting) return nothing
      if (!allowed) return why_not ? html`<small>${wordOf(text.act.whyNot, why_not)}</small>` : nothing
      return html`<button class="btn ${action.kind}" @click=${() => void action.run()}>${action.label}</button>`
    })
  }

  /** True if an account is debited to correct the payment, because the source's bank took the money back. */
  private get isDebit(): boolean {
    return this.explanation.value?.reversal?.direction === 'debit'
  }

  private async approve(value: Payment): Promise<void> {
    const { console, paymentId: id } = this
    const amount = console.format.money(this.reversal.value?.amount ?? value.amount)
    const account = nameIn(value, this.explanation.value?.money.account ?? null)
    const done = await confirm({
      title: text.act.approveTitle,
      body: (this.isDebit ? text.act.approveDebit : text.act.approveBody)(amount, account),
      action: text.act.approve(amount),
      run: async (_, { key, reason }) => {
        const path = `/payments/${id}/reversals/${value.reversal_id}`
        await console.api.send('PUT', path, { status: 'pending' }, key, reason)
      },
    })
    if (!done) return
    console.say(text.act.approved)
    this.refresh()
  }

  private async cancel(value: Payment): Promise<void> {
    const { console } = this
    const done = await confirm({
      title: text.act.cancelTitle,
      body: text.act.cancelBody,
      action: text.act.cancel,
      danger: true,
      run: async (_, { key }) => {
        await console.api.send('DELETE', `/payments/${value.id}`, {}, key)
      },
    })
    if (!done) return
    console.say(text.act.canceled)
    this.refresh()
  }

  private ledger(value: Payment): TemplateResult {
    const { console } = this
    const { format } = console
    const names = namesOf(value)
    return panel(console, this.postings, {
      title: text.ledger,
      flush: true,
      needs: 'viewer',
      tools: this.postings.value ? statusPill(this.postings.value.agrees ? 'agrees' : 'disagrees') : nothing,
      empty: ({ data }) => (data.length === 0 ? text.ledgerEmpty : null),
      body: ({ data, sum }) => {
        const accounts = [...new Set(data.map(({ account }) => account))]
        const of = (account: string) => data.filter(each => each.account === account).map(({ amount }) => amount)
        return html`<table class="ledger" aria-label=${text.ledger}>
          <thead>
            <tr>
              <th scope="col">${text.accountColumn}</th>
              <th scope="col" class="end">${text.posted}</th>
              <th scope="col" class="end">${text.balance}</th>
            </tr>
          </thead>
          <tbody>
            ${accounts.map(account => {
              const now = of(account).reduce((total, each) => total + each, 0)
              return html`<tr>
                <td>${names[account] ?? capital(account)}</td>
                <td class="end soft">${of(account).map(amount => html`<div>${format.signed(amount)}</div>`)}</td>
                <td class="end ${now === 0 ? 'soft' : 'strong'}">${format.signed(now)}</td>
              </tr>`
            })}
          </tbody>
          <tfoot>
            <tr>
              <th scope="row">${text.sum}</th>
              <td></td>
              <td class="end strong">${format.signed(sum)}</td>
            </tr>
          </tfoot>
        </table>`
      },
    })
  }

  private reversalCard(payment: Payment): TemplateResult {
    const { console, reversal } = this
    return panel(console, reversal, {
      title: text.reversal,
      needs: 'viewer',
      tools: reversal.value ? statusPill(reversal.value.status) : nothing,
      body: ({ id, direction, amount, target_account, error }) => {
        const target = nameIn(payment, target_account)
        return factList(
          [text.facts.id, html`<span class="id">${id}</span>`],
          [text.direction, direction === 'credit' ? text.credit(target) : text.debit(target)],
          [text.facts.amount, console.format.money(amount)],
          error ? [words.answer.why, `${wordOf(words.cause, error.code)} ${error.code}`] : null,
        )
      },
    })
  }

  private details(value: Payment): TemplateResult {
    const { format } = this.console
    const { facts: name } = text
    const code = (content: string | null | undefined) => (content ? html`<span class="id">${content}</span>` : null)
    const end = (account: Payment['source'], status: string | null) =>
      [accountName(account), status].filter(Boolean).join(', ')
    return card(
      text.details,
      this.raw
        ? jsonBlock(value)
        : factList(
            [name.status, html`<code>${value.status}</code>`],
            [name.source, end(value.source, value.source_status)],
            [name.destination, end(value.destination, value.destination_status)],
            [name.sourceTrace, code(value.source_trace_id)],
            [name.destinationTrace, code(value.destination_trace_id)],
            [name.fee, value.fee ? format.money(value.fee.amount) : name.none],
            [name.description, value.description],
            [name.idempotency, code(value.idempotency_key)],
            [name.updated, format.at(value.updated_at)],
          ),
      {
        tools: html`<button class="text-button" aria-pressed=${this.raw ? 'true' : 'false'} @click=${() => (this.raw = !this.raw)}>
          ${text.json}
        </button>`,
      },
    )
  }

  private otherCards(): TemplateResult {
    const { console, others, paymentId: id } = this
    return panel(console, others, {
      title: text.others,
      flush: true,
      needs: 'viewer',
      empty: ({ data }) => (data.some(each => each.id !== id) ? null : text.othersEmpty),
      body: ({ data }) =>
        table({
          label: text.others,
          rows: data.filter(each => each.id !== id).slice(0, 5),
          href: row => `/payments/${row.id}`,
          columns: [
            { head: words.payments.columns.status, cell: row => paymentPill(shownStatus(row)) },
            { head: words.payments.columns.to, breaks: true, cell: row => accountName(row.destination) },
            {
              head: words.payments.columns.amount,
              end: true,
              cell: row => html`<b>${console.format.money(row.amount)}</b>`,
            },
          ],
        }),
    })
  }
}

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1).replaceAll('_', ' ')

/** Returns the names of a payment's accounts, keyed by id. */
function namesOf({ source, destination }: Payment): Record<string, string> {
  const names: Record<string, string> = {}
  for (const end of [source, destination]) {
    const id = accountId(end)
    if (id) names[id] = accountName(end)
  }
  return names
}
