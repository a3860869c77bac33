/** The page of a request that needs a second person: what happens, who asked and why, and the decision. */
import type { Account, OpalSession, PaymentReversal, Team } from '@causeway/sdk'
import { html, nothing, type TemplateResult } from 'lit'
import { customElement } from 'lit/decorators.js'
import { accountName } from '../../accounts.js'
import type { Api } from '../../api.js'
import { shortId } from '../../format.js'
import { Page } from '../../page.js'
import { actorName } from '../../parts/actor.js'
import { type Answer, answerPanel } from '../../parts/answer.js'
import { approvalPill, changedValue, happensOf, isLost, titleOf } from '../../parts/approval-text.js'
import { clockNote } from '../../parts/clock.js'
import { commandLine } from '../../parts/command-line.js'
import { confirm } from '../../parts/dialogs.js'
import { factList } from '../../parts/fact-list.js'
import { loadingPage, pageHeader } from '../../parts/page-header.js'
import { card, panel, staleNote } from '../../parts/panel.js'
import { readSourceName } from '../../parts/source-choice.js'
import { table } from '../../parts/table.js'
import { resourcePageList } from '../../resource-pages.js'
import { pathOf } from '../../router.js'
import type { Approval } from '../../shapes.js'
import { wordOf, words } from '../../words.js'

const { approvals: text } = words

/** An account that a request pays or debits, with the amount in cents. */
interface Target {
  account: string
  name: string
  amount: number
}

/** The account that pays. */
interface PaidFrom {
  id: string
  name: string
  /** True if the request names no account, so that the team's default pays. */
  isDefault: boolean
}

/** The actions that create payments. */
const paying: ReadonlySet<Approval['action']> = new Set(['payment.create', 'loan.release'])

const tones = {
  waiting: 'warn',
  approved: 'good',
  failed: 'bad',
  declined: 'calm',
  withdrawn: 'calm',
  expired: 'calm',
} as const

/** Returns why a user can't decide about a request. Other roles than that of an operator do not help with a stop. */
const whyNotOf = (action: Approval['action'], why: NonNullable<Approval['why_not']>): string =>
  action === 'payments.start' && why === 'no_permission' ? text.onlyOperators : text.whyNot[why]

@customElement('page-approval')
export class ApprovalPage extends Page {
  private readonly approval = this.load<Approval>()
  private readonly targets = this.load<Target[]>()
  private readonly source = this.load<PaidFrom | null>()
  /** The names of the accounts that the request sets, keyed by id. */
  private readonly names = this.load<Record<string, string>>()

  override get heading(): string {
    const { value } = this.approval
    return value ? titleOf(this.console, value) : text.title
  }

  protected override render(): TemplateResult {
    const { console, approval } = this
    const id = this.place.params['id'] as string
    approval.read(id, signal => console.api.get(`/console/approvals/${id}`, {}, signal))
    const crumb = { text: text.title, href: '/approvals', id }
    const instead = loadingPage(console, approval, { crumb, title: shortId(id), missing: text.missing(id) })
    const { value } = approval
    if (instead || !value) return instead ?? html``
    if (value.amount !== null) this.targets.read(id, signal => readTargets(console.api, value, signal))
    if (paying.has(value.action)) this.source.read(id, signal => readSource(console.api, value, signal))
    const accounts = changedAccounts(value)
    if (accounts.length > 0) this.names.read(id, signal => readNames(console.api, accounts, signal))
    const title = titleOf(console, value)
    return html`${pageHeader(console, { crumb, title, mark: approvalPill(value) })}
      ${clockNote(console, words.clocks.approvals)} ${staleNote(console, approval)}
      <div class="two">
        <div class="stack">
          ${answerPanel(console, { ...this.answer(value), actions: this.buttons(value) })}
          ${value.amount === null ? nothing : this.accounts()} ${this.changes(value)}
        </div>
        <div class="stack">${this.details(value)}</div>
      </div>`
  }

