import { linkingProviderMethods } from '@causeway/contract/methods/linking-provider'
import { parse } from '../../../../platform/http/request/body.js'
import { declaredAs, isAch, type Method, method } from '../method.js'

/**
 * The methods `plaid`, `mx` and `teller`. A linking provider's response to the customer is stored and shown unchanged.
 * To add a provider, declare it in the contract.
 */
export const linkingProviders: readonly Method[] = linkingProviderMethods.map(declared => {
  const { name, answer, blank } = declared
  return method<Record<string, unknown>>({
    ...declaredAs(declared),
    proves: ['owner'],
    maxAttempts: 1,
    appliesTo: isAch,
    begin: () => ({ block: blank }),
    read: block => parse(answer, block, name),
    check: async (_asked, block) => ({ status: 'verified', data: { block } }),
    show: data => (data['block'] as Record<string, unknown> | undefined) ?? blank,
    showInEvent: () => blank,
  })
})
