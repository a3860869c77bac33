/** Creates the pages on which people link institutions, and reads what happened there. */
import { createHash } from 'node:crypto'
import type { Network } from '@causeway/connector/ports/network'
import { OutsideError } from '@causeway/connector/ports/outside-error'
import { MINUTE_MS } from '@causeway/contract/time'
import { createPortCall } from '../../network/ports.js'
import type { Scope } from '../../platform/scope.js'
import type { EntityRow } from '../holders/entity.js'
import { networkPerson } from '../holders/network-person.js'
import { readDetails } from '../holders/show-entity.js'
import { changeLinks } from './change.js'
import { findLinks, type LinkPage, type Links, lockLinks } from './store.js'

/** The path on the frame's listener at which a person continues after the page. */
export const LINKED_PATH = '/linked'

/** The limits of a page's lifetime, whatever the provider's clock says. */
const MIN_LIFETIME_MS = MINUTE_MS
const MAX_LIFETIME_MS = 60 * MINUTE_MS

const noLinks: Links = {
  ...{ pages: 0, ending: null, checked_at: 0, linked_at: null, page: null },
  institutions: [],
  removed: [],
}

/** Returns what a person has linked, with the institutions that the provider lists now. Pure. */
const withInstitutions = (links: Links, institutions: Links['institutions'], now: number): Links => ({
  ...links,
  institutions: institutions.filter(
    // mutant: removed-institution-does-not-return (= true)
    ({ id }) => !links.removed.includes(id),
  ),
  checked_at: now,
})

/** Returns the legal name that a person's accounts must have, or null if it is unknown. */
export function legalName(scope: Scope, entity: EntityRow): string | null {
  const { first_name, last_name } = readDetails(scope, entity)
  return [first_name, last_name].filter(Boolean).join(' ') || null
}

/** The id of the request that creates a page. The same page always has the same id, so a crash creates no second one. */
const requestOf = (entity: string, pages: number, repairs: string | null): string =>
  `${entity}.${pages}${repairs === null ? '' : `.${digestOf(repairs)}`}`

/** Identifies an institution where its id must not be. */
export const digestOf = (institution: string) => createHash('sha256').update(institution).digest('hex').slice(0, 12)

/** Returns the id of the person for whom a request creates a page. */
export const entityOfRequest = (request: string): string => request.split('.')[0]!

const callOf = (scope: Scope, entity: Pick<EntityRow, 'id' | 'person'>, request: string) => ({
  ...createPortCall(scope, request),
  person: networkPerson(scope, entity),
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
 * Prepares the person's page: the one that they are on or, if there is none, the one for an institution that needs another
 * sign-in, or else the one for another institution. Reads what the person has linked again if it was read before `since`.
 * @throws OutsideError
 */
export async function preparePage(scope: Scope, entity: EntityRow, since: number): Promise<SaveLinks> {
  const before = (await findLinks(scope, entity.id)) ?? noLinks
  const hasExpired = before.page !== null && before.page.expires_at <= scope.now
  const isCurrent = before.checked_at >= since && before.checked_at > 0 && !hasExpired
  const links = isCurrent ? before : await readLinks(scope, entity, before)
  const broken = links.institutions.find(({ status }) => status === 'repair')?.id ?? null
  const { page } = links
  const isOpen = page !== null && page.expires_at > scope.now && (page.opened_at !== null || page.repairs === broken)
  return saveIfUnchanged(entity, before, isOpen ? links : await withNewPage(scope, entity, links, broken))
}

/** Reads what the person has linked, also on the page that they may have been on. @throws OutsideError */
async function readLinks(scope: Scope, entity: EntityRow, before: Links): Promise<Links> {
  const after = before.page ? withOutcome(before, await readOutcome(scope, entity, before.page), scope.now) : before
  if (after.checked_at === scope.now) return after
  const answer = await scope.deps.ports.network.linked(callOf(scope, entity, entity.id))
  return withInstitutions(after, answer.status === 'linked' ? answer.institutions : [], scope.now)
}

async function withNewPage(scope: Scope, entity: EntityRow, links: Links, broken: string | null): Promise<Links> {
  const pages = links.pages + 1
  const page =
    (broken !== null && (await createPage(scope, entity, pages, broken))) ||
    (await createPage(scope, entity, pages, null))
  if (!page) throw new OutsideError('The provider has no page on which to link institutions.', { outcome: 'nothing' })
  return { ...links, pages, page }
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
    await changeLinks(tx, entity.id, current, after)
    return after
  }

type Outcome = Awaited<ReturnType<Network['linked']>>

const readOutcome = (scope: Scope, entity: EntityRow, { request_id, link_id }: LinkPage): Promise<Outcome> =>
  scope.deps.ports.network.linked({ ...callOf(scope, entity, request_id), link_id })

/** Returns what the person has linked after the outcome of their page is known. Pure. */
function withOutcome(links: Links, outcome: Outcome, now: number): Links {
  if (outcome.status === 'waiting') return links
  if (outcome.status === 'linked')
    return { ...withInstitutions(links, outcome.institutions, now), page: null, ending: null, linked_at: now }
  if (outcome.reason === 'expired')
    return { ...links, page: null, ending: links.page?.opened_at ? 'expired' : links.ending }
  // The person can open a page again after closing it.
  return { ...links, page: links.page && { ...links.page, opened_at: null }, ending: outcome.reason }
}

/**
 * Reads what happened on a page.
 * @returns the function that stores it, which returns true while the person may still be on the page. Throws OutsideError
 */
export async function readPage(
  scope: Scope,
  entity: EntityRow,
  page: LinkPage,
): Promise<(tx: Scope) => Promise<boolean>> {
  const outcome = await readOutcome(scope, entity, page)
  return async tx => {
    const links = await lockLinks(tx, entity.id)
    // mutant: replaced-page-changes-nothing (false)
    if (!links || links.page?.request_id !== page.request_id) return false
    const after = withOutcome(links, outcome, tx.now)
    if (after === links) return true
    await changeLinks(tx, entity.id, links, after)
    return false
  }
}

/**
 * Reads which institutions the person has linked now.
 * @returns the function that stores them. Throws OutsideError
 */
export async function readInstitutions(scope: Scope, entity: EntityRow): Promise<(tx: Scope) => Promise<void>> {
  const answer = await scope.deps.ports.network.linked(callOf(scope, entity, entity.id))
  return async tx => {
    const links = await lockLinks(tx, entity.id)
    if (links && answer.status === 'linked')
      await changeLinks(tx, entity.id, links, withInstitutions(links, answer.institutions, tx.now))
  }
}

/**
 * Disconnects institutions of a person at the provider, which ends its access.
 * @param institution the digest of the institution to disconnect. Null for all
 * @returns the references of their accounts. Throws OutsideError
 */
export async function unlink(
  scope: Scope,
  entity: Pick<EntityRow, 'id' | 'person'>,
  institution: string | null,
): Promise<string[]> {
  const { network } = scope.deps.ports
  const answer = await network.linked(callOf(scope, entity, entity.id))
  const all = answer.status === 'linked' ? answer.institutions : []
  const ending = institution === null ? all : all.filter(({ id }) => digestOf(id) === institution)
  for (const { id } of ending)
    await network.unlink({ ...callOf(scope, entity, `${entity.id}.end.${digestOf(id)}`), institution: id })
  return ending.flatMap(({ accounts }) => accounts)
}
