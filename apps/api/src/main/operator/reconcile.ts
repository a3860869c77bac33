import { readFileSync } from 'node:fs'
import type { Store } from '../../platform/db/store.js'

const BATCH_SIZE = 500

/**
 * Compares the rail's list of payments with the store. Payments that the store lacks were lost in a restore.
 * @param file a text file with a payment id at the start of each line, optionally followed by a comma or space and
 *   other text
 */
export async function reconcile({ reader }: Pick<Store, 'reader'>, file: string) {
  const lines = readFileSync(file, 'utf8').split('\n')
  const ids = [...new Set(lines.flatMap(line => line.trim().split(/[\s,;]/)[0] || []))]
  const invalid = ids.find(id => !/^pmt_\w{1,40}$/.test(id))
  if (invalid !== undefined)
    throw new Error(`Each line of ${file} must begin with a payment id: pmt_ and letters or digits.`)
  const storedIds = new Set<string>()
  for (let start = 0; start < ids.length; start += BATCH_SIZE) {
    const batch = ids.slice(start, start + BATCH_SIZE)
    const rows = await reader
      .selectFrom('payments')
      .select('id')
      .where('team_id', 'in', teams => teams.selectFrom('teams').select('id'))
      .where('id', 'in', batch)
      .execute()
    for (const { id } of rows) storedIds.add(id)
  }
  const lost = ids.filter(id => !storedIds.has(id))
  return { ok: lost.length === 0, listed: ids.length, known: storedIds.size, lost }
}
