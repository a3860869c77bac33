/** Asks for the missing or incorrect fields of one card, or for a card that was not found and its issuer. */
import type { CardField, StepError } from '@causeway/contract/session'
import { html, nothing, type TemplateResult } from 'lit'
import { customElement, state } from 'lit/decorators.js'
import { accountLogo, accountTitle, balanceOf } from '../../parts/account.js'
import { attemptsLeftNote } from '../../parts/attempts-left.js'
import { intoPattern, keepDigits, readCardNumber, readZip, rewrite, rewriteDigits } from '../../parts/digits.js'
import { type FieldOptions, textField } from '../../parts/field.js'
import { selectField } from '../../parts/select-field.js'
import { FieldScreen } from '../field-screen.js'
import type { Errors, ScreenParts } from '../screen.js'
import { readExpiry } from './expiry.js'

/** The fields on the screen. The expiration month and year share one field. */
type Part = 'issuer' | 'number' | 'expiry' | 'code' | 'zip'
type Field = CardField | 'issuer'
const partOf: Record<Field, Part> = {
  issuer: 'issuer',
  number: 'number',
  exp_month: 'expiry',
  exp_year: 'expiry',
  cvv: 'code',
  billing_zip_code: 'zip',
}
/** The maximum length of a security code. */
const MAX_CVV_LENGTH = 4
/** The length of a billing ZIP code, without the four digits that may follow. */
const ZIP_LENGTH = 5
const blank: Record<Part, string> = { issuer: '', number: '', expiry: '', code: '', zip: '' }

@customElement('screen-card')
export class CardScreen extends FieldScreen<'card'> {
  @state() private values = blank

  protected override subject(): string {
    return this.view.data.account?.id ?? ''
  }

  protected override begin(): void {
    this.values = { ...blank, zip: this.view.data.zip ?? '' }
  }

  private asks(part: Part): boolean {
    const { account, fields } = this.view.data
    return part === 'issuer' ? account === null : fields.some(field => partOf[field] === part)
  }

  protected override owns(field: string): boolean {
    return field in partOf
  }

  protected override explain({ code, field, values }: StepError): string | null {
    const { card } = this.words
    const part = partOf[field as Field]
    if (!part) return null
    const left = Number(values['tries_left'] ?? this.view.data.tries_left)
    if (code === 'incorrect')
      return {
        issuer: card.needIssuer,
        number: (this.view.data.account ? card.wrongNumber : card.wrongEntry)(left),
        expiry: card.wrongExpiry(left),
        code: card.wrongCode(left),
        zip: card.wrongZip(left),
      }[part]
    if (code === 'required') return this.missing(part)
    return {
      issuer: card.needIssuer,
      number: card.badNumber,
      expiry: card.badExpiry,
      code: card.needCode,
      zip: card.needZip,
    }[part]
  }

  private missing(part: Part): string {
    const { card } = this.words
    return {
      issuer: card.needIssuer,
      number: card.needNumber,
      expiry: card.needExpiry,
      code: card.needCode,
      zip: card.needZip,
    }[part]
  }

  private check(): Errors {
    const { card } = this.words
    const { issuer, number, expiry, code, zip } = this.values
    const read = readExpiry(expiry, new Date(this.now()))
    const wrong: Record<Part, string | null> = {
      issuer: issuer === '' ? card.needIssuer : null,
      number: /^\d{12,19}$/.test(number) ? null : card.badNumber,
      expiry: { bad: card.badExpiry, past: card.pastExpiry, fine: null }[read.state],
      code: /^\d{3,4}$/.test(code) ? null : card.needCode,
      zip: /^\d{5}$/.test(zip) ? null : card.needZip,
    }
    const found = (Object.keys(wrong) as Part[]).filter(part => this.asks(part) && wrong[part] !== null)
    const name = (part: Part) => (Object.keys(partOf) as Field[]).find(field => partOf[field] === part)!
    return Object.fromEntries(
      found.map(part => [name(part), this.values[part] === '' ? this.missing(part) : wrong[part]!]),
    )
  }

  protected override act(): void {
    this.submit(this.check(), () => {
      const { issuer, number, expiry, code, zip } = this.values
      const read = readExpiry(expiry, new Date(this.now()))
      return {
        action: 'submit',
        ...(this.asks('issuer') ? { issuer } : {}),
        ...(this.asks('number') ? { number } : {}),
        ...(this.asks('expiry') ? { exp_month: read.month, exp_year: read.year } : {}),
        ...(this.asks('code') ? { cvv: code } : {}),
        ...(this.asks('zip') ? { billing_zip_code: zip } : {}),
      }
    })
  }

