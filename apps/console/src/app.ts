/** The shell: the signed-in user, the navigation, search, and the page for the current URL. */
import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit'
import { customElement, property, query, state } from 'lit/decorators.js'
import { type Api, createApi } from './api.js'
import { Format, type ZoneChoice } from './format.js'
import { Live } from './live.js'
import { Load } from './load.js'
import type { Console, Page } from './page.js'
import { isClockAhead } from './parts/clock.js'
import { copyText } from './parts/copy.js'
import { ApprovalAsked } from './parts/dialogs.js'
import { icon } from './parts/icons.js'
import { loadFault } from './parts/panel.js'
import { type AddressBar, followedLink, matchRoute, type Place, windowAddressBar } from './router.js'
import { routes } from './routes.js'
import type { Session } from './shapes.js'
import { confirmPasskey } from './shell/confirm-passkey.js'
import { showHelp } from './shell/help.js'
import { createKeys, searchKey } from './shell/keys.js'
import { navEntriesOf, rail, tabbar, teamMark } from './shell/nav.js'
import './shell/search.js'
import type { Command, ConsoleSearch } from './shell/search.js'
import { applyTheme, currentTheme, setTheme, type Theme, themes } from './shell/theme.js'
import { UserNames } from './user-names.js'
import { words } from './words.js'

/** The interval at which a visible page refreshes, in ms. */
const REFRESH_MS = 10_000
/** The period of inactivity, in ms, after which pages stop refreshing. */
const IDLE_MS = 5 * 60_000
const activityEvents = ['keydown', 'pointerdown', 'pointermove', 'wheel', 'touchstart'] as const
/** The time that a message stays visible, in ms. */
const MESSAGE_MS = 6_000

@customElement('causeway-console')
export class ConsoleApp extends LitElement {
  @property({ attribute: false }) api: Api = createApi(confirmPasskey)
  @property({ attribute: false }) bar: AddressBar = windowAddressBar(window)
  @property({ attribute: false }) now: () => number = Date.now
  /** True if pages refresh periodically. False on the play page, whose clock is fixed. */
  @property({ attribute: false }) live = true
  @state() private place: Place | null = null
  @state() private page: Page | null = null
  @state() private lost = false
  @state() private zone: ZoneChoice = 'team'
  @state() private message = ''
  @state() private gate: TemplateResult | null = null
  @query('console-search') private search!: ConsoleSearch
  private readonly session = new Load<Session>(this)
  private readonly newRows = new Live(() => this.api, {
    rows: lists => this.page?.rowsAdded(lists),
    ended: () => void this.session.refresh(),
  })
  private readonly names = new UserNames(
    () => this.api,
    () => this.page?.requestUpdate(),
  )
  private console: Console | null = null
  private singleKeys = true
  private timer = 0
  private messageTimer = 0

  protected override createRenderRoot(): HTMLElement {
    return this
  }

