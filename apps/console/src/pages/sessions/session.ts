/** The page for one session: its steps with their times and attempts, the allocations, and the release. */
import type { Account, Entity, OpalSession, Payment, SessionProgress, Timeline } from '@causeway/sdk'
import { vars } from '@causeway/ui/vars'
import { html, nothing, type TemplateResult } from 'lit'
import { customElement } from 'lit/decorators.js'
import { accountName, hasPhone, isErased, personName, titleOf } from '../../accounts.js'
import { shortId } from '../../format.js'
import { Page } from '../../page.js'
import { answerPanel } from '../../parts/answer.js'
import { ApprovalNote } from '../../parts/approval-note.js'
import { continueLink } from '../../parts/continue-link.js'
import { copyButton } from '../../parts/copy.js'
import { factList } from '../../parts/fact-list.js'
import { paymentPill, shownStatus, statusPill, type Tone } from '../../parts/marks.js'
import { loadingPage, pageHeader } from '../../parts/page-header.js'
import { card, panel, staleNote } from '../../parts/panel.js'
import { readSources } from '../../parts/source-choice.js'
import { stepPath } from '../../parts/step-path.js'
import { TimelineView } from '../../parts/timeline.js'
import type { Sources } from '../../shapes.js'
import { wordOf, words } from '../../words.js'
import { owedOf } from '../payments/retry-payments.js'
import { hasPayout, payoutButton } from './payout.js'
import { isContinuable, type PersonFacts, progressStops, sessionAnswer, sessionStatus } from './progress-answer.js'

const { session: text } = words
const tones: readonly Tone[] = ['blue', 'teal', 'amber', 'violet', 'pink']

@customElement('page-session')
export class SessionPage extends Page {
  private readonly session = this.load<OpalSession>()
  private readonly progress = this.load<SessionProgress>()
  private readonly payments = this.load<Record<string, Payment>>()
  private readonly accounts = this.load<Record<string, Account>>()
  private readonly person = this.load<Entity>()
  private readonly sources = this.load<Sources>()
  private readonly approval = new ApprovalNote(this.load())
  private readonly timeline = new TimelineView(this.load<Timeline>(), () => this.requestUpdate())

  override get heading(): string {
    return words.sessions.title
  }

  private get sessionId(): string {
    return this.place.params['id'] as string
  }

  private read(): void {
    const { console, sessionId: id } = this
    const { api } = console
    this.session.read(id, async signal => {
      const { data } = await api.get<{ data: OpalSession }>(`/opal/sessions/${id}`, {}, signal)
      return data
    })
    this.progress.read(id, signal => api.get(`/opal/sessions/${id}/progress`, {}, signal))
    this.timeline.read(console, id)
    const { bt, entity_id } = this.session.value ?? {}
    if (this.session.value && hasPayout(console, this.session.value))
      this.sources.read(id, signal => readSources(api, signal))
    if (entity_id) this.person.read(entity_id, signal => api.get(`/entities/${entity_id}`, {}, signal))
    const due = this.progress.value?.account
    const accounts = [...new Set([...Object.keys(bt?.allocations ?? {}), ...(due ? [due] : [])])]
    if (accounts.length > 0)
      this.accounts.read(accounts.join(), async signal => {
        const all = await Promise.all(accounts.map(each => api.get<Account>(`/accounts/${each}`, {}, signal)))
        return Object.fromEntries(all.map(each => [each.id, each]))
      })
    const ids = [bt?.payment_ids, bt?.rest_payment_ids]
      .flatMap(each => Object.values(each ?? {}))
      .filter(id => id !== null)
    if (ids.length > 0)
      this.payments.read(ids.join(), async signal => {
        const all = await Promise.all(ids.map(each => api.get<Payment>(`/payments/${each}`, {}, signal)))
        return Object.fromEntries(all.map(each => [each.id, each]))
      })
  }

  protected override render(): TemplateResult {
    this.read()
    const { console, sessionId: id, session } = this
    const crumb = { text: text.crumb, href: '/sessions', id }
    const instead = loadingPage(console, session, {
      crumb,
      title: shortId(id),
      missing: text.missing(id),
      needs: 'viewer',
    })
    const { value } = session
    if (instead || !value) return instead ?? html``
    const { format } = console
    const { bt } = value
    return html`${pageHeader(console, {
      crumb,
      title: text.title(wordOf(words.modes, value.mode)),
      mark: statusPill(sessionStatus(value)),
      tools: copyButton(console, `${location.origin}/sessions/${id}`, words.copy.link, 'wide'),
      lead: html`${value.entity_id ? html`${words.payment.for} <a href="/people/${value.entity_id}">${this.personName}</a> · ` : nothing}${format.at(value.created_at)}`,
    })}
      ${staleNote(console, session)} ${this.approval.draw(console, { session_id: id })}
      <div class="two">
        <div class="stack">
          ${answerPanel(console, { ...sessionAnswer(console, value, this.progress.value, this.facts), actions: this.actions(value) })}
          ${panel(console, this.progress, {
            title: words.person.where,
            shape: 'path',
            flush: true,
            needs: 'viewer',
            body: progress => stepPath(progressStops(format, progress), words.person.where),
          })}
          ${bt ? this.allocations(value, bt) : nothing} ${this.timeline.draw(console, { names: this.names })}
        </div>
        <div class="stack">${this.steps()} ${this.details(value)}</div>
      </div>`
  }

  /** The names of the accounts, keyed by id. */
  private get names(): Record<string, string> {
    return Object.fromEntries(Object.values(this.accounts.value ?? {}).map(each => [each.id, accountName(each)]))
  }

