/** The navigation: a sidebar or, on phones, a bottom bar with five items. */
import { html, nothing, type TemplateResult } from 'lit'
import { shortId } from '../format.js'
import { type IconName, icon } from '../parts/icons.js'
import { may, type Permission, type Session } from '../shapes.js'
import { words } from '../words.js'
import { type Theme, themes } from './theme.js'

const { nav } = words

export interface NavEntry {
  nav: string
  href: string
  icon: IconName
  text: string
  /** The key that opens the page when pressed after `g`. */
  key?: string
}

const main: readonly NavEntry[] = [
  { nav: 'overview', href: '/overview', icon: 'home', text: nav.overview, key: 'o' },
  { nav: 'people', href: '/people', icon: 'people', text: nav.people, key: 'e' },
  { nav: 'sessions', href: '/sessions', icon: 'route', text: nav.sessions, key: 's' },
  { nav: 'payments', href: '/payments', icon: 'pay', text: nav.payments, key: 'p' },
  { nav: 'approvals', href: '/approvals', icon: 'ok', text: nav.approvals, key: 'm' },
]
const developers: readonly NavEntry[] = [
  { nav: 'requests', href: '/requests', icon: 'list', text: nav.requests, key: 'r' },
  { nav: 'events', href: '/events', icon: 'bolt', text: nav.events, key: 'v' },
  { nav: 'webhooks', href: '/webhooks', icon: 'hook', text: nav.webhooks, key: 'w' },
  { nav: 'deliveries', href: '/deliveries', icon: 'send', text: nav.deliveries, key: 'd' },
  { nav: 'bench', href: '/bench', icon: 'flask', text: nav.bench, key: 'b' },
]

const operations: readonly NavEntry[] = [
  { nav: 'health', href: '/health', icon: 'pulse', text: nav.health, key: 'h' },
  { nav: 'connections', href: '/connections', icon: 'plug', text: nav.connections, key: 'c' },
]

const team: readonly (NavEntry & { needs: Permission })[] = [
  { nav: 'users', href: '/users', icon: 'people', text: nav.users, key: 'u', needs: 'users' },
  { nav: 'keys', href: '/keys', icon: 'lock', text: nav.keys, key: 'k', needs: 'settings' },
  { nav: 'audit', href: '/audit', icon: 'eye', text: nav.audit, key: 'a', needs: 'users' },
  { nav: 'settings', href: '/settings', icon: 'gear', text: nav.settings, key: 't', needs: 'settings' },
]
const own: NavEntry = { nav: 'account', href: '/account', icon: 'lock', text: words.account }

/** Returns every page in the navigation, for search and keyboard shortcuts. */
export const navEntriesOf = (session: Session): readonly NavEntry[] => [
  ...main,
  ...developers,
  ...teamOf(session),
  ...(session.user.operator ? operations : []),
  own,
]

const teamOf = (session: Session): readonly NavEntry[] => team.filter(({ needs }) => may(session, needs))

/** The bottom bar on phones: three pages and two menus. */
const inMore: readonly string[] = ['sessions', 'approvals']
const tabs: readonly NavEntry[] = main.filter(({ nav }) => !inMore.includes(nav))

const current = (on: boolean) => (on ? 'page' : nothing)

/** The number of requests that wait for a second person, beside the name of their page. */
const badge = ({ nav }: NavEntry, { approvals_waiting: count }: Session): unknown =>
  nav === 'approvals' && count > 0
    ? html`<b class="badge">${count > 50 ? '50+' : count}<span class="sr"> ${words.approvals.badge}</span></b>`
    : nothing

const links = (session: Session, list: readonly NavEntry[], on: string): TemplateResult[] =>
  list.map(
    each =>
      html`<a href=${each.href} aria-current=${current(each.nav === on)}>${icon(each.icon)}<span>${each.text}</span>${badge(each, session)}</a>`,
  )

const mark = ({ team }: Session): TemplateResult =>
  html`<span class="logo" aria-hidden="true">${team.name.trim().charAt(0).toUpperCase()}</span>`

