import { MINUTE_MS, SECOND_MS } from '@causeway/contract/time'
import type { JobHandler } from '../../platform/jobs/jobs.js'
import type { Scope } from '../../platform/scope.js'
import type { EntityRow } from '../holders/entity.js'
import { findEntity } from '../holders/store.js'
import { changeLinks, endUpdates } from './change.js'
import { digestOf, entityOfRequest, readInstitutions, readPage, unlink } from './pages.js'
import { deleteLinks, findLinks, type LinkPage, lockLinks } from './store.js'

/** The kind of the job that reads an opened page until its outcome is known, even if no webhook arrives. */
export const FOLLOW_LINK_JOB = 'link.follow'

/** The time between two reads of an opened page, which grows with the time since the person opened it. */
function intervalMs(elapsedMs: number): number {
  if (elapsedMs < MINUTE_MS) return 3 * SECOND_MS
  return elapsedMs < 5 * MINUTE_MS ? 10 * SECOND_MS : MINUTE_MS
}

/** Starts to follow a page that the person opened. */
export async function startFollowing(scope: Scope, { request_id }: LinkPage): Promise<void> {
  await scope.deps.jobs.enqueue(scope, {
    kind: FOLLOW_LINK_JOB,
    payload: { link: request_id },
    at: scope.now + intervalMs(0),
    unique: `link ${request_id}`,
  })
}

const noEffect = async () => undefined

/** Reads a page, and runs again while the person may still be on it. */
export const followLink: JobHandler = {
  async run(scope, payload) {
    const request = payload['link'] ?? ''
    const entity = await findEntity(scope, entityOfRequest(request))
    const links = entity && (await findLinks(scope, entity.id))
    if (!entity || !links) return noEffect
    const { page } = links
    // A webhook can also be about an institution that was linked on an earlier page.
    if (page?.request_id !== request) {
      const saveInstitutions = await readInstitutions(scope, entity)
      return async saving => {
        await saveInstitutions(saving)
        return undefined
      }
    }
    const save = await readPage(scope, entity, page)
    return async saving => {
      const isWaiting = await save(saving)
      const opened = page.opened_at ?? saving.now
      return isWaiting && saving.now < page.expires_at + MINUTE_MS
        ? { again: saving.now + intervalMs(saving.now - opened) }
        : undefined
    }
  },
}

/** The kind of the job that disconnects a person's institutions at the provider. */
export const UNLINK_JOB = 'link.end'

/** The number of attempts to disconnect institutions, over about a day. */
const MAX_UNLINK_ATTEMPTS = 150

/** Disconnects all institutions of a person who withdraws. The caller has locked the person, whose row still names them. */
export async function endLinks(scope: Scope, { id, person }: EntityRow): Promise<void> {
  const wasLinked = await deleteLinks(scope, id)
  // mutant: withdrawal-disconnects-institutions (false)
  if (wasLinked && person !== null)
    await scope.deps.jobs.enqueue(scope, { kind: UNLINK_JOB, payload: { entity: id, person } })
}

/**
 * Disconnects one institution of a person. The customer's access to its accounts ends at once, and the provider's access
 * ends with a job. The caller has locked the person.
 * @returns false if it is not linked
 */
export async function disconnect(scope: Scope, entity: EntityRow, institution: string): Promise<boolean> {
  const links = await lockLinks(scope, entity.id)
  if (!links?.institutions.some(({ id }) => id === institution)) return false
  const { page } = links
  await changeLinks(scope, entity.id, links, {
    ...links,
    institutions: links.institutions.filter(({ id }) => id !== institution),
    removed: [...links.removed, institution],
    page: page?.repairs === institution ? null : page,
  })
  await scope.deps.jobs.enqueue(scope, {
    kind: UNLINK_JOB,
    // The provider's ids are stored sealed, so the payload has a digest.
    payload: { entity: entity.id, person: entity.person ?? '', institution: digestOf(institution) },
  })
  return true
}

export const unlinkInstitutions: JobHandler = {
  attempts: MAX_UNLINK_ATTEMPTS,
  async run(scope, { entity = '', person = '', institution = null }) {
    const accounts = await unlink(scope, { id: entity, person }, institution)
    // The provider may have found more accounts since the institutions were last read.
    return async saving => {
      await endUpdates(saving, entity, accounts)
      return undefined
    }
  },
}
