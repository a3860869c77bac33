import { waiting } from '../../sessions/facts.js'
import { wrong } from '../call.js'
import { defineStep } from '../define-step.js'
import { backToSelection, prove, triesOf, turn } from '../prove.js'

const TYPE = 'standard'

export const number = defineStep({
  name: 'number',
  flow: 'account_verification',
  rests: 'accounts',
  tries: triesOf(TYPE),
  async show(facts, scope) {
    const { formats } = waiting(facts)[0]!
    const { data: _, ...shared } = await turn(scope, facts, TYPE)
    return { ...shared, formats }
  },
  take: prove({
    name: 'number',
    type: TYPE,
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
