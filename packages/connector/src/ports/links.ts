import type { PortCall } from './call.js'

/** An institution that a person linked. */
export interface LinkedInstitution {
  /** The network's opaque reference. Never shown to API clients. */
  id: string
  name: string
  /**
   * `repair`: the person must sign in again before its accounts can be read. `name_mismatch`: at least one account belongs
   * to someone else, so discovery leaves that account out.
   */
  status: 'ok' | 'repair' | 'name_mismatch'
  /** The references of its accounts, as `discover` returns them. */
  accounts: string[]
}

/**
 * Lets a person sign in to institutions on the network's own page. A network that finds accounts without it has no such
 * page.
 */
export interface Links {
  /**
   * Creates a page at which the person links institutions, or signs in to one again. `expires_at` is in epoch
   * milliseconds.
   */
  link(
    call: PortCall & {
      person: string
      /** The person's legal name. Accounts of anyone else are left out. Null to accept any name. */
      name: string | null
      /** The URL at which the person continues after the page. */
      return_url: string
      /** The institution to sign in to again. Absent to link more institutions. */
      repair?: string
    },
  ): Promise<{ status: 'ready'; url: string; expires_at: number; link_id: string } | { status: 'refused' }>
  /**
   * Returns the person's institutions, after the page of `link_id` if it is given. `waiting`: the person has not
   * finished. `left`: the person finished without linking anything.
   */
  linked(
    call: PortCall & { person: string; link_id?: string },
  ): Promise<
    | { status: 'waiting' }
    | { status: 'linked'; institutions: LinkedInstitution[] }
    | { status: 'left'; reason: 'closed' | 'expired' | 'failed' }
  >
  /** Disconnects an institution, so that its accounts can no longer be read. */
  unlink(call: PortCall & { person: string; institution: string }): Promise<{ status: 'unlinked' }>
}
