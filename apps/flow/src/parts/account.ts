/**
 * The appearance of an account everywhere: its monogram, its name, and the line that distinguishes it from its
 * siblings.
 */
import type { AccountView } from '@causeway/contract/session'
import { html, nothing, type TemplateResult } from 'lit'
import type { Language } from '../words/language.js'
import { icons } from './icons.js'

/** Two letters for an institution: of its first two words, or of its one. */
function initials(institution: string): string {
  const [first = '', second] = institution.trim().split(/\s+/)
  return ((second ? first.charAt(0) + second.charAt(0) : first.slice(0, 2)) || '?').toUpperCase()
}

const HUES = 7
/** The same institution has the same color everywhere. */
function hueOf(institution: string): number {
  let sum = 0
  for (const sign of institution) sum = (sum * 31 + sign.codePointAt(0)!) % 9973
  return sum % HUES
}

/** Money that the person has, not money that they owe. */
const isBank = ({ type }: AccountView) => type === 'checking' || type === 'savings'

export const monogram = (account: AccountView): TemplateResult => {
  const { institution } = account
  return html`<span class="mono h${hueOf(institution)}" aria-hidden="true"
    >${isBank(account) && institution === '' ? icons.bank() : initials(institution)}</span
  >`
}

export const kindOf = (account: AccountView, { words }: Language): string =>
  words.type[account.type as keyof typeof words.type] ?? words.type.other

/** The last digits, drawn as dots and digits and spoken as words. */
export const maskOf = (account: AccountView, { words }: Language): TemplateResult | typeof nothing =>
  account.mask === null
    ? nothing
    : html`<span class="num" aria-hidden="true">${words.selection.mask(account.mask)}</span
        ><span class="sr">${words.selection.maskSpoken(account.mask)}</span>`

/** An account without a name is called what it is. */
export const title = (account: AccountView, language: Language): TemplateResult => {
  const kind = kindOf(account, language)
  return html`<span class="row-name">${account.name || kind}</span
    ><span class="row-meta">${account.name ? kind : nothing} ${maskOf(account, language)}</span>`
}

export const balanceOf = (account: AccountView, language: Language): TemplateResult | typeof nothing =>
  isBank(account)
    ? nothing
    : html`<span class="amount"
    >${account.balance === null ? html`<small>${language.words.selection.unknownBalance}</small>` : language.money(account.balance)}${
      account.apr === null
        ? nothing
        : html`<small>${language.words.selection.apr(language.percent(account.apr))}</small>`
    }</span
  >`

export function reasonOf(account: AccountView, brand: string, { words }: Language): string {
  const reason = account.reason ?? 'product_unavailable'
  return reason === 'excluded' ? words.reason.excluded(brand) : words.reason[reason]
}

/** The oldest moment at which one of the balances was true, or null. */
export function balancesAsOf(accounts: readonly AccountView[]): string | null {
  const moments = accounts.flatMap(account => account.balance_as_of ?? []).sort()
  return moments[0] ?? null
}
