import { standardMethod } from '@causeway/contract/methods/standard'
import { waiting } from '../../session/facts.js'
import { backToSelection, prove, triesOf, turn } from '../account-proof.js'
import { wrong } from '../call.js'
import { defineStep } from '../define-step.js'

export const number = defineStep({
  name: 'number',
  flow: 'account_verification',
  rests: 'accounts',
  digits: ['number'],
  tries: triesOf(standardMethod.name),
  async show(facts, scope) {
    const { formats } = waiting(facts)[0]!
    const { data: _, ...shared } = await turn(scope, facts, standardMethod.name)
    return { ...shared, formats }
  },
  take: prove({
    name: 'number',
    type: standardMethod.name,
    verified: 'account_verification.account.verified',
    refused: 'number_refused',
    fields: () => ['number'],
    read(input) {
      const digits = typeof input['number'] === 'string' ? input['number'].replace(/[\s-]/g, '') : ''
      if (digits === '') return wrong('number', 'required')
      if (!/^\d{4,25}$/.test(digits)) return wrong('number', 'invalid')
      return { number: digits }
    },
  }),
  back: backToSelection,
})
