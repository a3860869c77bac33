import { type CardField, cardFields, type StepError } from '@causeway/contract/session'
import { stepErrors } from '../call.js'

const shapes: Record<CardField, RegExp> = {
  number: /^\d{12,19}$/,
  exp_month: /^(0[1-9]|1[0-2])$/,
  exp_year: /^\d{4}$/,
  cvv: /^\d{3,4}$/,
  billing_zip_code: /^\d{5}$/,
}

/**
 * Reads what a person typed from a card.
 * @param asked the fields that are required
 * @returns the fields, without spaces and hyphens, or their errors
 */
export function readCard(
  input: Record<string, unknown>,
  asked: readonly string[],
): StepError[] | Partial<Record<CardField, string>> {
  const typed: Partial<Record<CardField, string>> = Object.fromEntries(
    cardFields.flatMap(field => {
      const text = input[field]
      const bare = typeof text === 'string' ? text.replace(/[\s-]/g, '') : ''
      return bare === '' ? [] : [[field, bare]]
    }),
  )
  const errors = cardFields.flatMap(field => {
    const text = typed[field]
    if (text === undefined) return asked.includes(field) ? stepErrors(field, 'required') : []
    return shapes[field].test(text) ? [] : stepErrors(field, 'invalid')
  })
  return errors.length > 0 ? errors : typed
}
