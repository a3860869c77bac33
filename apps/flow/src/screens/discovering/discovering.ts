/**
 * Waits for the credit bureau and the lenders to respond. The screen names the bureau and the lenders. The person can
 * leave at any time.
 */
import { html, nothing, type PropertyValues } from 'lit'
import { customElement } from 'lit/decorators.js'
import { icons } from '../../parts/icons.js'
import { Announcement, ExitRequest } from '../../requests.js'
import { Screen, type ScreenParts } from '../screen.js'

/** The maximum number of lenders to name. */
const MAX_NAMED_LENDERS = 4

@customElement('screen-discovering')
export class DiscoveringScreen extends Screen<'discovering'> {
  private said = ''

  protected override act(): void {
    this.dispatchEvent(new ExitRequest())
  }

  private get names(): string[] {
    const { discovering } = this.words
    const names = this.view.data.asking.map(name => (name === 'bureau' ? discovering.bureau : name))
    const more = names.length - MAX_NAMED_LENDERS
    return more > 0 ? [...names.slice(0, MAX_NAMED_LENDERS), discovering.others(more)] : names
  }

  protected override updated(changed: PropertyValues): void {
    const { discovering } = this.words
    const asking = this.language.list(this.names)
    if (!changed.has('view') || asking === '') return
    const said = `${discovering.announce(asking)} ${this.view.data.slow ? discovering.slow : ''}`.trim()
    if (said === this.said) return
    this.said = said
    this.dispatchEvent(new Announcement(said))
  }

  protected override page(): ScreenParts {
    const { discovering } = this.words
    const { asking, slow } = this.view.data
    const hasBureau = this.view.recipients.bureau !== undefined
    const bureauAnswered = hasBureau && asking.length > 0 && !asking.includes('bureau')
    return {
      title: discovering.title,
      lead: discovering.lead,
      body: html`<ul class="asks">
          ${bureauAnswered ? html`<li class="was">${icons.check()}${discovering.bureauDone}</li>` : nothing}
          ${this.names.map(name => html`<li><span class="spinner"></span>${discovering.asking(name)}</li>`)}
        </ul>
        ${slow ? html`<p class="note">${discovering.slow}</p>` : nothing}
        <div class="rows" aria-hidden="true">
          ${[0, 1, 2].map(
            () => html`<div class="row">
              <span class="bone mark"></span><span><i class="bone line"></i><i class="bone line long"></i></span
              ><span class="bone sum"></span>
            </div>`,
          )}
        </div>`,
      second: html`<button class="second wide" type="button" @click=${() => this.act()}>${discovering.leave}</button>`,
      trust: discovering.trust,
    }
  }
}
