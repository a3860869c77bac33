/**
 * The screen for choosing accounts: one, several, or all of them. Accounts that can't be chosen are also listed, with
 * the reason.
 */
import { minimumTotal, shortfall } from '@causeway/contract/allocations'
import type { AccountView, StepError } from '@causeway/contract/session'
import { html, nothing, type TemplateResult } from 'lit'
import { customElement, state } from 'lit/decorators.js'
import { live } from 'lit/directives/live.js'
import { accountLogo, accountTitle, balanceOf, reasonOf } from '../../parts/account.js'
import { compactSelect } from '../../parts/compact-select.js'
import { exitAction, returnButton } from '../../parts/exits.js'
import { icons } from '../../parts/icons.js'
import { untranslated } from '../../parts/untranslated.js'
import { Announcement, ExitRequest } from '../../requests.js'
import { type Errors, Screen, type ScreenParts } from '../screen.js'

/** The list's sort orders. Accounts without a value come last. */
const orders = {
  balance: (a: AccountView, b: AccountView) => (b.balance ?? -1) - (a.balance ?? -1),
  rate: (a: AccountView, b: AccountView) => (b.apr ?? -1) - (a.apr ?? -1),
  name: (a: AccountView, b: AccountView) => a.name.localeCompare(b.name),
}
type Order = keyof typeof orders

/** A list can be sorted if it contains more than this number of accounts. */
const MAX_UNSORTED_ACCOUNTS = 3

@customElement('screen-selection')
export class SelectionScreen extends Screen<'selection'> {
  @state() private chosen: ReadonlySet<string> = new Set()
  /** True if accounts that the person opens later are also shared. Only the person can check this box. */
  @state() private future = false
  @state() private order: Order = 'balance'

  private get eligible(): AccountView[] {
    return this.view.data.accounts.filter(account => account.status !== 'ineligible')
  }

  /** The accounts that "Select all" selects: those whose balance is unknown or not zero. */
  private get owing(): AccountView[] {
    return this.eligible.filter(account => account.balance !== 0)
  }

  private get picked(): AccountView[] {
    return this.eligible.filter(account => this.chosen.has(account.id))
  }

  /** The amount in cents by which the chosen accounts fall short of the terms; 0 before anything is chosen. */
  private get missing(): number {
    const { terms } = this.view.data
    return terms && this.picked.length > 0 ? shortfall(this.picked, terms) : 0
  }

  protected override subject(): string {
    return this.eligible.map(account => account.id).join()
  }

  protected override begin(): void {
    const all = this.view.data.kind === 'all'
    this.chosen = new Set(this.eligible.filter(account => all || account.selected).map(account => account.id))
    this.future = this.view.data.future_accounts ?? false
  }

  protected override explain(error: StepError): string | null {
    const { selection } = this.words
    if (error.code === 'none_selected') return selection.none
    if (error.code === 'not_eligible') return selection.notEligible
    return error.code === 'shortfall' ? this.shortText(Number(error.values['shortfall'] ?? this.missing)) : null
  }

  protected override act(): void {
    const { selection } = this.words
    const errors: Errors = {}
    if (this.view.data.shortfall > 0) {
      this.dispatchEvent(new ExitRequest())
      return
    }
    if (this.picked.length === 0) errors[''] = selection.none
    if (this.missing > 0) errors[''] = this.shortText(this.missing)
    this.submit(errors, () => ({
      action: 'select',
      accounts: this.picked.map(account => account.id),
      ...(this.view.data.future_accounts === null ? {} : { future_accounts: this.future }),
    }))
  }

  private get forced(): string {
    const { terms } = this.view.data
    if (!terms) return ''
    return this.language.money(minimumTotal(terms))
  }

  private shortText(missing: number): string {
    return this.words.selection.short(this.language.money(missing))
  }

