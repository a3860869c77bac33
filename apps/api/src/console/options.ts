import type { User as Caller } from '../platform/http/pipeline/api-exchange.js'
import type { Deps } from '../platform/scope.js'
import type { LiveRows } from './live/live-rows.js'
import type { Oidc } from './users/oidc.js'

export interface ConsoleOptions {
  readonly deps: Deps
  /** The console's own origin, as browsers see it. */
  readonly origin: string
  /** True if secret keys and one-time links, which name no user, may sign in. */
  readonly allowsKeys: boolean
  /** The OpenID provider that signs users in, or null. */
  readonly oidc: Oidc | null
  /** Announces new rows to open pages. */
  readonly live: LiveRows
  /** Makes an API request on behalf of a user. */
  readonly api: (request: Request, user: Caller) => Response | Promise<Response>
  /** The HTML page served for every app URL. */
  readonly page: string
  /**
   * Serves one of the app's files.
   * @param accepted the `Accept-Encoding` header
   */
  readonly asset: (path: string, accepted: string | undefined) => Response
}

/** The parts of the console's options that decide who may sign in. */
export type Context = Pick<ConsoleOptions, 'deps' | 'allowsKeys' | 'oidc'>
