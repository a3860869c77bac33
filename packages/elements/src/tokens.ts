/** Where the element's tokens come from. A token is good for one answer; the same one is never given twice. */
import { type AuthReason, readHandle } from '@causeway/contract/frame'

/** Asks the page's server for a one-time token. */
export type GetToken = (reason: AuthReason) => string | Promise<string>

export interface TokenSource {
  token: string | null
  getToken: GetToken | null
}

export interface Tokens {
  /** A token to open a frame with, kept for that frame's first question; null where the page has none. */
  hold(): Promise<string | null>
  /** The token to answer the frame with: the held one first, then a fresh one; null where the page has none. */
  give(reason: AuthReason): Promise<string | null>
}

export function createTokens(source: TokenSource): Tokens {
  const given = new Set<string>()
  let held: string | null = null

  const isFresh = (token: unknown): token is string => {
    const handle = readHandle(token)
    return handle !== null && !given.has(handle)
  }

  async function next(reason: AuthReason): Promise<string | null> {
    const { token, getToken } = source
    // A held token that is asked for again opened a frame in vain: it may have expired, so prefer asking the page.
    if (isFresh(token) && (token !== held || !getToken)) return token
    try {
      const asked = await getToken?.(reason)
      return isFresh(asked) ? asked : null
    } catch {
      return null
    }
  }

  return {
    async hold() {
      held = await next('initial')
      return held
    },
    async give(reason) {
      const token = held ?? (await next(reason))
      held = null
      const handle = readHandle(token)
      if (handle) given.add(handle)
      return token
    },
  }
}
