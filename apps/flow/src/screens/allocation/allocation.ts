// biome-ignore-all lint/style/noExcessiveLinesPerFile: each account has its own input, rate, quick amounts and messages.
/**
 * The screen for choosing amounts. A meter shows where each dollar of the loan goes. The screen validates amounts as
 * the person types.
 */
import {
  type AllocationProblem,
  type Allocations,
  ceiling,
  interestSaved,
  minimumTotal,
  problemsOf,
  type Suggestion,
  suggestAllocations,
  suggestions,
  total,
} from '@causeway/contract/allocations'
import type { AccountView, StepError } from '@causeway/contract/session'
import { vars } from '@causeway/ui/vars'
import { html, nothing, type TemplateResult } from 'lit'
import { customElement, state } from 'lit/decorators.js'
import { accountLogo, accountTitle, balancesAsOf, maskOf, reasonOf } from '../../parts/account.js'
import { readAmount, showAmount } from '../../parts/amount.js'
import { compactSelect } from '../../parts/compact-select.js'
import { input, message } from '../../parts/field.js'
import { icons } from '../../parts/icons.js'
import { untranslated } from '../../parts/untranslated.js'
import { Announcement, TotalsChange } from '../../requests.js'
import { FieldScreen } from '../field-screen.js'
import type { ScreenParts } from '../screen.js'
import { Hues, hueOf } from './hues.js'
import { meter } from './meter.js'
import { splitEvenly } from './split-evenly.js'

/** Typing counts as paused after this many milliseconds without a keystroke. */
const TYPING_PAUSE_MS = 400

/** Names a split of the loan. `custom` is any split that the person entered. */
type Split = Suggestion | 'spread' | 'none' | 'custom'

/** Returns true if two splits assign the same amount to each account. */
const same = (accounts: readonly AccountView[], a: Allocations, b: Allocations): boolean =>
  accounts.every(({ id }) => (a[id] ?? 0) === (b[id] ?? 0))

/** Returns the strategy that applies if no rates are known: `highest_rate` falls back to `highest_balance`. */
const byBalance = (strategy: Suggestion): Suggestion => (strategy === 'highest_rate' ? 'highest_balance' : strategy)

@customElement('screen-allocation')
export class AllocationScreen extends FieldScreen<'allocation'> {
  /** The contents of the inputs, keyed by account. */
  @state() private texts: Record<string, string> = {}
  /**
   * Accounts whose input has lost focus or been submitted. Only these accounts show an incomplete amount as an error.
   */
  @state() private left: ReadonlySet<string> = new Set()
  private timer: ReturnType<typeof setTimeout> | undefined
  /** The account whose amount was edited last. */
  private typed = ''
  /** The split that the person chose last. */
  private applied: Split | null = null
  /** The focused input, if it has been clicked since it gained focus. */
  private clicked: HTMLInputElement | null = null

  constructor() {
    super()
    new Hues(this)
  }

  protected override subject(): string {
    return this.view.data.accounts.map(account => account.id).join()
  }

  protected override begin(): void {
    this.left = new Set()
    this.applied = null
    this.take(this.view.data.allocations)
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    clearTimeout(this.timer)
  }

  /** The amount for each account in cents; NaN if the text is not an amount. */
  private get amounts(): Allocations {
    const { locale } = this.language
    return Object.fromEntries(
      this.view.data.accounts.map(({ id }) => [id, readAmount(this.texts[id] ?? '', locale) ?? Number.NaN]),
    )
  }

  /** The same amounts for the meter, with 0 for an input whose text is not an amount. */
  private get placed(): Allocations {
    return Object.fromEntries(Object.entries(this.amounts).map(([id, cents]) => [id, Number.isNaN(cents) ? 0 : cents]))
  }

  private get found(): AllocationProblem[] {
    return problemsOf(this.amounts, this.view.data.accounts, this.view.data.terms)
  }

  protected override explain(error: StepError): string | null {
    if (error.code === 'account_unpayable') return this.words.allocation.unpayable
    return this.sentence({ ...error.values, code: error.code } as unknown as AllocationProblem)
  }

