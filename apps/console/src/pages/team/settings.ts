/** The team's settings: brand, origins, payments and API version. Shows what changes before it saves. */
import type { Team } from '@causeway/sdk'
import { html, nothing, type TemplateResult } from 'lit'
import { customElement, state } from 'lit/decorators.js'
import { live } from 'lit/directives/live.js'
import { sourceName } from '../../accounts.js'
import { Page } from '../../page.js'
import { ApprovalNote } from '../../parts/approval-note.js'
import { ApprovalAsked, confirm } from '../../parts/dialogs.js'
import { factList } from '../../parts/fact-list.js'
import { loadingPage, pageHeader } from '../../parts/page-header.js'
import { card, loadFault } from '../../parts/panel.js'
import { isUsable, readSources, sourceOptions, unusableList } from '../../parts/source-choice.js'
import { may, type Sources } from '../../shapes.js'
import { words } from '../../words.js'
import { type ApprovalSettings, approvalSettings } from './approval-settings.js'
import { changesIn, type Draft, draftOf, toRequest } from './settings-draft.js'

const { settings: text } = words

const DEFAULT_COLOR = '#1d4ed8'

@customElement('page-settings')
export class SettingsPage extends Page {
  private readonly team = this.load<Team>()
  private readonly approvals = this.load<ApprovalSettings>()
  private readonly sources = this.load<Sources>()
  private readonly approval = new ApprovalNote(this.load())
  /** The values as entered; null until the user changes something. */
  @state() private draft: Draft | null = null

  override get heading(): string {
    return text.title
  }

  protected override render(): TemplateResult {
    const { console, team } = this
    team.read('team', signal => console.api.get('/team', {}, signal))
    this.sources.read('sources', signal => readSources(console.api, signal))
    const { value } = team
    const instead = loadingPage(console, team, { title: text.title, missing: '' })
    if (instead || !value) return instead ?? html``
    const draft = this.draft ?? draftOf(value)
    const changes = changesIn(value, draft)
    const readOnly = !may(console.session, 'settings')
    const field = (name: keyof Draft, type = 'text', more: { max?: number; hint?: string } = {}) =>
      html`<label class="field"
        ><span>${text.fields[name]}</span
        ><input
          class="input"
          name=${name}
          type=${type}
          maxlength=${more.max ?? nothing}
          min=${type === 'number' ? '1' : nothing}
          step=${type === 'number' ? 'any' : nothing}
          ?readonly=${readOnly}
          .value=${draft[name]}
          @input=${this.onInput}
        />${more.hint ? html`<small>${more.hint}</small>` : nothing}</label
      >`
    const choice = (name: keyof Draft, options: readonly (readonly [string, string])[]) =>
      html`<label class="field"
        ><span>${text.fields[name]}</span
        ><select class="input" name=${name} ?disabled=${readOnly} @change=${this.onInput}>
          ${options.map(([option, shown]) => html`<option value=${option} .selected=${live(option === draft[name])}>${shown}</option>`)}
        </select></label
      >`
    return html`${pageHeader(console, { title: text.title })} ${this.approval.draw(console, { resource_id: value.id })}
      <form class="stack" @submit=${(event: SubmitEvent) => void this.save(event, value)}>
        <div class="two">
          <div class="stack">
            ${card(
              text.brand,
              html`<div class="form">
                ${field('brand_name', 'text', { max: 60 })}
                ${field('brand_color', 'text', { max: 7, hint: text.colorHint })}
                ${field('support_url', 'url')} ${field('privacy_url', 'url')}
                ${choice('appearance', Object.entries(text.appearances))}
              </div>`,
            )}
            ${card(
              text.embedding,
              html`<label class="field"
                ><span>${text.fields.origins}</span
                ><textarea class="input" name="origins" rows="3" spellcheck="false" ?readonly=${readOnly} .value=${draft.origins} @input=${this.onInput}></textarea
                ><small>${text.originsHint}</small></label
              >`,
            )}
            ${card(
              text.payments,
              html`<div class="form">
                ${field('payment_description', 'text', { max: 10 })} ${field('payment_amount_max', 'number', { hint: text.noLimit })}
                ${field('payments_per_month', 'number', { hint: text.noLimit })} ${this.sourceField(draft, readOnly)}
              </div>`,
            )}
            ${card(
              text.api,
              html`<div class="form">
                ${choice('webhook_schedule', Object.entries(text.schedules))}
                ${factList([text.version, html`<code>${value.version}</code>`], [text.teamId, html`<span class="id">${value.id}</span>`])}
              </div>`,
            )}
          </div>
          <div class="stack">
            ${card(text.preview, preview(draft))}
            ${approvalSettings(console, this.approvals, () => this.refresh())}
          </div>
        </div>
        ${
          readOnly
            ? html`<p class="soft">${text.readOnly}</p>`
            : html`<div class="actions save-bar">
                <button class="btn go" ?disabled=${changes.length === 0}>${text.save(changes.length)}</button>
                ${changes.length > 0 ? html`<button class="btn" type="button" @click=${this.reset}>${text.discard}</button>` : nothing}
              </div>`
        }
      </form>`
  }

