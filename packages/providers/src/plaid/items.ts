/**
 * The items of people: each is one sign-in at one institution. An item's row has its access token, so it is encrypted. The
 * rows of a person are numbered, so that two sessions of one person never overwrite each other's items.
 */

import { isObject } from './client.js'
import type { Context } from './settings.js'

/** An account that an item has or had. */
export interface KnownAccount {
  /** The time at which it was first seen, in epoch milliseconds. */
  seen: number
  /** The time at which it was first missing, or null. */
  gone: number | null
  /** The score of the person's name among its owners' names. Null if the institution has no names. */
  score: number | null
  /** The account as `discover` last returned it. Null if it is not a debt, or belongs to someone else. */
  liability: unknown
}

export interface Item {
  id: string
  token: string
  institution: string
  institution_name: string
  /** The fingerprint of the person. */
  holder: string
  /** The name that the accounts must have. */
  name: string | null
  accounts: Record<string, KnownAccount>
}

/** The maximum number of items that a person can link, including those that were disconnected. */
const MAX_ITEMS = 100

const KEEP = { days: null } as const

export const holderOf = ({ fingerprint }: Pick<Context, 'fingerprint'>, person: string): string =>
  fingerprint(`person ${person}`)

/** Stores an item. The slot is claimed last, so an item that a slot names has a row. */
export async function addItem({ store, log }: Context, item: Item): Promise<void> {
  await store.claim('item', item.id, item, KEEP)
  for (let slot = 0; slot < MAX_ITEMS; slot++)
    if ((await store.claim('slot', `${item.holder}.${slot}`, item.id, KEEP)) === item.id) return
  log('warn', 'too_many_items', { external_id: item.id })
}

export async function findItem({ store }: Pick<Context, 'store'>, id: string): Promise<Item | null> {
  if ((await store.get('removed', id)) !== undefined) return null
  return readItem({ store }, id)
}

/** Reads an item even if its removal has begun. */
export async function readItem({ store }: Pick<Context, 'store'>, id: string): Promise<Item | null> {
  const item = await store.get('item', id)
  return isObject(item) ? (item as unknown as Item) : null
}

/** Lists the items of a person, in the order in which they were linked. */
export async function listItems(context: Context, person: string): Promise<Item[]> {
  const holder = holderOf(context, person)
  const items: Item[] = []
  for (let slot = 0; slot < MAX_ITEMS; slot++) {
    const id = await context.store.get('slot', `${holder}.${slot}`)
    if (typeof id !== 'string') break
    const item = await findItem(context, id)
    if (item) items.push(item)
  }
  return items
}

export const saveItem = ({ store }: Pick<Context, 'store'>, item: Item): Promise<void> =>
  store.put('item', item.id, item, KEEP)

/** Hides an item, whatever a call in progress stores. */
export const hideItem = ({ store }: Pick<Context, 'store'>, id: string): Promise<void> =>
  store.put('removed', id, true, KEEP)

/** Forgets an item's token and data. Its slot stays, so that later slots are still found. */
export const forgetItem = ({ store }: Pick<Context, 'store'>, id: string): Promise<void> => store.delete('item', id)

/** The reference of an account. */
export const referenceOf = (item: string, account: string): string => `plaid.${item}.${account}`

/** Reads a reference. Returns undefined for one of another network. */
export function readReference(reference: string): { item: string; account: string } | undefined {
  const [, item, account] = /^plaid\.([\w-]{1,100})\.([\w-]{1,100})$/.exec(reference) ?? []
  return item && account ? { item, account } : undefined
}
