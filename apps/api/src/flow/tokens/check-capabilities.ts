import { ServiceError } from '@causeway/contract/errors'
import type { Mode } from '@causeway/contract/session'
import type { Scope } from '../../platform/scope.js'
import { consentName } from '../session/config.js'
import { modeRules } from '../session/modes.js'
import type { SessionConfig } from '../session/session.js'

/** Throws if no provider serves a session's mode, or a product that it asks for. */
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
  // mutant: unserved-mode-is-refused (remove)
  if (reason) throw new ServiceError('TEAM_CAPABILITY_RESTRICTED', reason)
}
