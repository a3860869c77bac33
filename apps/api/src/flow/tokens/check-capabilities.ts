import { ServiceError } from '@causeway/contract/errors'
import type { Mode } from '@causeway/contract/session'
import type { Scope } from '../../platform/scope.js'
import { consentName } from '../session/config.js'
import { isNamed } from '../session/consent-terms.js'
import { modeRules } from '../session/modes.js'
import { currentRecipients } from '../session/recipients.js'
import type { SessionConfig } from '../session/session.js'

/**
 * Throws if no provider serves a session's mode or a product that it asks for, or if no document of the mode names data of
 * such a product.
 */
export function checkCapabilities({ deps }: Scope, mode: Mode, { products, asks, include }: SessionConfig): void {
  const asked = modeRules[mode].accounts === 'found' ? (asks ?? []) : []
  const names = [...products, ...(include.products ?? []), ...asked].map(consentName)
  const reasons = [
    deps.capabilities.missing('mode', mode),
    ...names.map(name => {
      // Both people and accounts have attributes.
      const offered = deps.offers.filter(offer => offer.name === name)
      const missing = offered.map(({ holder }) => deps.capabilities.missing(`${holder}_product`, name))
      return missing.includes(null) ? null : (missing[0] ?? null)
    }),
  ]
  const reason = reasons.find(each => each !== null)
  const recipients = currentRecipients(deps)
  const unnamed = asked.find(name => !isNamed(deps, mode, recipients, name))
  // mutant: unnamed-product-is-not-asked-for (remove)
  if (unnamed !== undefined)
    throw new ServiceError(
      'TEAM_CAPABILITY_RESTRICTED',
      `products can't include ${unnamed}, because this service has no credit bureau that the consent could name. Remove ${unnamed} from products.`,
    )
  // mutant: unserved-mode-is-refused (remove)
  if (reason) throw new ServiceError('TEAM_CAPABILITY_RESTRICTED', reason)
}
