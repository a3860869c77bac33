import type { Version } from '@causeway/contract/versions'
import type { z } from 'zod'
import type { Scope } from '../scope.js'

/** The API's versions, as the platform uses them. `main/app.ts` provides them. */
export interface Versions {
  /** Query parameters that a version does not have. */
  lackedParameters(version: Version): string[]
  /**
   * Returns the body and query of an endpoint in a version, if they differ from the latest. @param endpoint such as
   * `POST /entities`
   */
  requestAt(
    version: Version,
    endpoint: string,
  ): { readonly body?: z.ZodType; readonly query?: Readonly<Record<string, z.ZodType>> }
  /** Parses a request's body and converts it to the latest version. Throws INVALID_REQUEST, or the field's own error */
  upToNewest(version: Version, endpoint: string, newest: z.ZodType, body: unknown): unknown
  /** Shows a body of the latest version at another version. Fields that need more facts than the body are null. */
  showAt(version: Version, body: unknown): unknown
  /**
   * Loads the facts that a version needs beyond a body. Returns a function that shows the body, or a part of it, at
   * that version.
   */
  showing(scope: Scope, version: Version, body: unknown): Promise<(body: unknown) => unknown>
}