  private answer(value: Approval): Answer {
    const { console } = this
    const { format } = console
    const { points } = text
    const { status, asked_by: asker, decided_by: decider } = value
    const isWaiting = status === 'waiting'
    const name = (person: Approval['asked_by']) => person.name ?? actorName(console, person.id) ?? text.unnamed
    const why = isWaiting && value.why_not ? whyNotOf(value.action, value.why_not) : ''
    return {
      tone: isLost(value) ? 'bad' : tones[status],
      title: text.states[isLost(value) ? 'lost' : status](titleOf(console, value)),
      points: [
        [points.happens, isWaiting ? happensOf(console, value) : ''],
        [points.why, value.reason],
        [points.by, text.person(name(asker), format.text(value.created_at, 'moment'))],
        [points.until, isWaiting ? format.text(value.expires_at, 'moment') : ''],
        ...(decider && value.decided_at && status !== 'waiting' && status !== 'expired'
          ? [[points[status], text.person(name(decider), format.text(value.decided_at, 'moment'))] as [string, string]]
          : []),
        [points.payment, value.payment_status === null ? '' : wordOf(words.money, value.payment_status)],
        [points.error, value.error ?? ''],
        [points.declineReason, value.decline_reason ?? ''],
        [points.cannot, why],
      ],
    }
  }

  private buttons(value: Approval): unknown {
    const { can } = value
    const button = (kind: string, label: string, run: () => Promise<void>) =>
      html`<button class="btn ${kind}" @click=${() => void run()}>${label}</button>`
    return html`${can.approve ? button('go', text.act.approve, () => this.approve(value)) : nothing}
    ${can.approve ? button('', text.act.decline, () => this.decline(value)) : nothing}
    ${can.withdraw ? button('', text.act.withdraw, () => this.withdraw(value)) : nothing}
    ${this.startCommand(value)}`
  }

  /** Shows the command that restarts payments without a second person. */
  private startCommand({ action, status, can, resource_id: team }: Approval): unknown {
    if (action !== 'payments.start' || status !== 'waiting' || can.approve) return nothing
    return html`<div class="other-way"><p>${text.orCommand}</p>${commandLine(this.console, `pnpm admin payments start ${team ?? 'all'}`)}</div>`
  }

  private async approve(value: Approval): Promise<void> {
    const { console } = this
    let status = ''
    const done = await confirm({
      title: text.act.approveTitle(titleOf(console, value)),
      body: happensOf(console, value),
      action: text.act.approve,
      run: async () => {
        status = (await console.api.send<Approval>('POST', `/console/approvals/${value.id}/approve`)).status
      },
    })
    this.decided(done, status === 'failed' ? text.act.failed : text.act.approved)
  }

  private async decline(value: Approval): Promise<void> {
    const done = await confirm({
      title: text.act.declineTitle,
      body: text.act.declineBody,
      action: text.act.decline,
      fields: html`<label class="field"
        ><span>${words.dialog.reason}</span><input class="input" name="reason" required minlength="3" maxlength="200" autocomplete="off"
      /></label>`,
      run: async values => {
        const reason = String(values.get('reason')).trim()
        await this.console.api.send('POST', `/console/approvals/${value.id}/decline`, { reason })
      },
    })
    this.decided(done, text.act.declined)
  }

  private async withdraw(value: Approval): Promise<void> {
    const done = await confirm({
      title: text.act.withdrawTitle,
      body: text.act.withdrawBody,
      action: text.act.withdraw,
      run: async () => void (await this.console.api.send('POST', `/console/approvals/${value.id}/withdraw`)),
    })
    this.decided(done, text.act.withdrawn)
  }

  /** Shows the outcome. Also refreshes the page after an error in the dialog: someone else may have decided. */
  private decided(done: boolean, sentence: string): void {
    if (done) this.console.say(sentence)
    void this.console.renew()
    this.refresh()
  }

  private accounts(): TemplateResult {
    const { console, targets } = this
    return panel(console, targets, {
      title: text.targets.title,
      shape: 'rows',
      flush: true,
      needs: 'viewer',
      body: rows =>
        table({
          label: text.targets.title,
          rows,
          href: ({ account }) => `/accounts/${account}`,
          columns: [
            { head: text.targets.account, breaks: true, cell: ({ name }) => name },
            {
              head: text.targets.amount,
              end: true,
              cell: ({ amount }) => html`<b>${console.format.money(amount)}</b>`,
            },
          ],
        }),
    })
  }