  /** The name of the account that the person's current step is about. */
  private get dueAccount(): string | undefined {
    const account = this.accounts.value?.[this.progress.value?.account ?? '']
    return (account && titleOf(account)) ?? undefined
  }

  private get facts(): PersonFacts {
    return { account: this.dueAccount, hasPhone: hasPhone(this.person.value) }
  }

  private get personName(): string {
    const { value } = this.person
    return (value && (isErased(value) ? words.people.erased : personName(value))) ?? text.person
  }

  private actions(value: OpalSession): unknown {
    const { console, sources, names } = this
    if (hasPayout(console, value)) {
      const payments = Object.values(this.payments.value ?? {})
      const { latest: waiting } = this.approval
      return payoutButton({ console, session: value, payments, names, sources, waiting, refresh: () => this.refresh() })
    }
    return isContinuable(value, this.progress.value, this.facts) ? continueLink(console, value) : nothing
  }

  private allocations(value: OpalSession, bt: NonNullable<OpalSession['bt']>): TemplateResult {
    const { names } = this
    const { format } = this.console
    const entries = Object.entries(bt.allocations)
    const left = bt.loan_amount - entries.reduce((sum, [, cents]) => sum + cents, 0)
    if (entries.length === 0) return card(text.allocations, html`<p class="soft">${text.allocationsEmpty}</p>`)
    const share = (cents: number) => vars({ '--share': `${(cents / bt.loan_amount) * 100}%` })
    const total = (name: string, cents: number) =>
      html`<tr>
        <th scope="row">${name}</th>
        <td class="wide"></td>
        <td class="end">${format.money(cents)}</td>
      </tr>`
    const paymentLink = (id: string) => {
      const payment = this.payments.value?.[id]
      return html`<a href="/payments/${id}">${payment ? paymentPill(shownStatus(payment)) : html`<span class="id">${shortId(id)}</span>`}</a>`
    }
    const outcome = (account: string) => {
      const payment = bt.payment_ids[account]
      if (payment) return paymentLink(payment)
      const error = bt.payment_errors?.[account]
      if (!error) return text.notPaid
      const rest = bt.rest_payment_ids?.[account]
      if (!rest) return html`<span class="bad-text">${error.message}</span>`
      return html`${paymentLink(rest)}<small>${text.rest.paidLater} ${text.rest.refusedBefore(error.message)}</small>`
    }
    return card(
      text.allocations,
      html`<div class="card-body">
          <div class="meter" aria-hidden="true">
            ${entries.map(([, cents], index) => html`<i class="c-${tones[index % tones.length]}" ${share(cents)}></i>`)}
          </div>
        </div>
        <table aria-label=${text.allocations}>
          <thead>
            <tr>
              <th scope="col">${words.person.accountColumns.account}</th>
              <th scope="col" class="wide">${text.payment}</th>
              <th scope="col" class="end">${words.payments.columns.amount}</th>
            </tr>
          </thead>
          <tbody>
            ${entries.map(([account, cents], index) => {
              return html`<tr>
                <td class="grows"><i class="dot c-${tones[index % tones.length]}"></i> ${names[account] ?? html`<span class="id">${shortId(account)}</span>`}<small class="narrow">${outcome(account)}</small></td>
                <td class="wide breaks">${outcome(account)}</td>
                <td class="end strong">${format.money(cents)}</td>
              </tr>`
            })}
          </tbody>
          <tfoot>
            ${total(text.left, left)} ${bt.unpaid ? total(text.owed, owedOf({ bt })) : nothing}
          </tfoot>
        </table>`,
      {
        flush: true,
        note: format.money(bt.loan_amount),
        tools: bt.released_at
          ? statusPill(sessionStatus(value), text.releaseDone(format.text(bt.released_at, 'day')))
          : bt.completed
            ? statusPill('pending_release')
            : nothing,
      },
    )
  }

  private steps(): TemplateResult {
    const { console } = this
    return panel(console, this.progress, {
      title: text.steps,
      flush: true,
      needs: 'viewer',
      body: ({ steps }) =>
        html`<table aria-label=${text.steps}>
          <thead>
            <tr>
              <th scope="col">${text.step}</th>
              <th scope="col" class="end">${text.tries}</th>
              <th scope="col" class="end">${text.reached}</th>
            </tr>
          </thead>
          <tbody>
            ${steps.map(
              ({ step, at, tries }) =>
                html`<tr>
                  <td>${wordOf(words.steps, step)}</td>
                  <td class="end soft">${tries || ''}</td>
                  <td class="end soft">${console.format.at(at, 'time')}</td>
                </tr>`,
            )}
          </tbody>
        </table>`,
    })
  }

  private details({ id, bt, exited_at, not_me_at }: OpalSession): TemplateResult {
    const { format } = this.console
    const { facts: name } = text
    return card(
      words.payment.details,
      factList(
        [words.payment.facts.id, html`<span class="id">${id}</span>`],
        bt && [name.loan, format.money(bt.loan_amount)],
        bt && [name.minimum, format.money(bt.minimum_payment)],
        bt && [name.maximum, format.money(bt.maximum_payment)],
        bt && [name.residual, format.money(bt.residual_amount_max)],
        bt?.requested_loan_amount ? [name.requestedLoan, format.money(bt.requested_loan_amount)] : null,
        exited_at ? [name.exited, format.at(exited_at)] : null,
        not_me_at ? [name.notMe, format.at(not_me_at)] : null,
      ),
    )
  }
}
