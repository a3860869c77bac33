import type { VerifiedWebhook } from '@causeway/sdk'

/** Stands for the reader's own table of events in a snippet. A test reads what is in it, and takes it away. */
export const inbox: { rows: Map<string, VerifiedWebhook> | null } = { rows: new Map() }

export async function saveOnce(event_id: string, delivery: VerifiedWebhook): Promise<void> {
  if (!inbox.rows) throw new Error('The database does not answer.')
  if (!inbox.rows.has(event_id)) inbox.rows.set(event_id, delivery)
}
