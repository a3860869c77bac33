import type { Prefix } from '@causeway/contract/ids'
import type { Version } from '@causeway/contract/versions'
import type { z } from 'zod'
import type { Facts, Need } from './facts.js'

export type Body = Record<string, unknown>

/**
 * Behaviors of older versions that do not depend on the form of a body. Features check for one by name, never by date.
 */
export type Behaviour =
  /** Lists never contain accounts that await consent, even if a request asks for those. */
  'approved_accounts'

/** Kinds of names that a path or a request can contain. */
export type Named = 'product' | 'subscription'

/**
 * Returns the name in a version of something, given its name in the next newer version; null if the version lacks it.
 */
type Rename = (name: string, holder: 'account' | 'entity') => string | null

/** A difference between a version and the previous one, as docs/versions.md describes it. */
export interface Note {
  /** The subject, as the document names it: `Account`. */
  resource: string
  in: 'request' | 'answer' | 'behavior'
  /** One or two sentences of Markdown. */
  says: string
}

/** The input of an endpoint in a version. Absent properties are the same as in the next newer version. */
export interface Taken {
  body?: z.ZodType
  /** Converts a body of this version, parsed by `body`, to the next newer version. */
  up?: (body: never) => unknown
  example?: unknown
  query?: Readonly<Record<string, z.ZodType>>
}

/** Converts from the next newer version to this one, by kind of resource. Fields that are not named stay. */
export interface Step {
  version: Version
  /**
   * Fields that were added after this version, by kind of resource. The API description of this version omits them too.
   */
  loses?: Partial<Record<Prefix, readonly string[]>>
  /** Fields that only this version and older ones show. */
  keeps?: Partial<Record<Prefix, readonly string[]>>
  /** Fields that a body contains only for `down`, which removes them. No version shows them. */
  carries?: Partial<Record<Prefix, readonly string[]>>
  /** The facts that `down` needs beyond the body. */
  needs?: readonly Need[]
  down?: Partial<Record<Prefix, (body: Body, facts: Facts) => Body>>
  behaviours?: readonly Behaviour[]
  /** Conversions of product and subscription names that differ in this version. */
  names?: Partial<Record<Named, Rename>>
  /** Query parameters that this version and older ones do not have. */
  lacksParameters?: readonly string[]
  /** True for an event type, given by its latest name, that this version and older ones do not have. */
  lacks?: (type: string) => boolean
  /** Schemas of resources that `down` converts to another form, for the API description. */
  schemas?: Partial<Record<Prefix, z.ZodType>>
  /** Requests with another form in this version, by endpoint: `POST /entities`. */
  requests?: Readonly<Record<string, Taken>>
  /** Fields for the example of a kind of resource, if the latest example would be empty in this version. */
  examples?: Partial<Record<Prefix, Body>>
  /** The changes that the next newer version made, except those that `loses` and `keeps` describe. */
  notes: readonly Note[]
  /** Fields of this version that are always null, the resource that they are in, and the reason. */
  sourceless?: readonly { fields: readonly string[]; of: string; why: string }[]
}

/** Copies a body without the given fields. */
export function without(body: Body, fields: readonly string[]): Body {
  const out: Body = {}
  for (const key in body) if (!fields.includes(key)) out[key] = body[key]
  return out
}
