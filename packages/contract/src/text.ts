/** Builds schemas of bounded text. */
import { z } from 'zod'
import { isVisible, NAME_MAX, type NameFault, nameFaultOf } from './name.js'

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

/** The message for text with invisible characters. */
export const HIDDEN =
  'must not contain control characters, invisible characters or marks that change the direction of text'
const NO_LETTER = 'must contain a letter or a digit'
const tooLong = (max: number) => `must be at most ${max} characters long`

const nameFaults: Readonly<Record<NameFault, (max: number) => string>> = {
  empty: () => 'must not be empty',
  too_long: tooLong,
  hidden: () => HIDDEN,
  no_letter: () => NO_LETTER,
}

/**
 * Returns a schema of names. Surrounding spaces are removed.
 * @param max the maximum length, in code points
 */
export const nameText = (max: number = NAME_MAX) =>
  z
    .string()
    .trim()
    .check(({ value, issues }) => {
      const fault = nameFaultOf(value, max)
      if (fault) issues.push({ code: 'custom', message: nameFaults[fault](max), input: value })
    })
    .meta({
      minLength: 1,
      maxLength: max,
      pattern: '\\S',
      description: `1 to ${max} characters, with at least one letter or digit, without control, invisible or bidirectional characters`,
    })

/** Returns a schema of text that is not blank and has only visible characters. Surrounding spaces are removed. */
export const visibleText = (max: number) =>
  z.string().trim().min(1).max(max, { abort: true }).refine(isVisible, HIDDEN).meta({ pattern: '\\S' })

const ACH_ERROR = 'INVALID_ACH_DESCRIPTION'
const achRule = (reason: string) => ({ error: ACH_ERROR, params: { reason }, abort: true })

/**
 * Returns a schema of text that ends up in an ACH file: printable ASCII with at least one letter or digit.
 * @param typeError the message for a value that isn't a string
 */
export const achText = (max: number, typeError?: string) =>
  z
    .string(typeError)
    .refine(
      text => /^[ -~]*$/.test(text),
      achRule('must contain only printable ASCII characters: English letters, digits, spaces and punctuation'),
    )
    .refine(text => text.length <= max, achRule(tooLong(max)))
    .refine(text => /[A-Za-z\d]/.test(text), achRule(NO_LETTER))
    .meta({
      maxLength: max,
      pattern: '^[ -~]*[A-Za-z0-9][ -~]*$',
      description: `At most ${max} characters: printable ASCII with at least one letter or digit`,
    })
