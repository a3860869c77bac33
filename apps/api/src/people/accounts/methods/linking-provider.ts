import { accountAnswers } from '@causeway/contract/endpoints/accounts'
import { parse } from '../../../platform/http/body.js'
import { isAch, type Method, method } from './method.js'

/** A linking provider's response to the customer, stored and shown unchanged. */
export function linked(name: 'plaid' | 'mx' | 'teller', one: 'balances' | 'account'): Method {
  const blank = { [one]: {}, transactions: [] }
  return method<Record<string, unknown>>({
    proves: ['owner'],
    tries: 1,
    creatable: true,
    fits: isAch,
    begin: () => ({ block: blank }),
    read: block => parse(accountAnswers[name], block, name),
    judge: async (_asked, block) => ({ status: 'verified', data: { block } }),
    show: data => (data['block'] as Record<string, unknown> | undefined) ?? blank,
    tell: () => blank,
  })
}
