import type { Body, Query } from '../endpoints.js'
import type { RequestOptions } from '../options.js'
import type { Verbs } from '../verbs.js'

export type TeamUpdateParams = Body<'PATCH /team'>

/** The team that the key belongs to. */
export const createTeam = ({ one, data, list }: Verbs) => ({
  retrieve: (options?: RequestOptions) => one('GET /team', [], {}, options),
  /**
   * Updates the team. Omitted fields do not change, including those inside `brand` and `limits`. `version` can only be
   * changed to a later version.
   */
  update: (params: TeamUpdateParams, options?: RequestOptions) => one('PATCH /team', [], params, options),
  /**
   * Secret keys. A key's value is returned once, when the key is created. If you repeat that request, the value is
   * null.
   */
  keys: {
    /** Creates a key. `scopes` defaults to the scopes of the key that makes the request. */
    create: (params?: Body<'POST /team/keys'>, options?: RequestOptions) =>
      one('POST /team/keys', [], params ?? {}, options),
    list: (options?: RequestOptions) => list('GET /team/keys', [], {}, options),
    /**
     * Revokes a key. `created_keys: 'revoke'` also revokes every key that this key created. Use it for a leaked key.
     */
    delete: (id: string, params?: Query<'DELETE /team/keys/:key_id'>, options?: RequestOptions) =>
      data('DELETE /team/keys/:key_id', [id], params ?? {}, options),
  },
})

/** Teams below this team. */
export const createTeams = ({ one, data, list }: Verbs) => ({
  list: (params?: Query<'GET /teams'>, options?: RequestOptions) => list('GET /teams', [], params, options),
  /** Creates a team. The response contains the team's first key, which is returned only once. */
  create: (params: Body<'POST /teams'>, options?: RequestOptions) => one('POST /teams', [], params, options),
  /** Secret keys of any team below this team. */
  keys: {
    list: (team: string, options?: RequestOptions) => list('GET /teams/:team_id/keys', [team], {}, options),
    delete: (
      team: string,
      id: string,
      params?: Query<'DELETE /teams/:team_id/keys/:key_id'>,
      options?: RequestOptions,
    ) => data('DELETE /teams/:team_id/keys/:key_id', [team, id], params ?? {}, options),
  },
  /** Selects, by `kid` or id, the default key for encrypting responses. */
  setDefaultEncryptionKey: (key: string, options?: RequestOptions) =>
    one('POST /teams/default_encryption_key', [], { key }, options),
  /** Public keys for encrypting responses. */
  publicKeys: {
    create: (params: Body<'POST /teams/mle/public_keys'>, options?: RequestOptions) =>
      one('POST /teams/mle/public_keys', [], params, options),
    retrieve: (id: string, options?: RequestOptions) =>
      one('GET /teams/mle/public_keys/:team_jwk_id', [id], {}, options),
    list: (params?: Query<'GET /teams/mle/public_keys'>, options?: RequestOptions) =>
      list('GET /teams/mle/public_keys', [], params, options),
    /** Deletes the key permanently and returns it. */
    delete: (id: string, options?: RequestOptions) =>
      one('DELETE /teams/mle/public_keys/:team_jwk_id', [id], {}, options),
  },
})
