import type { addressInput, changedEntity, individualInput, newEntity } from '@causeway/contract/endpoints/entities'
import { ServiceError } from '@causeway/contract/errors'
import type { z } from 'zod'
import { blankDetails, type EntityDetails, type EntityRow } from './entity.js'

/** The request bodies for creating and changing an entity. */
export type EntityInput = z.output<typeof newEntity> & FromOlder
export type EntityChange = z.output<typeof changedEntity> & FromOlder

/** Additional entity fields in requests of older versions. */
interface FromOlder {
  /** The corporation's kind. */
  kind?: string
  /** The time at which the customer verified the phone, in ISO 8601. */
  phone_proof?: string
}

export type Corporation = { name: string | null; dba: string | null; ein: string | null; owners: object[] }

/** Returns the fields that have a value. A null field counts as absent. */
const given = <T extends object>(fields: T | null | undefined): Partial<T> =>
  Object.fromEntries(Object.entries(fields ?? {}).filter(([, field]) => field != null)) as Partial<T>

/** Returns true if a living person can have this date of birth. */
export function isBirthday(value: string, now: number): boolean {
  const at = /^\d{4}-\d\d-\d\d$/.test(value) ? Date.parse(`${value}T00:00:00.000Z`) : Number.NaN
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(value) && at < now && at > Date.UTC(1900, 0, 1)
}

/**
 * Reads an individual's fields, and omits those without a value. Throws INVALID_REQUEST if the date of birth is not a
 * date in the past.
 */
export function readIndividual(
  individual: z.output<typeof individualInput> | null | undefined,
  now: number,
): Partial<EntityDetails> {
  if (individual?.dob != null && !isBirthday(individual.dob, now))
    throw new ServiceError('INVALID_REQUEST', 'individual.dob must be a date in the past, in the format YYYY-MM-DD.')
  return given(individual) as Partial<EntityDetails>
}

export const readAddress = (address: z.output<typeof addressInput> | null | undefined) =>
  given(address) as Partial<EntityDetails['address']>

export const readCorporation = (corporation: EntityChange['corporation']) => given(corporation) as Partial<Corporation>

/** An entity to be created. */
export interface NewEntity {
  type: EntityRow['type']
  /** The corporation's kind, if it was given. */
  kind: string | null
  details: EntityDetails
}

/**
 * Reads a new entity from a request body or from a token's inline entity. Throws INVALID_REQUEST if the date of birth
 * is not a date in the past.
 */
export function readNewEntity(body: Omit<EntityInput, 'metadata'>, now: number): NewEntity {
  const address = { ...blankDetails.address, ...readAddress(body.address) }
  if (body.type === 'individual')
    return {
      type: 'individual',
      kind: null,
      details: { ...blankDetails, ...readIndividual(body.individual, now), address },
    }
  const { name, dba = null, ein = null, owners = [] } = body.corporation!
  return {
    type: 'corporation',
    kind: body.kind ?? null,
    details: { ...blankDetails, address, corporation: { name, dba, ein, owners } },
  }
}
