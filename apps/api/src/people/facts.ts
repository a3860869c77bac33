import { showBlock } from '@causeway/contract/update-fields'
import { readJson } from '../platform/db/json.js'
import type { Scope } from '../platform/scope.js'
import { showTime } from '../platform/show.js'
import type { AccountFacts, EntityFacts, LoadFacts } from '../versions/facts.js'
import { isAgreed } from './holders/consent-rules.js'
import { recordJson } from './holders/product.js'
import { updateRequest } from './products/update/product.js'

/**
 * Loads the entity and account data that versions need. Runs one query for the entities and two for the accounts,
 * regardless of the number of ids.
 */
export const loadFacts: LoadFacts = async (scope, ids) => ({
  offeredProducts: scope.deps.offers.flatMap(({ holder, name }) =>
    scope.team.settings.products.includes(name) && scope.deps.capabilities.missing(`${holder}_product`, name) === null
      ? [name]
      : [],
  ),
  entity: await entityFacts(scope, ids.entity),
  account: await accountFacts(scope, ids.account),
})

async function entityFacts(scope: Scope, ids: readonly string[]): Promise<Map<string, EntityFacts>> {
  if (ids.length === 0) return new Map()
  const rows = await scope.db
    .selectFrom('entities')
    .select(['id', 'kind', 'nameable', 'phone_verified_at'])
    .where('team_id', '=', scope.team.id)
    .where('id', 'in', ids)
    .execute()
  return new Map(
    rows.map(({ id, kind, nameable, phone_verified_at: at }) => [
      id,
      {
        kind,
        nameable: nameable === 1,
        phone_verified_at: at === null ? null : showTime(Number(at)),
      },
    ]),
  )
}

async function accountFacts(scope: Scope, ids: readonly string[]): Promise<Map<string, AccountFacts>> {
  if (ids.length === 0) return new Map()
  const newest = await scope.db
    .selectFrom('latest')
    .innerJoin('records', on =>
      on.onRef('records.team_id', '=', 'latest.team_id').onRef('records.id', '=', 'latest.record_id'),
    )
    .innerJoin('accounts', on =>
      on.onRef('accounts.team_id', '=', 'latest.team_id').onRef('accounts.id', '=', 'latest.holder_id'),
    )
    .select(['latest.holder_id', 'latest.product', 'records.status', 'records.error', 'accounts.agreed'])
    .where('records.team_id', '=', scope.team.id)
    .where('latest.holder_id', 'in', ids)
    .where('latest.product', 'in', ['update', 'account_verification_session'])
    .execute()
  const completed = await scope.db
    .selectFrom('records')
    .innerJoin('accounts', on =>
      on.onRef('accounts.team_id', '=', 'records.team_id').onRef('accounts.id', '=', 'records.holder_id'),
    )
    .select(['records.holder_id', 'records.product', 'records.request', 'records.data', 'accounts.liability_type'])
    .select('accounts.agreed')
    .where('records.team_id', '=', scope.team.id)
    .where('records.id', 'in', query =>
      query
        .selectFrom('records as newest')
        .select(({ fn }) => fn.max<string>('newest.id').as('id'))
        .where('newest.team_id', '=', scope.team.id)
        .where('newest.holder_id', 'in', ids)
        .where('newest.product', 'in', ['update', 'payoff'])
        .where('newest.status', '=', 'completed')
        .groupBy(['newest.holder_id', 'newest.product']),
    )
    .execute()
  const facts = new Map<string, AccountFacts>(
    ids.map(id => [id, { verifying: false, latest: null, update: null, payoff: null }]),
  )
  const isReadable = (row: { agreed: string | null; product: string }) =>
    // mutant: older-versions-keep-to-the-consent (true)
    isAgreed(row, row.product)
  for (const row of newest.filter(isReadable)) {
    const account = facts.get(row.holder_id)!
    if (row.product === 'update') account.latest = { status: row.status, error: readJson('records.error', row.error) }
    else account.verifying = row.status === 'pending' || row.status === 'in_progress'
  }
  for (const row of completed.filter(isReadable)) {
    const data = row.data === null ? null : recordJson.data.read(row.data)
    const { source = 'direct' } = updateRequest.read(row.request)
    const type = row.liability_type ?? 'loan'
    if (row.product === 'payoff') facts.get(row.holder_id)!.payoff = data
    else
      facts.get(row.holder_id)!.update = {
        source,
        as_of: data?.['as_of'] ?? null,
        block: showBlock(type, source, data?.['block'] as Record<string, unknown> | undefined),
      }
  }
  return facts
}
