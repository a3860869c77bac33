import { standardMethod } from '@causeway/contract/methods/standard'
import { unprovenAccounts } from '../../session/facts.js'
import { attemptsOf, backToSelection, describeProof, proveAccount } from '../account-proof.js'
import { stepErrors } from '../call.js'
import { defineStep } from '../define-step.js'

export const number = defineStep({
  name: 'number',
  flow: 'account_verification',
  rests: 'accounts',
  digits: ['number'],
  tries: attemptsOf(standardMethod.name),
  async show(facts, scope) {
    const { formats } = unprovenAccounts(facts)[0]!
    const { data: _, ...shared } = await describeProof(scope, facts, standardMethod.name)
    return { ...shared, formats }
  },
  take: proveAccount({
    name: 'number',
    type: standardMethod.name,
    verified: 'account_verification.account.verified',
    refused: 'number_refused',
    fields: () => ['number'],
    read(input) {
      const digits = typeof input['number'] === 'string' ? input['number'].replace(/[\s-]/g, '') : ''
      if (digits === '') return stepErrors('number', 'required')
      if (!/^\d{4,25}$/.test(digits)) return stepErrors('number', 'invalid')
      return { number: digits }
    },
  }),
  back: backToSelection,
})
