import type { Version } from '@causeway/contract/versions'
import type { z } from 'zod'
import type { Scope } from '../scope.js'

/** The platform's interface to the API versions. `main/app.ts` provides it. */
export interface Versions {
  /** Returns the query parameters that a version doesn't have. */
  lackedParameters(version: Version): string[]
  /**
   * Returns the body and query of an endpoint in a version and a mount, if they differ from those in the latest version
   * on the root mount.
   * @param endpoint such as `POST /entities`
   */
  requestAt(
    version: Version,
    endpoint: string,
    enveloped?: boolean,
  ): { readonly body?: z.ZodType; readonly query?: Readonly<Record<string, z.ZodType>> }
  /** Parses a request's body and converts it to the latest version. Throws INVALID_REQUEST or the field's own error. */
  upToNewest(version: Version, endpoint: string, newest: z.ZodType, body: unknown, enveloped: boolean): unknown
  /**
   * Converts a body from the latest version to another version. Fields that depend on data outside the body are null.
   */
  showAt(version: Version, body: unknown): unknown
  /**
   * Loads the data that a version needs but the body doesn't contain. Returns a function that converts the body, or a
   * part of it, to that version.
   */
  showing(scope: Scope, version: Version, body: unknown): Promise<(body: unknown) => unknown>
}
