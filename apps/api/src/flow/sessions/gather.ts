import { type AccountRow, isPayable } from '../../people/accounts/account.js'
import { accountsOf } from '../../people/accounts/store.js'
import { currentVerification } from '../../people/accounts/verification.js'
import { matchRounds, questionsLeft } from '../../people/entities/attempts.js'
import { requestOf, SESSION } from '../../people/entities/sessions.js'
import { findEntity } from '../../people/entities/store.js'
import type { RecordRow } from '../../people/products/product.js'
import { accountOffers, namesOf, readNames } from '../../people/products/rules.js'
import { findRecord } from '../../people/products/store.js'
import { remaining } from '../../platform/limits/counters.js'
import type { Scope } from '../../platform/scope.js'
import { newestUpdates, staleOf } from './balances.js'
import type { Facts, Found } from './facts.js'
import { modeRules } from './modes.js'
import { isBearerProven } from './proof.js'
import { debtsOf } from './repeat-session.js'
import { readConfig, readProgress, type SessionConfig, type SessionRow } from './session.js'

/** The longest wait for balances, in ms, before the list is shown without those that are missing. */
const UPDATE_PATIENCE = 20_000

/**
 * Reads what decides where a session stands.
 * @param bearer the hash of the bearer that it is for; without one the service itself works, which no code holds up
 */
export async function gather(scope: Scope, session: SessionRow, bearer?: string): Promise<Facts> {
  const progress = readProgress(session)
  const config = readConfig(session)
  const entity = (await findEntity(scope, session.entity_id ?? ''))!
  const recordOf = async (name: string, id: string | null) => (id === null ? undefined : findRecord(scope, name, id))
  const connect = await recordOf('connect', session.connect_id)
  const begun = await recordOf(SESSION, progress.phone_session)
  const isOthers = begun && requestOf(begun).method === 'sna' && progress.silent_bearer !== bearer
  const phoneSession = isOthers ? undefined : begun
  const rules = modeRules[session.mode]
  const known = rules.accounts === 'named' || connect?.status === 'completed'
  const { accounts, updating, stale } = known
    ? await findAccounts(scope, session, config)
    : { accounts: [], updating: false, stale: [] }
  return {
    session,
    config,
    progress,
    entity,
    phoneDue: bearer !== undefined && (entity.phone_verified_at === null || !(await isBearerProven(scope, bearer))),
    phoneSession,
    unsent: phoneSession?.status === 'in_progress' && (await isWaiting(scope, progress.sending)),
    identitySession: await recordOf(SESSION, progress.identity_session),
    attempts: {
      matches: await remaining(scope, matchRounds, entity.id),
      questions: await questionsLeft(scope, entity),
    },
    connect,
    updating,
    accounts,
    stale,
  }
}

async function isWaiting(scope: Scope, job: string | null): Promise<boolean> {
  if (job === null) return false
  const row = await scope.db.selectFrom('jobs').select('state').where('id', '=', job).executeTakeFirst()
  return row?.state === 'ready'
}

async function findAccounts(
  scope: Scope,
  session: SessionRow,
  config: SessionConfig,
): Promise<Pick<Facts, 'accounts' | 'updating' | 'stale'>> {
  const rows =
    modeRules[session.mode].accounts === 'named'
      ? await accountsOf(scope, session.entity_id ?? '', config.accounts ?? [])
      : await debtsOf(scope, session)
  const ids = rows.map(row => row.id)
  const updates = await newestUpdates(scope, ids)
  const merchants = new Map(
    scope.deps.ports.network.merchants(rows.flatMap(row => row.mch_id ?? [])).map(merchant => [merchant.id, merchant]),
  )
  const pending =
    ids.length > 0 &&
    (await scope.db
      .selectFrom('records')
      .select('id')
      .where('holder_id', 'in', ids)
      .where('product', '=', 'update')
      .where('status', '=', 'pending')
      .where('created_at', '>', scope.now - UPDATE_PATIENCE)
      .limit(1)
      .executeTakeFirst())
  const deposits = new Map<string, RecordRow | undefined>()
  for (const { id, type } of rows)
    if (type === 'ach') deposits.set(id, await currentVerification(scope, id, 'micro_deposits'))
  const accounts = rows.map((row): Found => {
    const data = JSON.parse(updates.get(row.id)?.data ?? '{}') as { as_of?: string; block?: Record<string, unknown> }
    const merchant = merchants.get(row.mch_id ?? '')
    const number = (name: string) => (typeof data.block?.[name] === 'number' ? (data.block[name] as number) : null)
    return {
      row,
      payable: isPayable(scope.team, row),
      products: namesOf(accountOffers(scope.deps.offers), scope.team, row).products,
      balance: number('balance'),
      asOf: data.as_of ?? null,
      apr: number('interest_rate_percentage_max') ?? number('interest_rate_percentage'),
      institution: merchant?.parent_name ?? row.name ?? '',
      formats: merchant?.account_number_formats ?? [],
      follow: followOf(row),
      deposits: deposits.get(row.id) ?? null,
    }
  })
  return { accounts, updating: Boolean(pending), stale: await staleOf(scope, session, rows) }
}

function followOf(row: AccountRow): Found['follow'] {
  if (readNames(row.subscribed).includes('transaction')) return 'followed'
  return row.fingerprint !== null && readNames(row.supports).includes('transaction') ? 'possible' : 'impossible'
}