  protected override owns(field: string): boolean {
    return this.view.data.accounts.some(account => account.id === field)
  }

  /** Describes a broken rule and gives the nearest allowed amount. */
  private sentence(problem: AllocationProblem): string | null {
    const { allocation } = this.words
    const { money } = this.language
    switch (problem.code) {
      case 'not_an_amount':
        return allocation.notAnAmount
      case 'below_minimum':
        return allocation.belowMinimum(money(problem.limit))
      case 'above_maximum':
        return allocation.aboveMaximum(money(problem.limit))
      case 'above_balance':
        return allocation.aboveBalance(money(problem.over), money(problem.limit))
      case 'exceeds_loan':
        return allocation.exceedsLoan(money(problem.over), this.language.short(problem.limit))
      case 'residual_too_large':
        return allocation.residual(money(problem.needed))
      case 'nothing_allocated':
        return allocation.nothing
      default:
        return null
    }
  }

  protected override act(): void {
    if (this.hopeless) {
      if (this.view.can_go_back) this.ask({ action: 'back' })
      return
    }
    if (this.found.length === 0) {
      this.submit({}, () => ({ action: 'review', allocations: this.amounts }))
      return
    }
    this.left = new Set(this.view.data.accounts.map(account => account.id))
    void this.updateComplete.then(() =>
      this.querySelector<HTMLElement>('[aria-invalid="true"], .alert.whole, .meter-say')?.focus(),
    )
  }

  private get hopeless(): boolean {
    return this.view.data.shortfall > 0
  }

  protected override page(): ScreenParts {
    const { allocation } = this.words
    const { accounts, terms, dropped, shortfall: short } = this.view.data
    const asOf = balancesAsOf(accounts)
    const broken = this.found.length > 0
    return {
      title: allocation.title(this.language.short(terms.loan_amount)),
      lead: this.lead(),
      body: html`${this.hopeless ? this.infeasible(short) : nothing}
        ${this.hopeless ? nothing : meter({ accounts, placed: this.placed, terms, say: this.say(), brand: this.view.brand.name, language: this.language })}
        ${this.splits()}
        <div class="rows">${accounts.map((account, i) => this.row(account, i))}</div>
        ${this.saving()}
        ${asOf ? html`<p class="hint">${allocation.asOf(this.language.moment(asOf, new Date(this.now())))}</p>` : nothing}
        ${dropped.length ? this.dropped(dropped) : nothing}`,
      action: this.hopeless
        ? { label: allocation.infeasibleAction, look: this.view.can_go_back ? '' : 'idle' }
        : { label: allocation.action, look: broken ? 'idle' : '' },
      trust: allocation.trust,
    }
  }

  /**
   * Describes a problem with the totals. Messages about a single account are shown next to that account. If such a
   * message already says which amount to lower, this method does not report that the total exceeds the loan.
   */
  private say(): string | null {
    const whole = this.found.find(problem => !('account' in problem) && problem.code !== 'nothing_allocated')
    if (whole?.code === 'exceeds_loan' && this.view.data.accounts.some(({ id }) => this.errorOf(id))) return null
    const nothingYet = this.found.find(problem => problem.code === 'nothing_allocated')
    const problem = whole ?? nothingYet
    return problem ? this.sentence(problem) : null
  }

  private infeasible(short: number): TemplateResult {
    const { allocation } = this.words
    const { terms } = this.view.data
    const forced = minimumTotal(terms)
    return html`<div class="alert" role="alert">
      ${icons.alert()}
      <div>
        <strong>${allocation.infeasibleTitle(this.language.money(short))}</strong>
        ${allocation.infeasible(this.language.money(forced))}
      </div>
    </div>`
  }

  /** Explains where the initial amounts come from: the suggestion, or the person's earlier choice. */
  private lead(): string {
    const { allocation } = this.words
    const { accounts, allocations, suggestion, strategy } = this.view.data
    if (!same(accounts, allocations, suggestion)) return allocation.leadKept
    return accounts.length > 1 ? allocation.lead[this.ratesKnown ? strategy : byBalance(strategy)] : allocation.leadOne
  }

  private get ratesKnown(): boolean {
    return this.view.data.accounts.some(({ apr }) => apr !== null)
  }

