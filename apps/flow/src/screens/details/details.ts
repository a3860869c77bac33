// biome-ignore-all lint/style/noExcessiveLinesPerFile: it holds both pages and the checks of all their fields.
/**
 * The details screen: requests only the details that the service needs, and says why. If the screen requests an address
 * and other details, the address has its own page. Both pages are submitted together as one step.
 */

import type { StepError } from '@causeway/contract/session'
import { digitsOf } from '@causeway/contract/values/digits'
import { MAX_ADDRESS_LENGTHS, MAX_NAME_LENGTH, nameFaultOf } from '@causeway/contract/values/name'
import { stateOfZip, states } from '@causeway/contract/values/states'
import { vars } from '@causeway/ui/vars'
import { html, nothing, type PropertyValues, type TemplateResult } from 'lit'
import { customElement, state } from 'lit/decorators.js'
import { ifDefined } from 'lit/directives/if-defined.js'
import { live } from 'lit/directives/live.js'
import { keepDigits, readLastFour, readZip } from '../../parts/digits.js'
import { describedBy, type FieldOptions, input, message, textField } from '../../parts/field.js'
import { selectField } from '../../parts/select-field.js'
import { Announcement, PageChange } from '../../requests.js'
import { FieldScreen } from '../field-screen.js'
import type { Errors, ScreenParts } from '../screen.js'
import { checkDob, type Dob, type DobPart, dobOrder, readDob, readPasted } from './dob.js'

const texts = ['first_name', 'last_name', 'line1', 'line2', 'city', 'state', 'zip', 'ssn_4'] as const
type Text = (typeof texts)[number]
const ofAddress: readonly string[] = ['line1', 'line2', 'city', 'state', 'zip']

