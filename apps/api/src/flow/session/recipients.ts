import type { Recipients } from '@causeway/contract/session'
import { jsonColumn } from '../../platform/db/json-column.js'
import type { Deps } from '../../platform/scope.js'
import type { Progress } from './session.js'

/** The recipients that an accepted document named. */
export const consentRecipients = jsonColumn<Recipients>('consents.recipients')

/** Returns the recipients named in the documents of a new agreement. */
export function currentRecipients({ serviceName, ports }: Deps): Recipients {
  const bureau = ports.network.bureau()
  // mutant: no-bureau-is-not-named (false)
  return { service: serviceName, ...(bureau === undefined ? {} : { bureau: bureau?.name ?? null }) }
}

/** Returns the recipients that a session's documents name. */
export const recipientsOf = (deps: Deps, { recipients }: Pick<Progress, 'recipients'>): Recipients =>
  recipients ?? currentRecipients(deps)