  protected override page(): ScreenParts {
    const { selection } = this.words
    const { accounts, kind, checked_at, shortfall: short } = this.view.data
    const brand = this.view.brand.name
    const off = accounts.filter(account => account.status === 'ineligible')
    const transfer = this.view.mode === 'balance_transfer'
    const hopeless = short > 0
    const asOf = this.language.moment(checked_at, new Date(this.now()))
    // A loan's screen says first what the choice is for.
    const sees = kind === 'all' ? nothing : html`<p class="hint">${this.sees(brand)}</p>`
    return {
      title: this.question(transfer, brand),
      lead: this.lead(),
      body: html`${hopeless ? this.infeasible(short) : nothing}
        ${transfer ? nothing : sees}
        <div>
          ${this.bar(kind)}
          <fieldset class="rows">
            <legend class="sr">${selection.group}</legend>
            ${[...this.eligible].sort(orders[this.order]).map(account => this.row(account))}
          </fieldset>
          ${this.view.data.future_accounts === null ? nothing : this.later(brand)}
        </div>
        ${transfer ? sees : nothing}
        ${
          off.length
            ? html`<section class="stack">
                <h2>${transfer ? selection.offTransfer : selection.offConnect}</h2>
                <ul class="rows">
                  ${off.map(account => this.quiet(account))}
                </ul>
              </section>`
            : nothing
        }`,
      ...(this.missing > 0 && !hopeless && !this.errors[''] ? { caution: this.shortText(this.missing) } : {}),
      action: hopeless
        ? exitAction(this.view.brand, this.words)
        : { label: this.label(transfer), look: this.picked.length === 0 || this.missing > 0 ? 'idle' : '' },
      second: hopeless ? returnButton(this.view.brand, this.words) : nothing,
      trust: selection.trust(asOf),
    }
  }

  /** Says which of the accounts the customer can see. */
  private sees(brand: string): string {
    const { selection } = this.words
    const { sharing, kind } = this.view.data
    if (sharing === 'all') return selection.seesOthers(brand)
    const isWhole = this.view.mode === 'connect' && kind === 'multiple'
    return isWhole ? selection.seesChosen(brand) : selection.seesShared(brand)
  }

  private question(transfer: boolean, brand: string): string {
    const { selection } = this.words
    const { mode } = this.view
    if (mode === 'card_connect' || mode === 'transactions')
      return this.view.data.kind === 'single' ? selection.titleCardsOne(brand) : selection.titleCards(brand)
    switch (this.view.data.kind) {
      case 'single':
        return transfer ? selection.titleTransferOne : selection.titleConnectOne(brand)
      case 'all':
        return transfer ? selection.titleTransferAll : selection.titleConnectAll(brand)
      default:
        return transfer ? selection.titleTransfer : selection.titleConnect(brand)
    }
  }

  private label(transfer: boolean): string | TemplateResult {
    const { selection } = this.words
    const { picked } = this
    if (picked.length === 0) return selection.actionNone
    const known = picked.every(account => account.balance !== null)
    return transfer && known
      ? untranslated(selection.actionTotal(picked.length, this.sum()), this.sum())
      : selection.action(picked.length)
  }

  private sum(): string {
    return this.language.money(this.picked.reduce((sum, account) => sum + (account.balance ?? 0), 0))
  }

  /**
   * Renders a message saying that no choice of accounts can satisfy the terms. The screen shows this message before the
   * person chooses anything.
   */
  private infeasible(short: number): TemplateResult {
    const { selection } = this.words
    return html`<div class="alert" role="alert">
      ${icons.alert()}
      <div>
        <strong>${selection.infeasibleTitle(this.language.money(short))}</strong>
        ${selection.infeasible(this.forced, this.view.brand.name)}
      </div>
    </div>`
  }

  /** Returns a summary of the accounts found and, if the terms require a minimum total, that total. */
  private lead(): string {
    const { terms, shortfall: short } = this.view.data
    const least = terms && short === 0 && minimumTotal(terms) > 1 ? [this.words.selection.leadLeast(this.forced)] : []
    return [this.found(), ...least].join(' ')
  }

  /** Returns a sentence with the number of accounts found and, if any balance is known, the total debt. */
  private found(): string {
    const { selection } = this.words
    const { accounts } = this.view.data
    const known = accounts.flatMap(({ balance }) => balance ?? [])
    if (known.length === 0) return selection.lead(accounts.length)
    const total = this.language.money(known.reduce((sum, balance) => sum + balance, 0))
    return selection.leadOwed(accounts.length, total, known.length === accounts.length)
  }

