/** The review before confirmation: every amount, the remainder, and what the confirmation authorizes. */
import type { StepError } from '@causeway/contract/session'
import { html, nothing, type PropertyValues } from 'lit'
import { customElement, state } from 'lit/decorators.js'
import { amountTable, editIcon } from '../../parts/amount-table.js'
import { icons } from '../../parts/icons.js'
import { legal } from '../../parts/legal.js'
import type { DocumentText } from '../../words/documents.js'
import { Screen, type ScreenParts } from '../screen.js'

@customElement('screen-review')
export class ReviewScreen extends Screen<'review'> {
  @state() private text: DocumentText | null = null

  protected override updated(changed: PropertyValues): void {
    if (changed.has('language') && this.text) void this.onOpen()
  }

  protected override explain(error: StepError): string | null {
    return error.code === 'account_unpayable' ? this.words.allocation.unpayable : null
  }

  protected override act(): void {
    this.submit({}, () => ({ action: 'confirm', locale: this.language.locale }))
  }

  protected override page(): ScreenParts {
    const { review, consent } = this.words
    const { accounts, allocations, terms, authorization } = this.view.data
    const brand = this.view.brand.name
    return {
      title: review.title,
      lead: review.lead(brand),
      body: html`<div>
          ${amountTable({ accounts, allocations, terms, brand, language: this.language })}
          ${
            this.view.can_go_back
              ? html`<button class="textlink" type="button" @click=${() => this.ask({ action: 'back' })}>
                  ${editIcon()}${review.edit}
                </button>`
              : nothing
          }
        </div>
        <p class="hint">${review.interest}</p>
        <details class="more" @toggle=${this.onOpen}>
          <summary><span>${review.read}</span>${icons.down()}</summary>
          ${
            this.text
              ? html`${consent.documentsIn ? html`<p>${consent.documentsIn}</p>` : nothing}
                  ${legal(this.text, this.words)}
                  <p>${consent.documentVersion(authorization.version)}</p>`
              : html`<p>${consent.documentLoading}</p>`
          }
        </details>`,
      agreement: review.authorization(brand),
      action: { label: review.action },
      trust: review.trust,
    }
  }

  private readonly onOpen = async (): Promise<void> => {
    const { id, version } = this.view.data.authorization
    const { loadDocuments } = await import('../../words/documents.js')
    this.text = (await loadDocuments(this.language))({ id, version, shares: [] }, this.view)
  }
}
