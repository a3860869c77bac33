/** The data of the emulator: items, pages of Hosted Link, and the webhooks that wait. */
import { createHash } from 'node:crypto'
import type * as Plaid from 'plaid'
import type { Plain } from '../types.js'
import type { EmulatedAccounts, EmulatedInstitution } from './bank.js'

export interface EmulatedItem extends EmulatedAccounts {
  id: string
  token: string
  institution: EmulatedInstitution
  webhook: string | null
  /** The score of the name of the accounts' owners. Null if the institution has no names. */
  score: number | null
  error: string | null
  products: string[]
  /** The changes to the transactions, in order. A cursor is an index. */
  log: (
    | { added: Plain<Plaid.Transaction> }
    | { modified: Plain<Plaid.Transaction> }
    | { removed: string; account: string }
  )[]
}

export interface Session {
  id: string
  startedAt: number
  finishedAt: number | null
  results: { publicToken: string; item: EmulatedItem }[]
  exit: { error: string | null } | null
}

export interface LinkToken {
  token: string
  expiresAt: number
  returnUrl: string
  webhook: string | null
  products: string[]
  /** The item to sign in to again, or null. */
  repairs: EmulatedItem | null
  signedIn: { institution: EmulatedInstitution; user: string; accounts: EmulatedAccounts; key: string } | null
  sessions: Session[]
}

export type Body = Record<string, unknown>

export class ApiError extends Error {
  readonly type: string
  readonly code: string
  constructor(type: string, code: string) {
    super(code)
    this.type = type
    this.code = code
  }
}
export const itemError = (code: string) => new ApiError('ITEM_ERROR', code)
export const inputError = (code: string) => new ApiError('INVALID_INPUT', code)

export interface StateOptions {
  now(): number
  origin: string
  institutions: readonly EmulatedInstitution[]
  /** Returns the accounts of a new item. */
  accountsOf(institution: string, key: string): EmulatedAccounts
}

export function createState({ now, origin, institutions, accountsOf }: StateOptions) {
  const items = new Map<string, EmulatedItem>()
  const links = new Map<string, LinkToken>()
  const publicTokens = new Map<string, { item: EmulatedItem; expiresAt: number }>()
  const pending: { url: string; body: string }[] = []
  let count = 0

  const createId = (prefix: string) =>
    `${prefix}${createHash('sha256').update(`${prefix} ${++count}`).digest('hex').slice(0, 24)}`
  const showTime = (time: number) => new Date(time).toISOString().replace(/\.\d+Z$/, 'Z')
  const ended = () => ({ request_id: createId('req') })

  const notify = (url: string | null, body: object) => {
    if (url) pending.push({ url, body: JSON.stringify({ environment: 'sandbox', ...body }) })
  }
  const notifyItem = (item: EmulatedItem, type: string, code: string, more: object = {}) =>
    notify(item.webhook, { webhook_type: type, webhook_code: code, item_id: item.id, ...more })

  const plaidError = (code: string, type = 'ITEM_ERROR'): Plain<Plaid.PlaidError> => ({
    error_type: type as `${Plaid.PlaidErrorType}`,
    error_code: code,
    error_message: 'Emulated error',
    display_message: null,
  })

  function findItem({ access_token }: Body, needsLogin = true): EmulatedItem {
    const item = [...items.values()].find(({ token }) => token === access_token)
    if (!item) throw inputError('INVALID_ACCESS_TOKEN')
    if (needsLogin && item.error) throw itemError(item.error)
    return item
  }

  const showItem = (item: EmulatedItem): Plain<Plaid.Item> => ({
    item_id: item.id,
    institution_id: item.institution.id,
    institution_name: item.institution.name,
    webhook: item.webhook,
    error: item.error ? plaidError(item.error) : null,
    available_products: [],
    billed_products: item.products as `${Plaid.Products}`[],
    products: item.products as `${Plaid.Products}`[],
    consent_expiration_time: null,
    update_type: 'background',
  })

  const needProduct = (item: EmulatedItem, product: EmulatedInstitution['products'][number]) => {
    if (!item.institution.products.includes(product)) throw itemError('PRODUCTS_NOT_SUPPORTED')
  }

  return {
    ...{ now, institutions, accountsOf, items, links, publicTokens, pending },
    ...{ createId, showTime, ended, notify, notifyItem, plaidError, findItem, showItem, needProduct },
    /** The address at which the pages are. */
    origin,
  }
}

export type State = ReturnType<typeof createState>
