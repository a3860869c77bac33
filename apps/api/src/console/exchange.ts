import type { Context } from 'hono'
import type { User as Caller } from '../platform/http/pipeline/api-exchange.js'
import { Exchange, type ListenerEnv } from '../platform/http/pipeline/envelope.js'
import type { Deps } from '../platform/scope.js'
import type { User } from './user.js'

export interface ConsoleOptions {
  readonly deps: Deps
  /** The console's own origin, as browsers see it. */
  readonly origin: string
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

/** A request to the console's API. */
export class ConsoleExchange extends Exchange {
  readonly c: Context<ListenerEnv>
  /** True for a request that signs in and needs no session. */
  readonly signsIn: boolean
  /** The signed-in user. Set for all requests that need a session. */
  user: User | undefined
  /** True if the API has served, logged and counted the request. */
  isForwarded = false

  /** @param path the route's template */
  constructor({ clock }: Deps, c: Context<ListenerEnv>, path: string, signsIn = false) {
    super(clock(), c.req.raw, `/console${path}`, c.env?.incoming?.socket?.remoteAddress)
    this.c = c
    this.signsIn = signsIn
  }
}