  protected override page(): ScreenParts {
    const { card, number } = this.words
    const { account, count, index, skippable, tries_left } = this.view.data
    return {
      ...(count > 1 ? { eyebrow: number.progress(index, count) } : {}),
      title: account ? card.title(account.name) : card.enterTitle,
      lead: account ? card.lead : card.enterLead,
      body: html`${
        account
          ? html`<div class="row">
              ${accountLogo(account)}<span>${accountTitle(account, this.language)}</span>${balanceOf(account, this.language)}
            </div>`
          : nothing
      }
        <div class="stack">
          ${this.asks('issuer') ? this.issuer() : nothing}
          ${this.asks('number') ? this.number() : nothing}
          ${this.asks('expiry') || this.asks('code') ? this.printed() : nothing}
          ${this.asks('zip') ? this.zip() : nothing}
        </div>
        <p class="note"><strong>${number.whyTitle}</strong> ${card.why(this.view.brand.name)}</p>`,
      action: { label: card.action },
      ...(skippable ? { second: this.skip() } : {}),
      trust: attemptsLeftNote(tries_left, number.trust, this.words),
    }
  }

  private skip(): TemplateResult {
    return html`<button class="second wide bare" type="button" @click=${() => this.ask({ action: 'skip' })}>
      ${this.words.card.skip}
    </button>`
  }

  private field(part: Part, label: string, errors: Field[], more: Partial<FieldOptions>): TemplateResult {
    return textField({
      name: part,
      label,
      value: this.values[part],
      error: errors.map(name => this.errors[name]).find(text => text) ?? null,
      inputmode: 'numeric',
      digits: true,
      onInput: event =>
        this.set(part, keepDigits(event.target as HTMLInputElement, MAX_CVV_LENGTH, this.values[part]), errors),
      ...more,
    })
  }

  private set(part: Part, value: string, errors: Field[]): void {
    this.values = { ...this.values, [part]: value }
    for (const name of errors) this.clear(name)
    this.clear('')
  }

  private issuer(): TemplateResult {
    const { card } = this.words
    return selectField({
      name: 'issuer',
      label: card.issuer,
      value: this.values.issuer,
      choose: card.issuerChoose,
      options: this.view.data.issuers.map(({ id, name }) => [id, name] as const),
      error: this.errors['issuer'],
      onChange: value => this.set('issuer', value, ['issuer']),
    })
  }

  private number(): TemplateResult {
    const { number } = this.words
    const mask = this.view.data.account?.mask
    const grouped = (text: string) => intoPattern(text, text.replace(/.{4}(?=.)/g, '#### ').replace(/[^# ]/g, '#'))
    return this.field('number', number.labelCard, ['number'], {
      ...(mask ? { hint: number.ends(mask) } : {}),
      autocomplete: 'cc-number',
      value: grouped(this.values.number),
      onInput: event => {
        const bare = rewrite(event.target as HTMLInputElement, readCardNumber, grouped)
        this.set('number', bare, ['number'])
      },
    })
  }

  private printed(): TemplateResult {
    const { card } = this.words
    const both = this.asks('expiry') && this.asks('code')
    return html`<div class=${both ? 'fields' : ''}>
      ${
        this.asks('expiry')
          ? this.field('expiry', card.expiry, ['exp_month', 'exp_year'], {
              hint: card.expiryHint,
              autocomplete: 'cc-exp',
              inputmode: 'text',
              onInput: event =>
                this.set('expiry', rewriteDigits(event.target as HTMLInputElement), ['exp_month', 'exp_year']),
            })
          : nothing
      }
      ${
        this.asks('code')
          ? this.field('code', card.code, ['cvv'], { hint: card.codeHint, autocomplete: 'cc-csc' })
          : nothing
      }
    </div>`
  }

  private zip(): TemplateResult {
    const { card } = this.words
    return this.field('zip', card.zip, ['billing_zip_code'], {
      hint: card.zipHint,
      autocomplete: 'billing postal-code',
      onInput: event =>
        this.set('zip', readZip((event.target as HTMLInputElement).value).slice(0, ZIP_LENGTH), ['billing_zip_code']),
    })
  }
}