  /** Renders the choice of a split. "Highest rate first" is offered only if at least one rate is known. */
  private splits(): TemplateResult | typeof nothing {
    const { allocation } = this.words
    const { accounts, terms } = this.view.data
    if (accounts.length === 1) return nothing
    const known = suggestions.filter(name => this.ratesKnown || name !== 'highest_rate')
    const splits: readonly [Split, string, Allocations][] = [
      ...known.map((name): [Split, string, Allocations] => [
        name,
        allocation.strategy[name],
        suggestAllocations(accounts, terms, name),
      ]),
      ['spread', allocation.spread, splitEvenly(accounts, terms)],
      ['none', allocation.none, {}],
    ]
    const current = this.current(splits)
    return html`<div class="split">${compactSelect<Split>({
      id: 'split',
      label: allocation.split,
      options: [
        ...splits.map(([name, text]) => [name, text] as const),
        ...(current === 'custom' ? [['custom', allocation.custom] as const] : []),
      ],
      value: current,
      onChange: name => this.change(splits.find(([each]) => each === name)?.[2] ?? this.placed, name),
    })}</div>`
  }

  /**
   * Returns the split that is shown as chosen. If several splits match the current amounts, prefers the split that the
   * person chose last, then the service's initial split.
   */
  private current(splits: readonly [Split, string, Allocations][]): Split {
    const { accounts, strategy } = this.view.data
    const { placed } = this
    const matching = splits.filter(([, , amounts]) => same(accounts, placed, amounts)).map(([name]) => name)
    const started = this.ratesKnown ? strategy : byBalance(strategy)
    return [this.applied, started].find(name => name !== null && matching.includes(name)) ?? matching[0] ?? 'custom'
  }

  private saving(): TemplateResult | typeof nothing {
    const { allocation } = this.words
    const { accounts, loan_apr } = this.view.data
    const saved = loan_apr === null ? null : interestSaved(this.placed, accounts, loan_apr)
    if (saved === null) return nothing
    const percent = this.language.percent(loan_apr!)
    const left = accounts.some(({ id, apr }) => apr === null && (this.placed[id] ?? 0) > 0)
    return html`<section class="meter">
      <p class="meter-top"><span>${allocation.saved}</span> <strong class="num" translate="no">${this.language.money(saved)}</strong></p>
      <p class="hint">${allocation.savedNote(percent)}${left ? html` ${allocation.savedLeft}` : nothing}</p>
    </section>`
  }

  private row(account: AccountView, index: number): TemplateResult {
    const { allocation, selection } = this.words
    const { id } = account
    const error = this.errorOf(id)
    const text = this.texts[id] ?? ''
    return html`<section class="alloc">
      <div class="alloc-head">
        <span class="dotted">${accountLogo(account)}<span class="dot" ${vars({ '--hue': hueOf(index) })}></span></span>
        <div>
          <span class="row-name" translate="no">${account.name}</span>
          <span class="row-meta"
            >${maskOf(account, this.language)} ·
            <span class="num"
              >${account.balance === null ? allocation.owesUnknown : untranslated(allocation.owes(this.language.money(account.balance)), this.language.money(account.balance))}</span
            > · <span class="num"
              >${account.apr === null ? allocation.rateUnknown : untranslated(selection.apr(this.language.percent(account.apr)), this.language.percent(account.apr))}</span
            ></span
          >
        </div>
      </div>
      <div class="alloc-in">
        <div class="boxed ${error ? 'bad' : ''}" dir="ltr" @click=${this.select}>
          <span aria-hidden="true">$</span>
          <label class="sr" for=${id}>${allocation.amountFor(account.name)}</label>
          ${input({
            name: id,
            label: allocation.amountFor(account.name),
            value: text,
            error,
            inputmode: 'decimal',
            digits: true,
            onInput: event => this.type(id, (event.target as HTMLInputElement).value),
            onBlur: () => this.leave(id),
          })}
          ${
            text === ''
              ? nothing
              : html`<button type="button" aria-label=${allocation.clear(account.name)} @click=${() => this.type(id, '')}>
                  ${icons.close()}
                </button>`
          }
        </div>
        ${this.most(account)}
      </div>
      ${message(id, error)}
    </section>`
  }

