/**
 * The page for one person: their current step and how to help, their accounts, payments and sessions, and their masked
 * details.
 */
import type { Account, Entity, OpalSession, Payment, SessionProgress, Timeline } from '@causeway/sdk'
import { html, nothing, type TemplateResult } from 'lit'
import { customElement, state } from 'lit/decorators.js'
import { accountName, hasPhone, isErased, personName, titleOf } from '../../accounts.js'
import type { List } from '../../api.js'
import { shortId } from '../../format.js'
import { Page } from '../../page.js'
import { answerPanel } from '../../parts/answer.js'
import { continueLink } from '../../parts/continue-link.js'
import { confirm } from '../../parts/dialogs.js'
import { factList } from '../../parts/fact-list.js'
import { icon } from '../../parts/icons.js'
import { paymentPill, pill, shownStatus, statusPill } from '../../parts/marks.js'
import { loadingPage, pageHeader } from '../../parts/page-header.js'
import { card, panel, staleNote } from '../../parts/panel.js'
import { stepPath } from '../../parts/step-path.js'
import { table } from '../../parts/table.js'
import { TimelineView } from '../../parts/timeline.js'
import { type LinkedInstitutions, may } from '../../shapes.js'
import { wordOf, words } from '../../words.js'
import {
  isContinuable,
  isStuck,
  progressStops,
  sessionAnswer,
  sessionStatus,
  sessionToShow,
} from '../sessions/progress-answer.js'
import { institutionsCard } from './institutions-card.js'
import { accountsPanel } from './person-accounts.js'

const { person: text } = words
type Field = keyof typeof text.revealFields

/** The response to `POST /entities/{id}/reveal`. */
interface Revealed {
  values: Partial<Record<Field, string | null>>
  /** A real time, not a time on the sandbox's clock. */
  until: string
}

@customElement('page-person')
export class PersonPage extends Page {
  private readonly entity = this.load<Entity>()
  private readonly accounts = this.load<List<Account>>()
  private readonly institutions = this.load<LinkedInstitutions>()
  private readonly sessions = this.load<List<OpalSession>>()
  private readonly payments = this.load<List<Payment>>()
  private readonly progress = this.load<SessionProgress>()
  private readonly timeline = new TimelineView(this.load<Timeline>(), () => this.requestUpdate())

  /** The revealed values, kept in memory until they are hidden again. */
  @state() private shown: Partial<Record<Field, string | null>> = {}
  private hideTimer = 0

  override get heading(): string {
    return words.people.title
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    this.hide()
  }

  private get personId(): string {
    return this.place.params['id'] as string
  }

  private get current(): OpalSession | null {
    return sessionToShow(this.sessions.value?.data ?? [])
  }

  private read(): void {
    const { console, personId: id } = this
    const { api } = console
    this.entity.read(id, signal => api.get(`/entities/${id}`, {}, signal))
    this.accounts.read(id, signal => api.list('/accounts', { holder_id: id, expand: ['balance', 'update'] }, signal))
    this.sessions.read(id, signal => api.list('/opal/sessions', { entity_id: id, page_limit: 10 }, signal))
    this.payments.read(id, signal =>
      api.list('/payments', { holder_id: id, page_limit: 10, expand: ['destination'] }, signal),
    )
    this.institutions.read(id, signal => api.get(`/entities/${id}/institutions`, {}, signal))
    this.timeline.read(console, id)
    const { current } = this
    if (current) this.progress.read(current.id, signal => api.get(`/opal/sessions/${current.id}/progress`, {}, signal))
  }

