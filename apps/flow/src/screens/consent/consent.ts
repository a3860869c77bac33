/** The consent screen: who receives which data and why, what will not happen, and the full documents. */
import { html, nothing, type TemplateResult } from 'lit'
import { customElement, state } from 'lit/decorators.js'
import { icons } from '../../parts/icons.js'
import type { textOf } from '../../words/documents.en.js'
import { type Page, Screen } from '../screen.js'

@customElement('screen-consent')
export class ConsentScreen extends Screen<'consent'> {
  @state() private textOf: typeof textOf | null = null

  protected override act(): void {
    const { documents } = this.view.data
    this.ask({ action: 'accept', documents, locale: this.language.locale })
  }

  protected override page(): Page {
    const { consent } = this.words
    const brand = this.view.brand.name
    const { title, lead, share, why } = this.said()
    const pays = this.view.mode === 'balance_transfer'
    const asksBureau = this.view.data.documents.some(({ id }) => id === 'credit_report')
    return {
      title,
      lead: lead(brand),
      body: html`<ul class="points">
          ${point(icons.list(), consent.shareTitle(brand), share(brand))}
          ${asksBureau ? point(icons.gauge(), consent.bureauTitle, consent.bureau) : nothing}
          ${point(icons.lock(), consent.serviceTitle, consent.service(brand))}
          ${point(icons.target(), consent.whyTitle, why(brand))}
          ${pays ? point(icons.hold(), consent.nothingTitle, consent.nothing(brand)) : nothing}
        </ul>
        <section>
          <h2 id="documents" tabindex="-1">${consent.documentsTitle}</h2>
          <div class="papers">${this.view.data.documents.map(document => this.paper(document))}</div>
          ${consent.documentsIn ? html`<p class="hint">${consent.documentsIn}</p>` : nothing}
          <button class="textlink" type="button" @click=${this.print}>${icons.print()}${consent.documentPrint}</button>
          <p class="hint">${consent.withdraw(brand)}</p>
        </section>`,
      action: { label: consent.action },
      agreement: html`${consent.agree(this.view.data.documents.length)}
        <button class="textlink inline" type="button" @click=${this.toDocuments}>${consent.read}</button>`,
    }
  }

  /** Returns the texts for the current mode. */
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

  private paper({ id, version }: { id: string; version: string }): TemplateResult {
    const { consent, documents } = this.words
    const name = documents[id as keyof typeof documents] ?? documents.other
    return html`<details class="more" @toggle=${this.onOpen}>
      <summary><span>${name}</span>${icons.down()}</summary>
      <div class="paper">
        ${
          this.textOf
            ? this.textOf(id, version)(this.view.brand.name).map(text => html`<p lang="en" dir="ltr">${text}</p>`)
            : html`<p>${consent.documentLoading}</p>`
        }
        <p>${consent.documentVersion(version)}</p>
      </div>
    </details>`
  }

  private readonly toDocuments = (): void => {
    const title = this.querySelector<HTMLElement>('#documents')
    title?.focus({ preventScroll: true })
    title?.scrollIntoView()
  }

  private readonly print = async (): Promise<void> => {
    const { consent } = this.words
    const brand = this.view.brand.name
    const { openPaper } = await import('../../parts/paper.js')
    const documents = this.view.data.documents.map(({ id, version }) => ({
      id,
      version,
      note: consent.documentVersion(version),
    }))
    const lead = `${brand} · ${this.language.date(new Date(this.now()).toISOString())}`
    openPaper(window, { title: consent.documentsTitle, lead, facts: [], sums: [], documents }, brand, this.language)
  }

  private readonly onOpen = async (): Promise<void> => {
    this.textOf ??= (await import('../../words/documents.en.js')).textOf
  }
}

const point = (icon: TemplateResult, title: string, text: string) =>
  html`<li class="point"><span class="point-mark">${icon}</span><div><h2>${title}</h2><p>${text}</p></div></li>`
