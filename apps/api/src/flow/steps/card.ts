import { cardFields } from '@causeway/contract/session'
import { type Handler, wrong } from './call.js'
import { prove } from './prove.js'

const shapes: Record<(typeof cardFields)[number], RegExp> = {
  number: /^\d{12,19}$/,
  exp_month: /^(0[1-9]|1[0-2])$/,
  exp_year: /^\d{4}$/,
  cvv: /^\d{3,4}$/,
  billing_zip_code: /^\d{5}$/,
}

/** What is printed on the card: what is asked for, and what the person types once more. */
export const card: Handler = prove('network', 'card_refused', (input, asked) => {
  const typed = Object.fromEntries(
    cardFields.flatMap(field => {
      const text = input[field]
      const bare = typeof text === 'string' ? text.replace(/[\s-]/g, '') : ''
      return bare === '' ? [] : [[field, bare]]
    }),
  )
  const errors = cardFields.flatMap(field => {
    const text = typed[field]
    if (text === undefined) return asked.includes(field) ? wrong(field, 'required') : []
    return shapes[field].test(text) ? [] : wrong(field, 'invalid')
  })
  return errors.length > 0 ? errors : typed
})