  protected override render(): TemplateResult {
    this.read()
    const { console, personId: id, entity } = this
    const crumb = { text: text.crumb, href: '/people', id }
    const instead = loadingPage(console, entity, {
      crumb,
      title: shortId(id),
      missing: text.missing(id),
      needs: 'viewer',
    })
    const { value } = entity
    if (instead || !value) return instead ?? html``
    const { format, session } = console
    const erased = isErased(value)
    const phone = value.individual?.phone?.slice(-4)
    const mayReveal = !erased && may(session, 'reveal')
    return html`${pageHeader(console, {
      crumb,
      title: erased ? words.people.erased : (personName(value) ?? words.people.unnamed),
      mark: this.mark(value),
      tools: mayReveal
        ? html`<button class="btn" @click=${() => void this.reveal()}>${icon('eye')}${text.reveal}</button>`
        : nothing,
      lead: html`${!erased && phone ? html`${text.phone} ${masked('•••')} ${phone} · ` : nothing}${text.since(
        format.text(value.created_at, 'day'),
      )}`,
    })}
      ${staleNote(console, entity)}
      <div class="two">
        <div class="stack">${this.answer(value)} ${erased ? nothing : this.where()} ${isErased(value) ? nothing : html`${accountsPanel(console, this.accounts)} ${institutionsCard(console, this.institutions)}`} ${this.timeline.draw(console, { names: this.names })}</div>
        <div class="stack">${this.details(value)} ${this.status(value)} ${this.paymentsCard()} ${this.sessionsCard()}</div>
      </div>`
  }

  private mark(value: Entity): TemplateResult {
    if (isErased(value)) return statusPill('erased')
    const { value: progress } = this.progress
    if (progress && value.status !== 'disabled' && isStuck(progress, this.console.now()))
      return pill(
        'warn',
        'clock',
        text.stuck(this.console.format.span(this.console.now() - Date.parse(progress.since))),
      )
    return statusPill(value.status)
  }

  private answer(value: Entity): TemplateResult {
    const { console } = this
    if (isErased(value))
      return answerPanel(console, {
        tone: 'calm',
        title: text.erasedTitle,
        points: [[words.answer.means, text.erasedBody]],
      })
    if (value.status === 'disabled')
      return answerPanel(console, {
        tone: 'bad',
        title: text.disabledTitle,
        points: [
          [words.answer.why, value.error ? wordOf(words.cause, value.error.code) : '', String(value.error?.code ?? '')],
        ],
      })
    const { current } = this
    const { value: progress } = this.progress
    if (current && progress) {
      const facts = { account: this.dueAccount, hasPhone: hasPhone(value) }
      const answer = sessionAnswer(console, current, progress, facts)
      return answerPanel(console, {
        ...answer,
        actions: this.actions(current, isContinuable(current, progress, facts)),
      })
    }
    if (this.sessions.value && !this.current)
      return answerPanel(console, { tone: 'calm', title: text.noSession, points: [] })
    return html``
  }

  /** Renders a link for the person, or one to the session if the loan's payments are next. */
  private actions(session: OpalSession, isOpen: boolean): unknown {
    if (isOpen) return continueLink(this.console, session)
    const isPayable = session.bt?.unpaid || (session.bt?.completed && session.bt.payout_status === 'pending_release')
    return isPayable ? html`<a class="btn" href="/sessions/${session.id}">${text.openSession}</a>` : nothing
  }

  /** The name of the account involved in the person's current step. */
  private get dueAccount(): string | undefined {
    const id = this.progress.value?.account
    const account = this.accounts.value?.data.find(each => each.id === id)
    return (account && titleOf(account)) ?? undefined
  }

  /** The names of the person's accounts, keyed by id. */
  private get names(): Record<string, string> {
    return Object.fromEntries((this.accounts.value?.data ?? []).map(each => [each.id, accountName(each)]))
  }

  private where(): TemplateResult | typeof nothing {
    const { console, current } = this
    if (!current) return nothing
    return panel(console, this.progress, {
      title: text.where,
      shape: 'path',
      flush: true,
      needs: 'viewer',
      note: html`<a href="/sessions/${current.id}">${wordOf(words.modes, current.mode)}</a>${
        current.bt ? ` · ${console.format.money(current.bt.loan_amount)}` : nothing
      }`,
      body: progress => stepPath(progressStops(console.format, progress), text.where),
    })
  }