  /** Renders the controls above a long list: its order, and the choice of all accounts. */
  private bar(kind: string): TemplateResult | typeof nothing {
    const isLong = this.eligible.length > MAX_UNSORTED_ACCOUNTS
    const hasAll = kind === 'multiple' && this.eligible.length > 2
    if (!isLong && !hasAll) return nothing
    return html`<div class="rows-head">${isLong ? this.sorting() : nothing} ${hasAll ? this.all() : nothing}</div>`
  }

  private sorting(): TemplateResult {
    const { selection } = this.words
    const rated = this.eligible.some(({ apr }) => apr !== null)
    return compactSelect<Order>({
      id: 'sort',
      label: selection.sort,
      isLabelHidden: true,
      options: [
        ['balance', selection.sortBalance],
        ...(rated ? [['rate', selection.sortRate] as const] : []),
        ['name', selection.sortName],
      ],
      value: this.order,
      onChange: order => {
        this.order = order
      },
    })
  }

  private all(): TemplateResult {
    const { selection } = this.words
    const { owing } = this
    const every = owing.every(account => this.chosen.has(account.id))
    const some = owing.length < this.eligible.length ? selection.selectOwing : selection.selectAll
    return html`<button class="textlink" type="button" @click=${() => this.choose(every ? [] : [...new Set([...this.chosen, ...owing.map(a => a.id)])])}>
        ${every ? selection.selectNone : some}
      </button>`
  }

  private row(account: AccountView): TemplateResult {
    const { kind } = this.view.data
    const on = this.chosen.has(account.id)
    const tag = account.status === 'ready' ? nothing : html`<span class="tag">${this.needs(account)}</span>`
    const inside = html`${accountLogo(account)}<span>${accountTitle(account, this.language)}${tag}</span>${balanceOf(account, this.language)}`
    if (kind === 'all') return html`<div class="row">${inside}</div>`
    return html`<label class="row ${on ? 'on' : ''}">
      <input
        class="pick"
        type=${kind === 'single' ? 'radio' : 'checkbox'}
        name="accounts"
        value=${account.id}
        .checked=${live(on)}
        @change=${() => this.toggle(account.id)}
      />
      ${inside}
    </label>`
  }

  /**
   * Renders the checkbox for sharing accounts that the person opens later. This consent is separate from the choice of
   * accounts.
   */
  private later(brand: string): TemplateResult {
    const { selection } = this.words
    return html`<div class="rows later">
      <label class="row ${this.future ? 'on' : ''}">
        <input
          class="pick"
          type="checkbox"
          name="future_accounts"
          aria-labelledby="future-name"
          aria-describedby="future-note"
          .checked=${live(this.future)}
          @change=${() => {
            this.future = !this.future
          }}
        />
        <span
          ><span class="row-name" id="future-name">${selection.future}</span
          ><span class="row-meta" id="future-note">${selection.futureNote(brand)}</span></span
        >
      </label>
    </div>`
  }

  private needs({ status }: AccountView): string {
    const { selection } = this.words
    return status === 'needs_card' ? selection.needsCard : selection.needsNumber
  }

  private quiet(account: AccountView): TemplateResult {
    const known =
      account.balance === null
        ? nothing
        : html`<span class="amount" translate="no">${this.language.money(account.balance)}</span>`
    return html`<li class="row off">
      ${accountLogo(account)}
      <span>
        ${accountTitle(account, this.language)}
        <span class="row-meta">${reasonOf(account, this.view.brand.name, this.language)}</span>
      </span>
      ${known}
    </li>`
  }

  private toggle(id: string): void {
    const next = new Set(this.view.data.kind === 'single' ? [] : this.chosen)
    if (!next.delete(id)) next.add(id)
    this.choose([...next])
  }

  private choose(ids: readonly string[]): void {
    this.chosen = new Set(ids)
    this.enter()
    this.clear('')
    this.dispatchEvent(new Announcement(this.words.selection.announce(this.picked.length, this.sum())))
  }
}
