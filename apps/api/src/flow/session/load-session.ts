import { selectAccounts } from '../../people/accounts/store.js'
import { currentVerification, VERIFICATION, verificationIds } from '../../people/accounts/verification.js'
import { attemptsLeft, unusedAttempts } from '../../people/entities/attempts.js'
import { methodOf, SESSION } from '../../people/entities/sessions.js'
import { type AccountRow, hasRail } from '../../people/holders/account.js'
import type { RecordRow } from '../../people/holders/product.js'
import { accountOffers, namesOf, subscriptionNames, supportsOf } from '../../people/holders/product-rules.js'
import { findLinks } from '../../people/links/store.js'
import { updateData } from '../../people/products/update/product.js'
import { columnsOf, joinedRow, rowOf } from '../../platform/db/columns.js'
import { lockRows } from '../../platform/db/row-locks.js'
import type { Scope } from '../../platform/scope.js'
import { outstandingConsent } from './agreements.js'
import { findStaleAccounts, readUpdates, updateIds } from './balances.js'
import { selectProof } from './bearer-proof.js'
import { imagesOf } from './brand.js'
import { accountColumns, recordColumns } from './columns.js'
import { selectDebts } from './debts.js'
import { type Facts, type LinkFacts, methodOfProof, type RequiredProof, type SessionAccount } from './facts.js'
import { modeRules } from './modes.js'
import { type Progress, readConfig, readProgress, type SessionConfig, type SessionRow } from './session.js'
import type { SessionRows } from './store.js'

/**
 * Reads the data that determines a session's position.
 * @param bearer the hash of the requesting bearer. If absent, the service is acting automatically, and no phone proof
 *   is required
 * @param known the rows that were read together with the session, if any
 * @param hold rows to lock until the transaction ends: the accounts, or the person's verification sessions
 */
export async function loadSession(
  scope: Scope,
  session: SessionRow,
  bearer?: string,
  known?: Omit<SessionRows, 'session'>,
  hold?: 'accounts' | 'verifications',
): Promise<Facts> {
  const progress = readProgress(session)
  const config = readConfig(session)
  const { entity, isProven } = known ?? (await findPerson(scope, session.entity_id ?? '', bearer))
  const phoneDue =
    bearer !== undefined &&
    (entity.phone_verified_at === null || /* mutant: api-proof-verifies-no-bearer (remove) */ !isProven)
  // A completed proof no longer depends on its verification session.
  const pointers = [
    known?.connect ? null : session.connect_id,
    phoneDue ? progress.phone_session : null,
    entity.identity_verified_at === null ? progress.identity_session : null,
  ]
  const { records, isSending } = await findPointers(
    scope,
    pointers.filter(id => id !== null),
    phoneDue ? progress.sending : null,
    hold === 'verifications',
  )
  const recordOf = (name: string, id: string | null) => {
    const row = records.get(id ?? '')
    return row?.product === name ? row : undefined
  }
  const connect = known?.connect ?? recordOf('connect', session.connect_id)
  const begun = recordOf(SESSION, progress.phone_session)
  const isOthers = begun && methodOf(begun).isSilent && progress.silent_bearer !== bearer
  const phoneSession = isOthers ? undefined : begun
  const rules = modeRules[session.mode]
  const isKnown = rules.accounts === 'named' || connect?.status === 'completed'
  const { accounts, updating, stale } = isKnown
    ? await findAccounts(scope, session, config, hold === 'accounts')
    : { accounts: [], updating: false, stale: [] }
  return {
    session,
    config,
    progress,
    entity,
    phoneDue,
    phoneSession,
    unsent: phoneSession?.status === 'in_progress' && isSending,
    identitySession: recordOf(SESSION, progress.identity_session),
    // A person can't use any attempts before the phone is verified. If the call locks the verification sessions, it
    // counts attempts later, when it checks the answer.
    attempts:
      phoneDue || hold === 'verifications'
        ? unusedAttempts(scope)
        : (known?.read?.attempts ?? (await attemptsLeft(scope, entity))),
    connect,
    link: rules.accounts === 'found' ? await findLinkFacts(scope, entity.id, progress) : null,
    updating,
    accounts,
    stale,
    outstanding:
      phoneDue || progress.consented || rules.documents.length === 0
        ? null
        : await outstandingConsent(scope, { session, config, progress, entity, phoneDue }),
    unservedProofs: findUnservedProofs(scope),
  }
}

/** Reads what the person has linked, if the network finds accounts only then. */
async function findLinkFacts(scope: Scope, entity: string, { came }: Progress): Promise<LinkFacts | null> {
  if (scope.deps.capabilities.discovery().kind !== 'link') return null
  const links = await findLinks(scope, entity)
  const isCurrent = links !== undefined && links.checked_at >= (came ?? 0)
  return { links, isDue: !isCurrent || links.page === null || links.page.expires_at <= scope.now }
}

/** Returns the proofs that no provider checks. */
const findUnservedProofs = ({ deps }: Scope): Facts['unservedProofs'] =>
  new Set(
    (Object.keys(methodOfProof) as RequiredProof[]).filter(
      proof => deps.capabilities.missing('account_method', methodOfProof[proof]) !== null,
    ),
  )

/** Reads the person. If a bearer is given, also reads whether that bearer verified the phone. */
async function findPerson(
  scope: Scope,
  id: string,
  bearer: string | undefined,
): Promise<Pick<SessionRows, 'entity' | 'isProven'>> {
  const row = await scope.db
    .selectFrom('entities')
    .selectAll()
    .$if(bearer !== undefined, query => query.select(selectProof(scope, bearer!).as('proved')))
    .where('team_id', '=', scope.team.id)
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const { proved = null, ...entity } = row
  return { entity, isProven: proved !== null }
}

