import { z } from 'zod'
import { timestamp } from '../fields/shared.js'
import { text } from '../text.js'
import { entityMethod } from './method.js'

export const smsMethod = entityMethod({
  type: 'phone',
  name: 'sms',
  block: z.object({ timestamp: timestamp.optional().describe('When the code was verified') }),
  answer: z.object({ sms_code: text({ max: 6, pattern: /^\d{6}$/, error: 'must be six digits' }) }),
  example: { start: {}, answer: { sms_code: '135790' }, block: { timestamp: '2026-03-02T15:00:00.000Z' } },
})
