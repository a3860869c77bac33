/**
 * The parts of an account that every screen shows the same way: its logo, its name, and the line that distinguishes it
 * from similar accounts.
 */
import type { AccountView } from '@causeway/contract/session'
import { html, nothing, svg, type TemplateResult } from 'lit'
import type { Language } from '../words/language.js'
import { icon } from './icons.js'
import { untranslated } from './untranslated.js'

const bankIcon = () => icon(svg`<path d="M3 8 10 3.5 17 8ZM3 16.5h14M5 8v5.75M8.33 8v5.75M11.67 8v5.75M15 8v5.75" />`)

/**
 * Returns an institution's monogram: the initials of its first two words, or the first two letters of its only word.
 */
function initials(institution: string): string {
  const [first = '', second] = institution.trim().split(/\s+/)
  return ((second ? first.charAt(0) + second.charAt(0) : first.slice(0, 2)) || '?').toUpperCase()
}

const HUE_COUNT = 7
/** Returns the number of an institution's color, which is the same on every screen. */
function hueOf(institution: string): number {
  let sum = 0
  for (const sign of institution) sum = (sum * 31 + sign.codePointAt(0)!) % 9973
  return sum % HUE_COUNT
}

/** The properties that identify an account. */
type AccountIdentity = Pick<AccountView, 'name' | 'institution' | 'logo' | 'card' | 'mask' | 'type'>

/** Returns true if the account holds money; false if it is a debt. */
const isBank = ({ type }: AccountIdentity) => type === 'checking' || type === 'savings'

const reveal = ({ target }: Event, isLoaded: boolean) => {
  ;(target as HTMLElement).hidden = !isLoaded
}

/**
 * Renders the art of an account's card or, if its design is unknown, the institution's logo. Shows the institution's
 * monogram until the image has loaded, or permanently if there is no image.
 */
export const accountLogo = (account: AccountIdentity): TemplateResult => {
  const { institution, logo, card } = account
  const image = card ?? logo
  return html`<span class="mono h${hueOf(institution)}" aria-hidden="true" translate="no"
    >${isBank(account) && institution === '' ? bankIcon() : initials(institution)}${
      image === null
        ? nothing
        : html`<img
            class=${card ? 'card' : ''}
            src=${image}
            alt=""
            hidden
            @load=${(event: Event) => reveal(event, true)}
            @error=${(event: Event) => reveal(event, false)}
          />`
    }</span
  >`
}

/** Renders the monogram of an institution without accounts. */
export const institutionLogo = (institution: string): TemplateResult =>
  html`<span class="mono h${hueOf(institution)}" aria-hidden="true" translate="no">${initials(institution)}</span>`

export const typeNameOf = (account: AccountIdentity, { words }: Language): string =>
  words.type[account.type as keyof typeof words.type] ?? words.type.other

/** Renders an account's last digits, with dots in front of them. Screen readers say "ending in" instead of the dots. */
export const maskOf = (account: AccountIdentity, { words }: Language): TemplateResult | typeof nothing =>
  account.mask === null
    ? nothing
    : html`<span class="num" aria-hidden="true" translate="no">${words.selection.mask(account.mask)}</span
        ><span class="sr">${untranslated(words.selection.maskSpoken(account.mask), account.mask)}</span>`

/** Renders an account's title: its name, or its type if it has no name. */
export const accountTitle = (account: AccountIdentity, language: Language): TemplateResult => {
  const kind = typeNameOf(account, language)
  return html`<span class="row-name" translate=${account.name ? 'no' : 'yes'}>${account.name || kind}</span
    ><span class="row-meta">${account.name ? kind : nothing} ${maskOf(account, language)}</span>`
}

export const balanceOf = (account: AccountView, language: Language): TemplateResult | typeof nothing =>
  isBank(account)
    ? nothing
    : html`<span class="amount" translate="no"
    >${account.balance === null ? html`<small translate="yes">${language.words.selection.unknownBalance}</small>` : language.money(account.balance)}${
      account.apr === null
        ? nothing
        : html`<small translate="yes">${untranslated(language.words.selection.apr(language.percent(account.apr)), language.percent(account.apr))}</small>`
    }</span
  >`

export function reasonOf(account: AccountView, brand: string, { words }: Language): string {
  const reason = account.reason ?? 'product_unavailable'
  return reason === 'excluded' ? words.reason.excluded(brand) : words.reason[reason]
}

/** Returns the time of the oldest balance; null if there is none. */
export function balancesAsOf(accounts: readonly AccountView[]): string | null {
  const moments = accounts.flatMap(account => account.balance_as_of ?? []).sort()
  return moments[0] ?? null
}
