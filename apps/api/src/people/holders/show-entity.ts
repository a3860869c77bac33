import { entityPointers } from '@causeway/contract/products/of-entities'
import { readJson } from '../../platform/db/json.js'
import { storedWords } from '../../platform/name-words.js'
import { type Scope, sealer } from '../../platform/scope.js'
import { showTime } from '../../platform/show.js'
import { readableIds } from './consent-rules.js'
import { blankDetails, type EntityDetails, type EntityRow, entityDetails, usableMethods } from './entity.js'
import { entityOffers, namesOf } from './product-rules.js'

const pointerFields = Object.keys(entityPointers)

export function readDetails(scope: Scope, row: EntityRow): EntityDetails {
  return row.details === null
    ? blankDetails
    : entityDetails.read(sealer(scope).open({ id: row.id, field: 'details' }, row.details))
}

/** Hashes a folded word of a name, for use in searches. Within a team, equal words have equal hashes. */
export const nameWord = (scope: Scope, word: string): string =>
  scope.deps.vault.hash('name', `${scope.team.id}|${word}`)

/** Hashes a phone number's last four digits. The hash is stored with the hashes of the words in the name. */
export const phoneEnd = (scope: Scope, digits: string): string =>
  scope.deps.vault.hash('phone_end', `${scope.team.id}|${digits.slice(-4)}`)

/** Returns the hashed words of an entity's name and the hashed last digits of its phone. */
export function nameWords(scope: Scope, row: EntityRow): string[] {
  const { first_name, last_name, corporation, phone } = readDetails(scope, row)
  const names = corporation ? [corporation['name'], corporation['dba']] : [first_name, last_name]
  const words = storedWords(names.map(name => (typeof name === 'string' ? name : '')))
  return [...words.map(word => nameWord(scope, word)), ...(phone ? [phoneEnd(scope, phone)] : [])]
}

/** Returns the columns that depend on an entity's details, including the sealed details. */
export function detailColumns(
  scope: Scope,
  id: string,
  details: EntityDetails,
): Pick<EntityRow, 'details' | 'nameable'> {
  const { first_name, phone } = details
  return {
    details: sealer(scope).seal({ id, field: 'details' }, entityDetails.write(details)),
    nameable: first_name && phone ? 1 : 0,
  }
}

/**
 * Returns an entity in its GET format.
 * @param latest the ids of the entity's latest records, by product
 */
export function showEntity(
  scope: Scope,
  row: EntityRow,
  latest: Readonly<Record<string, string>>,
): Record<string, unknown> & { id: string } {
  const details = readDetails(scope, row)
  const tail = {
    error: readJson('entities.error', row.error),
    metadata: readJson('entities.metadata', row.metadata),
    created_at: showTime(row.created_at),
    updated_at: showTime(row.updated_at),
  }
  if (row.withdrawn_at !== null)
    return {
      id: row.id,
      type: null,
      [row.type]: null,
      verification: null,
      error: tail.error,
      address: {},
      status: row.status,
      metadata: null,
      created_at: tail.created_at,
      updated_at: tail.updated_at,
    }
  const readable = readableIds(row, latest)
  const pointers = Object.fromEntries(pointerFields.map(field => [field, readable[field] ?? null]))
  if (row.type === 'corporation')
    return {
      id: row.id,
      type: row.type,
      corporation: details.corporation,
      address: details.address,
      status: row.status,
      verification: null,
      ...pointers,
      products: [],
      restricted_products: [],
      subscriptions: [],
      available_subscriptions: [],
      restricted_subscriptions: [],
      ...tail,
    }
  const usable = usableMethods(scope, row)
  return {
    id: row.id,
    type: row.type,
    individual: {
      first_name: details.first_name,
      last_name: details.last_name,
      phone: details.phone,
      dob: details.dob,
      email: details.email,
      ssn: null,
      ssn_4: details.ssn_4 === null && details.ssn === null ? null : 'xxxx',
    },
    address: details.address,
    verification: {
      identity: {
        verified: row.identity_verified_at !== null,
        matched: row.matched === 1,
        latest_verification_session: row.identity_session,
        methods: usable.identity,
      },
      phone: {
        verified: row.phone_verified_at !== null,
        latest_verification_session: row.phone_session,
        methods: usable.phone,
      },
    },
    ...pointers,
    ...namesOf(scope, entityOffers(scope.deps.offers), row),
    status: row.status,
    ...tail,
  }
}