/** Marks that phones and other apps add to text when it is copied, and that are invisible. */
const marks = /[\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/g

/** Returns typed text without invisible marks and with single spaces. */
const clean = (text: string) => text.replace(marks, '').trim().replace(/\s+/g, ' ')

@customElement('screen-details')
export class DetailsScreen extends FieldScreen<'details'> {
  @state() private values: Record<Text, string> = Object.fromEntries(texts.map(name => [name, ''])) as Record<
    Text,
    string
  >
  @state() private dob: Dob = readDob(undefined)
  /** True for a person with one legal name. */
  @state() private oneName = false
  /** True while the second page, which asks for the address, is shown. */
  @state() private onAddress = false

  protected override begin(): void {
    const { values } = this.view.data
    for (const name of texts) if (name !== 'ssn_4') this.values[name] = values[name] ?? ''
    this.oneName = values.last_name === ''
    this.dob = readDob(values.dob)
    this.onAddress = false
  }

  /**
   * After a rejection, shows the page that has the first error. An error for the whole step is shown on the first page.
   */
  protected override willUpdate(changed: PropertyValues): void {
    const before = changed.get('view') as typeof this.view | undefined
    super.willUpdate(changed)
    const wrong = Object.keys(this.errors)
    if (!before || before.revision === this.view.revision || wrong.length === 0) return
    const page = wrong.every(field => ofAddress.includes(field))
    if (page === this.onAddress) return
    this.onAddress = page
    void this.updateComplete.then(() => this.dispatchEvent(new PageChange(false)))
  }

  private has(field: 'name' | 'dob' | 'address' | 'ssn_4'): boolean {
    return this.view.data.fields.includes(field)
  }

  private get hasTwoPages(): boolean {
    return this.has('address') && this.view.data.fields.length > 1
  }

  /** Returns true if the current page requests this field. */
  private shows(field: 'name' | 'dob' | 'address' | 'ssn_4'): boolean {
    return this.has(field) && (!this.hasTwoPages || (field === 'address') === this.onAddress)
  }

  override hasPageBefore(): boolean {
    return this.hasTwoPages && this.onAddress
  }

  override turnBack(): void {
    this.onAddress = false
    this.errors = {}
    this.discard()
    this.dispatchEvent(new PageChange())
  }

  protected override explain(error: StepError): string | null {
    const { details } = this.words
    if (error.code === 'no_match') return details.noMatch
    if (error.code === 'too_young') return details.tooYoung
    const needs: Record<string, string> = {
      first_name: this.nameError('first_name', error.code),
      last_name: this.nameError('last_name', error.code),
      dob: error.code === 'invalid' ? details.badDob : details.needDob,
      line1: error.code === 'required' ? details.needLine1 : details.badLine,
      line2: details.badLine,
      city: error.code === 'required' ? details.needCity : details.badLine,
      state: details.needState,
      zip: error.code === 'invalid' ? details.badZip : details.needZip,
      ssn_4: details.needSsn4,
    }
    return needs[error.field ?? ''] ?? null
  }

  /** Returns the message for a name. */
  private nameError(name: 'first_name' | 'last_name', fault: string): string {
    const { details } = this.words
    if (fault === 'too_long') return details.longName(MAX_NAME_LENGTH)
    if (fault !== 'required' && fault !== 'empty') return details.badName
    return this.oneName ? details.needOnly : name === 'first_name' ? details.needFirst : details.needLast
  }

  protected override owns(field: string): boolean {
    return field === 'dob' || (texts as readonly string[]).includes(field)
  }

  /** Validates the fields on the current page. */
  private check(): Errors {
    const { details } = this.words
    const errors: Errors = {}
    const need = (name: Text, text: string, good = (value: string) => value.trim() !== '') => {
      if (!good(this.values[name])) errors[name] = text
    }
    if (this.shows('name')) {
      for (const name of this.oneName ? (['first_name'] as const) : (['first_name', 'last_name'] as const)) {
        const fault = nameFaultOf(clean(this.values[name]))
        if (fault) errors[name] = this.nameError(name, fault)
      }
    }
    if (this.shows('dob')) {
      const checked = checkDob(this.dob, this.now())
      if ('wrong' in checked)
        errors['dob'] = { missing: details.needDob, bad: details.badDob, future: details.futureDob }[checked.wrong]
    }
    if (this.shows('address')) {
      need('line1', details.needLine1)
      need('city', details.needCity)
      for (const name of ['line1', 'line2', 'city'] as const)
        if (clean(this.values[name]).length > MAX_ADDRESS_LENGTHS[name]) errors[name] = details.badLine
      need('state', details.needState)
      need('zip', details.badZip, value => stateOfZip(value.replace(/\s/g, '')) !== null)
      need('zip', details.needZip, value => /^\d{5}$|^\d{9}$/.test(digitsOf(value)))
    }
    if (this.shows('ssn_4')) need('ssn_4', details.needSsn4, value => /^\d{4}$/.test(value))
    return errors
  }

  protected override act(): void {
    const errors = this.check()
    if (this.hasTwoPages && !this.onAddress && Object.keys(errors).length === 0) {
      this.onAddress = true
      this.errors = {}
      this.dispatchEvent(new PageChange())
      return
    }
    this.submit(errors, () => {
      const checked = checkDob(this.dob, this.now())
      const pick = (...names: Text[]) => Object.fromEntries(names.map(name => [name, clean(this.values[name])]))
      return {
        action: 'submit',
        ...(this.has('name') &&
          (this.oneName ? { ...pick('first_name'), one_name: true } : pick('first_name', 'last_name'))),
        ...(this.has('dob') && 'iso' in checked ? { dob: checked.iso } : {}),
        ...(this.has('address')
          ? { ...pick('line1', 'line2', 'city', 'state'), zip: digitsOf(this.values.zip).slice(0, 5) }
          : {}),
        ...(this.has('ssn_4') ? pick('ssn_4') : {}),
      }
    })
  }

  protected override page(): ScreenParts {
    const { details } = this.words
    const { name, dob, address, ssn_4 } = Object.fromEntries(
      (['name', 'dob', 'address', 'ssn_4'] as const).map(field => [field, this.shows(field)]),
    )
    const isKnown = Object.keys(this.view.data.values).some(field => ofAddress.includes(field) === address)
    const isAddress = address && !name && !dob && !ssn_4
    return {
      ...(isAddress
        ? { title: isKnown ? details.titleAddressCheck : details.titleAddress, lead: details.leadAddress }
        : {
            title: isKnown ? details.titleCheck : details.title,
            lead: this.view.mode === 'identity_verification' ? details.leadIdentity : details.lead,
          }),
      body: html`${name ? this.names() : nothing} ${dob ? this.birth() : nothing}
        ${address ? this.address() : nothing} ${ssn_4 ? this.ssn() : nothing}
        <p class="note"><strong>${details.whyTitle}</strong> ${ssn_4 ? details.whySsn(this.view.brand.name, this.view.recipients.bureau !== undefined) : details.why}</p>`,
      action: { label: details.action },
      trust: details.trust,
    }
  }

  private field(name: Text, label: string, more: Partial<FieldOptions> = {}): TemplateResult {
    return textField({
      name,
      label,
      value: this.values[name],
      error: this.errors[name] ?? null,
      onInput: event => this.set(name, (event.target as HTMLInputElement).value),
      ...more,
    })
  }

  private set(name: Text, value: string): void {
    this.values = { ...this.values, [name]: value }
    this.clear(name)
    this.clear('')
  }

  /**
   * Handles a change to the ZIP code. A complete ZIP code fills in the state field if the field is empty. The person
   * can change the state.
   */
  private onZip(zip: string): void {
    this.set('zip', zip)
    const state = stateOfZip(zip.trim())
    if (!state || this.values.state !== '') return
    this.set('state', state)
    this.dispatchEvent(new Announcement(this.words.details.stateFound(states[state])))
  }

  private names(): TemplateResult {
    const { details } = this.words
    return html`<div class="fields" ${vars({ '--columns': this.oneName ? '1' : '2' })}>
      ${this.field('first_name', this.oneName ? details.onlyName : details.firstName, {
        autocomplete: this.oneName ? 'name' : 'given-name',
        capitalize: 'words',
      })}
      ${
        this.oneName
          ? nothing
          : this.field('last_name', details.lastName, { autocomplete: 'family-name', capitalize: 'words' })
      }
    </div>
    <label class="choice ${this.oneName ? 'on' : ''}">
      <input
        class="pick"
        type="checkbox"
        name="one_name"
        .checked=${live(this.oneName)}
        @change=${() => {
          this.oneName = !this.oneName
          this.clear('first_name')
          this.clear('last_name')
        }}
      />
      <span>${details.oneName}</span>
    </label>`
  }

  private birth(): TemplateResult {
    const { details } = this.words
    const error = this.errors['dob']
    const order = dobOrder(this.language.locale)
    const labels: Record<DobPart, string> = { month: details.month, day: details.day, year: details.year }
    return html`<fieldset class="set" @paste=${this.onPaste}>
      <legend>${details.dob}<small id="dob-hint">${details.dobHint}</small></legend>
      <div class="fields" ${vars({ '--columns': '3' })}>
        ${order.map(
          part => html`<div>
            <label class="label" for="dob-${part}">${labels[part]}</label>
            <input
              class="input digits"
              id="dob-${part}"
              name="dob-${part}"
              type="text"
              inputmode="numeric"
              autocomplete=${`bday-${part}` as 'bday'}
              aria-invalid=${error ? 'true' : 'false'}
              aria-describedby=${ifDefined(describedBy('dob', true, error))}
              .value=${this.dob[part]}
              @input=${(event: InputEvent) => this.onDob(part, event.target as HTMLInputElement, event)}
            />
          </div>`,
        )}
      </div>
      ${message('dob', error)}
    </fieldset>`
  }

  /** Handles a change to a part of the date. Once a part has been typed in full, focus moves to the next part. */
  private onDob(part: DobPart, target: HTMLInputElement, { inputType }: InputEvent): void {
    const length = part === 'year' ? 4 : 2
    this.dob = { ...this.dob, [part]: keepDigits(target, length, this.dob[part]) }
    this.clear('dob')
    const order = dobOrder(this.language.locale)
    const next = order[order.indexOf(part) + 1]
    if (next && inputType === 'insertText' && target.value.length === length)
      this.querySelector<HTMLInputElement>(`#dob-${next}`)?.select()
  }

  private readonly onPaste = (event: ClipboardEvent): void => {
    const whole = readPasted(event.clipboardData?.getData('text') ?? '', dobOrder(this.language.locale))
    if (!whole) return
    event.preventDefault()
    this.dob = whole
    this.clear('dob')
  }

  private address(): TemplateResult {
    const { details } = this.words
    return html`<div class="stack">
      ${this.field('line1', details.line1, { autocomplete: 'address-line1', capitalize: 'words' })}
      ${this.field('line2', details.line2, { autocomplete: 'address-line2', aside: details.optional })}
      <div class="fields">
        ${this.field('zip', details.zip, {
          autocomplete: 'postal-code',
          inputmode: 'numeric',
          digits: true,
          onInput: event => this.onZip(readZip((event.target as HTMLInputElement).value)),
        })}
        ${this.stateField()}
      </div>
      ${this.field('city', details.city, { autocomplete: 'address-level2', capitalize: 'words' })}
    </div>`
  }

  private stateField(): TemplateResult {
    const { details } = this.words
    return selectField({
      name: 'state',
      label: details.state,
      value: this.values.state,
      choose: details.stateChoose,
      options: Object.entries(states),
      error: this.errors['state'],
      autocomplete: 'address-level1',
      onChange: value => this.set('state', value),
    })
  }

  private ssn(): TemplateResult {
    const { details } = this.words
    const error = this.errors['ssn_4'] ?? null
    return html`<div>
      <label class="label" for="ssn_4">${details.ssn4}</label>
      <p class="hint" id="ssn_4-hint">${details.ssn4Hint}</p>
      <div class="short">
        ${input({
          name: 'ssn_4',
          label: details.ssn4,
          hint: details.ssn4Hint,
          value: this.values.ssn_4,
          error,
          inputmode: 'numeric',
          digits: true,
          onInput: event =>
            this.set('ssn_4', readLastFour((event.target as HTMLInputElement).value) ?? this.values.ssn_4),
        })}
      </div>
      ${message('ssn_4', error)}
    </div>`
  }
}
