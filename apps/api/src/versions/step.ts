import type { Prefix } from '@causeway/contract/ids'
import type { Version } from '@causeway/contract/versions'

type Body = Record<string, unknown>

/** What older versions do differently, beyond how a body looks. A feature asks for one by name, never for a date. */
export type Behaviour =
  /** Attributes are asked for by name, and the POST waits for them. */
  | 'named_attributes'
  /** Instruments of every kind are one product. */
  | 'one_instrument'
  /** Product objects show their id. */
  | 'product_ids'

/** Turns a body of the next newer version into this one, by kind of resource. What is not named stays. */
export interface Step {
  version: Version
  /** Fields that came after the version, by kind of resource: the API's description of a version lacks them too. */
  loses?: Partial<Record<Prefix, readonly string[]>>
  /** Fields that a body carries for this version and older ones alone. */
  keeps?: Partial<Record<Prefix, readonly string[]>>
  down?: Partial<Record<Prefix, (body: Body) => Body>>
  behaviours?: readonly Behaviour[]
}

/** A body without some of its fields. */
export const without = (body: Body, fields: readonly string[]): Body =>
  Object.fromEntries(Object.entries(body).filter(([key]) => !fields.includes(key)))
