/**
 * Searches by id, by words in a name, or by the last four digits of a number. Also lists matching pages and commands. The
 * text is sent in a POST body, never in a URL.
 */
import type { SearchHit } from '@causeway/sdk'
import { html, LitElement, nothing, type TemplateResult } from 'lit'
import { customElement, property, query, state } from 'lit/decorators.js'
import type { Api } from '../api.js'
import type { Format } from '../format.js'
import { type IconName, icon } from '../parts/icons.js'
import { paymentPill, statusPill } from '../parts/marks.js'
import { resourcePageList } from '../resource-pages.js'
import { pathOf } from '../router.js'
import { words } from '../words.js'
import type { NavEntry } from './nav.js'

/** The search starts after typing has paused for this many milliseconds. */
const TYPING_PAUSE_MS = 120

const icons: Readonly<Record<SearchHit['kind'], IconName>> = {
  payment: 'pay',
  person: 'people',
  account: 'people',
  session: 'route',
  webhook: 'hook',
  request: 'list',
  event: 'bolt',
}

/** An action that the search offers by its name. */
export interface Command {
  icon: IconName
  text: string
  run: () => void
}

interface Choice {
  /** The address to open, or the command to run. */
  to: string | Command
  icon: IconName
  title: string
  hint: string | null
  mark?: TemplateResult
}

@customElement('console-search')
export class ConsoleSearch extends LitElement {
  @property({ attribute: false }) api!: Api
  @property({ attribute: false }) go: (address: string) => void = () => undefined
  @property({ attribute: false }) format: Format | null = null
  /** The pages in the navigation. */
  @property({ attribute: false }) entries: readonly NavEntry[] = []
  @property({ attribute: false }) commands: readonly Command[] = []
  @state() private typed = ''
  @state() private hits: SearchHit[] = []
  @state() private failed = false
  @state() private settled = true
  @state() private at = 0
  @query('dialog') private dialog!: HTMLDialogElement
  @query('input') private input!: HTMLInputElement
  private timer = 0
  private turn = 0

  protected override createRenderRoot(): HTMLElement {
    return this
  }

  show(): void {
    if (this.dialog.open) return
    this.typed = ''
    this.hits = []
    this.failed = false
    this.at = 0
    this.dialog.showModal()
    this.input.value = ''
    this.input.focus()
  }

  private get choices(): Choice[] {
    const text = this.typed.trim()
    const page = text.toLowerCase()
    const direct = pathOf(resourcePageList, text)
    return [
      ...(direct ? [{ to: direct, icon: 'next' as const, title: words.find.open(text), hint: null }] : []),
      ...this.hits.flatMap(hit => {
        const href = pathOf(resourcePageList, hit.id)
        if (!href || href === direct) return []
        const mark = hit.status ? (hit.kind === 'payment' ? paymentPill(hit.status) : statusPill(hit.status)) : null
        const hint = [hit.hint, this.format?.text(hit.created_at, 'moment')].filter(Boolean).join(' · ')
        return { to: href, icon: icons[hit.kind], title: hit.title, hint, ...(mark ? { mark } : {}) }
      }),
      ...this.entries
        .filter(each => page === '' || each.text.toLowerCase().includes(page))
        .map(each => ({
          to: each.href,
          icon: each.icon,
          title: words.find.go(each.text),
          hint: each.key ? `g ${each.key}` : null,
        })),
      ...this.commands
        .filter(each => page !== '' && each.text.toLowerCase().includes(page))
        .map(each => ({ to: each, icon: each.icon, title: each.text, hint: words.find.command })),
    ]
  }

  protected override render(): TemplateResult {
    const { choices } = this
    const status = this.failed
      ? words.find.failed
      : this.typed.trim() && this.settled
        ? choices.length === 0
          ? words.find.none
          : words.find.found(choices.length)
        : ''
    return html`<dialog class="search" aria-label=${words.find.title} @click=${this.onBackdrop}>
      <div class="search-field">
        ${icon('find')}
        <input
          role="combobox"
          aria-label=${words.find.title}
          aria-expanded="true"
          aria-controls="search-list"
          aria-activedescendant=${choices[this.at] ? `search-${this.at}` : nothing}
          autocomplete="off"
          autocapitalize="off"
          spellcheck="false"
          placeholder=${words.searchHint}
          @input=${this.onInput}
          @keydown=${this.onKey}
        />
        <button class="btn small" @click=${() => this.dialog.close()}>${words.dialog.close}</button>
      </div>
      <ul id="search-list" role="listbox" aria-label=${words.find.title}>
        ${choices.map(
          (choice, index) =>
            html`<li
              id="search-${index}"
              role="option"
              aria-selected=${index === this.at ? 'true' : 'false'}
              @click=${() => this.take(choice)}
            >
              ${icon(choice.icon)}<span class="title">${choice.title}</span>
              ${choice.hint ? html`<small>${choice.hint}</small>` : nothing}${choice.mark ?? nothing}
            </li>`,
        )}
      </ul>
      <p class="search-status" role="status">${status || (this.typed ? '' : words.find.empty)}</p>
    </dialog>`
  }

  private readonly onInput = (): void => {
    this.typed = this.input.value
    this.at = 0
    this.failed = false
    this.settled = false
    clearTimeout(this.timer)
    this.turn += 1
    const q = this.typed.trim()
    if (q === '') {
      this.hits = []
      this.settled = true
      return
    }
    this.timer = window.setTimeout(() => void this.ask(q, this.turn), TYPING_PAUSE_MS)
  }

  private async ask(q: string, turn: number): Promise<void> {
    try {
      const { data } = await this.api.send<{ data: SearchHit[] }>('POST', '/search', { q })
      if (turn !== this.turn) return
      this.hits = data
    } catch {
      if (turn !== this.turn) return
      this.hits = []
      this.failed = true
    }
    this.settled = true
  }

  private readonly onKey = (event: KeyboardEvent): void => {
    const { choices } = this
    const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (by !== 0 && choices.length > 0) {
      event.preventDefault()
      this.at = (this.at + by + choices.length) % choices.length
      void this.updateComplete.then(() =>
        this.querySelector(`#search-${this.at}`)?.scrollIntoView({ block: 'nearest' }),
      )
    } else if (event.key === 'Enter') {
      event.preventDefault()
      const choice = choices[this.at]
      if (choice) this.take(choice)
    }
  }

  private readonly onBackdrop = (event: MouseEvent): void => {
    if (event.target === this.dialog) this.dialog.close()
  }

  private take({ to }: Choice): void {
    this.dialog.close()
    if (typeof to === 'string') this.go(to)
    else to.run()
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'console-search': ConsoleSearch
  }
}
