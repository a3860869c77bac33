/** Permission: what is shared, why, what will not happen, and the documents that say so in full. */
import { html, nothing, type TemplateResult } from 'lit'
import { customElement, state } from 'lit/decorators.js'
import { icons } from '../../parts/icons.js'
import type { LegalText } from '../../words/documents.en.js'
import { type Page, Screen } from '../screen.js'

@customElement('screen-consent')
export class ConsentScreen extends Screen<'consent'> {
  @state() private texts: Record<string, LegalText> | null = null

  protected override act(): void {
    const { documents } = this.view.data
    this.ask({ action: 'accept', documents, locale: this.language.locale })
  }

  protected override page(): Page {
    const { consent } = this.words
    const brand = this.view.brand.name
    const transfer = this.view.mode === 'balance_transfer'
    return {
      title: transfer ? consent.titleTransfer : consent.titleConnect,
      lead: consent.lead(brand),
      body: html`<ul class="points">
          ${point(icons.list(), consent.shareTitle, consent.share(brand))}
          ${point(icons.target(), consent.whyTitle, transfer ? consent.whyTransfer(brand) : consent.whyConnect(brand))}
          ${point(icons.gauge(), consent.scoreTitle, consent.score)}
          ${transfer ? point(icons.hold(), consent.nothingTitle, consent.nothing(brand)) : nothing}
        </ul>
        <section>
          <h2>${consent.documentsTitle}</h2>
          <div class="papers">${this.view.data.documents.map(document => this.paper(document))}</div>
          ${consent.documentsIn ? html`<p class="hint">${consent.documentsIn}</p>` : nothing}
          <button class="textlink" type="button" @click=${this.print}>${icons.print()}${consent.documentPrint}</button>
          <p class="hint">${consent.agree}</p>
        </section>`,
      action: { label: consent.action },
      trust: consent.trust(brand),
    }
  }

  private paper({ id, version }: { id: string; version: string }): TemplateResult {
    const { consent, documents } = this.words
    const name = documents[id as keyof typeof documents] ?? documents.other
    return html`<details class="more" @toggle=${this.onOpen}>
      <summary><span>${name}</span>${icons.down()}</summary>
      <div class="paper">
        ${
          this.texts
            ? (this.texts[id] ?? this.texts['other'])!(this.view.brand.name).map(
                text => html`<p lang="en" dir="ltr">${text}</p>`,
              )
            : html`<p>${consent.documentLoading}</p>`
        }
        <p>${consent.documentVersion(version)}</p>
      </div>
    </details>`
  }

  private readonly print = async (): Promise<void> => {
    const { consent, documents: names } = this.words
    const brand = this.view.brand.name
    const [{ openPaper }, texts] = await Promise.all([
      import('../../parts/paper.js'),
      import('../../words/documents.en.js'),
    ])
    const sections = this.view.data.documents.map(({ id, version }) => ({
      title: names[id as keyof typeof names] ?? names.other,
      paragraphs: [...(texts.documents[id] ?? texts.documents['other'])!(brand), consent.documentVersion(version)],
    }))
    const lead = `${brand} · ${this.language.date(new Date(this.now()).toISOString())}`
    openPaper(window, { title: consent.documentsTitle, lead, sums: [], sections }, this.language)
  }

  private readonly onOpen = async (): Promise<void> => {
    this.texts ??= (await import('../../words/documents.en.js')).documents
  }
}

const point = (icon: TemplateResult, title: string, text: string) =>
  html`<li class="point"><span class="point-mark">${icon}</span><div><h2>${title}</h2><p>${text}</p></div></li>`