  /** The default source account, and why other accounts of the team can't be chosen. */
  private sourceField({ default_source: chosen }: Draft, isReadOnly: boolean): TemplateResult {
    const { sources } = this
    const { value } = sources
    if (!value) return html`${sources.failure ? loadFault(sources, 'viewer') : nothing}`
    const isKnown = chosen === '' || value.data.some(({ id }) => id === chosen)
    return html`<div>
      <label class="field"
        ><span>${text.fields.default_source}</span
        ><select class="input" name="default_source" ?disabled=${isReadOnly} @change=${this.onInput}>
          <option value="" .selected=${live(chosen === '')}>${words.sources.none}</option>
          ${isKnown ? nothing : html`<option value=${chosen} selected>${chosen}</option>`}
          ${sourceOptions(value.data, chosen, () => '')}
        </select><small>${value.data.some(isUsable) ? words.sources.hint : words.sources.create}</small></label
      >
      ${unusableList(value)}
    </div>`
  }

  private readonly onInput = (event: Event): void => {
    const { name, value } = event.target as HTMLInputElement
    this.draft = { ...(this.draft ?? draftOf(this.team.value!)), [name]: value }
  }

  private readonly reset = (): void => {
    this.draft = null
  }

  /** Shows the changes and, if the user agrees, saves them. */
  private async save(event: SubmitEvent, team: Team): Promise<void> {
    event.preventDefault()
    const { draft, console } = this
    if (!draft) return
    const changes = changesIn(team, draft)
    const shown = (name: keyof Draft, value: string) => {
      const source = name === 'default_source' && this.sources.value?.data.find(({ id }) => id === value)
      return source ? sourceName(source) : value || text.empty
    }
    // A request that waits for a second person has these changes. The note about it is at the top of the page.
    const asked = () => {
      this.draft = null
      scrollTo({ top: 0 })
    }
    document.addEventListener(ApprovalAsked.type, asked)
    const done = await confirm({
      title: text.saveTitle,
      body: html`<dl class="facts">
        ${changes.map(
          ({ name, before, after }) =>
            html`<dt>${text.fields[name]}</dt>
              <dd><del>${shown(name, before)}</del> <ins>${shown(name, after)}</ins></dd>`,
        )}
      </dl>`,
      action: text.saveAction,
      run: async (_, { reason }) => {
        await console.api.send('PATCH', '/team', toRequest(changes), undefined, reason)
      },
    })
    document.removeEventListener(ApprovalAsked.type, asked)
    if (!done) return
    this.draft = null
    console.say(text.saved)
    this.refresh()
  }
}

/** Draws the first screen of the flow in the brand's name and color. The page's policy forbids inline styles. */
const preview = ({ brand_name: name, brand_color: color, appearance }: Draft): TemplateResult =>
  html`<div class="preview ${appearance}" aria-label=${text.previewLabel} role="img">
    <div class="preview-head">
      <svg class="preview-mark" viewBox="0 0 28 28">
        <rect width="28" height="28" rx="6" fill=${colorOf(color)} />
        <text x="14" y="19">${name.trim().charAt(0).toUpperCase()}</text>
      </svg>
      <b>${name}</b>
    </div>
    <strong>${text.previewTitle}</strong>
    <p>${text.previewText(name)}</p>
    <svg class="preview-button">
      <rect width="100%" height="100%" rx="12" fill=${colorOf(color)} />
      <text x="50%" y="27">${text.previewButton}</text>
    </svg>
  </div>`

const colorOf = (color: string): string => (/^#[0-9a-f]{6}$/i.test(color) ? color : DEFAULT_COLOR)
