/** Builds schemas of bounded objects whose fields the customer or a provider chooses. */
import { z } from 'zod'

interface RecordRule {
  /** The maximum length of the compact JSON, in UTF-16 units. */
  maxSize: number
  maxDepth: number
  maxNameLength: number
}

/** Returns the sentence that says which limit a value exceeds, or undefined. */
function limitExceeded(value: unknown, rule: RecordRule, depth = 0): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  if (depth >= rule.maxDepth) return `must be nested at most ${rule.maxDepth} levels deep`
  for (const [name, inner] of Object.entries(value)) {
    if (name.length > rule.maxNameLength) return `must have field names of at most ${rule.maxNameLength} characters`
    const problem = limitExceeded(inner, rule, depth + 1)
    if (problem) return problem
  }
  return undefined
}

/** The limits of objects whose fields the customer or a provider chooses. */
const freeFormLimits: RecordRule = { maxSize: 65_536, maxDepth: 10, maxNameLength: 200 }

/**
 * Adds the limits of free-form data to a schema.
 * @param maxSize the maximum length of the compact JSON, in UTF-16 units
 */
export const boundedJson = <S extends z.ZodType>(schema: S, maxSize: number = freeFormLimits.maxSize): S =>
  schema.superRefine((value, ctx) => {
    const message =
      limitExceeded(value, freeFormLimits) ??
      (JSON.stringify(value).length > maxSize ? `must have at most ${maxSize / 1024} kB of JSON` : undefined)
    if (message) ctx.addIssue({ code: 'custom', message })
  })

/** An object whose fields the customer or a provider chooses. */
export const freeForm = boundedJson(z.record(z.string(), z.unknown()))

/** A block that a request can contain but that is not read. Its fields are reported as unknown. */
export const unreadBlock = z.object({})