/** Reads the records that a session refers to, and checks whether the job that sends a code is still pending. */
async function findPointers(
  scope: Scope,
  ids: readonly string[],
  job: string | null,
  hold: boolean,
): Promise<{ records: Map<string, RecordRow>; isSending: boolean }> {
  if (ids.length === 0) return { records: new Map(), isSending: false }
  const query = scope.db
    .selectFrom('records')
    .selectAll()
    .$if(job !== null, query =>
      query.select(jobs =>
        jobs
          .selectFrom('jobs')
          .select('state')
          .where('jobs.team_id', '=', scope.team.id)
          .where('jobs.id', '=', job!)
          .as('sending'),
      ),
    )
    .where('team_id', '=', scope.team.id)
    .where('id', 'in', ids)
  const rows = await (hold ? lockRows(scope.db, query) : query).execute()
  const records = new Map(rows.map(({ sending: _, ...row }) => [row.id, row]))
  return { records, isSending: rows.some(row => row.sending === 'ready') }
}

/** The verification type whose current session determines the step shown for a bank account. */
const DEPOSITS = 'micro_deposits'

/**
 * Reads a session's accounts with their updates and, if they are named or locked, their verification sessions, in one
 * query. If the query waits for a lock, the accounts in its result are current, but the records are from before the
 * wait.
 */
async function findAccounts(
  scope: Scope,
  session: SessionRow,
  config: SessionConfig,
  hold: boolean,
): Promise<Pick<Facts, 'accounts' | 'updating' | 'stale'>> {
  const isNamed = modeRules[session.mode].accounts === 'named'
  const named = config.accounts ?? []
  if (isNamed && named.length === 0) return { accounts: [], updating: false, stale: [] }
  const selected = isNamed ? selectAccounts(scope, session.entity_id ?? '', named) : selectDebts(scope, session)
  const accountIds = selected.clearSelect().select('accounts.id')
  const updates = updateIds(scope, accountIds)
  const ids = isNamed || hold ? updates.union(verificationIds(scope, accountIds, DEPOSITS)) : updates
  const records = scope.db.selectFrom('records').selectAll().where('team_id', '=', scope.team.id).where('id', 'in', ids)
  const query = selected
    .clearSelect()
    .leftJoin(records.as('records'), on => on.onRef('records.holder_id', '=', 'accounts.id'))
    .select(columnsOf('accounts', accountColumns))
    .select(columnsOf('records', recordColumns))
    .orderBy('accounts.id')
    .orderBy('records.id')
  const joined = await (hold ? lockRows(scope.db, query, ['accounts']) : query).execute()
  const rows = [...new Map(joined.map(row => [row['accounts.id'], rowOf('accounts', accountColumns, row)])).values()]
  const read = joined.flatMap(row => joinedRow('records', recordColumns, row) ?? [])
  return describeAccounts(scope, session, rows, read)
}

/** @param records the accounts' records, in the order of their ids */
function describeAccounts(
  scope: Scope,
  session: SessionRow,
  rows: readonly AccountRow[],
  records: readonly RecordRow[],
): Pick<Facts, 'accounts' | 'updating' | 'stale'> {
  const updates = readUpdates(
    scope,
    records.filter(record => record.product === 'update'),
  )
  const { network } = scope.deps.ports
  const cardProducts = network.cardProducts()
  const merchants = new Map(
    network.merchants(rows.flatMap(row => row.mch_id ?? [])).map(merchant => [merchant.id, merchant]),
  )
  const accounts = rows.map((row): SessionAccount => {
    const data = updateData.read(updates.completed.get(row.id)?.data ?? '{}')
    const merchant = merchants.get(row.mch_id ?? '')
    const number = (name: string) => (typeof data.block?.[name] === 'number' ? (data.block[name] as number) : null)
    const verifications = records.filter(record => record.holder_id === row.id && record.product === VERIFICATION)
    return {
      ...ofRow(scope, row),
      balance: number('balance'),
      asOf: data.as_of ?? null,
      apr: number('interest_rate_percentage_max') ?? number('interest_rate_percentage'),
      institution: merchant?.parent_name ?? row.name ?? '',
      images: imagesOf(merchant, row.name, cardProducts),
      formats: merchant?.account_number_formats ?? [],
      verifications,
      deposits: row.type === 'ach' ? currentVerification(verifications, DEPOSITS) : null,
    }
  })
  return { accounts, updating: updates.pending, stale: findStaleAccounts(scope, session, rows, updates) }
}

/** Derives the data that depends only on an account's row. */
const ofRow = (scope: Scope, row: AccountRow): Pick<SessionAccount, 'row' | 'payable' | 'products' | 'follow'> => ({
  row,
  payable: hasRail(scope, row),
  products: namesOf(scope, accountOffers(scope.deps.offers), row).products,
  follow: followOf(row),
})

/** Returns the session's data, updated with an account's changed row. */
export const withAccount = (scope: Scope, facts: Facts, row: AccountRow): Facts => ({
  ...facts,
  accounts: facts.accounts.map(found => (found.row.id === row.id ? { ...found, ...ofRow(scope, row) } : found)),
})

function followOf(row: AccountRow): SessionAccount['follow'] {
  if (subscriptionNames(row).includes('transaction')) return 'followed'
  return row.fingerprint !== null && supportsOf(row).includes('transaction') ? 'possible' : 'impossible'
}
