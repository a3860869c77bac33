import { type AccountRow, isPayable } from '../../people/accounts/account.js'
import { accountsOf } from '../../people/accounts/store.js'
import { currentVerifications } from '../../people/accounts/verification.js'
import { attemptsLeft } from '../../people/entities/attempts.js'
import type { EntityRow } from '../../people/entities/entity.js'
import { requestOf, SESSION } from '../../people/entities/sessions.js'
import { accountOffers, namesOf, readNames } from '../../people/products/rules.js'
import { findRecords } from '../../people/products/store.js'
import type { Scope } from '../../platform/scope.js'
import { staleOf, updatesOf } from './balances.js'
import type { Facts, Found } from './facts.js'
import { modeRules } from './modes.js'
import { proofOf } from './proof.js'
import { debtsOf } from './repeat-session.js'
import { readConfig, readProgress, type SessionConfig, type SessionRow } from './session.js'

/**
 * Reads what decides where a session stands.
 * @param bearer the hash of the bearer that it is for; without one the service itself works, which no code holds up
 */
export async function gather(scope: Scope, session: SessionRow, bearer?: string): Promise<Facts> {
  const progress = readProgress(session)
  const config = readConfig(session)
  const { entity, isProven, isSending } = await findPerson(scope, session.entity_id ?? '', bearer, progress.sending)
  const pointers = [session.connect_id, progress.phone_session, progress.identity_session]
  const records = await findRecords(
    scope,
    pointers.filter(id => id !== null),
  )
  const recordOf = (name: string, id: string | null) => {
    const row = records.get(id ?? '')
    return row?.product === name ? row : undefined
  }
  const connect = recordOf('connect', session.connect_id)
  const begun = recordOf(SESSION, progress.phone_session)
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
    phoneDue: bearer !== undefined && (entity.phone_verified_at === null || !isProven),
    phoneSession,
    unsent: phoneSession?.status === 'in_progress' && isSending,
    identitySession: recordOf(SESSION, progress.identity_session),
    attempts: await attemptsLeft(scope, entity),
    connect,
    updating,
    accounts,
    stale,
  }
}

/** Reads the person with the proof of a bearer, where one is given, and with the job that sends their code. */
async function findPerson(scope: Scope, id: string, bearer: string | undefined, job: string | null) {
  const row = await scope.db
    .selectFrom('entities')
    .selectAll()
    .$if(bearer !== undefined, query => query.select(proofOf(scope, bearer!).as('proved')))
    .$if(job !== null, query =>
      query.select(jobs => jobs.selectFrom('jobs').select('state').where('jobs.id', '=', job!).as('sending')),
    )
    .where('team_id', '=', scope.team.id)
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const { proved = null, sending = null, ...entity } = row
  return { entity: entity satisfies EntityRow, isProven: proved !== null, isSending: sending === 'ready' }
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
  const updates = await updatesOf(scope, ids)
  const merchants = new Map(
    scope.deps.ports.network.merchants(rows.flatMap(row => row.mch_id ?? [])).map(merchant => [merchant.id, merchant]),
  )
  const banks = rows.filter(row => row.type === 'ach').map(row => row.id)
  const deposits = await currentVerifications(scope, banks, 'micro_deposits')
  const accounts = rows.map((row): Found => {
    const data = JSON.parse(updates.completed.get(row.id)?.data ?? '{}') as {
      as_of?: string
      block?: Record<string, unknown>
    }
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
  return { accounts, updating: updates.pending, stale: staleOf(scope, session, rows, updates) }
}

function followOf(row: AccountRow): Found['follow'] {
  if (readNames(row.subscribed).includes('transaction')) return 'followed'
  return row.fingerprint !== null && readNames(row.supports).includes('transaction') ? 'possible' : 'impossible'
}
