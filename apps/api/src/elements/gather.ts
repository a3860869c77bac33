import { type AccountRow, isPayable } from '../accounts/account.js'
import { accountsOf } from '../accounts/store.js'
import { currentVerification } from '../accounts/verification.js'
import { attempts, MATCH_ROUNDS, matchTimes, questionAttempts } from '../entities/attempts.js'
import type { EntityRow } from '../entities/entity.js'
import { SESSION } from '../entities/sessions.js'
import { findEntity } from '../entities/store.js'
import type { RecordRow } from '../products/product.js'
import { accountOffers, namesOf, readNames } from '../products/rules.js'
import { findRecord } from '../products/store.js'
import type { Scope } from '../scope.js'
import { debtsOf } from './again.js'
import { newestUpdates, staleOf } from './balances.js'
import type { Facts, Found } from './facts.js'
import { modeRules } from './modes.js'
import { readConfig, readProgress, type SessionConfig, type SessionRow } from './session.js'

const DAY = 86_400_000
/** How long balances are waited for before the list is shown with what is known. */
const UPDATE_PATIENCE = 20_000

/** Reads what decides where a session stands. */
export async function gather(scope: Scope, session: SessionRow): Promise<Facts> {
  const progress = readProgress(session)
  const config = readConfig(session)
  const entity = (await findEntity(scope, session.entity_id ?? ''))!
  const recordOf = async (name: string, id: string | null) => (id === null ? undefined : findRecord(scope, name, id))
  const connect = await recordOf('connect', session.connect_id)
  const phoneSession = await recordOf(SESSION, progress.phone_session)
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
    phoneDue: isPhoneDue(scope, entity),
    phoneSession,
    unsent: phoneSession?.status === 'in_progress' && (await isWaiting(scope, progress.sending)),
    identitySession: await recordOf(SESSION, progress.identity_session),
    attempts: {
      matches: attempts(matchTimes(entity), MATCH_ROUNDS, scope.now),
      questions: await questionAttempts(scope, entity),
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

/** A phone code is due before the first proof, and again when the last one is too old. Source: rulings 17. */
function isPhoneDue(scope: Scope, entity: EntityRow): boolean {
  if (entity.phone_verified_at === null) return true
  const days = scope.team.settings.phone_proof_days
  return days !== null && scope.now - (entity.phone_proved_at ?? entity.phone_verified_at) > days * DAY
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
