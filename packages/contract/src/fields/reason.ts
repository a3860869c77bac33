import { z } from 'zod'
import { isVisible } from '../values/name.js'

/** A reason must contain letters or digits, and no control or invisible characters, which could change how it reads. */
export const reason = z
  .string()
  .trim()
  .max(200, { abort: true })
  .refine(isVisible, 'must not contain control or invisible characters')
  .refine(text => (text.match(/[\p{L}\p{N}]/gu) ?? []).length >= 3, 'must contain at least three letters or digits')
  .meta({ minLength: 3 })
