import type { Sharing, StepData } from '@causeway/contract/session'
import { type AccountRow, isShared } from '../../../people/holders/account.js'
import type { EntityRow } from '../../../people/holders/entity.js'
import type { Holder, SomeOffer } from '../../../people/holders/product.js'
import { accountOffers, entityOffers, namesOf } from '../../../people/holders/product-rules.js'
import { findLinks } from '../../../people/links/store.js'
import type { Scope } from '../../../platform/scope.js'
import { showTime } from '../../../platform/show.js'
import { imagesOf } from '../../session/brand.js'
import { agreedData } from '../../session/consents.js'
import { consentRecipients, currentRecipients } from '../../session/recipients.js'
import { showInstitutions } from '../institutions.js'

/** The maximum number of receipts that the page lists, latest first. */
const MAX_RECEIPTS = 200

/** Returns the data about a holder that the customer can currently retrieve. `since` is when sharing began. Pure. */
function sharingOf(scope: Scope, offers: readonly SomeOffer[], holder: Holder, since: number): Sharing {
  const { products, subscriptions } = namesOf(scope, offers, holder)
  const updated = offers.filter(({ subscriptions: own }) => own.some(({ name }) => subscriptions.includes(name)))
  const open = offers.filter(({ name, onlySubscribed }) => !onlySubscribed && products.includes(name))
  const kinds = (some: readonly SomeOffer[]) => [...new Set(some.map(({ shares }) => shares))]
  return { data: kinds([...open, ...updated]), updated: kinds(updated), since: showTime(since) }
}

/** Returns everything that a person shares with the team, in the format shown to the person. */
export async function showShared(scope: Scope, entity: EntityRow): Promise<StepData['manage']> {
  const { db, team, deps } = scope
  const rows = await db
    .selectFrom('accounts')
    .selectAll()
    .where('team_id', '=', team.id)
    .where('holder_id', '=', entity.id)
    .orderBy('id')
    .execute()
  const receipts = await db
    .selectFrom('consents')
    .select(['document', 'version', 'locale', 'recipients', 'products', 'created_at'])
    .where('team_id', '=', team.id)
    .where('entity_id', '=', entity.id)
    .orderBy('id', 'desc')
    .limit(MAX_RECEIPTS)
    .execute()
  const links = await findLinks(scope, entity.id)
  const present = rows.filter(row => row.withdrawn_at === null)
  const cardProducts = deps.ports.network.cardProducts()
  const merchants = deps.ports.network.merchants(present.flatMap(row => row.mch_id ?? []))
  const institutions = new Map(merchants.map(merchant => [merchant.id, merchant]))
  const show = (row: AccountRow): StepData['manage']['hidden'][number] => {
    const merchant = institutions.get(row.mch_id ?? '')
    const institution = merchant?.parent_name ?? row.name ?? ''
    return {
      id: row.id,
      name: row.name ?? institution,
      institution,
      ...imagesOf(merchant, row.name, cardProducts),
      mask: row.mask,
      type: row.ach_type ?? row.liability_type ?? 'loan',
    }
  }
  return {
    person: sharingOf(scope, entityOffers(deps.offers), entity, entity.created_at),
    future_since: entity.future_accounts_at === null ? null : showTime(entity.future_accounts_at),
    accounts: present.filter(isShared).map(row => ({
      ...show(row),
      ...sharingOf(scope, accountOffers(deps.offers), row, row.shared_at ?? row.created_at),
    })),
    hidden: present.filter(row => !isShared(row) && row.status === 'active').map(show),
    institutions: links ? showInstitutions(links) : [],
    withdrawn: rows
      .filter(isShared)
      .flatMap(({ id, withdrawn_at: at }) => (at === null ? [] : { id, at }))
      .sort((one, other) => other.at - one.at)
      .map(({ id, at }) => ({ id, at: showTime(at) })),
    receipts: receipts.map(({ document, version, locale, recipients, products, created_at }) => ({
      id: document,
      version,
      locale,
      shares: agreedData(deps, { document, products, recipients }),
      at: showTime(created_at),
      // If an agreement has no stored recipients, its document version names none.
      recipients: recipients === null ? currentRecipients(deps) : consentRecipients.read(recipients),
    })),
  }
}
