/** The institutions that a person has linked, and the page on which they link more. */
import type { LinkedInstitution } from '@causeway/connector/ports/links'
import { jsonColumn } from '../../platform/db/json-column.js'
import { lockRows } from '../../platform/db/row-locks.js'
import type { Tables } from '../../platform/db/tables.js'
import type { Db } from '../../platform/db/types.js'
import { type Scope, sealer } from '../../platform/scope.js'

type LinkRow = Tables['entity_links']

/** The part of a page that its row stores sealed: anyone who has the URL can link institutions for the person. */
interface SealedPage {
  url: string
  /** The provider's id of the page. */
  link_id: string
  /** The institution that the page repairs. Null if the person links another institution there. */
  repairs: string | null
}

/** A page of the provider on which the person signs in to institutions. */
export interface LinkPage extends SealedPage {
  request_id: string
  /** Team time. */
  expires_at: number
  /** The team time at which the person last opened the page. Null if they have not, or have left it. */
  opened_at: number | null
}

export interface Links extends Pick<LinkRow, 'pages' | 'ending' | 'checked_at' | 'linked_at'> {
  /** Null once something was linked on the page, or if the page has expired. */
  page: LinkPage | null
  institutions: readonly LinkedInstitution[]
  /** The ids of disconnected institutions, which the provider may still list until it has removed them. */
  removed: readonly string[]
}

const pageJson = jsonColumn<SealedPage>('entity_links.page')
const institutionsJson = jsonColumn<Pick<Links, 'institutions' | 'removed'>>('entity_links.institutions')

function readLinks(scope: Scope, row: LinkRow): Links {
  const { pages, ending, checked_at, linked_at, request_id, expires_at, opened_at } = row
  const open = (field: string, text: string) => sealer(scope).open({ id: row.entity_id, field }, text)
  const page = row.page === null ? null : pageJson.read(open('page', row.page))
  return {
    ...{ pages, ending, checked_at, linked_at },
    page: page && { ...page, request_id: request_id!, expires_at: expires_at!, opened_at },
    ...institutionsJson.read(open('institutions', row.institutions)),
  }
}

const selectLinks = ({ db, team }: Scope, entity: string) =>
  db.selectFrom('entity_links').selectAll().where('team_id', '=', team.id).where('entity_id', '=', entity)

/** Returns what a person has linked, as last read. Undefined if nothing was read yet. */
export async function findLinks(scope: Scope, entity: string): Promise<Links | undefined> {
  const row = await selectLinks(scope, entity).executeTakeFirst()
  return row && readLinks(scope, row)
}

/**
 * Lists the people of a team who must sign in to an institution again, in the order of their ids, and what each has linked.
 * @param after the last person of the previous page
 */
export async function listRepairs(
  scope: Scope,
  { after, limit }: { after: string | null; limit: number },
): Promise<{ entity: string; links: Links }[]> {
  const rows = await scope.db
    .selectFrom('entity_links')
    .selectAll()
    .where('team_id', '=', scope.team.id)
    .where('repairs', '>', 0)
    .$if(after !== null, query => query.where('entity_id', '>', after!))
    .orderBy('entity_id')
    .limit(limit)
    .execute()
  return rows.map(row => ({ entity: row.entity_id, links: readLinks(scope, row) }))
}

/** The highest number of people that a count of repairs returns. */
const MAX_REPAIRS = 1_000

/** Selects one person more than a count of repairs returns. */
export const selectRepairs = (db: Db) =>
  db
    .selectFrom('entity_links')
    .select('entity_id')
    .where('repairs', '>', 0)
    .limit(MAX_REPAIRS + 1)

/** Returns the number of people that {@link selectRepairs} selected, and whether there are more. */
export const repairCount = (people: readonly unknown[]) => ({
  count: Math.min(people.length, MAX_REPAIRS),
  more: people.length > MAX_REPAIRS,
})

/**
 * Counts the people of a team who must sign in to an institution again, and who share an account that they linked. Reads
 * indexes only, and opens no institution.
 */
export async function countRepairs({ db, team }: Scope) {
  const people = await selectRepairs(db)
    .where('team_id', '=', team.id)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('accounts')
          .select('accounts.id')
          .where('accounts.team_id', '=', team.id)
          .whereRef('accounts.holder_id', '=', 'entity_links.entity_id')
          .where('accounts.reference', 'is not', null)
          .where('accounts.awaits_consent', 'is', null),
      ),
    )
    .execute()
  return repairCount(people)
}

/** Finds what a person has linked, and locks it until the transaction ends. */
export async function lockLinks(scope: Scope, entity: string): Promise<Links | undefined> {
  const row = await lockRows(scope.db, selectLinks(scope, entity)).executeTakeFirst()
  return row && readLinks(scope, row)
}

/** Stores what a person has linked. The caller has locked the person or the row. */
export async function saveLinks(scope: Scope, entity: string, links: Links): Promise<void> {
  const seal = (field: string, text: string) => sealer(scope).seal({ id: entity, field }, text)
  const { page, institutions, removed, ...columns } = links
  const repairs = institutions.filter(({ status }) => status === 'repair').length
  const { request_id = null, expires_at = null, opened_at = null } = page ?? {}
  const values = {
    ...columns,
    ...{ request_id, expires_at, opened_at, repairs },
    page: page && seal('page', pageJson.write({ url: page.url, link_id: page.link_id, repairs: page.repairs })),
    institutions: seal('institutions', institutionsJson.write({ institutions, removed })),
  }
  await scope.db
    .insertInto('entity_links')
    .values({ team_id: scope.team.id, entity_id: entity, ...values })
    .onConflict(conflict => conflict.columns(['team_id', 'entity_id']).doUpdateSet(values))
    .execute()
}

/** Deletes what is stored about a person's institutions. @returns false if nothing was stored */
export async function deleteLinks({ db, team }: Scope, entity: string): Promise<boolean> {
  const deletion = db.deleteFrom('entity_links').where('team_id', '=', team.id).where('entity_id', '=', entity)
  return (await deletion.returning('entity_id').executeTakeFirst()) !== undefined
}
