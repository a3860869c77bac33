import type { ConsoleUser, Holder, Team, Within } from '../../scope.js'
import type { Route } from '../endpoint/route.js'
import type { IncomingRequest } from '../request/context.js'
import type { Rendered } from '../response/render.js'
import { Exchange } from './envelope.js'

/** The parts of a request to the API that the listener and the router provide. */
export interface Routed {
  endpoint: Route
  request: Request
  /** Returns a header by its lowercase name. */
  header(name: string): string | undefined
  /** The path without the mount's prefix. */
  path: string
  params: Record<string, string>
  enveloped: boolean
  /** The address at the other end of the connection, if the listener provides it. */
  remote: string | undefined
  /** The signed-in console user, if the request comes from the console. */
  user?: User | undefined
}

/**
 * A console user. Rate limits count a user's requests separately from those made with the team's keys, except on
 * endpoints that have their own limit.
 */
export interface User extends Holder {
  /** The id under which rate limits count the user's requests. */
  readonly user: string
  readonly from: ConsoleUser
  /** True for a part of a request that the console's listener counts and logs, such as one page of a file. */
  readonly isPart?: true
  /** Runs in the transaction of the write, before its change. An error rejects the write. */
  readonly within?: Within
}

/** The caller. `session` is set if an Opal token names a session. */
export type Caller = Holder & { session?: string }

/** A request to the API, with what its stages have found out so far. */
export class ApiExchange extends Exchange {
  readonly endpoint: Route
  readonly path: string
  readonly params: Record<string, string>
  readonly enveloped: boolean
  readonly user: User | undefined
  team: Team | undefined
  actor: string | undefined
  incoming: IncomingRequest | undefined
  /** Encrypts the response, if the request was encrypted. */
  seal: ((rendered: Rendered) => Promise<Rendered>) | undefined
  /** The error's code before the response is encrypted. */
  subType: string | undefined

  constructor(at: number, { endpoint, request, header, path, params, enveloped, remote, user }: Routed) {
    super(at, request, endpoint.path, remote, header)
    this.endpoint = endpoint
    this.path = path
    this.params = params
    this.enveloped = enveloped
    this.user = user
  }
}
