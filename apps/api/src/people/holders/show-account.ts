import { accountPointers, accountRecords } from '@causeway/contract/products/of-accounts'
import { readJson } from '../../platform/db/json.js'
import { type Scope, sealer } from '../../platform/scope.js'
import { showTime } from '../../platform/show.js'
import { type AccountRow, isShared } from './account.js'
import { readableIds } from './consent-rules.js'
import { accountOffers, namesOf, noNames } from './product-rules.js'

const pointers = Object.keys(accountPointers)

/** Returns the status of the holder's consent to share an account. Pure. */
function consentOf(row: AccountRow): 'approved' | 'withdrawn' | 'pending' {
  if (row.withdrawn_at !== null) return 'withdrawn'
  return isShared(row) ? 'approved' : 'pending'
}

/**
 * Returns an account in its GET format.
 * @param allLatest the ids of the account's latest records, by product
 */
export function showAccount(
  scope: Scope,
  row: AccountRow,
  allLatest: Record<string, string>,
): Record<string, unknown> & { id: string } {
  const latest = readableIds(row, allLatest)
  const names = isShared(row) ? namesOf(scope, accountOffers(scope.deps.offers), row) : noNames
  const head = { id: row.id, holder_id: row.holder_id, status: row.status, consent_status: consentOf(row) }
  const tail = {
    error: readJson('accounts.error', row.error),
    metadata: readJson('accounts.metadata', row.metadata),
    created_at: showTime(row.created_at),
    updated_at: showTime(row.updated_at),
  }
  if (row.withdrawn_at !== null) return { ...head, type: null, [row.type]: null, ...names, ...tail }
  const session = latest['account_verification_session'] ?? null
  if (row.type === 'ach')
    return {
      ...head,
      type: row.type,
      ach: { routing: row.routing, number: shownNumber(scope, row), type: row.ach_type },
      latest_verification_session: session,
      ...names,
      ...tail,
    }
  return {
    ...head,
    type: row.type,
    liability: {
      mch_id: row.mch_id,
      mask: row.mask,
      ownership: row.ownership,
      fingerprint: row.fingerprint,
      type: row.liability_type,
      sub_type: row.sub_type,
      name: row.name,
    },
    latest_verification_session: session,
    ...Object.fromEntries(pointers.map(field => [field, pointerOf(latest, field)])),
    ...names,
    ...tail,
  }
}

/** Returns the kinds of records that an account field can point to. */
export const recordsOf = (field: string): readonly string[] =>
  field === 'latest_verification_session' ? ['account_verification_session'] : (accountRecords[field] ?? [])

/** Returns the id of the latest record to which an account field can point. */
export function pointerOf(latest: Record<string, string>, field: string): string | null {
  const ids = recordsOf(field).flatMap(kind => latest[kind] ?? [])
  return ids.sort().at(-1) ?? null
}

/**
 * Returns an account number as responses show it: in full, or only its last digits if the request's key lacks the
 * `sensitive` scope.
 */
const shownNumber = (scope: Scope, row: AccountRow): string | null =>
  isMasked(scope) ? row.mask && `****${row.mask}` : readNumber(scope, row)

/** Returns true if account numbers are masked for the key that made the request. */
export const isMasked = ({ scopes }: Scope): boolean => scopes !== undefined && !scopes.has('sensitive')

/** Returns the full account number in plain text; null if it is unknown. */
export function readNumber(scope: Scope, row: Pick<AccountRow, 'id' | 'number'>): string | null {
  return row.number === null ? null : sealer(scope).open({ id: row.id, field: 'number' }, row.number)
}
