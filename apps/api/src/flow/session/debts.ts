import { resourceCodes } from '@causeway/contract/errors'
import { DAY_MS } from '@causeway/contract/time'
import { selectLiabilities } from '../../people/accounts/store.js'
import type { RecordRow } from '../../people/holders/product.js'
import { readJson } from '../../platform/db/json.js'
import type { Scope } from '../../platform/scope.js'
import { modeRules } from './modes.js'
import { readProgress, type SessionRow } from './session.js'

/** The maximum age of a list of debts. After that, the bureau is queried again. */
const MAX_SEARCH_AGE_MS = 30 * DAY_MS

/**
 * Selects the accounts of a session that searches for debts: the person's known debts, or only the cards among them.
 */
export const selectDebts = (scope: Scope, { mode, entity_id }: SessionRow) =>
  selectLiabilities(scope, entity_id ?? '').$if(modeRules[mode].cards, query =>
    query.where('accounts.liability_type', '=', 'credit_card'),
  )

export const hasNoDebts = async (scope: Scope, session: SessionRow): Promise<boolean> =>
  (await selectDebts(scope, session).limit(1).executeTakeFirst()) === undefined

const isThin = ({ error }: RecordRow) => readJson('records.error', error)?.code === resourceCodes.THIN_CREDIT_FILE

/**
 * Finds an earlier search for the person's debts that is still running or that found debts, so that no new search is
 * needed. If a search found no debts, or failed because the credit file was too thin, its result is reused for one day.
 * @param linkedAt the time at which the person last linked an institution, if they did. Earlier searches don't count
 */
export async function findReusableConnect(
  scope: Scope,
  session: SessionRow,
  linkedAt: number | null = null,
): Promise<RecordRow | undefined> {
  const rows = await scope.db
    .selectFrom('records')
    .selectAll()
    .where('team_id', '=', scope.team.id)
    .where('holder_id', '=', session.entity_id)
    .where('product', '=', 'connect')
    .where('created_at', '>', Math.max(scope.now - MAX_SEARCH_AGE_MS, linkedAt ?? 0))
    .orderBy('id', 'desc')
    .limit(20)
    .execute()
  if (rows.length === 0) return undefined
  const none = await hasNoDebts(scope, session)
  return rows.find(row => {
    const isOfToday = row.created_at > scope.now - DAY_MS
    if (row.status === 'failed') return none && isOfToday && isThin(row)
    // Accounts that were found before consent was withdrawn no longer count.
    return row.status !== 'completed' || (row.data !== null && (isOfToday || !none))
  })
}

/** Returns the ids of the accounts that the person chose in their last connect session; null if there is none. */
export async function findEarlierChoice(scope: Scope, { entity_id }: SessionRow): Promise<string[] | null> {
  const last = await scope.db
    .selectFrom('sessions')
    .select('progress')
    .where('team_id', '=', scope.team.id)
    .where('entity_id', '=', entity_id)
    .where('mode', '=', 'connect')
    .where('completed_at', 'is not', null)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return last ? readProgress(last).selected : null
}
