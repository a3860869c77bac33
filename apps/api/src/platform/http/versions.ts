import type { Version } from '@causeway/contract/versions'
import type { z } from 'zod'
import type { Scope } from '../scope.js'

/** The API's versions as the platform uses them. `main/app.ts` provides them. */
export interface Versions {
  /** Query parameters that a version does not have. */
  lackedParameters(version: Version): string[]
  /** Returns the body and query of an endpoint in a version, where they differ from the latest. @param endpoint such as `POST /entities` */
  requestAt(
    version: Version,
    endpoint: string,
  ): { readonly body?: z.ZodType; readonly query?: Readonly<Record<string, z.ZodType>> }
  /** Reads a request's body and turns it into the latest version's. Throws INVALID_REQUEST, or the field's own error */
  upToNewest(version: Version, endpoint: string, newest: z.ZodType, body: unknown): unknown
  /** Shows a newest body at a version. Fields that need more than the body are null. */
  showAt(version: Version, body: unknown): unknown
  /** Loads the facts that a version needs beyond a body. Returns a function that shows the body, or a part of it, at the version. */
  showing(scope: Scope, version: Version, body: unknown): Promise<(body: unknown) => unknown>
}
