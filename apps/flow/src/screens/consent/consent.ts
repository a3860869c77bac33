/** The consent screen: who receives which data and why, what the service will not do, and the full documents. */
import { html, nothing, type PropertyValues, type TemplateResult } from 'lit'
import { customElement, state } from 'lit/decorators.js'
import { icons } from '../../parts/icons.js'
import { legal } from '../../parts/legal.js'
import { isOnMobileNetwork } from '../../parts/mobile-network.js'
import type { DocumentTexts, ListedDocument } from '../../words/documents.js'
import { Screen, type ScreenParts } from '../screen.js'

/** A document that the person must agree to, or that they agreed to earlier, at the time `at`. */
type Shown = ListedDocument & { at?: string }

@customElement('screen-consent')
export class ConsentScreen extends Screen<'consent'> {
  @state() private texts: DocumentTexts | null = null

  protected override updated(changed: PropertyValues): void {
    if (changed.has('language') && this.texts) void this.onOpen()
  }

  protected override act(): void {
    const { data, recipients } = this.view
    this.ask({
      action: 'accept',
      documents: data.documents,
      locale: this.language.locale,
      recipients,
      ...(isOnMobileNetwork() ? { silent: true } : {}),
    })
  }

  protected override page(): ScreenParts {
    const { consent } = this.words
    const { documents, carried } = this.view.data
    const brand = this.view.brand.name
    const { title, lead } = this.said()
    const agree = (carried.length ? consent.agreeNew : consent.agree)(documents.length)
    return {
      title,
      ...(lead && { lead: lead(brand) }),
      body: html`<ul class="points">${this.summary(brand)}</ul>
        <details class="more">
          <summary><span>${consent.details}</span>${icons.down()}</summary>
          <ul class="points">${this.points(brand)}</ul>
          ${carried.length ? this.papers(consent.carriedTitle, carried) : nothing}
          ${this.papers(carried.length ? consent.newTitle : consent.documentsTitle, this.asked)}
          <div>
            <button class="textlink" type="button" @click=${this.print}>${icons.print()}${consent.documentPrint}</button>
            <p class="hint">${consent.withdraw(brand)}</p>
          </div>
        </details>
        ${consent.documentsIn ? html`<p class="hint">${consent.documentsIn}</p>` : nothing}`,
      action: { label: consent.action },
      agreement: html`${agree}
        <button class="textlink inline" type="button" @click=${this.toDocuments}>${consent.read}</button>`,
    }
  }

  /** Returns the name of the credit bureau that the session queries, or undefined if it queries none. */
  private get bureau(): string | undefined {
    const { bureau } = this.view.recipients
    const isAsked = this.view.data.documents.some(({ id }) => id === 'credit_report')
    return isAsked && bureau !== undefined ? (bureau ?? this.words.consent.aBureau) : undefined
  }

  /** Returns what the person must know before they agree: the data, and whether a bureau is queried. */
  private summary(brand: string): unknown[] {
    const { consent } = this.words
    const { shares, carried } = this.view.data
    const list = new Intl.ListFormat(this.language.locale).format(shares.map(kind => consent.data[kind]))
    const isEverything = shares.length === Object.keys(consent.data).length
    const say = isEverything || carried.length ? consent.shares : consent.sharesOnly
    return [
      shares.length ? fact(icons.list(), say(brand, list)) : nothing,
      this.bureau
        ? fact(icons.gauge(), consent.softCheck(this.bureau) + (isEverything ? '' : ` ${consent.scoreKept}`))
        : nothing,
    ]
  }

  /** Returns the points of the details. */
  private points(brand: string): unknown[] {
    const { consent } = this.words
    const { service } = this.view.recipients
    return [
      this.bureau ? point(icons.gauge(), consent.receives(this.bureau), consent.bureau) : nothing,
      point(icons.lock(), consent.receives(service), consent.service(brand)),
      point(icons.target(), consent.whyTitle, this.said().why(brand)),
      this.view.mode === 'balance_transfer'
        ? point(icons.hold(), consent.nothingTitle, consent.nothing(brand))
        : nothing,
    ]
  }

  /** Returns the text for the current mode. */
  private said(): { title: string; lead?: (brand: string) => string; why: (brand: string) => string } {
    const { consent } = this.words
    const asConnect = { title: consent.titleConnect, why: consent.whyConnect }
    switch (this.view.mode) {
      case 'balance_transfer':
        return { title: consent.titleTransfer, why: consent.whyTransfer }
      case 'identity_verification':
        return { title: consent.titleIdentity, lead: consent.leadIdentity, why: consent.whyIdentity }
      case 'card_connect':
        return { ...asConnect, title: consent.titleCards }
      case 'account_verification':
        return { title: consent.titleAccount, lead: consent.leadAccount, why: consent.whyIdentity }
      case 'transactions':
        return { title: consent.titleTransactions(this.view.brand.name), why: consent.whyTransactions }
      default:
        return asConnect
    }
  }

  /** The documents to agree to, whose text names the new data. */
  private get asked(): ListedDocument[] {
    const { documents, shares } = this.view.data
    return documents.map(document => ({ ...document, shares }))
  }

  private papers(title: string, documents: readonly Shown[]): TemplateResult {
    return html`<section>
      <h2 class="papers-title" tabindex="-1">${title}</h2>
      <div class="papers">${documents.map(document => this.paper(document))}</div>
    </section>`
  }

  private paper({ id, version, shares, at }: Shown): TemplateResult {
    const { consent, documents } = this.words
    const name = documents[id as keyof typeof documents] ?? documents.other
    return html`<details class="more" @toggle=${this.onOpen}>
      <summary>
        <span>${name}${at ? html`<small>${consent.carried(this.language.date(at))}</small>` : nothing}</span>${icons.down()}
      </summary>
      <div class="paper">
        ${this.texts ? legal(this.texts({ id, version, shares }, this.view), this.words) : html`<p>${consent.documentLoading}</p>`}
        <p>${consent.documentVersion(version)}</p>
      </div>
    </details>`
  }

  private readonly toDocuments = (): void => {
    this.querySelector('details')!.open = true
    const title = this.querySelector<HTMLElement>('.papers-title')
    title?.focus({ preventScroll: true })
    title?.scrollIntoView()
  }

  private readonly print = async (): Promise<void> => {
    const { consent } = this.words
    const { openPrintableCopy } = await import('../../parts/printable-copy.js')
    const documents = [...this.asked, ...this.view.data.carried].map(({ id, version, shares }) => ({
      id,
      version,
      shares,
      note: consent.documentVersion(version),
    }))
    const lead = `${this.view.brand.name} · ${this.language.date(new Date(this.now()).toISOString())}`
    await openPrintableCopy(
      window,
      { title: consent.documentsTitle, lead, facts: [], sums: [], documents },
      this.view,
      this.language,
    )
  }

  private readonly onOpen = async (): Promise<void> => {
    const { loadDocuments } = await import('../../words/documents.js')
    this.texts = await loadDocuments(this.language)
  }
}

const point = (icon: TemplateResult, title: string, text: string) =>
  html`<li class="point"><span class="point-mark">${icon}</span><div><h2>${title}</h2><p>${text}</p></div></li>`

const fact = (icon: TemplateResult, text: string) =>
  html`<li class="point fact"><span class="point-mark">${icon}</span><p>${text}</p></li>`
