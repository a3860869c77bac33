/** The step in which a person signs in to institutions on Plaid's own page, Hosted Link. */
import { OutsideError } from '@causeway/connector/ports/outside-error'
import type { AnswerOf, CallOf } from '@causeway/connector/provider/paths'
import type { Outcome } from '@causeway/connector/provider/provider'
import { MINUTE_MS, SECOND_MS } from '@causeway/contract/time'
import type { LinkTokenCreateRequest } from 'plaid'
import { isOwn, refreshItem, reportRefusal } from './accounts.js'
import { isId, isObject, type Json, objectsOf, post, refused, textOf, unreadable } from './client.js'
import { kindOf } from './errors.js'
import { linkObjectOf } from './hooks.js'
import {
  addItem,
  findItem,
  forgetItem,
  hideItem,
  holderOf,
  type Item,
  listItems,
  readItem,
  referenceOf,
} from './items.js'
import type { Context } from './settings.js'
import type { Plain } from './types.js'

/** The time that a person has on Plaid's page. */
const PAGE_LIFETIME_MS = 30 * MINUTE_MS
/** The time for which a page's result can be read after the page has ended. */
const KEEP_DAYS = 7

type LinkCall = CallOf<'network/link'>
type LinkAnswer = AnswerOf<'network/link'>
type LinkedAnswer = AnswerOf<'network/linked'>

/** A page that was created, stored with its token. */
interface Page {
  token: string
  holder: string
  name: string | null
  url: string
  expires_at: number
  repairs: boolean
  /** The id of the request that created the page. */
  request: string
}

const linkIdOf = ({ fingerprint }: Context, request_id: string): string =>
  fingerprint(`link ${request_id}`).slice(0, 64)

const readyAnswer = (link_id: string, { url, expires_at }: Page): LinkAnswer => ({
  status: 'ready',
  url,
  expires_at,
  link_id,
})

async function findPage({ store }: Context, link_id: string): Promise<Page | undefined> {
  const page = await store.get('link', link_id)
  return isObject(page) ? (page as unknown as Page) : undefined
}

/** Creates a page of Plaid. A second one, after a lost answer, is never opened and expires. */
export async function link(context: Context, call: LinkCall): Promise<LinkAnswer> {
  const { person, name, return_url, repair, request_id } = call
  const { settings, store } = context
  const link_id = linkIdOf(context, request_id)
  const holder = holderOf(context, person)
  const item = repair === undefined ? null : await findItem(context, repair)
  if (repair !== undefined && item?.holder !== holder) return { status: 'refused' }
  const body = {
    client_name: settings.PLAID_CLIENT_NAME,
    language: 'en',
    country_codes: ['US'],
    user: { client_user_id: holder.slice(0, 64) },
    hosted_link: { completion_redirect_uri: return_url, url_lifetime_seconds: PAGE_LIFETIME_MS / SECOND_MS },
    ...(settings.PLAID_WEBHOOK_URL !== '' && { webhook: settings.PLAID_WEBHOOK_URL }),
    ...(item ? { access_token: item.token } : productsOf(context)),
  } satisfies Plain<LinkTokenCreateRequest>
  const { value, refusal } = await post(context, '/link/token/create', body)
  if (refusal?.kind === 'gone') return { status: 'refused' }
  if (refusal) throw refused(refusal)
  const { link_token: token, hosted_link_url: url, expiration } = value
  if (!isId(token) || typeof url !== 'string' || !URL.canParse(url) || url.length > 2_000) throw unreadable()
  const ends = Date.parse(String(expiration))
  const expires_at = Math.min(Number.isNaN(ends) ? Infinity : ends, context.now() + PAGE_LIFETIME_MS)
  const page: Page = { token, holder, name, url, expires_at, repairs: item !== null, request: request_id }
  // The first page that was stored is the one that the person opens.
  const stored = (await store.claim('link', link_id, page, { days: KEEP_DAYS })) as unknown as Page
  await context.link(linkObjectOf(stored.token), { kind: 'link', id: request_id })
  return readyAnswer(link_id, stored)
}

/** Institutions need liabilities; other products are added where the institution has them. */
const productsOf = ({ settings }: Context) =>
  ({
    products: ['liabilities'],
    required_if_supported_products: [
      'identity',
      ...(settings.PLAID_AUTH === 'on' ? (['auth'] as const) : []),
      ...(settings.PLAID_TRANSACTIONS === 'on' ? (['transactions'] as const) : []),
    ],
  }) satisfies Partial<Plain<LinkTokenCreateRequest>>

export async function findLink(context: Context, { request_id }: LinkCall): Promise<Outcome<LinkAnswer>> {
  const link_id = linkIdOf(context, request_id)
  const page = await findPage(context, link_id)
  if (!page) return { known: false }
  await context.link(linkObjectOf(page.token), { kind: 'link', id: request_id })
  return { known: true, answer: readyAnswer(link_id, page) }
}

/** Reads what happened at a page, and takes over the institutions that were linked there. */
async function readPage(context: Context, page: Page): Promise<LinkedAnswer | 'linked'> {
  const { value, refusal } = await post(context, '/link/token/get', { link_token: page.token })
  if (refusal && refusal.kind !== 'gone') throw refused(refusal)
  const sessions = objectsOf(value?.['link_sessions'])
  const added = sessions.flatMap(({ results }) => objectsOf((results as Json | null | undefined)?.['item_add_results']))
  let adopted = 0
  for (const result of added) if (await adopt(context, page, result)) adopted++
  // A person can open the page again after closing it, so the last session decides.
  const last = sessions.at(-1)
  const isFinished = last !== undefined && textOf(last['finished_at']) !== null
  if (!isFinished && value && context.now() < page.expires_at) return { status: 'waiting' }
  if (adopted > 0) return 'linked'
  const exit = last?.['exit'] as Json | null | undefined
  if (added.length > 0 || isObject(exit?.['error'])) return { status: 'left', reason: 'failed' }
  if (isFinished && !exit && page.repairs) return 'linked'
  return { status: 'left', reason: isFinished ? 'closed' : 'expired' }
}

