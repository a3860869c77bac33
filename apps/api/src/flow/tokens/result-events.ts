import type { FlowEvent } from '@causeway/contract/session'

/** An event of a token's results. */
export interface ResultEvent {
  type: string
  timestamp: string
  metadata: Record<string, unknown> | null
}

/** The types that existing clients of `/enveloped` know, by the type of the session's event. */
const operations: ReadonlyMap<string, string> = new Map([
  ['opal.session.started', 'open'],
  ['opal.session.completed', 'success'],
  ['opal.session.errored', 'error'],
  ['opal.session.exited', 'exit'],
])

/** Returns all events of a session, for a token's results. */
export const showEvents = (events: readonly FlowEvent[]): ResultEvent[] =>
  events.map(({ type, timestamp, data }) => ({ type, timestamp, metadata: data }))

/**
 * Returns the events of a session in the form for `/enveloped`: only those that have an operation there.
 * @param result the entity and the accounts, for the operation `success`
 */
export const showOperations = (
  events: readonly FlowEvent[],
  element_type: string,
  result: { entity_id: string | null; accounts: string[] },
): ResultEvent[] =>
  events.flatMap(({ type, timestamp, data }) => {
    const op = operations.get(type)
    if (op === undefined) return []
    const details = op === 'success' ? result : op === 'error' ? data : {}
    return [{ type: op, timestamp, metadata: { element_type, op, ...details } }]
  })
