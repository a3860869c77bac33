import type { RequestOptions } from '../transport.js'
import type { Verbs } from '../verbs.js'

/** What a team can set for itself. */
export interface TeamSettings {
  /** Moves forward only. */
  version: string
  /** Pays where a release names no source. */
  default_source_account: string | null
  /** At most 10 characters. */
  payment_description: string
  /** Origins whose pages may embed the elements, exactly as `URL.origin` prints them; at most 20. */
  allowed_origins: string[]
  brand: { name: string; logo: string | null; primary_color: string | null }
  appearance: 'light' | 'dark' | 'system'
}

export interface Team extends TeamSettings {
  id: string
  name: string
}

/** The team that the key belongs to. */
export const createTeam = (verbs: Verbs) => ({
  retrieve: (options?: RequestOptions) => verbs.get<Team>('/team', {}, options),
  update: (
    params: Partial<Omit<TeamSettings, 'brand'>> & { brand?: Partial<TeamSettings['brand']> },
    options?: RequestOptions,
  ) => verbs.patch<Team>('/team', params, options),
})
