import { z } from 'zod'
import { entityMethod } from './method.js'

export const byoKycMethod = entityMethod({
  type: 'identity',
  name: 'byo_kyc',
  block: z.object({ authenticated: z.boolean() }),
  example: { start: {}, block: { authenticated: true } },
})