  private errorOf(id: string): string | null {
    const problem = this.found.find(each => 'account' in each && each.account === id)
    // More digits can fix an amount that is too small, so only an amount that is too large is reported immediately.
    const final = problem?.code === 'above_balance' || problem?.code === 'above_maximum'
    if (problem && (final || this.left.has(id))) return this.sentence(problem)
    return this.errors[id] ?? null
  }

  /**
   * Renders a button that fills in the maximum that the account can take: its balance, the payment limit, or the rest
   * of the loan. The button is omitted if that maximum is below the minimum payment.
   */
  private most(account: AccountView): TemplateResult | typeof nothing {
    const { allocation } = this.words
    const { terms } = this.view.data
    const now = this.placed[account.id] ?? 0
    const left = terms.loan_amount - total(this.placed) + now
    const target = Math.min(ceiling(account, terms), Math.max(0, left))
    if (target < Math.max(terms.minimum_payment, 1)) return nothing
    const whole = target === account.balance
    const amount = this.language.money(target)
    const there = now === target
    return html`<button
      class="second"
      type="button"
      aria-pressed=${there ? 'true' : 'false'}
      aria-label=${whole ? allocation.payBalance(account.name) : allocation.payUpTo(amount, account.name)}
      @click=${() => this.type(account.id, showAmount(target, this.language.locale), true)}
    >
      ${there ? icons.check() : nothing}<span>${whole ? allocation.balance : allocation.upTo(amount)}</span>
    </button>`
  }

  private dropped(accounts: readonly AccountView[]): TemplateResult {
    return html`<section class="stack">
      <h2>${this.words.allocation.droppedTitle}</h2>
      <ul class="rows">
        ${accounts.map(
          account => html`<li class="row off">
            ${accountLogo(account)}
            <span>
              ${accountTitle(account, this.language)}
              <span class="row-meta">${reasonOf(account, this.view.brand.name, this.language)}</span>
            </span>
          </li>`,
        )}
      </ul>
    </section>`
  }

  private take(amounts: Allocations): void {
    const { locale } = this.language
    this.texts = Object.fromEntries(
      this.view.data.accounts.map(({ id }) => [id, amounts[id] ? showAmount(amounts[id], locale) : '']),
    )
  }

  private change(amounts: Allocations, split: Split): void {
    this.take(amounts)
    this.applied = split
    this.typed = ''
    this.errors = {}
    this.settle()
  }

  private type(id: string, text: string, final = false): void {
    this.texts = { ...this.texts, [id]: text }
    this.typed = id
    this.clear(id)
    this.clear('')
    if (final) this.left = new Set([...this.left, id])
    this.settle()
  }

  /** Selects an amount on the first click, so that typing replaces it. A second click places the caret. */
  private readonly select = ({ target }: Event): void => {
    if (!(target instanceof HTMLInputElement) || target === this.clicked) return
    this.clicked = target
    target.select()
  }

  /** Formats the amount when the input loses focus. */
  private leave(id: string): void {
    this.clicked = null
    this.left = new Set([...this.left, id])
    const cents = readAmount(this.texts[id] ?? '', this.language.locale)
    if (cents !== null && (this.texts[id] ?? '').trim() !== '')
      this.texts = { ...this.texts, [id]: showAmount(cents, this.language.locale) }
    const error = this.errorOf(id)
    if (error) this.dispatchEvent(new Announcement(error))
  }

  /** Reports the totals to the host page and to screen readers once typing pauses. */
  private settle(): void {
    this.enter()
    clearTimeout(this.timer)
    this.timer = setTimeout(() => {
      const sum = total(this.placed)
      const residual = this.view.data.terms.loan_amount - sum
      this.dispatchEvent(new TotalsChange({ total: sum, residual }))
      const wrong = [this.errorOf(this.typed), this.say()].filter(text => text !== null).join(' ')
      this.dispatchEvent(new Announcement(wrong || this.words.allocation.announce(this.language.money(residual))))
    }, TYPING_PAUSE_MS)
  }
}
