/** Details of an account as people type them, and as verification sessions show them. */
import { z } from 'zod'
import { text } from './text.js'

/** A string of digits. A number is also accepted: 4 is read as `04`. */
const digits = (pattern: RegExp, least: number, most: number, says: string) =>
  z
    .union([
      text({ max: 4, pattern, error: `must be ${says}` }),
      z.int().min(least, `must be ${says}`).max(most, `must be ${says}`),
    ])
    .transform(value => String(value).padStart(2, '0'))
export const month = digits(/^(0[1-9]|1[0-2])$/, 1, 12, 'two digits, 01 to 12')
export const year = digits(/^\d{4}$/, 1000, 9999, 'four digits, such as 2030')
export const cvv = text({ max: 4, pattern: /^\d{3,4}$/, error: 'must be three or four digits' })
export const zip = text({ max: 5, pattern: /^\d{5}$/, error: 'must be five digits' })

/**
 * A number to compare with the number on file. A number with an impossible length is rejected and does not count as an
 * attempt.
 */
export const numberText = (error: string, typeError?: string) =>
  text({ max: 100, pattern: /^[\s-]*(?:\d[\s-]*){4,25}$/, error, ...(typeError && { typeError }) })
    .overwrite(typed => typed.replace(/[\s-]/g, ''))
    .describe('4 to 25 digits. Spaces and dashes are ignored')
export const typedNumber = numberText('must be 4 to 25 digits. Spaces and dashes are ignored')

export const masked = z.string().nullable().describe('Masked; null until you send it')
