import { z } from 'zod'

/** A reason must contain letters or digits, not just spaces and invisible characters. */
export const reason = z
  .string()
  .trim()
  .max(200)
  .refine(text => (text.match(/[\p{L}\p{N}]/gu) ?? []).length >= 3, 'must contain at least three letters or digits')
  .meta({ minLength: 3 })
