/**
 * Searches the tables of all features by id, words or digits. Every statement reads the team's rows through an index.
 */

import { prefixes } from '@causeway/contract/ids'
import { formatMoney } from '@causeway/contract/money'
import type { hit } from '@causeway/contract/resources/search'
import { isPhoneText, readPhone } from '@causeway/contract/values/phones'
import type { z } from 'zod'
import { findSession } from '../flow/session/store.js'
import { findPayment } from '../money/payments/store.js'
import { typeInVersion } from '../notify/events/show.js'
import type { EntityRow } from '../people/holders/entity.js'
import { nameWord, phoneEnd, readDetails } from '../people/holders/show-entity.js'
import { findAccount, findEntity } from '../people/holders/store.js'
import type { Tables } from '../platform/db/tables.js'
import { queriedWords } from '../platform/name-words.js'
import type { Ctx } from '../platform/scope.js'
import { showTime } from '../platform/show.js'
import { findRequest } from '../team/requests/store.js'
import { hasEvent } from '../versions/chain.js'

export type Hit = z.infer<typeof hit>
type Kind = Hit['kind']

/** The maximum number of results of one kind. */
const MAX_HITS = 20
/** The maximum number of people whose full phone numbers are compared after the last four digits have matched. */
const MAX_PHONE_CANDIDATES = 200

const ending = (digits: string | null): string | null => (digits === null ? null : `Ending in ${digits}`)

/** Returns the name of a person or a company, or null if none is stored. */
function nameOf(ctx: Ctx, row: EntityRow): string | null {
  const { first_name, last_name, corporation } = readDetails(ctx, row)
  const name = [first_name, last_name].filter(Boolean).join(' ') || corporation?.['name']
  return typeof name === 'string' && name !== '' ? name : null
}

function showPerson(ctx: Ctx, row: EntityRow): Hit {
  const { phone } = readDetails(ctx, row)
  return {
    kind: 'person',
    id: row.id,
    title: nameOf(ctx, row) ?? row.id,
    hint: phone ? `Phone ending in ${phone.slice(-4)}` : null,
    status: row.status,
    created_at: showTime(row.created_at),
  }
}

/** Shows accounts with the names of their holders, because several accounts can have the same last four digits. */
async function showAccounts(ctx: Ctx, rows: readonly Tables['accounts'][]): Promise<Hit[]> {
  const holders = await readEntities(ctx, [...new Set(rows.map(row => row.holder_id))])
  const names = new Map(holders.map(row => [row.id, nameOf(ctx, row)]))
  return rows.map(row => ({
    kind: 'account',
    id: row.id,
    title: row.name ?? row.liability_type ?? row.type,
    hint: [names.get(row.holder_id), ending(row.mask)].filter(Boolean).join(' · ') || null,
    status: row.status,
    created_at: showTime(row.created_at),
  }))
}

/** Returns these people of the team, newest first. */
async function readEntities({ db, team }: Ctx, ids: readonly string[]): Promise<EntityRow[]> {
  if (ids.length === 0) return []
  return db
    .selectFrom('entities')
    .selectAll()
    .where('team_id', '=', team.id)
    .where('id', 'in', ids)
    .orderBy('id', 'desc')
    .execute()
}

/** Finds a resource of each kind by its id. */
const finders: Readonly<Record<Kind, { prefix: string; find: (ctx: Ctx, id: string) => Promise<Hit | undefined> }>> = {
  payment: {
    prefix: prefixes.payment,
    async find(ctx, id) {
      const row = await findPayment(ctx, id)
      if (!row) return undefined
      const { amount, destination: hint, status } = row
      return { kind: 'payment', id, title: formatMoney(amount), hint, status, created_at: showTime(row.created_at) }
    },
  },
  person: {
    prefix: prefixes.entity,
    async find(ctx, id) {
      const row = await findEntity(ctx, id)
      return row && showPerson(ctx, row)
    },
  },
  account: {
    prefix: prefixes.account,
    async find(ctx, id) {
      const row = await findAccount(ctx, id)
      return row && (await showAccounts(ctx, [row]))[0]
    },
  },
  session: {
    prefix: prefixes.opal_session,
    async find(ctx, id) {
      const row = await findSession(ctx, id)
      if (!row) return undefined
      const status = row.released_at !== null ? 'released' : row.completed_at !== null ? 'completed' : 'open'
      const created_at = showTime(row.created_at)
      return { kind: 'session', id, title: row.mode, hint: row.entity_id, status, created_at }
    },
  },
  webhook: {
    prefix: prefixes.webhook,
    async find({ db, team }, id) {
      const row = await db
        .selectFrom('webhooks')
        .select(['type', 'url', 'status', 'created_at'])
        .where('team_id', '=', team.id)
        .where('id', '=', id)
        .where('status', '!=', 'deleted')
        .executeTakeFirst()
      if (!row) return undefined
      const { type: title, url, status } = row
      return { kind: 'webhook', id, title, hint: new URL(url).host, status, created_at: showTime(row.created_at) }
    },
  },
  request: {
    prefix: prefixes.request,
    async find(ctx, id) {
      const row = await findRequest(ctx, id)
      if (!row) return undefined
      const title = `${row.method} ${row.route}`
      const created_at = showTime(row.created_at)
      return { kind: 'request', id, title, hint: row.sub_type, status: String(row.status), created_at }
    },
  },
  event: {
    prefix: prefixes.event,
    async find({ db, team, version }, id) {
      const row = await db
        .selectFrom('events')
        .select(['type', 'resource_id', 'created_at'])
        .where('team_id', '=', team.id)
        .where('id', '=', id)
        .executeTakeFirst()
      if (!row || !hasEvent(version, row.type)) return undefined
      const created_at = showTime(row.created_at)
      return {
        kind: 'event',
        id,
        title: typeInVersion(version, row.type),
        hint: row.resource_id,
        status: null,
        created_at,
      }
    },
  },
}

