/** The source of the element's tokens. A token is valid for one answer; the same one is never given twice. */
import { type AuthReason, readHandle } from '@causeway/contract/frame'

/** Asks the page's server for a one-time token. */
export type GetToken = (reason: AuthReason) => string | Promise<string>

export interface TokenSource {
  token: string | null
  getToken: GetToken | null
}

/** A token; null where the page has none; an error where its callback failed, with the cause, or gave something else. */
export type Taken = string | Error | null

export interface Tokens {
  /** A token to open a frame with, kept for that frame's first question. */
  hold(): Promise<Taken>
  /** The token to answer the frame with: the held one first, then a fresh one. */
  give(reason: AuthReason): Promise<Taken>
}

/** The longest that `getToken` may take, in milliseconds: more than a slow server needs, less than a person waits. */
export const PATIENCE = 20_000

/** Rejects where there is no answer in {@link PATIENCE}. */
async function inTime(answer: unknown): Promise<unknown> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`getToken did not respond within ${PATIENCE / 1000} seconds.`)), PATIENCE)
  })
  return Promise.race([answer, late]).finally(() => clearTimeout(timer))
}

export function createTokens(source: TokenSource): Tokens {
  const given = new Set<string>()
  let held: string | null = null

  const isFresh = (token: unknown): token is string => {
    const handle = readHandle(token)
    return handle !== null && !given.has(handle)
  }

  async function next(reason: AuthReason): Promise<Taken> {
    const { token, getToken } = source
    // A held token that is asked for again opened a frame in vain: it may have expired, so prefer asking the page.
    if (isFresh(token) && (token !== held || !getToken)) return token
    if (!getToken) return null
    try {
      const asked = await inTime(getToken(reason))
      if (isFresh(asked)) return asked
      if (asked === null || readHandle(asked)) return null
      // The value is not shown: it could be a key.
      return new Error(
        `getToken('${reason}') must return a one-time token, and it returned a value of type ${typeof asked}.`,
      )
    } catch (cause) {
      return new Error(`getToken('${reason}') failed.`, { cause })
    }
  }

  return {
    async hold() {
      const taken = await next('initial')
      held = taken instanceof Error ? null : taken
      return taken
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
