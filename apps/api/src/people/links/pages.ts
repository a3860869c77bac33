/** Creates the pages on which people link institutions, and reads what happened there. */
import { createHash } from 'node:crypto'
import { OutsideError } from '@causeway/connector/ports/outside-error'
import { MINUTE_MS } from '@causeway/contract/time'
import { createPortCall } from '../../network/ports.js'
import type { Scope } from '../../platform/scope.js'
import type { EntityRow } from '../holders/entity.js'
import { readDetails } from '../holders/show-entity.js'
import { findLinks, type LinkPage, type Links, lockLinks, saveLinks } from './store.js'

/** The path on the frame's listener at which a person continues after the page. */
export const LINKED_PATH = '/linked'

/** The limits of a page's lifetime, whatever the provider's clock says. */
const MIN_LIFETIME_MS = MINUTE_MS
const MAX_LIFETIME_MS = 60 * MINUTE_MS

const noLinks: Links = { pages: 0, ending: null, checked_at: 0, linked_at: null, page: null, institutions: [] }

/** Returns the legal name that a person's accounts must have, or null if it is unknown. */
export function legalName(scope: Scope, entity: EntityRow): string | null {
  const { first_name, last_name } = readDetails(scope, entity)
  return [first_name, last_name].filter(Boolean).join(' ') || null
}

/** The id of the request that creates a page. The same page always has the same id, so a crash creates no second one. */
function requestOf(entity: string, pages: number, repairs: string | null): string {
  const suffix = repairs === null ? '' : `.${createHash('sha256').update(repairs).digest('hex').slice(0, 12)}`
  return `${entity}.${pages}${suffix}`
}

/** Returns the id of the person for whom a request creates a page. */
export const entityOfRequest = (request: string): string => request.split('.')[0]!

const callOf = (scope: Scope, entity: EntityRow, request: string) => ({
  ...createPortCall(scope, request),
  person: entity.person ?? '',
})

/** Creates a page for the person. Returns null if the provider has none for this. Throws {@link OutsideError} */
async function createPage(
  scope: Scope,
  entity: EntityRow,
  pages: number,
  repairs: string | null,
): Promise<LinkPage | null> {
  const request_id = requestOf(entity.id, pages, repairs)
  const page = await scope.deps.ports.network.link({
    ...callOf(scope, entity, request_id),
    name: legalName(scope, entity),
    return_url: `${scope.deps.frameOrigin}${LINKED_PATH}`,
    ...(repairs !== null && { repair: repairs }),
  })
  if (page.status === 'refused') return null
  // The provider's time is real time, from which the team's time can differ.
  const lifetime = Math.min(Math.max(page.expires_at - scope.deps.clock(), MIN_LIFETIME_MS), MAX_LIFETIME_MS)
  const { url, link_id } = page
  return { url, link_id, repairs, request_id, expires_at: scope.now + lifetime, opened_at: null }
}

/** Stores the result of calls to the provider, in a transaction. If another call was faster, that call's result counts. */
export type SaveLinks = (tx: Scope) => Promise<Links>

/**
 * Prepares the person's page: the one for an institution that needs another sign-in, or else the one for another
 * institution. Reads the institutions again if they were read before `since`.
 * @throws OutsideError
 */
export async function preparePage(scope: Scope, entity: EntityRow, since: number): Promise<SaveLinks> {
  const before = (await findLinks(scope, entity.id)) ?? noLinks
  const isCurrent = before.checked_at >= since && before.checked_at > 0
  const institutions = isCurrent ? before.institutions : await readInstitutions(scope, entity)
  const broken = institutions.find(({ status }) => status === 'repair')
  const pages = before.pages + 1
  const page =
    (broken && (await createPage(scope, entity, pages, broken.id))) ?? (await createPage(scope, entity, pages, null))
  if (!page) throw new OutsideError('The provider has no page on which to link institutions.', { outcome: 'nothing' })
  const checked_at = isCurrent ? before.checked_at : scope.now
  return saveIfUnchanged(entity, before, { ...before, pages, page, institutions, checked_at })
}

/**
 * Replaces the person's page with one for an institution that needs another sign-in, or for another institution.
 * @returns the function that stores the page; null if the provider has none for this. Throws OutsideError
 */
export async function replacePage(
  scope: Scope,
  entity: EntityRow,
  links: Links,
  repairs: string | null,
): Promise<SaveLinks | null> {
  const pages = links.pages + 1
  const page = await createPage(scope, entity, pages, repairs)
  return page && saveIfUnchanged(entity, links, { ...links, pages, page, ending: null })
}

const saveIfUnchanged =
  (entity: EntityRow, before: Links, after: Links): SaveLinks =>
  async tx => {
    const current = (await lockLinks(tx, entity.id)) ?? noLinks
    if (current.pages !== before.pages || current.page?.request_id !== before.page?.request_id) return current
    await saveLinks(tx, entity.id, after)
    return after
  }

/** Reads the institutions that the person has linked. @throws OutsideError */
async function readInstitutions(scope: Scope, entity: EntityRow): Promise<Links['institutions']> {
  const answer = await scope.deps.ports.network.linked(callOf(scope, entity, entity.id))
  return answer.status === 'linked' ? answer.institutions : []
}

/**
 * Reads what happened on a page.
 * @returns the function that stores it, which returns true while the person may still be on the page. Throws OutsideError
 */
export async function readPage(
  scope: Scope,
  entity: EntityRow,
  { request_id, link_id }: LinkPage,
): Promise<(tx: Scope) => Promise<boolean>> {
  const answer = await scope.deps.ports.network.linked({ ...callOf(scope, entity, request_id), link_id })
  return async tx => {
    const links = await lockLinks(tx, entity.id)
    // mutant: replaced-page-changes-nothing (false)
    if (!links?.page || links.page.request_id !== request_id) return false
    if (answer.status === 'waiting') return true
    if (answer.status === 'linked') {
      const { institutions } = answer
      const times = { checked_at: tx.now, linked_at: tx.now }
      await saveLinks(tx, entity.id, { ...links, ...times, institutions, page: null, ending: null })
      return false
    }
    // The person can open a page again after closing it.
    const page = answer.reason === 'expired' ? null : { ...links.page, opened_at: null }
    await saveLinks(tx, entity.id, { ...links, page, ending: answer.reason })
    return false
  }
}
