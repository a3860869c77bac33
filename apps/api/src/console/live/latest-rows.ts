/** Finds the latest row of each list whose new rows are announced. */
import type { liveLists } from '@causeway/contract/endpoints/console-live'
import type { Db } from '../../platform/db/types.js'

type LiveTable = keyof typeof liveLists

/** The id of each list's latest row; null for an empty list. */
export type LatestRows = Readonly<Record<LiveTable, string | null>>

/** Reads one row of the primary key's index for each list, however long the lists are. */
export const findLatestRows = (db: Db, team: string): Promise<LatestRows> =>
  db
    .selectNoFrom(from => {
      const latest = (table: LiveTable) =>
        from.selectFrom(table).select('id').where('team_id', '=', team).orderBy('id', 'desc').limit(1).as(table)
      return [latest('payments'), latest('sessions'), latest('entities'), latest('events'), latest('deliveries')]
    })
    .executeTakeFirstOrThrow() as Promise<LatestRows>
