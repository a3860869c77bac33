import { networkMethod } from '@causeway/contract/methods/card'
import { cardFields } from '@causeway/contract/session'
import { missingFields } from '../../../people/accounts/methods/card/method.js'
import { readDetails } from '../../../people/holders/show-entity.js'
import { attemptsOf, backToSelection, describeProof, proveAccount } from '../account-proof.js'
import { stepErrors } from '../call.js'
import { defineStep } from '../define-step.js'

/** Asks for the details printed on the card. After a mistake, asks only for the incorrect fields. */
export const card = defineStep({
  name: 'card',
  flow: 'account_verification',
  rests: 'accounts',
  digits: cardFields,
  tries: attemptsOf(networkMethod.name),
  async show(facts, scope) {
    const { data, ...shared } = await describeProof(scope, facts, networkMethod.name)
    const { zip } = readDetails(scope, facts.entity).address
    return { ...shared, fields: missingFields(data), zip: facts.progress.typed.includes('address') ? zip : null }
  },
  take: proveAccount({
    name: 'card',
    type: networkMethod.name,
    verified: 'account_verification.card.verified',
    refused: 'card_refused',
    fields: missingFields,
    read(input, asked) {
      const typed = Object.fromEntries(
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
    },
  }),
  back: backToSelection,
})

const shapes: Record<(typeof cardFields)[number], RegExp> = {
  number: /^\d{12,19}$/,
  exp_month: /^(0[1-9]|1[0-2])$/,
  exp_year: /^\d{4}$/,
  cvv: /^\d{3,4}$/,
  billing_zip_code: /^\d{5}$/,
}
