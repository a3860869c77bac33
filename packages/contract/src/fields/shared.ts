import { z } from 'zod'
import { type ErrorSubType, errors, resourceErrors } from '../errors.js'
import { text } from '../text.js'
import { mayGainValues } from './names.js'

/** ISO 8601 UTC with milliseconds, such as `2026-01-15T18:30:00.000Z`. */
export const timestamp = text({
  max: 24,
  pattern: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/,
  error: 'must be a time in ISO 8601 in UTC with milliseconds, such as 2026-01-15T18:30:00.000Z',
})
/** A calendar day, `YYYY-MM-DD`. */
export const date = text({ max: 10, pattern: /^\d{4}-\d\d-\d\d$/, error: 'must be a day in the format YYYY-MM-DD' })
/** A whole number of cents. */
export const cents = z.int().min(0)
/** Any data that the team stores with a resource: less than 1,024 bytes of compact JSON. */
export const metadata = z.record(z.string(), z.unknown())
const valuesOf = (field: 'type' | 'sub_type') => [...new Set(Object.values(resourceErrors).map(row => row[field]))]
export const resourceError = z.object({
  type: z.enum(valuesOf('type')).describe(mayGainValues),
  code: z.int(),
  sub_type: z.enum(valuesOf('sub_type')).describe(mayGainValues),
  message: z.string(),
})
/** The reason that a request was or would be rejected. */
export const requestError = z.object({
  type: z.enum([...new Set(Object.values(errors).map(({ type }) => type))]),
  code: z.int().describe('The HTTP status'),
  sub_type: z.enum(Object.keys(errors) as ErrorSubType[]).describe(mayGainValues),
  message: z.string(),
})
/** The states of a record that the service completes with data from the network. */
export const recordStatuses = ['pending', 'in_progress', 'completed', 'failed'] as const
/** A field that holds an object's id, the expanded object or null. */
export const pointer = <T extends z.ZodType>(object: T) => z.union([z.string(), object]).nullable()
