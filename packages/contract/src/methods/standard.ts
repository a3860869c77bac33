import { z } from 'zod'
import { masked, typedNumber } from '../account-details.js'
import { accountMethod } from './method.js'

export const standardMethod = accountMethod({
  name: 'standard',
  block: z.object({ number: masked }),
  answer: z.object({ number: typedNumber }),
  example: { answer: { number: '4111111111111111' }, block: { number: 'xxxxxxxxxxxxxxxx' } },
})
