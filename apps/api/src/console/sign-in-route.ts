/** The shape of the endpoints with which a browser signs in and out. */
import type { Deps } from '../platform/scope.js'
import type { Access } from './exchange.js'
import type { ConsoleOptions } from './options.js'
import type { User } from './user.js'

/** A request to sign in or out. */
export interface SignInRequest {
  readonly options: ConsoleOptions
  readonly deps: Deps
  readonly body: Record<string, unknown>
  /** The value of the browser's session cookie. */
  readonly cookie: string | undefined
  /** The value of the cookie of a browser that began to sign in with an OpenID provider. */
  readonly browser: string | undefined
  /** The signed-in user. Set for requests that need a session. */
  readonly user: User | undefined
}

export interface SignInAnswer {
  readonly body: object
  /** The value of the session cookie to set, or null to clear it. */
  readonly session?: string | null
  /** The value of the cookie that binds a sign-in with an OpenID provider to the browser. */
  readonly browser?: string
}

export interface SignInRoute {
  readonly method: 'GET' | 'POST' | 'DELETE'
  readonly path: string
  readonly access: Access
  run(request: SignInRequest): Promise<SignInAnswer>
}
