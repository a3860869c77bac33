import type { Body } from '../endpoints.js'
import type { RequestOptions } from '../transport.js'
import type { Verbs } from '../verbs.js'

export type TeamUpdateParams = Body<'PATCH /team'>

/** The team that the key belongs to. */
export const createTeam = ({ one, data, list }: Verbs) => ({
  retrieve: (options?: RequestOptions) => one('GET /team', [], {}, options),
  /** What is left out stays, inside `brand` and `limits` too. `version` only moves forward. */
  update: (params: TeamUpdateParams, options?: RequestOptions) => one('PATCH /team', [], params, options),
  /** Secret keys. A value is shown once, when the key is made. */
  keys: {
    create: (options?: RequestOptions) => one('POST /team/keys', [], {}, options),
    list: (options?: RequestOptions) => list('GET /team/keys', [], {}, options),
    delete: (id: string, options?: RequestOptions) => data('DELETE /team/keys/:key_id', [id], {}, options),
  },
})

/** Teams below this one. */
export const createTeams = ({ one }: Verbs) => ({
  /** Its first key is in the answer, this once. */
  create: (params: Body<'POST /teams'>, options?: RequestOptions) => one('POST /teams', [], params, options),
})
