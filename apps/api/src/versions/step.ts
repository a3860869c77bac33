import type { Endpoint } from '@causeway/contract/declaration/endpoint'
import type { Prefix } from '@causeway/contract/ids'
import type { Version } from '@causeway/contract/versions'
import type { z } from 'zod'
import type { FactKind, Facts } from './facts.js'

export type Body = Record<string, unknown>

/**
 * Behaviors of older versions that don't depend on a body's format. Features check for a behavior by name, never by
 * version.
 */
export type Behavior =
  /** Lists never contain accounts that await consent, even if a request asks for them. */
  | 'approved_accounts'
  /** `GET /teams` returns the calling team instead of a list of child teams. */
  | 'calling_team'
  /** In the sandbox, an entity that matches a person with full details is verified. */
  | 'match_verifies'
  /** A provider's id finds only one merchant, the latest. */
  | 'one_merchant_per_provider_id'

/** Kinds of names that can appear in a path or a request. */
export type NameKind = 'product' | 'subscription'

/**
 * Returns the name of a product or subscription in this version, given its name in the next newer version. Returns null
 * if this version doesn't have it.
 */
type Rename = (name: string, holder: 'account' | 'entity') => string | null

/** A difference between a version and the previous one, as described in docs/versions.md. */
export interface Note {
  /** The subject, as named in the document, such as `Account`. */
  resource: string
  in: 'request' | 'answer' | 'behavior'
  /** One or two sentences, in Markdown. */
  says: string
}

/** An endpoint's input in a version. Omitted properties are the same as in the next newer version. */
export interface RequestFormat {
  body?: z.ZodType
  /** Converts a body from this version, parsed by `body`, to the next newer version. */
  up?(body: unknown): unknown
  example?: unknown
  query?: Readonly<Record<string, z.ZodType>>
}

/** Declares a body and its conversion, which takes the output of the body's schema. */
export const declareRequest = <B extends z.ZodType>(
  format: Omit<RequestFormat, 'body' | 'up'> & { body: B; up: (body: z.output<B>) => unknown },
): RequestFormat => format

/**
 * Converts resources from the next newer version to this one, by kind of resource. Fields that aren't listed don't
 * change.
 */
export interface Step {
  version: Version
  /** Fields that were added after this version, by kind of resource. This version's API description also omits them. */
  newerFields?: Partial<Record<Prefix, readonly string[]>>
  /** Fields that appear only in this version and older ones. */
  olderFields?: Partial<Record<Prefix, readonly string[]>>
  /** Fields that a body contains only so that `down` can use them. `down` then removes them. No version shows them. */
  internalFields?: Partial<Record<Prefix, readonly string[]>>
  /** The data that `down` needs besides the body. */
  needs?: readonly FactKind[]
  down?: Partial<Record<Prefix, (body: Body, facts: Facts) => Body>>
  behaviors?: readonly Behavior[]
  /** Conversions for product and subscription names that differ in this version. */
  names?: Partial<Record<NameKind, Rename>>
  /** Query parameters that don't exist in this version or older ones. */
  newerParameters?: readonly string[]
  /** Returns true if an event type, given its latest name, doesn't exist in this version or older ones. */
  isNewerEvent?: (type: string) => boolean
  /** The API description's schemas for resources that `down` converts to a different format. */
  schemas?: Partial<Record<Prefix, z.ZodType>>
  /**
   * The API description's schemas for single fields that `down` converts to a different format, by kind of resource. Use
   * this instead of `schemas` if most fields don't change.
   */
  fields?: Partial<Record<Prefix, z.ZodRawShape>>
  /** Endpoints whose responses have a different top-level shape in this version, such as `GET /teams`. */
  shapes?: Readonly<Record<string, Endpoint['shape']>>
  /** Requests that have a different format in this version, keyed by endpoint, such as `POST /entities`. */
  requests?: Readonly<Record<string, RequestFormat>>
  /** Example fields for a kind of resource whose latest example would be empty in this version. */
  examples?: Partial<Record<Prefix, Body>>
  /** The changes made by the next newer version, except those described by `newerFields` and `olderFields`. */
  notes: readonly Note[]
  /** Fields in this version that are always null, with the resource that contains them and the reason. */
  sourceless?: readonly { fields: readonly string[]; of: string; why: string }[]
}

/**
 * Returns a function that copies a body without certain fields. Generates the function's code, which is faster than
 * copying field by field. Evaluating the names as code is safe because they come from the steps.
 */
export function omitting(fields: readonly string[]): (body: Body) => Body {
  const omitted = fields.map((field, index) => `${JSON.stringify(field)}: omitted${index}`)
  return new Function('body', `const { ${[...omitted, '...rest'].join(', ')} } = body; return rest`) as (
    body: Body,
  ) => Body
}
