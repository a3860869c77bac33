import type { IdentityDetails } from '@causeway/connector/ports/identity'
import { identityMethods } from '@causeway/contract/fields/names'
import type { EntityMethod } from '@causeway/contract/methods/method'
import { entityMethods } from '@causeway/contract/methods/of-entities'
import { jsonColumn } from '../../platform/db/json-column.js'
import type { Tables } from '../../platform/db/tables.js'
import type { Scope } from '../../platform/scope.js'

export type EntityRow = Tables['entities']

/** All of an entity's personal details, before sealing. */
export type EntityDetails = IdentityDetails & { email: string | null; corporation: Record<string, unknown> | null }

/** The content of the sealed details. */
export const entityDetails = jsonColumn<EntityDetails>('entities.details')

export const blankDetails: EntityDetails = {
  first_name: null,
  last_name: null,
  phone: null,
  dob: null,
  email: null,
  ssn: null,
  ssn_4: null,
  address: { line1: null, line2: null, city: null, state: null, zip: null },
  corporation: null,
}

/** The details that correspond to each field of the frame's form. */
export const detailsOf = {
  name: ['first_name', 'last_name'],
  dob: ['dob'],
  address: ['line1', 'line2', 'city', 'state', 'zip'],
  ssn_4: ['ssn_4'],
} as const satisfies Record<string, readonly string[]>

export const typedJson = jsonColumn<string[]>('entities.typed')

/**
 * Returns the names of the unverified details that were typed in a frame. Typed details can be replaced, but details
 * that the customer sent can't.
 */
export const typedFields = (row: EntityRow): ReadonlySet<string> => new Set(typedJson.read(row.typed))

export const isVerified = (row: EntityRow): boolean =>
  row.phone_verified_at !== null && row.identity_verified_at !== null

/**
 * Returns the names of the methods that verify a phone or an identity. Methods that exist only in the flow verify both.
 */
const methodsFor = (type: EntityMethod['type']): string[] =>
  identityMethods.filter(name => (entityMethods.find(method => method.name === name)?.type ?? type) === type)
const PHONE_METHODS = methodsFor('phone')
const IDENTITY_METHODS = methodsFor('identity')

/** Returns the verification methods that an entity can still use, in the order that the contract defines. */
export function usableMethods(
  { team, deps }: Pick<Scope, 'team' | 'deps'>,
  row: EntityRow,
): { phone: string[]; identity: string[] } {
  const served = team.settings.identity_methods.filter(
    name => deps.capabilities.missing('entity_method', name) === null,
  )
  const enabled = new Set<string>(served)
  return {
    phone: row.phone_verified_at === null ? PHONE_METHODS.filter(method => enabled.has(method)) : [],
    identity: row.identity_verified_at === null ? IDENTITY_METHODS.filter(method => enabled.has(method)) : [],
  }
}