/** The maximum number of people counted per word when looking for the rarest word. */
const MAX_COUNTED = 1_000

/**
 * Sorts words by the number of people that they match, fewest first. Only the people who match the first word are then
 * compared with the other words.
 */
async function sortByRarity({ db, team }: Ctx, words: readonly string[]): Promise<readonly string[]> {
  if (words.length < 2) return words
  const counts = await Promise.all(
    words.map(async word => {
      const some = db
        .selectFrom('name_words')
        .select('entity_id')
        .where('team_id', '=', team.id)
        .where('word', '=', word)
        .limit(MAX_COUNTED)
      const { count } = await db
        .selectFrom(some.as('some'))
        .select(query => query.fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow()
      return { word, count: Number(count) }
    }),
  )
  return counts.sort((one, other) => one.count - other.count).map(({ word }) => word)
}

/** Finds people whose stored words include all of the given words, newest first. */
async function findPeople(ctx: Ctx, words: readonly string[], most: number): Promise<EntityRow[]> {
  const { db, team } = ctx
  const [first, ...others] = await sortByRarity(ctx, words)
  let query = db
    .selectFrom('name_words')
    .select('entity_id')
    .where('name_words.team_id', '=', team.id)
    .where('name_words.word', '=', first!)
    .orderBy('entity_id', 'desc')
    .limit(most)
  for (const word of others)
    query = query.where(at =>
      at.exists(
        at
          .selectFrom('name_words as other')
          .select('other.word')
          .where('other.team_id', '=', team.id)
          .where('other.word', '=', word)
          .whereRef('other.entity_id', '=', 'name_words.entity_id'),
      ),
    )
  const found = await query.execute()
  return readEntities(
    ctx,
    found.map(row => row.entity_id),
  )
}

/**
 * Returns a full phone number in its stored form, or null for other text and for parts of a number. Reads the notations
 * that the flow reads. Pure.
 */
export function readSearchedPhone(text: string): string | null {
  if (!isPhoneText(text)) return null
  const { digits, isForeign } = readPhone(text)
  return !isForeign && digits.length === 10 ? `+1${digits}` : null
}

/**
 * Returns the hashes of words. Four digits may be part of a name or the end of a phone. A person has one phone, so each
 * further list reads one of the words as its end.
 */
function hashesOf(ctx: Ctx, words: readonly string[]): string[][] {
  const named = words.map(word => nameWord(ctx, word))
  const ends = words.flatMap((word, index) => (/^\d{4}$/.test(word) ? [named.with(index, phoneEnd(ctx, word))] : []))
  return [named, ...ends]
}

async function searchPeople(ctx: Ctx, text: string): Promise<Hit[]> {
  const phone = readSearchedPhone(text)
  if (phone !== null) {
    const same = await findPeople(ctx, [phoneEnd(ctx, phone)], MAX_PHONE_CANDIDATES)
    const matches = same.filter(row => readDetails(ctx, row).phone === phone)
    return matches.slice(0, MAX_HITS).map(row => showPerson(ctx, row))
  }
  const lists = queriedWords(text)
    .flatMap(words => hashesOf(ctx, words))
    .map(hashes => findPeople(ctx, hashes, MAX_HITS))
  const rows = new Map((await Promise.all(lists)).flat().map(row => [row.id, row]))
  const newest = [...rows.values()].sort((one, other) => (one.id < other.id ? 1 : -1))
  return newest.slice(0, MAX_HITS).map(row => showPerson(ctx, row))
}

async function searchAccounts(ctx: Ctx, text: string): Promise<Hit[]> {
  if (!/^\d{4}$/.test(text)) return []
  const { db, team } = ctx
  const rows = await db
    .selectFrom('accounts')
    .selectAll()
    .where('team_id', '=', team.id)
    .where('mask', '=', text)
    .where('awaits_consent', 'is', null)
    .orderBy('id', 'desc')
    .limit(MAX_HITS)
    .execute()
  return showAccounts(ctx, rows)
}

const isKind = (name: string): name is Kind => Object.hasOwn(finders, name)

/**
 * Returns the results of a search.
 * @param kinds empty for all kinds
 */
export async function search(ctx: Ctx, text: string, kinds: readonly Kind[]): Promise<Hit[]> {
  const wants = (kind: Kind) => kinds.length === 0 || kinds.includes(kind)
  for (const [kind, { prefix, find }] of Object.entries(finders)) {
    if (!isKind(kind) || !text.startsWith(prefix) || !/^\w+$/.test(text)) continue
    const hit = wants(kind) ? await find(ctx, text) : undefined
    return hit ? [hit] : []
  }
  return [
    ...(wants('person') ? await searchPeople(ctx, text) : []),
    ...(wants('account') ? await searchAccounts(ctx, text) : []),
  ]
}
