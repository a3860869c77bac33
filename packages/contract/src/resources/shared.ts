import { z } from 'zod'

/** ISO 8601 UTC with milliseconds, such as `2026-01-15T18:30:00.000Z`. */
export const timestamp = z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
/** A calendar day, `YYYY-MM-DD`. */
export const date = z.string().regex(/^\d{4}-\d\d-\d\d$/)
/** A whole number of cents. */
export const cents = z.int().min(0)
/** Anything the team wants to keep beside a resource: less than 1,024 bytes of compact JSON. */
export const metadata = z.record(z.string(), z.unknown())
export const resourceError = z.object({
  type: z.string(),
  code: z.int(),
  sub_type: z.string(),
  message: z.string(),
})
/** The life of a record that the network fills. */
export const recordStatuses = ['pending', 'in_progress', 'completed', 'failed'] as const
/** An id of that kind, or the object where it was expanded. */
export const pointer = <T extends z.ZodType>(object: T) => z.union([z.string(), object]).nullable()
