/** The institutions that a person has linked, in the format shown to the person. */
import { createHash } from 'node:crypto'
import type { LinkedInstitution } from '@causeway/contract/session'
import type { Links } from '../../people/links/store.js'
import { changeProgress, inTransaction, noErrors } from './call.js'
import type { WayBack } from './define-step.js'

/** Returns the id of an institution in the frame, which is not the provider's. */
export const institutionKey = (id: string): string => createHash('sha256').update(id).digest('hex').slice(0, 20)

export const showInstitutions = ({ institutions }: Pick<Links, 'institutions'>): LinkedInstitution[] =>
  institutions.map(({ id, name, status }) => ({ id: institutionKey(id), name, status }))

/** Returns the id of the institution that the frame names. Undefined if it is not linked. */
export const institutionOf = (links: Pick<Links, 'institutions'> | undefined, key: unknown): string | undefined =>
  links?.institutions.find(({ id }) => institutionKey(id) === key)?.id

/** The back action that returns from choosing accounts to linking institutions. The accounts stay found. */
export const backToLink: WayBack = {
  offered: ({ link, session }) => link !== null && session.completed_at === null,
  async take(call) {
    await inTransaction(call, tx => changeProgress(call, tx, () => ({ linked: false }), { connect_id: null }))
    return noErrors
  },
}
