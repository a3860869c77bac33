import { ServiceError } from '@causeway/contract/errors'
import type { AccountRow } from '../../people/holders/account.js'
import { accountOffers, productAvailability } from '../../people/holders/product-rules.js'
import { findAccount } from '../../people/holders/store.js'
import type { Scope } from '../../platform/scope.js'
import { methodOfProof, requiredProof } from '../session/facts.js'
import type { SessionConfig } from '../session/session.js'

/**
 * Returns the configuration of a session for one account, which asks only for products that the account can have. Throws
 * if the account does not belong to the holder, or if its intended use requires a verification that is not possible in a
 * frame.
 */
export async function configOfNamed(scope: Scope, config: SessionConfig, holder: string): Promise<SessionConfig> {
  const account = await findAccount(scope, config.accounts?.[0] ?? '')
  if (account?.holder_id !== holder)
    throw new ServiceError('INVALID_REQUEST', 'account_verification.account_id must be an account of the entity.')
  if (config.proof === 'network' && account.liability_type !== 'credit_card')
    throw new ServiceError(
      'VERIFICATION_TYPE_NOT_SUPPORTED',
      'account_verification.account_id must be a credit card, because the session is for transactions.',
    )
  const proof = requiredProof(config, account)
  const reason = proof && scope.deps.capabilities.missing('account_method', methodOfProof[proof])
  if (reason) throw new ServiceError('VERIFICATION_TYPE_NOT_SUPPORTED', reason)
  const possible = possibleProducts(scope, account)
  return { ...config, asks: (config.asks ?? possible).filter(name => possible.includes(name)) }
}

/** Returns the products that the team could use for an account that is verified and whose holder agrees to them. */
function possibleProducts(scope: Scope, account: AccountRow): string[] {
  return accountOffers(scope.deps.offers).flatMap(offer => {
    const answer = productAvailability(scope, offer, { ...account, agreed: null })
    return answer.status === 'available' || answer.subType === 'PRODUCT_VERIFICATION_MISSING' ? [offer.name] : []
  })
}
