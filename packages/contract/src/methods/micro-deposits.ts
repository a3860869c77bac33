import { z } from 'zod'
import { endpoint } from '../declaration/endpoint.js'
import { accountMethod } from './method.js'

const AMOUNTS_ERROR = 'INVALID_VERIFICATION_AMOUNTS'

const amounts = <const P extends string>(path: P) =>
  endpoint({
    method: 'GET',
    path,
    summary: 'Retrieve micro-deposit amounts',
    sandbox: true,
    answer: z.object({ amounts: z.array(z.int()).describe('The two amounts, in cents') }),
    example: { answer: { amounts: [32, 81] } },
  })

export const depositAmounts = {
  retrieveMicroDepositAmounts: amounts('/accounts/:acc_id/verification_sessions/:id/amounts'),
}

/** The same endpoint under `/simulate`. */
export const simulatedAmounts = {
  simulateMicroDepositAmounts: amounts('/simulate/accounts/:acc_id/verification_sessions/:id/amounts'),
}

export const microDepositsMethod = accountMethod({
  name: 'micro_deposits',
  block: z.object({ amounts: z.array(z.int()).describe('In cents; empty until verified') }),
  answer: z.object({
    amounts: z
      .array(z.int(AMOUNTS_ERROR).min(1, AMOUNTS_ERROR), AMOUNTS_ERROR)
      .length(2, AMOUNTS_ERROR)
      .describe('The two amounts in cents, in either order'),
  }),
  example: { answer: { amounts: [32, 81] }, block: { amounts: [32, 81] } },
  endpoints: depositAmounts,
})
