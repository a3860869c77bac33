import type { Context } from 'hono'
import { Exchange, type ListenerEnv } from '../platform/http/pipeline/envelope.js'
import type { Deps } from '../platform/scope.js'
import type { User } from './user.js'

/**
 * The session that a request needs: none, one that may still lack its second factor, or one that has every factor that
 * its user must present.
 */
export type Access = 'none' | 'first_factor' | 'full'

/** A request to the console's API. */
export class ConsoleExchange extends Exchange {
  readonly c: Context<ListenerEnv>
  readonly access: Access
  /** The signed-in user. Set for all requests that need a session. */
  user: User | undefined
  /** True if the API has served, logged and counted the request. */
  isForwarded = false

  /** @param path the route's template */
  constructor({ clock }: Deps, c: Context<ListenerEnv>, path: string, access: Access = 'full') {
    super(clock(), c.req.raw, `/console${path}`, c.env?.incoming?.socket?.remoteAddress)
    this.c = c
    this.access = access
  }
}