/** The actions in the user's menu. */
export interface UserMenu {
  /** Signs out of this browser, or of every browser. */
  signOut: (everywhere: boolean) => void
  theme: Theme
  setTheme: (theme: Theme) => void
}

const userMenu = ({ signOut, theme, setTheme }: UserMenu): TemplateResult =>
  html`<label class="field"
      ><span>${words.theme}</span
      ><select class="input" @change=${(event: Event) => setTheme((event.target as HTMLSelectElement).value as Theme)}>
        ${themes.map(each => html`<option value=${each} ?selected=${each === theme}>${words.themeNames[each]}</option>`)}
      </select></label
    >
    <button class="btn" @click=${() => signOut(false)}>${words.signOut}</button>
    <button class="btn" @click=${() => signOut(true)}>${words.signOutEverywhere}</button>`

export const rail = (session: Session, on: string, menu: UserMenu): TemplateResult =>
  html`<nav class="rail" aria-label=${nav.main}>
    <div class="team">
      ${mark(session)}
      <div>
        <b>${session.team.name}</b>
        <span class="environment ${session.environment}">${words[session.environment]}</span>
      </div>
    </div>
    ${links(session, main, on)}
    <h2>${nav.developers}</h2>
    ${links(session, developers, on)}
    ${teamOf(session).length > 0 ? html`<h2>${nav.team}</h2>${links(session, teamOf(session), on)}` : nothing}
    ${session.user.operator ? html`<h2>${nav.operations}</h2>${links(session, operations, on)}` : nothing}
    <details class="menu me" @keydown=${closeOnEscape}>
      <summary>
        <span class="avatar" aria-hidden="true">${initials(session.user.name)}</span>
        <span
          ><b title=${session.user.name}>${shortId(session.user.name)}</b><small
            >${words.roles[session.user.role]}${session.user.operator ? html` · ${words.operator}` : nothing}</small
          ></span
        >
      </summary>
      <div class="sheet up">${links(session, [own], on)}${userMenu(menu)}</div>
    </details>
  </nav>`

export const tabbar = (session: Session, on: string, menu: UserMenu): TemplateResult => {
  const more = [
    ...main.filter(each => inMore.includes(each.nav)),
    ...teamOf(session),
    ...(session.user.operator ? operations : []),
    own,
  ]
  const look = (entries: readonly NavEntry[]) => (entries.some(each => each.nav === on) ? 'on' : '')
  return html`<nav class="tabbar" aria-label=${nav.main}>
    ${tabs
      .slice(0, 3)
      .map(
        each =>
          html`<a href=${each.href} aria-current=${current(each.nav === on)}>${icon(each.icon)}<span>${each.text}</span></a>`,
      )}
    <details class="menu" @keydown=${closeOnEscape} @click=${closeOnPick}>
      <summary class=${look(developers)}>${icon('bolt')}<span>${nav.developers}</span></summary>
      <div class="sheet up">${links(session, developers, on)}</div>
    </details>
    <details class="menu" @keydown=${closeOnEscape} @click=${closeOnPick}>
      <summary class=${look(more)}>${icon('dots')}<span>${nav.more}</span>${more.map(each => badge(each, session))}</summary>
      <div class="sheet up end">${links(session, more, on)}${userMenu(menu)}</div>
    </details>
  </nav>`
}

export { mark as teamMark }

const initials = (name: string): string =>
  name
    .split(/\s+/)
    .map(part => part.charAt(0))
    .join('')
    .slice(0, 2)
    .toUpperCase()

const closeOnEscape = (event: KeyboardEvent) => {
  const menu = event.currentTarget as HTMLDetailsElement
  if (event.key !== 'Escape' || !menu.open) return
  menu.open = false
  menu.querySelector('summary')?.focus()
}

const closeOnPick = (event: MouseEvent) => {
  if ((event.target as Element).closest('a, button')) (event.currentTarget as HTMLDetailsElement).open = false
}
