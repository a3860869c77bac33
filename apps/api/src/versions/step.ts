import type { Prefix } from '@causeway/contract/ids'
import type { Version } from '@causeway/contract/versions'

type Body = Record<string, unknown>

/** Turns a body of the next newer version into this one, by kind of resource. What is not named stays. */
export interface Step {
  version: Version
  down: Partial<Record<Prefix, (body: Body) => Body>>
}

/** A body without some of its fields: those that came after the version. */
export const without =
  (...fields: string[]) =>
  (body: Body): Body =>
    Object.fromEntries(Object.entries(body).filter(([key]) => !fields.includes(key)))
