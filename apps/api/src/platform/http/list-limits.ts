/**
 * Checks the length of lists before their items. Zod checks every item first, so that a list that is far too long would
 * cost an error for each item.
 */
import { z } from 'zod'

/** Returns the schema inside optional, nullable and similar schemas. */
function unwrap(schema: z.ZodType): z.ZodType {
  const { innerType } = schema.def as { innerType?: z.ZodType }
  return innerType ? unwrap(innerType) : schema
}

type Check = { _zod: { def: { check: string; maximum?: number } } }

/** Returns the limit on a list's length, or undefined if it has none. */
const limitOf = (schema: z.ZodArray): Check | undefined =>
  (schema.def.checks as Check[] | undefined)?.find(({ _zod }) => _zod.def.check === 'max_length')

/** Returns the issues of the first list in a value that is longer than its schema allows, or undefined. */
export function overlongList(schema: z.ZodType, value: unknown): z.core.$ZodIssue[] | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const inner = unwrap(schema)
  if (inner instanceof z.ZodArray) {
    if (!Array.isArray(value)) return undefined
    const limit = limitOf(inner)
    if (limit && value.length > limit._zod.def.maximum!)
      return z
        .array(z.any())
        .check(limit as unknown as z.core.CheckFn<unknown[]>)
        .safeParse(value).error?.issues
    return firstOf(value.map((item, at) => [at, inner.element as z.ZodType, item]))
  }
  if (!(inner instanceof z.ZodObject)) return undefined
  const { shape } = inner
  return firstOf(
    Object.entries(value).flatMap(([name, field]) =>
      Object.hasOwn(shape, name) ? [[name, shape[name] as z.ZodType, field]] : [],
    ),
  )
}

/** Returns the issues of the first part that has some, with the part's path. */
function firstOf(parts: [string | number, z.ZodType, unknown][]): z.core.$ZodIssue[] | undefined {
  for (const [name, schema, value] of parts) {
    const issues = overlongList(schema, value)
    if (issues) return issues.map(issue => ({ ...issue, path: [name, ...issue.path] }))
  }
  return undefined
}
