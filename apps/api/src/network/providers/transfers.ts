import type { Store } from '../../platform/db/types.js'
import type { CallConnector } from '../connectors/ask.js'
import { linkObject } from './store.js'

/** The kind of resource that each of these methods is about. Their answers can name transfers. */
const kinds: Readonly<Record<string, 'payment' | 'reversal' | 'session'>> = {
  'rail/status': 'payment',
  'rail/reversal': 'reversal',
  'network/deposit': 'session',
}

/**
 * Connects the transfers that a connector's answers name with their resources, as a provider in this process does
 * itself. The lines of the statement then find the resources.
 * @param provider the name under which the transfers are stored
 */
export function linkTransfers(
  callConnector: CallConnector,
  provider: string,
  { store, clock }: { store: Store; clock: () => number },
): CallConnector {
  return async (path, method, call) => {
    const answer = await callConnector(path, method, call)
    const kind = kinds[path]
    const { transfers = [] } = (answer ?? {}) as { transfers?: string[] }
    if (kind === undefined || transfers.length === 0) return answer
    const rows = await store.reader
      .selectFrom('provider_objects')
      .select('external_id')
      .where('team_id', '=', call.team_id)
      .where('resource_id', '=', call.request_id)
      .where('provider', '=', provider)
      .execute()
    const linked = new Set(rows.map(({ external_id }) => external_id))
    for (const id of transfers)
      if (!linked.has(id)) await linkObject({ store, clock }, provider, call.team_id, id, { kind, id: call.request_id })
    return answer
  }
}
