import type { Recipients } from '@causeway/contract/session'
import { jsonColumn } from '../../platform/db/json-column.js'
import type { Deps } from '../../platform/scope.js'
import type { Progress } from './session.js'

/** The recipients that an accepted document named. */
export const consentRecipients = jsonColumn<Recipients>('consents.recipients')

/** Returns the recipients named in the documents of a new agreement. */
export function currentRecipients(deps: Deps): Recipients {
  const bureau = deps.ports.network.bureau()
  // mutant: no-bureau-is-not-named (= false)
  const isWithoutBureau = bureau === undefined
  // mutant: aggregator-is-named (= false)
  const { kind, company } = deps.capabilities.discovery()
  const isLinking = kind === 'link'
  return {
    service: deps.serviceName,
    ...(isWithoutBureau ? {} : { bureau: bureau?.name ?? null }),
    ...(isLinking ? { aggregator: linkProvider(deps) } : {}),
    // mutant: network-is-named (remove)
    ...(company !== undefined && { network: company }),
  }
}

/**
 * Returns the name of the provider on whose page people sign in to institutions. Null if it has none that people know: a
 * connector's name is known only to the operator.
 */
export const linkProvider = (deps: Pick<Deps, 'connections'>): string | null => {
  const provider = deps.connections().find(({ methods }) => methods.includes('network/link'))
  return provider && provider.name !== 'connector' ? provider.title : null
}

/** Returns the recipients that a session's documents name. */
export const recipientsOf = (deps: Deps, { recipients }: Pick<Progress, 'recipients'>): Recipients =>
  recipients ?? currentRecipients(deps)
