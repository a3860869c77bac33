/** Builds schemas of bounded text. A length is checked before a pattern, so that no input costs more than its length. */
import { z } from 'zod'
import { isVisible, MAX_NAME_LENGTH, type NameFault, nameFaultOf } from './values/name.js'

interface TextRule {
  /** The maximum length, in UTF-16 units. */
  max: number
  pattern: RegExp
  /** The message for text that is too long or doesn't match the pattern: the requirement, or an error code. */
  error: string
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

/** The part of an email address before the @, in any script. Dots only separate its words. */
const MAILBOX = /^[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+(?:\.[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+)*$/u
/** A label of a domain, in any script. Hyphens only separate its words. */
const LABEL = /^[\p{L}\p{M}\p{N}]+(?:-+[\p{L}\p{M}\p{N}]+)*$/u
const LAST_LABEL = /^(?:[\p{L}\p{M}]{2,}|xn--[a-z\d-]+)$/iu

/** Returns true for an email address with a domain name. Accepts internationalized addresses, but no quoted ones. */
function isEmail(text: string): boolean {
  const at = text.indexOf('@')
  const labels = text.slice(at + 1).split('.')
  return (
    at > 0 &&
    at <= 64 &&
    isVisible(text) &&
    MAILBOX.test(text.slice(0, at)) &&
    labels.length > 1 &&
    labels.every(label => label.length <= 63 && LABEL.test(label)) &&
    LAST_LABEL.test(labels.at(-1)!)
  )
}

/** Returns a schema of an email address. */
export const emailText = (error: string) =>
  z.string().max(254, { abort: true, error }).refine(isEmail, error).meta({ format: 'email' })

const ipError = 'must be an IPv4 or IPv6 address'

/** Returns a schema of an IP address. */
export const ipText = () =>
  z
    .string()
    .max(45, { abort: true, error: ipError })
    .refine(address => z.ipv4().safeParse(address).success || z.ipv6().safeParse(address).success, ipError)

/** An id that a client sends. Ids have about 20 characters. */
export const idText = z.string().max(64)

/** The message for text with invisible characters. */
export const HIDDEN_MESSAGE =
  'must not contain control characters, invisible characters or marks that change the direction of text'
const NO_LETTER_MESSAGE = 'must contain a letter or a digit'
const tooLong = (max: number) => `must be at most ${max} characters long`

const nameFaults: Readonly<Record<NameFault, (max: number) => string>> = {
  empty: () => 'must not be empty',
  too_long: tooLong,
  hidden: () => HIDDEN_MESSAGE,
  no_letter: () => NO_LETTER_MESSAGE,
}

/**
 * Returns a schema of names. Surrounding spaces are removed.
 * @param max the maximum length, in code points
 */
export const nameText = (max: number = MAX_NAME_LENGTH) =>
  z
    .string()
    .trim()
    // A code point has at most two UTF-16 units.
    .max(2 * max, { abort: true, error: tooLong(max) })
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

/** Returns a schema of an optional line, which can be empty. Surrounding spaces are removed. */
export const optionalLine = (max: number) =>
  z.string().trim().max(max, { abort: true }).refine(isVisible, HIDDEN_MESSAGE)

/** Returns a schema of text that is not blank and has only visible characters. Surrounding spaces are removed. */
export const visibleText = (max: number) =>
  z.string().trim().min(1).max(max, { abort: true }).refine(isVisible, HIDDEN_MESSAGE).meta({ pattern: '\\S' })

const ACH_ERROR = 'INVALID_ACH_DESCRIPTION'
const achRule = (reason: string) => ({ error: ACH_ERROR, params: { reason }, abort: true })

/**
 * Returns a schema of text that ends up in an ACH file: printable ASCII with at least one letter or digit.
 * @param typeError the message for a value that isn't a string
 */
export const achText = (max: number, typeError?: string) =>
  z
    .string(typeError)
    .max(4 * max, { abort: true, error: ACH_ERROR })
    .refine(
      text => /^[ -~]*$/.test(text),
      achRule('must contain only printable ASCII characters: English letters, digits, spaces and punctuation'),
    )
    .refine(text => text.length <= max, achRule(tooLong(max)))
    .refine(text => /[A-Za-z\d]/.test(text), achRule(NO_LETTER_MESSAGE))
    .meta({
      maxLength: max,
      pattern: '^[ -/:-@[-`{-~]*[A-Za-z0-9][ -~]*$',
      description: `At most ${max} characters: printable ASCII with at least one letter or digit`,
    })
