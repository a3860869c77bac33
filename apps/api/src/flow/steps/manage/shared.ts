import type { SharedData, Sharing, StepData } from '@causeway/contract/session'
import type { AccountRow } from '../../../people/accounts/account.js'
import type { EntityRow } from '../../../people/entities/entity.js'
import type { Holder } from '../../../people/products/product.js'
import { accountOffers, entityOffers, namesOf, type SomeOffer } from '../../../people/products/rules.js'
import type { Scope } from '../../../platform/scope.js'
import { showTime } from '../../../platform/show.js'
import { institutionLogo } from '../../sessions/logo.js'

/** Maximum number of receipts that the page lists, latest first. */
const MOST_RECEIPTS = 200

/** The data that each product of an account gives the customer. A variant counts as the product before its point. */
export const dataOfAccounts: Readonly<Record<string, SharedData>> = {
  balance: 'balance',
  update: 'statement',
  payoff: 'payoff',
  card_brand: 'card',
  sensitive: 'number',
  attribute: 'usage',
  payment_instrument: 'number',
  transaction: 'purchases',
  payment: 'payments',
}

/** The data that each product of a person gives the customer. */
export const dataOfPeople: Readonly<Record<string, SharedData>> = {
  connect: 'accounts',
  manual_connect: 'accounts',
  credit_score: 'credit_score',
  identity: 'identity',
  attribute: 'credit_profile',
  vehicle: 'vehicles',
}

/** Products that give the customer nothing until a subscription starts. */
const onlySubscribed: ReadonlySet<string> = new Set(['transaction'])

/** Returns the data that the customer can get about a holder now. Pure. */
function sharingOf(
  scope: Scope,
  offers: readonly SomeOffer[],
  data: Readonly<Record<string, SharedData>>,
  holder: Holder,
): Sharing {
  const { products, subscriptions } = namesOf(offers, scope.team, holder)
  const kinds = (names: readonly string[]) => names.flatMap(name => data[name.split('.')[0]!] ?? [])
  const updated = [...new Set(kinds(subscriptions))]
  const open = kinds(products.filter(name => !onlySubscribed.has(name)))
  return { data: [...new Set([...open, ...updated])], updated, since: showTime(holder.created_at) }
}

/** Returns everything that a person shares with the team, for the person. */
export async function showShared(scope: Scope, entity: EntityRow): Promise<StepData['manage']> {
  const { db, team, deps } = scope
  const rows: AccountRow[] = await db
    .selectFrom('accounts')
    .selectAll()
    .where('team_id', '=', team.id)
    .where('holder_id', '=', entity.id)
    .where('awaits_consent', 'is', null)
    .orderBy('id')
    .execute()
  const receipts = await db
    .selectFrom('consents')
    .select(['document', 'version', 'locale', 'created_at'])
    .where('team_id', '=', team.id)
    .where('entity_id', '=', entity.id)
    .orderBy('id', 'desc')
    .limit(MOST_RECEIPTS)
    .execute()
  const shared = rows.filter(row => row.withdrawn_at === null)
  const merchants = deps.ports.network.merchants(shared.flatMap(row => row.mch_id ?? []))
  const institutions = new Map(merchants.map(merchant => [merchant.id, merchant]))
  return {
    person: sharingOf(scope, entityOffers(deps.offers), dataOfPeople, entity),
    future_since: entity.future_accounts_at === null ? null : showTime(entity.future_accounts_at),
    accounts: shared.map(row => {
      const merchant = institutions.get(row.mch_id ?? '')
      const institution = merchant?.parent_name ?? row.name ?? ''
      return {
        id: row.id,
        name: row.name ?? institution,
        institution,
        logo: institutionLogo(merchant),
        mask: row.mask,
        type: row.ach_type ?? row.liability_type ?? 'loan',
        ...sharingOf(scope, accountOffers(deps.offers), dataOfAccounts, row),
      }
    }),
    withdrawn: rows
      .flatMap(({ id, withdrawn_at: at }) => (at === null ? [] : { id, at }))
      .sort((one, other) => other.at - one.at)
      .map(({ id, at }) => ({ id, at: showTime(at) })),
    receipts: receipts.map(({ document, version, locale, created_at }) => ({
      id: document,
      version,
      locale,
      at: showTime(created_at),
    })),
  }
}
