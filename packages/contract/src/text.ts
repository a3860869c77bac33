/** Builds schemas of bounded text. A length is checked before a pattern, so that no input costs more than its length. */
import { z } from 'zod'

interface TextRule {
  /** The maximum length, in UTF-16 units. */
  max: number
  pattern: RegExp
  /** The message for text that is too long or doesn't match the pattern. */
  error?: string
  /** The message for a value that isn't a string. */
  typeError?: string
}

/** Returns a schema of text that matches a pattern. */
export const text = ({ max, pattern, error, typeError }: TextRule) =>
  z.string(typeError).max(max, { abort: true, error }).regex(pattern, error)

/** Returns a schema of a day in the format YYYY-MM-DD. */
export const dateText = (error = 'must be a day in the format YYYY-MM-DD') =>
  z.string().max(10, { abort: true, error }).check(z.iso.date({ error }))

const timeError = 'must be a time in ISO 8601 with a time zone, such as 2026-03-02T15:00:00Z'

/** Returns a schema of a time in ISO 8601. @param offset true to accept an offset from UTC in place of Z */
export const timeText = ({ offset = false, error = timeError }: { offset?: boolean; error?: string } = {}) =>
  z.string().max(40, { abort: true, error }).check(z.iso.datetime({ offset, error }))

/** Returns a schema of an email address. */
export const emailText = (error: string) => z.string().max(254, { abort: true, error }).check(z.email({ error }))

/** An id that a client sends. Ids have about 20 characters. */
export const idText = z.string().max(64)
