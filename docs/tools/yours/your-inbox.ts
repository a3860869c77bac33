import type { VerifiedWebhook } from '@causeway/sdk'

/**
 * Stands in for the reader's own events table in a snippet. A test reads `rows`, and sets it to null to simulate an
 * unavailable database.
 */
export const inbox: { rows: Map<string, VerifiedWebhook> | null } = { rows: new Map() }

export async function saveOnce(event_id: string, delivery: VerifiedWebhook): Promise<void> {
  if (!inbox.rows) throw new Error('The database does not respond.')
  if (!inbox.rows.has(event_id)) inbox.rows.set(event_id, delivery)
}
