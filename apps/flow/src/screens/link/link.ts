/**
 * Sends the person to the provider's page, on which they sign in to their institutions, and lists the linked ones. The
 * page can't be embedded, so it opens in a window of its own or, on a hosted page, in this tab.
 */
import { LINKING_KEY } from '@causeway/contract/linking'
import type { LinkedInstitution, StepError, ViewOf } from '@causeway/contract/session'
import { html, nothing, type PropertyValues, type TemplateResult } from 'lit'
import { customElement, state } from 'lit/decorators.js'
import { institutionLogo } from '../../parts/account.js'
import { icons } from '../../parts/icons.js'
import { untranslated } from '../../parts/untranslated.js'
import { Announcement } from '../../requests.js'
import { Screen, type ScreenParts } from '../screen.js'

/** The size of the window, in CSS pixels. Phones open a tab instead. */
const WINDOW = 'popup,width=480,height=760'
/** The time between two looks at whether the person closed the window, in ms. */
const WATCH_INTERVAL_MS = 500
/** The minimum time between two checks that the person did not ask for, in ms. */
const CHECK_INTERVAL_MS = 2_000

@customElement('screen-link')
export class LinkScreen extends Screen<'link'> {
  /** The window that this screen opened. Null if the browser opened it, or if there is none. */
  private window: Window | null = null
  private watch = 0
  private checked = 0
  /** True if this tab goes to the page as soon as the service knows that it was opened. */
  @state() private isLeaving = false

  override connectedCallback(): void {
    super.connectedCallback()
    this.addEventListener('click', this.onClick)
    window.addEventListener('focus', this.check)
    window.addEventListener('pageshow', this.check)
    document.addEventListener('visibilitychange', this.check)
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    this.removeEventListener('click', this.onClick)
    window.removeEventListener('focus', this.check)
    window.removeEventListener('pageshow', this.check)
    document.removeEventListener('visibilitychange', this.check)
    this.closeWindow()
  }

  protected override explain({ code }: StepError): string | null {
    const { link } = this.words
    if (code === 'nothing_linked') return link.nothing
    return code === 'link_unavailable' ? link.unavailable : null
  }

  protected override act(): void {
    this.ask({ action: 'continue' })
  }

  /** Opens the page. If the browser blocks the window, it follows the link itself. */
  private readonly onClick = (event: MouseEvent): void => {
    const { url, waiting } = this.view.data
    const anchor = (event.target as Element).closest('a')
    if (anchor?.getAttribute('href') !== url) return
    if (!storeWayBack(this.ownerDocument)) this.open(url, event)
    else {
      event.preventDefault()
      this.isLeaving = true
      if (waiting || this.busy) this.leave()
    }
    this.ask({ action: 'open' })
  }

  private open(url: string, event: MouseEvent): void {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return
    const opened = window.open(url, '_blank', WINDOW)
    if (!opened) return
    event.preventDefault()
    // The page must not reach this one. This screen keeps its own reference.
    opened.opener = null
    this.closeWindow()
    this.window = opened
    this.watch = window.setInterval(() => {
      if (!opened.closed) return
      this.closeWindow()
      this.check()
    }, WATCH_INTERVAL_MS)
  }

  private closeWindow(): void {
    window.clearInterval(this.watch)
    this.window?.close()
    this.window = null
  }

  private leave(): void {
    this.isLeaving = false
    window.location.assign(this.view.data.url)
  }

  /** Reads what happened on the page, when the person comes back from it. */
  private readonly check = (): void => {
    const isWaiting = this.view.data.waiting && document.visibilityState === 'visible' && !this.isLeaving
    if (!isWaiting || this.fault || this.now() - this.checked < CHECK_INTERVAL_MS) return
    this.checked = this.now()
    this.ask({ action: 'check' })
  }

  protected override updated(changed: PropertyValues): void {
    if (!changed.has('view')) return
    const { link } = this.words
    const before = changed.get('view') as ViewOf<'link'> | undefined
    const { waiting, institutions, ending } = this.view.data
    if (this.isLeaving && (waiting || this.fault)) this.leave()
    if (!before?.data.waiting || waiting) {
      // A person who arrives here again may have left the page in the meantime.
      if (!before) this.check()
      return
    }
    this.closeWindow()
    this.dispatchEvent(new Announcement(ending ? link.ending[ending] : link.linked(institutions.length)))
    this.ownerDocument.scrollingElement?.scrollTo({ top: 0 })
    this.querySelector<HTMLElement>('h1')?.focus({ preventScroll: true })
  }