/**
 * Exchanges a public token, once. If the answer is lost, Plaid no longer accepts the token, and the person links the
 * institution again.
 */
async function exchangeToken(context: Context, page: Page, result: Json, key: string): Promise<Item | string | null> {
  const { public_token, institution } = result
  const { value, refusal } = await post(context, '/item/public_token/exchange', { public_token })
  if (refusal?.kind === 'gone') {
    // Another call may have exchanged it at the same time.
    const known = (await context.store.get('token', key)) as Item | string | undefined
    if (known === undefined) context.log('warn', 'item_lost', { code: refusal.code })
    return known ?? null
  }
  if (refusal) throw refused(refusal)
  const { item_id: id, access_token: token } = value
  if (!isId(id) || typeof token !== 'string' || token.length > 300) throw unreadable()
  const { institution_id, name } = (institution ?? {}) as Json
  const item: Item = {
    id,
    token,
    institution: typeof institution_id === 'string' && /^\w{1,40}$/.test(institution_id) ? institution_id : 'unknown',
    institution_name: textOf(name, 200) ?? 'Your institution',
    holder: page.holder,
    name: page.name,
    accounts: {},
  }
  return (await context.store.claim('token', key, item, { days: KEEP_DAYS })) as Item | string
}

/** Takes over an institution that was linked. Its row holds the item until the person has it, and then its id. */
async function adopt(context: Context, page: Page, result: Json): Promise<boolean> {
  const { public_token } = result
  if (typeof public_token !== 'string' || public_token.length > 200) throw unreadable()
  const key = context.fingerprint(`token ${public_token}`)
  const known = (await context.store.get('token', key)) as Item | string | undefined
  const item = known ?? (await exchangeToken(context, page, result, key))
  if (item === null || typeof item === 'string') return item !== null
  await addItem(context, item)
  // A webhook about the institution makes the service read what the person of the page has linked.
  await context.link(item.id, { kind: 'link', id: page.request })
  await context.store.put('token', key, item.id, { days: KEEP_DAYS })
  return true
}

export async function linked(context: Context, { person, link_id }: CallOf<'network/linked'>): Promise<LinkedAnswer> {
  if (link_id !== undefined) {
    const page = await findPage(context, link_id)
    if (page?.holder !== holderOf(context, person)) return { status: 'left', reason: 'expired' }
    const result = await readPage(context, page)
    if (result !== 'linked') return result
  }
  const institutions = await Promise.all((await listItems(context, person)).map(item => describeItem(context, item)))
  return { status: 'linked', institutions: institutions.filter(each => each !== null) }
}

type Institution = Extract<LinkedAnswer, { status: 'linked' }>['institutions'][number]

/** Describes an item as Plaid has it now. Returns null, and forgets it, if it no longer exists there. */
async function describeItem(context: Context, item: Item): Promise<Institution | null> {
  const describe = (status: Institution['status'], { accounts } = item): Institution => ({
    id: item.id,
    name: item.institution_name,
    status,
    accounts: Object.entries(accounts).flatMap(([account, { liability }]) =>
      liability === null ? [] : [referenceOf(item.id, account)],
    ),
  })
  const { value, refusal } = await post(context, '/item/get', { access_token: item.token })
  if (refusal?.kind === 'gone') {
    await hideItem(context, item.id)
    await forgetItem(context, item.id)
    return null
  }
  if (refusal && refusal.kind !== 'repair') throw refused(refusal)
  const error = (value?.['item'] as Json | undefined)?.['error']
  if (refusal || (isObject(error) && kindOf(String(error['error_code'])) === 'repair')) return describe('repair')
  const refreshed = await refreshItem(context, item).catch(error => {
    // The institution may be down, while Plaid still has the item.
    if (error instanceof OutsideError && error.outcome === 'nothing') return null
    throw error
  })
  if (refreshed === null) return describe('ok')
  if ('refusal' in refreshed) {
    if (refreshed.refusal.kind === 'repair') return describe('repair')
    if (refreshed.refusal.kind !== 'later') reportRefusal(context, item, refreshed.refusal)
    return describe('ok')
  }
  const present = Object.values(refreshed.item.accounts).filter(({ gone }) => gone === null)
  return describe(present.every(account => isOwn(context, account)) ? 'ok' : 'name_mismatch', refreshed.item)
}

/** Removes an item at Plaid, which ends the access, and then its token. */
export async function unlink(
  context: Context,
  { person, institution }: CallOf<'network/unlink'>,
): Promise<AnswerOf<'network/unlink'>> {
  const item = await readItem(context, institution)
  if (item?.holder !== holderOf(context, person)) return { status: 'unlinked' }
  await hideItem(context, item.id)
  const { refusal } = await post(context, '/item/remove', { access_token: item.token })
  if (refusal && refusal.kind !== 'gone') throw refused(refusal)
  await forgetItem(context, item.id)
  return { status: 'unlinked' }
}

export async function findUnlink(
  context: Context,
  { institution }: CallOf<'network/unlink'>,
): Promise<Outcome<AnswerOf<'network/unlink'>>> {
  return (await readItem(context, institution)) ? { known: false } : { known: true, answer: { status: 'unlinked' } }
}