  override connectedCallback(): void {
    super.connectedCallback()
    applyTheme()
    this.bar.onMove(() => this.open(this.bar.read()))
    document.addEventListener('keydown', this.keys)
    document.addEventListener(ApprovalAsked.type, this.onApprovalAsked)
    document.addEventListener('visibilitychange', this.onVisibility)
    for (const type of activityEvents) document.addEventListener(type, this.used, { passive: true })
    this.addEventListener('click', this.onClick)
    this.addEventListener('page-changed', this.onPageChanged)
    if (this.live) this.timer = window.setInterval(this.refresh, REFRESH_MS)
    this.open(this.bar.read())
    // A link or an invitation starts a new session, even if another user is signed in.
    if (/^#(link|invitation)=/.test(location.hash) || location.pathname === '/sign-in/oidc') void this.askToSignIn()
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    document.removeEventListener('keydown', this.keys)
    document.removeEventListener(ApprovalAsked.type, this.onApprovalAsked)
    document.removeEventListener('visibilitychange', this.onVisibility)
    this.newRows.close()
    for (const type of activityEvents) document.removeEventListener(type, this.used)
    clearInterval(this.timer)
    clearTimeout(this.messageTimer)
  }

  protected override willUpdate(changed: PropertyValues): void {
    this.session.read('session', signal => this.api.get<Session>('/session', {}, signal))
    const { value } = this.session
    if (value && (!this.console || this.console.session !== value || changed.has('zone'))) this.prepare(value)
    if (this.signedOut && !this.gate) void this.askToSignIn()
    if (value?.user.needs_second_factor && !this.gate) void this.askToConfirm()
    if (this.gate) this.newRows.close()
    else if (this.live && value && !this.hadSession) this.newRows.open()
    this.hadSession = value !== null && !this.gate
    this.fill()
  }
  /** True if the last update had a session. */
  private hadSession = false

  private get signedOut(): boolean {
    return this.session.failure?.kind === 'signed_out' || (this.page?.signedOut ?? false)
  }

  /** Shows the sign-in page. The code for the sign-in page loads only now, because signed-in users don't need it. */
  private async askToSignIn(): Promise<void> {
    this.gate = html``
    const { signIn } = await import('./shell/sign-in.js')
    const ended = this.session.value !== null
    this.gate = signIn(this.api, ended, this.enter)
  }

  /** Shows the screen for the second factor, which only admins and operators need. */
  private async askToConfirm(): Promise<void> {
    this.gate = html``
    const { confirmUser } = await import('./shell/confirm-user.js')
    this.gate = confirmUser(this.api, this.enter, () => void this.signOut(false).then(this.enter))
  }

  /** Shows the pages to a user who has signed in. */
  private readonly enter = (): void => {
    void this.session.refresh().then(() => {
      this.gate = null
    })
  }

  private prepare(session: Session): void {
    const zone =
      this.zone === 'utc'
        ? 'UTC'
        : this.zone === 'mine'
          ? Intl.DateTimeFormat().resolvedOptions().timeZone
          : session.time_zone
    const ahead = (session.clock?.ahead_seconds ?? 0) * 1000
    this.console = {
      api: this.api,
      session,
      format: new Format(zone),
      now: () => this.now() + ahead,
      renew: this.session.refresh,
      go: this.go,
      say: this.say,
      names: this.names,
    }
  }

  /** Shows the page for a URL. */
  private open(wanted: string): void {
    const place = matchRoute(routes, wanted)
    if (wanted.startsWith('/go/') && place.route) this.bar.write(place.path, true)
    const { route } = place
    const same = route !== null && this.page?.localName === route.tag && this.place?.path === place.path
    this.place = place
    this.lost = false
    if (same) return
    this.page = null
    if (!route) return
    route.load().then(
      () => {
        if (this.place !== place) return
        this.page = document.createElement(route.tag) as Page
        this.page.className = 'body'
        this.fill()
        void this.arrive()
      },
      () => {
        if (this.place === place) this.lost = true
      },
    )
  }

  private fill(): void {
    if (!this.page || !this.console || !this.place || this.console.session.user.needs_second_factor) return
    Object.assign(this.page, { console: this.console, place: this.place })
  }

  private readonly onPageChanged = (): void => {
    if (!this.page || !this.console) return
    document.title = words.title(this.page.heading, this.console.session.team.name)
    if (this.page.signedOut) this.requestUpdate()
  }

  /** Moves the focus to the heading of each new page except the first. */
  private async arrive(): Promise<void> {
    await this.updateComplete
    if (!this.arrived) {
      this.arrived = true
      return
    }
    await this.page?.updateComplete
    window.scrollTo(0, 0)
    this.page?.querySelector<HTMLElement>('h1')?.focus({ preventScroll: true })
  }
  private arrived = false

  readonly go = (wanted: string, replace = false): void => {
    this.bar.write(wanted, replace)
    this.open(wanted)
  }

  readonly say = (text: string): void => {
    this.message = text
    clearTimeout(this.messageTimer)
    this.messageTimer = window.setTimeout(() => (this.message = ''), MESSAGE_MS)
  }

  /**
   * The time of the user's last action. After `IDLE_MS` without an action, pages stop refreshing so that the session
   * can expire.
   */
  private usedAt = performance.now()
  private readonly used = (): void => {
    this.usedAt = performance.now()
  }

  private readonly refresh = (): void => {
    const isUsed = performance.now() - this.usedAt < IDLE_MS
    if (document.visibilityState !== 'visible' || this.gate || !isUsed) return
    void this.session.refresh()
    this.page?.refresh()
    // Opened only together with requests, so that a stream that breaks does not keep an unused session alive.
    this.newRows.open()
  }

  /** A browser has few connections per site, so hidden tabs do without a stream. */
  private readonly onVisibility = (): void => {
    if (document.visibilityState !== 'visible') this.newRows.close()
    else if (this.live) this.refresh()
  }

  private readonly onApprovalAsked = (): void => {
    this.say(words.approvals.asked)
    void this.session.refresh()
    this.page?.refresh()
  }

  private readonly keys = createKeys(this, {
    search: () => this.search?.show(),
    help: () => this.showKeys(),
    go: key => {
      const { value } = this.session
      const entry = value && navEntriesOf(value).find(each => each.key === key)
      if (entry) this.go(entry.href)
    },
    single: () => this.singleKeys,
  })

  private readonly onClick = (event: MouseEvent): void => {
    closeMenus(this, event.target as Element)
    const wanted = followedLink(event, location.origin)
    if (wanted === null) return
    event.preventDefault()
    this.go(wanted)
  }

  /** The commands of the search. */
  private get commands(): readonly Command[] {
    return [
      ...themes.map(theme => ({ icon: 'eye' as const, text: words.themes[theme], run: () => this.setTheme(theme) })),
      ...(['team', 'mine', 'utc'] as const).map(zone => ({
        icon: 'clock' as const,
        text: words.commands.zone(words.zones[zone]),
        run: () => (this.zone = zone),
      })),
      { icon: 'list', text: words.commands.keys, run: this.showKeys },
      {
        icon: 'copy',
        text: words.commands.copy,
        run: () => this.console && void copyText(this.console, location.href),
      },
      { icon: 'lock', text: words.signOut, run: () => void this.signOut(false) },
      { icon: 'lock', text: words.signOutEverywhere, run: () => void this.signOut(true) },
    ]
  }

  private readonly setTheme = (theme: Theme): void => {
    setTheme(theme)
    this.requestUpdate()
  }

  private readonly showKeys = (): void => showHelp({ on: this.singleKeys, set: on => (this.singleKeys = on) })

  private readonly signOut = async (everywhere: boolean): Promise<void> => {
    const call = everywhere
      ? this.api.send('POST', '/console/sessions/end').then(() => null)
      : this.api.send<{ sign_out_url?: string | null }>('DELETE', '/session')
    const answer = await call.catch(() => null)
    // The OpenID provider ends its own session, and sends the browser back.
    if (answer?.sign_out_url) return location.assign(answer.sign_out_url)
    await this.session.refresh()
  }

  protected override render(): TemplateResult {
    const { value: session } = this.session
    if (this.gate) return this.gate
    if (!session || !this.console)
      return this.session.failure
        ? html`<main class="alone">
            <h1 class="sr">${words.console}</h1>
            <div class="card">${loadFault(this.session as Load<unknown>)}</div>
          </main>`
        : html`<main class="alone" aria-busy="true"></main>`
    const on = this.place?.route?.nav ?? ''
    return html`<a class="skip" href="#main">${words.skip}</a>
      <div class="app">
        ${rail(session, on, { signOut: this.signOut, theme: currentTheme(), setTheme: this.setTheme })}
        <div class="column">
          ${this.top(this.console)} ${this.banner(this.console)}
          <main id="main" class="page" tabindex="-1">${this.inside()}</main>
        </div>
        ${tabbar(session, on, { signOut: this.signOut, theme: currentTheme(), setTheme: this.setTheme })}
      </div>
      <console-search .api=${this.api} 
        .go=${this.go}
        .format=${this.console?.format ?? null}
        .entries=${navEntriesOf(session)}
        .commands=${this.commands}></console-search>
      <p class="toast" role="status" ?hidden=${!this.message}>${this.message}</p>`
  }

  private inside(): unknown {
    if (this.lost)
      return html`<div class="card empty">
        <p>${words.panel.offline}</p>
        <button class="btn" @click=${() => this.open(this.bar.read())}>${words.panel.retry}</button>
      </div>`
    if (this.place && !this.place.route)
      return html`<h1 tabindex="-1">${words.missing.title}</h1>
        <p class="lead">${words.missing.lead}</p>`
    return this.page ?? nothing
  }

  private top({ session, format }: Console): TemplateResult {
    const { clock } = session
    const onZone = (event: Event) => (this.zone = (event.target as HTMLSelectElement).value as ZoneChoice)
    return html`<header class="top">
      <span class="narrow">${teamMark(session)}</span>
      <button class="find" @click=${() => this.search.show()}>
        ${icon('find')}<span>${words.searchHint}</span><span class="grow"></span><kbd class="wide">${searchKey()}</kbd>
      </button>
      <span class="grow wide"></span>
      ${
        clock
          ? html`<small class="clock wide"
              >${words.clock(format.text(clock.now, 'moment'), clock.ahead_seconds ? format.span(clock.ahead_seconds * 1000) : null)}</small
            >`
          : nothing
      }
      <label class="zone"
        ><span class="sr">${words.zone}</span
        ><select @change=${onZone} .value=${this.zone} title=${format.zone}>
          ${(['team', 'mine', 'utc'] as const).map(
            choice =>
              html`<option value=${choice} ?selected=${choice === this.zone}>
                ${choice === this.zone && choice !== 'utc' ? `${words.zones[choice]} · ${format.zoneName}` : words.zones[choice]}
              </option>`,
          )}
        </select></label
      >
    </header>`
  }

  private banner({ session, format }: Console): unknown {
    const stopped = session.payments_stopped
    if (!stopped) return nothing
    return html`<p class="banner" role="status">
      ${icon('hold')}${words.stopped[stopped.scope](
        isClockAhead(session)
          ? `${format.text(stopped.since, 'moment')} ${words.clocks.real}`
          : format.text(stopped.since, 'moment'),
      )}
    </p>`
  }
}

/** Closes every open menu except the one that contains the click. Clicking a link in a menu also closes that menu. */
function closeMenus(app: HTMLElement, clicked: Element): void {
  for (const menu of app.querySelectorAll<HTMLDetailsElement>('details.menu[open]'))
    if (!menu.contains(clicked) || clicked.closest('a')) menu.open = false
}

declare global {
  interface HTMLElementTagNameMap {
    'causeway-console': ConsoleApp
  }
}
