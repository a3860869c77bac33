import { ServiceError } from '@causeway/contract/errors'
import type { Mode } from '@causeway/contract/session'
import type { Scope } from '../../platform/scope.js'
import type { SessionConfig } from '../session/session.js'

/** Throws if no provider serves a session's mode, or a product that it asks for. */
export function checkCapabilities({ deps }: Scope, mode: Mode, { products, include }: SessionConfig): void {
  const names = [...products, ...(include.products ?? [])].map(name => (name === 'transactions' ? 'transaction' : name))
  const reasons = [
    deps.capabilities.missing('mode', mode),
    ...names.map(name => deps.capabilities.missing('account_product', name)),
  ]
  const reason = reasons.find(each => each !== null)
  // mutant: unserved-mode-is-refused (remove)
  if (reason) throw new ServiceError('TEAM_CAPABILITY_RESTRICTED', reason)
}
