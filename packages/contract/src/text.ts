/** Builds schemas of bounded text. */
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

/**
 * Returns a schema of text that matches a pattern. Text that is too long is rejected before the pattern runs, so that
 * no input costs more than its length.
 */
export const text = ({ max, pattern, error, typeError }: TextRule) =>
  z.string(typeError).max(max, { abort: true, error }).regex(pattern, error)
