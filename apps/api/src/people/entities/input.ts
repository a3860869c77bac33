import type { addressInput, changedEntity, individualInput, newEntity } from '@causeway/contract/endpoints/entities'
import { ServiceError } from '@causeway/contract/errors'
import type { z } from 'zod'
import { blankDetails, type EntityDetails, type EntityRow } from './entity.js'

/** The body of a new entity, and of a change to one. */
export type EntityInput = z.output<typeof newEntity> & FromOlder
export type EntityChange = z.output<typeof changedEntity> & FromOlder

/** The fields that older versions have beside an entity. */
interface FromOlder {
  /** The kind of a corporation. */
  kind?: string
  /** The time of the customer's own check of the phone, in ISO 8601. */
  phone_proof?: string
}

export type Corporation = { name: string | null; dba: string | null; ein: string | null; owners: object[] }

/** The fields that have a value: a null one is one that is not given. */
const given = <T extends object>(fields: T | null | undefined): Partial<T> =>
  Object.fromEntries(Object.entries(fields ?? {}).filter(([, field]) => field != null)) as Partial<T>

/** Returns true for a day that a living person can be born on. */
export function isBirthday(value: string, now: number): boolean {
  const at = /^\d{4}-\d\d-\d\d$/.test(value) ? Date.parse(`${value}T00:00:00.000Z`) : Number.NaN
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(value) && at < now && at > Date.UTC(1900, 0, 1)
}

/** An individual's fields that have a value. Throws INVALID_REQUEST for a birthday that is not a past date. */
export function readIndividual(
  individual: z.output<typeof individualInput> | null | undefined,
  now: number,
): Partial<EntityDetails> {
  if (individual?.dob != null && !isBirthday(individual.dob, now))
    throw new ServiceError('INVALID_REQUEST', 'individual.dob must be a day in the past in the form YYYY-MM-DD.')
  return given(individual) as Partial<EntityDetails>
}

export const readAddress = (address: z.output<typeof addressInput> | null | undefined) =>
  given(address) as Partial<EntityDetails['address']>

export const readCorporation = (corporation: EntityChange['corporation']) => given(corporation) as Partial<Corporation>

/** An entity that is still to be made. */
export interface NewEntity {
  type: EntityRow['type']
  /** The kind of a corporation, if it was given. */
  kind: string | null
  details: EntityDetails
}

/**
 * The result of a body, or of an inline entity of a token. Throws INVALID_REQUEST for a birthday that is not a past
 * date.
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