  private details(value: Entity): TemplateResult {
    if (isErased(value))
      return card(text.details, html`<p class="soft">${text.erasedNote}</p>`, { tools: statusPill('erased') })
    const { individual, corporation, address } = value
    const { facts: name } = text
    const { shown } = this
    const place = 'state' in address ? address.state : null
    return card(
      text.details,
      html`${factList(
        [name.name, personName(value)],
        corporation
          ? null
          : [
              name.phone,
              shown.phone ?? (individual?.phone ? html`${masked('(•••) •••-')}${individual.phone.slice(-4)}` : null),
            ],
        corporation ? null : [name.email, shown.email ?? (individual?.email ? masked('•••@•••') : null)],
        corporation ? null : [name.dob, shown.dob ?? (individual?.dob ? masked('••••••••') : null)],
        corporation ? null : [name.ssn, shown.ssn ?? (individual?.ssn_4 ? masked('•••-••-••••') : null)],
        [name.address, shown.address ?? (place ? html`${masked('••••,')} ${place}` : null)],
      )}
        <small class="under">${text.detailsNote}</small>`,
      { tools: statusPill('masked') },
    )
  }

  /** Prompts for a field and a reason, then shows the value until the time set by the service. */
  private async reveal(): Promise<void> {
    const { console, personId: id } = this
    let field: Field = 'phone'
    const done = await confirm({
      title: text.revealTitle,
      body: text.revealBody,
      action: text.revealAction,
      signedInRecently: console,
      fields: html`<label class="field"
          ><span>${text.revealField}</span
          ><select class="input" name="field">
            ${Object.entries(text.revealFields).map(([value, label]) => html`<option value=${value}>${label}</option>`)}
          </select></label
        ><label class="field"
          ><span>${words.dialog.reason}</span><input class="input" name="reason" required minlength="3" maxlength="200" autocomplete="off"
        /></label>`,
      run: async values => {
        field = String(values.get('field')) as Field
        const revealed = await console.api.send<Revealed>('POST', `/entities/${id}/reveal`, {
          fields: [field],
          reason: String(values.get('reason')).trim(),
        })
        this.hide()
        this.shown = revealed.values
        this.hideTimer = window.setTimeout(() => this.hide(), Date.parse(revealed.until) - console.api.now())
      },
    })
    if (!done) return
    const name = text.revealFields[field]
    console.say(this.shown[field] == null ? text.revealUnknown(name) : text.revealed(name))
  }

  private hide(): void {
    clearTimeout(this.hideTimer)
    this.shown = {}
  }

  private status(value: Entity): TemplateResult {
    const { statusFacts } = text
    const proof = (kind: 'phone' | 'identity') => (value.verification?.[kind].verified ? text.proven : text.unproven)
    return card(
      text.status,
      factList(
        [statusFacts.entity, statusPill(isErased(value) ? 'erased' : value.status)],
        isErased(value) ? null : [statusFacts.phone, proof('phone')],
        isErased(value) ? null : [statusFacts.identity, proof('identity')],
      ),
    )
  }

  private paymentsCard(): TemplateResult {
    const { console } = this
    return panel(console, this.payments, {
      title: text.payments,
      flush: true,
      needs: 'viewer',
      empty: ({ data }) => (data.length === 0 ? text.paymentsEmpty : null),
      body: ({ data }) =>
        table({
          label: text.payments,
          rows: data,
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

  private sessionsCard(): TemplateResult {
    const { console } = this
    return panel(console, this.sessions, {
      title: text.sessions,
      flush: true,
      needs: 'viewer',
      note: String(this.sessions.value?.data.length ?? ''),
      empty: ({ data }) => (data.length === 0 ? text.sessionsEmpty : null),
      body: ({ data }) =>
        table({
          label: text.sessions,
          rows: data,
          href: row => `/sessions/${row.id}`,
          columns: [
            { head: words.sessions.columns.kind, grows: true, cell: row => wordOf(words.modes, row.mode) },
            {
              head: words.sessions.columns.made,
              cell: row => html`<small>${console.format.at(row.created_at, 'day')}</small>`,
            },
            { head: words.sessions.columns.status, end: true, cell: row => statusPill(sessionStatus(row)) },
          ],
        }),
    })
  }
}

const masked = (dots: string): TemplateResult => html`<span class="mask">${dots}</span>`
