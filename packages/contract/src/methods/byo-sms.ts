import { z } from 'zod'
import { timeText } from '../text.js'
import { entityMethod } from './method.js'

export const byoSmsMethod = entityMethod({
  type: 'phone',
  name: 'byo_sms',
  block: z.object({
    timestamp: z.string().nullable().describe('When you verified the phone. `phone_proof_days` counts from this time'),
  }),
  start: z.object({
    timestamp: timeText({
      offset: true,
      error: 'must be the time of your own verification, in ISO 8601 with Z or an offset',
    }),
  }),
  example: { start: { timestamp: '2026-03-02T14:55:00Z' }, block: { timestamp: '2026-03-02T14:55:00.000Z' } },
})
