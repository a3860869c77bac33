/** The methods that record the response that a linking provider sent to the customer. */
import { z } from 'zod'
import { boundedJson } from '../free-form.js'
import { accountMethod } from './method.js'

const raw = z.record(z.string(), z.unknown())

/** @param field the field that describes the account in the provider's response */
const provider = <const N extends string>(name: N, field: 'balances' | 'account') => ({
  ...accountMethod({
    name,
    block: z.object({ [field]: raw, transactions: z.array(raw) }),
    answer: boundedJson(z.object({ [field]: raw, transactions: z.array(raw).max(1_000) })),
    example: {
      answer: { [field]: { available: 125 }, transactions: [] },
      block: { [field]: { available: 125 }, transactions: [] },
    },
  }),
  /** The block in a session that is not verified yet, and in every event. */
  blank: { [field]: {}, transactions: [] },
})

export const linkingProviderMethods = [
  provider('plaid', 'balances'),
  provider('mx', 'account'),
  provider('teller', 'balances'),
] as const
