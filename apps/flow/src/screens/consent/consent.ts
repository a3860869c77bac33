/** The consent screen: who receives which data and why, what the service will not do, and the full documents. */
import { html, nothing, type PropertyValues, type TemplateResult } from 'lit'
import { customElement, state } from 'lit/decorators.js'
import { icons } from '../../parts/icons.js'
import { legal } from '../../parts/legal.js'
import { isOnMobileNetwork } from '../../parts/mobile-network.js'
import type { DocumentTexts } from '../../words/documents.js'
import { Screen, type ScreenParts } from '../screen.js'

/** A document that the person must agree to, or that they agreed to earlier, at the time `at`. */
interface Shown {
  id: string
  version: string
  at?: string
}

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
    const count = documents.length
    const agree =
      count === 0 ? consent.confirm(carried.length) : (carried.length ? consent.agreeNew : consent.agree)(count)
    return {
      title,
      lead: lead(brand),
      body: html`<ul class="points">${this.points(brand)}</ul>
        ${carried.length ? this.papers(consent.carriedTitle, carried) : nothing}
        ${count ? this.papers(carried.length ? consent.newTitle : consent.documentsTitle, documents) : nothing}
        <div>
          ${consent.documentsIn ? html`<p class="hint">${consent.documentsIn}</p>` : nothing}
          <button class="textlink" type="button" @click=${this.print}>${icons.print()}${consent.documentPrint}</button>
          <p class="hint">${consent.withdraw(brand)}</p>
        </div>`,
      action: { label: consent.action },
      agreement: html`${agree}
        <button class="textlink inline" type="button" @click=${this.toDocuments}>${consent.read}</button>`,
    }
  }

  /** Returns the key points. Omits the data and its recipients if there are no documents left to agree to. */
  private points(brand: string): unknown[] {
    const { consent } = this.words
    const { documents, carried } = this.view.data
    const { service, bureau } = this.view.recipients
    const { share, why } = this.said()
    const asksBureau = [...documents, ...carried].some(({ id }) => id === 'credit_report')
    return [
      documents.length
        ? [
            point(icons.list(), consent.receives(brand), share(brand, bureau !== undefined)),
            asksBureau ? point(icons.gauge(), consent.receives(bureau ?? consent.aBureau), consent.bureau) : nothing,
            point(icons.lock(), consent.receives(service), consent.service(brand)),
          ]
        : nothing,
      point(icons.target(), consent.whyTitle, why(brand)),
      this.view.mode === 'balance_transfer'
        ? point(icons.hold(), consent.nothingTitle, consent.nothing(brand))
        : nothing,
    ]
  }

  /** Returns the text for the current mode. */
  private said() {
    const { consent } = this.words
    const { lead, share } = consent
    const asConnect = { title: consent.titleConnect, lead, share, why: consent.whyConnect }
    switch (this.view.mode) {
      case 'balance_transfer':
        return { ...asConnect, title: consent.titleTransfer, why: consent.whyTransfer }
      case 'identity_verification':
        return {
          title: consent.titleIdentity,
          lead: consent.leadIdentity,
          share: consent.shareIdentity,
          why: consent.whyIdentity,
        }
      case 'card_connect':
        return { ...asConnect, title: consent.titleCards }
      case 'account_verification':
        return {
          title: consent.titleAccount,
          lead: consent.leadAccount,
          share: consent.shareAccount,
          why: consent.whyIdentity,
        }
      case 'transactions':
        return {
          title: consent.titleTransactions(this.view.brand.name),
          lead,
          share: consent.shareTransactions,
          why: consent.whyTransactions,
        }
      default:
        return asConnect
    }
  }

  private papers(title: string, documents: readonly Shown[]): TemplateResult {
    return html`<section>
      <h2 class="papers-title" tabindex="-1">${title}</h2>
      <div class="papers">${documents.map(document => this.paper(document))}</div>
    </section>`
  }

  private paper({ id, version, at }: Shown): TemplateResult {
    const { consent, documents } = this.words
    const name = documents[id as keyof typeof documents] ?? documents.other
    return html`<details class="more" @toggle=${this.onOpen}>
      <summary>
        <span>${name}${at ? html`<small>${consent.carried(this.language.date(at))}</small>` : nothing}</span>${icons.down()}
      </summary>
      <div class="paper">
        ${this.texts ? legal(this.texts(id, version, this.view), this.words) : html`<p>${consent.documentLoading}</p>`}
        <p>${consent.documentVersion(version)}</p>
      </div>
    </details>`
  }

  private readonly toDocuments = (): void => {
    const title = this.querySelector<HTMLElement>('.papers-title')
    title?.focus({ preventScroll: true })
    title?.scrollIntoView()
  }

  private readonly print = async (): Promise<void> => {
    const { consent } = this.words
    const { openPrintableCopy } = await import('../../parts/printable-copy.js')
    const documents = [...this.view.data.documents, ...this.view.data.carried].map(({ id, version }) => ({
      id,
      version,
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