  protected override page(): ScreenParts {
    const { link } = this.words
    const { url, waiting, institutions, repairs, ending } = this.view.data
    const isFirst = institutions.length === 0
    const repaired = institutions.find(({ id }) => id === repairs)
    const isStopped = repaired !== undefined
    return {
      ...(waiting && isFirst ? { mark: html`<span class="badge">${icons.clock()}</span>` } : {}),
      ...this.heading(repaired),
      body: html`${ending && !waiting ? html`<p class="alert warn" role="status">${icons.alert()}<span>${link.ending[ending]}</span></p>` : nothing}
        ${isFirst ? (waiting ? nothing : this.points()) : this.list(institutions)}`,
      ...(isFirst || isStopped
        ? {
            action: {
              label: waiting ? link.reopen : repaired ? link.repair(repaired.name) : this.openLabel,
              href: url,
            },
          }
        : { action: { label: link.action } }),
      second: isFirst ? nothing : this.second(isStopped),
      trust: link.trust,
    }
  }

  private get openLabel(): string {
    const { link } = this.words
    const { provider } = this.view.data
    return provider ? link.open(provider) : link.openUnnamed
  }

  private heading(repaired: LinkedInstitution | undefined): Pick<ScreenParts, 'title' | 'lead'> {
    const { link } = this.words
    const { provider, waiting, institutions } = this.view.data
    if (waiting) return { title: link.waitingTitle, lead: link.waiting }
    if (repaired) return { title: link.repairTitle(repaired.name), lead: link.repairLead(repaired.name) }
    if (institutions.length > 0) return { title: link.listTitle, lead: link.listLead }
    return { title: link.title, lead: provider ? link.lead(provider) : link.leadUnnamed }
  }

  private points(): TemplateResult {
    const { link } = this.words
    const { provider } = this.view.data
    const brand = this.view.brand.name
    const name = provider ?? brand
    return html`<ul class="bullets">
      <li>${link.password(brand)}</li>
      <li>${link.several}</li>
      <li>${provider ? link.back(name) : link.backUnnamed}</li>
    </ul>`
  }

  private list(institutions: readonly LinkedInstitution[]): TemplateResult {
    const { link } = this.words
    return html`<ul class="rows" aria-label=${link.listTitle}>
      ${institutions.map(institution => this.institution(institution))}
    </ul>`
  }

  private institution({ id, name, status }: LinkedInstitution): TemplateResult {
    const { link } = this.words
    const { name: owner, repairs } = this.view.data
    return html`<li class="row">
      ${institutionLogo(name)}<span
        ><span class="row-name" translate="no">${name}</span
        >${
          status === 'ok'
            ? html`<span class="row-meta">${link.ok}</span>`
            : status === 'repair'
              ? html`<span class="tag">${link.needsRepair}</span>${
                  repairs === id
                    ? nothing
                    : html` <button
                        class="textlink"
                        type="button"
                        aria-label=${`${link.repairShort}: ${name}`}
                        @click=${() => this.ask({ action: 'repair', institution: id })}
                      >
                        ${link.repairShort}
                      </button>`
                }`
              : html`<span class="row-meta"
                  >${owner ? untranslated(link.mismatch(owner), owner) : link.mismatchUnnamed}</span
                >`
        }</span
      >
    </li>`
  }

  /** The less prominent buttons: another institution, and the way on without the repair. */
  private second(isStopped: boolean): TemplateResult {
    const { link, app } = this.words
    const { url, waiting } = this.view.data
    if (isStopped)
      return html`<button class="second wide" type="button" @click=${() => this.act()}>${link.skip}</button>
        <button class="second wide bare" type="button" @click=${() => this.ask({ action: 'add' })}>${link.add}</button>`
    return html`<a class="second wide" href=${url} target="_blank" rel="noopener noreferrer"
      >${waiting ? link.reopen : link.add}<span class="sr"> ${app.newTab}</span></a
    >`
  }
}

/**
 * On a hosted page, stores how this tab comes back after it has gone to the provider's page, because a webview may have no
 * other tab. Returns false in a frame, and if the browser allows no storage.
 */
function storeWayBack({ documentElement, defaultView }: Document): boolean {
  if (documentElement.dataset['display'] !== 'page' || !defaultView) return false
  const { history, sessionStorage } = defaultView
  try {
    sessionStorage.setItem(LINKING_KEY, String(history.length))
    return true
  } catch {
    return false
  }
}
