import type { Prefix } from '@causeway/contract/ids'
import type { Version } from '@causeway/contract/versions'
import type { z } from 'zod'
import type { Facts, Need } from './facts.js'

export type Body = Record<string, unknown>

/** The differences of older versions beyond the form of a body. A feature asks for one by name, never for a date. */
export type Behaviour =
  /** No account that awaits consent is shown, also where a list asks for those alone. */
  'approved_accounts'

/** Things with a name that a path or a request can use. */
export type Named = 'product' | 'subscription'

/** Returns the name in a version of what has a name in the next newer one; null if the version lacks it. */
type Rename = (name: string, holder: 'account' | 'entity') => string | null

/** One thing that a version changed against the one before, as docs/versions.md tells it. */
export interface Note {
  /** The subject, in the words of the document: `Account`. */
  resource: string
  in: 'request' | 'answer' | 'behavior'
  /** Markdown, one sentence or two. */
  says: string
}

/** The input of an endpoint in a version; fields that are not named are as in the next newer one. */
export interface Taken {
  body?: z.ZodType
  /** Turns a body of this version that `body` has read into one of the next newer version. */
  up?: (body: never) => unknown
  example?: unknown
  query?: Readonly<Record<string, z.ZodType>>
}

/** Turns a body of the next newer version into this one, by kind of resource. What is not named stays. */
export interface Step {
  version: Version
  /** Fields that came after the version, by kind of resource: the API's description of a version lacks them too. */
  loses?: Partial<Record<Prefix, readonly string[]>>
  /** Fields that a body carries for this version and older ones alone. */
  keeps?: Partial<Record<Prefix, readonly string[]>>
  /** Fields that a body brings for `down` alone, which takes them out: no version shows them. */
  carries?: Partial<Record<Prefix, readonly string[]>>
  /** The facts that `down` needs beyond the body. */
  needs?: readonly Need[]
  down?: Partial<Record<Prefix, (body: Body, facts: Facts) => Body>>
  behaviours?: readonly Behaviour[]
  /** Names of products and of subscriptions that are others here. */
  names?: Partial<Record<Named, Rename>>
  /** Query parameters that neither this version nor an older one has. */
  lacksParameters?: readonly string[]
  /** Types of events, by their newest name, that neither this version nor an older one ever had. */
  lacks?: (type: string) => boolean
  /** Resources that `down` gives another form, as the API's description has them. */
  schemas?: Partial<Record<Prefix, z.ZodType>>
  /** Requests that this version takes in another form, by endpoint: `POST /entities`. */
  requests?: Readonly<Record<string, Taken>>
  /** An example's view of a kind of resource, if the latest one's would be empty in this version. */
  examples?: Partial<Record<Prefix, Body>>
  /** The changes of the next newer version, beside `loses` and `keeps`, which describe themselves. */
  notes: readonly Note[]
  /** Fields of this version that are always null, by where they stand, and why. */
  sourceless?: readonly { fields: readonly string[]; of: string; why: string }[]
}

/** Copies a body without some of its fields. */
export function without(body: Body, fields: readonly string[]): Body {
  const out: Body = {}
  for (const key in body) if (!fields.includes(key)) out[key] = body[key]
  return out
}
