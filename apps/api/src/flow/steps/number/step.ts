import { waiting } from '../../sessions/facts.js'
import { wrong } from '../call.js'
import { defineStep } from '../define-step.js'
import { backToSelection, prove, triesOf, turn } from '../prove.js'

export const number = defineStep({
  name: 'number',
  flow: 'account_verification',
  rests: 'accounts',
  tries: triesOf('standard'),
  async show(facts, scope) {
    const { formats } = waiting(facts)[0]!
    const { data: _, ...shared } = await turn(scope, facts, 'standard')
    return { ...shared, formats }
  },
  take: prove('standard', 'number_refused', input => {
    const digits = typeof input['number'] === 'string' ? input['number'].replace(/[\s-]/g, '') : ''
    if (digits === '') return wrong('number', 'required')
    if (!/^\d{4,25}$/.test(digits)) return wrong('number', 'invalid')
    return { number: digits }
  }),
  back: backToSelection,
})
