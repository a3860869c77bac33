/**
 * Supplies the element's tokens. Each token can be used only once, so this module never returns the same token twice.
 */
import { type AuthReason, readHandle } from '@causeway/contract/frame'

/** Requests a one-time token from the page's server. */
export type GetToken = (reason: AuthReason) => string | Promise<string>

export interface TokenSource {
  token: string | null
  getToken: GetToken | null
}

/**
 * A token, null if the page has none, or an error if `getToken` failed or returned any other value. If `getToken`
 * failed, the error's `cause` is the original error.
 */
export type TokenResult = string | Error | null

export interface Tokens {
  /**
   * Returns the token for a new frame, and holds it for the frame's first request. If the page has set a token, returns
   * it synchronously, so that the frame starts to load before anything is rendered.
   */
  hold(): TokenResult | Promise<TokenResult>
  /** Returns a token for the frame's request: first the held token, then a new one. */
  give(reason: AuthReason): Promise<TokenResult>
}

/**
 * The timeout for `getToken`, in milliseconds. Longer than a slow server needs, but shorter than a person is willing to
 * wait.
 */
export const GET_TOKEN_TIMEOUT_MS = 20_000

/** Rejects if the promise does not settle within {@link GET_TOKEN_TIMEOUT_MS}. */
async function withTimeout(answer: unknown): Promise<unknown> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise((_, reject) => {
    timer = setTimeout(
      () => reject(new Error(`getToken did not respond within ${GET_TOKEN_TIMEOUT_MS / 1000} seconds.`)),
      GET_TOKEN_TIMEOUT_MS,
    )
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

  function next(reason: AuthReason): TokenResult | Promise<TokenResult> {
    const { token, getToken } = source
    // A held token that the frame has not used may have expired, so a new token from `getToken` takes precedence.
    if (isFresh(token) && (token !== held || !getToken)) return token
    return getToken && request(getToken, reason)
  }

  async function request(getToken: GetToken, reason: AuthReason): Promise<TokenResult> {
    try {
      const asked = await withTimeout(getToken(reason))
      if (isFresh(asked)) return asked
      if (asked === null || readHandle(asked)) return null
      // The message omits the value, which could be a key.
      const what = /^sk_/.test(String(asked))
        ? 'a secret key, which must never reach a page: revoke it'
        : typeof asked === 'string'
          ? 'a string that is not a token'
          : `a value of type ${typeof asked}`
      return new Error(`getToken('${reason}') must return a one-time token (pk_elem_…). It returned ${what}.`)
    } catch (cause) {
      return new Error(`getToken('${reason}') failed.`, { cause })
    }
  }

  return {
    hold() {
      const hold = (taken: TokenResult): TokenResult => {
        held = taken instanceof Error ? null : taken
        return taken
      }
      const taken = next('initial')
      return taken instanceof Promise ? taken.then(hold) : hold(taken)
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