  private changes({ changes }: Approval): unknown {
    if (changes.length === 0) return nothing
    const shown = (name: string, value: string | null) =>
      changedValue(this.console, this.names.value ?? {}, { name, value })
    return card(
      text.changes.title,
      html`<dl class="facts">
        ${changes.map(
          ({ name, before, after }) =>
            html`<dt>${wordOf(text.changes.names, name)}</dt>
              <dd><del>${shown(name, before)}</del> <ins>${shown(name, after)}</ins></dd>`,
        )}
      </dl>`,
    )
  }

  /** The account that pays, by name, or its id until the name is loaded. */
  private paidFrom({ action, request }: Approval): unknown {
    if (!paying.has(action)) return null
    const { value, loading, failure } = this.source
    const id = value?.id ?? sourceIn(request)
    if (id === null) return loading || failure ? null : text.noSource
    const name = value?.isDefault ? text.teamDefault(value.name) : value?.name
    return html`<a href="/accounts/${id}">${name ?? html`<span class="id">${id}</span>`}</a>`
  }

  private details(value: Approval): TemplateResult {
    const { id, resource_id: resource, session_id: session, entity, request } = value
    const { description } = request.body
    const page = resource && pathOf(resourcePageList, resource)
    const shown = resource && html`<span class="id">${resource}</span>`
    return card(
      text.details,
      factList(
        [
          text.facts.person,
          entity &&
            html`<a href="/people/${entity.id}">${entity.name ?? html`<span class="id">${entity.id}</span>`}</a>`,
        ],
        [text.facts.session, session && html`<a href="/sessions/${session}"><span class="id">${session}</span></a>`],
        [text.facts.resource, resource === session ? null : page ? html`<a href=${page}>${shown}</a>` : shown],
        [text.facts.source, this.paidFrom(value)],
        [words.payment.facts.description, typeof description === 'string' ? description : null],
        [text.facts.request, html`<code>${request.method} ${request.path}</code>`],
        [text.facts.id, html`<span class="id">${id}</span>`],
      ),
    )
  }
}

/** Reads the account that a request pays from. Returns null if a release names none, and the team has no default. */
async function readSource(api: Api, { request }: Approval, signal: AbortSignal): Promise<PaidFrom | null> {
  const source = sourceIn(request)
  const id = source ?? (await api.get<Team>('/team', {}, signal)).default_source_account
  return id ? { id, name: await readSourceName(api, id, signal), isDefault: source === null } : null
}

/** Returns the id of the account that a request names as its source, or null. */
function sourceIn({ body }: Approval['request']): string | null {
  const { source } = (body['data'] ?? body) as { source?: unknown }
  return typeof source === 'string' ? source : null
}

/** Returns the ids of the accounts that a request sets or replaces. */
const changedAccounts = ({ changes }: Approval): string[] =>
  changes
    .filter(({ name }) => name === 'default_source_account')
    .flatMap(({ before, after }) => [before, after])
    .filter(each => each !== null)

const readNames = async (api: Api, ids: readonly string[], signal: AbortSignal): Promise<Record<string, string>> =>
  Object.fromEntries(await Promise.all(ids.map(async id => [id, await readSourceName(api, id, signal)] as const)))

/** Reads the accounts that a request pays or debits. */
async function readTargets(api: Api, { action, request, amount }: Approval, signal: AbortSignal): Promise<Target[]> {
  const targetOf = async (account: string, cents: number): Promise<Target> => ({
    account,
    amount: cents,
    name: accountName(await api.get<Account>(`/accounts/${account}`, {}, signal)),
  })
  const { path, body } = request
  if (action === 'reversal.approve') {
    const { target_account: account, direction } = await api.get<PaymentReversal>(path, {}, signal)
    if (account === null) return []
    const target = await targetOf(account, amount ?? 0)
    return [{ ...target, name: words.payment[direction](target.name) }]
  }
  if (action === 'payment.create') return [await targetOf(String(body['destination']), amount ?? 0)]
  const { data } = await api.get<{ data: OpalSession }>(path, {}, signal)
  return Promise.all(Object.entries(data.bt?.allocations ?? {}).map(([account, cents]) => targetOf(account, cents)))
}
