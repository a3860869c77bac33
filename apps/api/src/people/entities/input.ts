import type { addressInput, changedEntity, individualInput, newEntity } from '@causeway/contract/endpoints/entities'
import { ServiceError } from '@causeway/contract/errors'
import { isTestExchange } from '@causeway/contract/values/phones'
import type { z } from 'zod'
import type { Deps, Scope } from '../../platform/scope.js'
import { blankDetails, type EntityDetails, type EntityRow } from '../holders/entity.js'

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
const presentFields = <T extends object>(fields: T | null | undefined): Partial<T> =>
  Object.fromEntries(Object.entries(fields ?? {}).filter(([, field]) => field != null)) as Partial<T>

declare module '../../platform/scope.js' {
  interface Deps {
    /** The numbers of the sandbox's people whose exchange no carrier has. Empty in production. */
    readonly testPhones: ReadonlySet<string>
  }
}

/** Returns true unless a number has the exchange that is reserved for tests and is not the number of a test person. */
export const isReachable = (phone: string, { testPhones }: Deps): boolean =>
  !isTestExchange(phone) || testPhones.has(phone)

/** Returns true if a living person can have this date of birth. */
export function isBirthday(value: string, now: number): boolean {
  const at = /^\d{4}-\d\d-\d\d$/.test(value) ? Date.parse(`${value}T00:00:00.000Z`) : Number.NaN
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(value) && at < now && at > Date.UTC(1900, 0, 1)
}

/**
 * Reads an individual's fields, and omits those without a value. Throws INVALID_REQUEST if the date of birth is not a
 * date in the past, and INVALID_ENTITY_PHONE_NUMBER if no phone can have the number.
 */
export function readIndividual(
  individual: z.output<typeof individualInput> | null | undefined,
  { now, deps }: Pick<Scope, 'now' | 'deps'>,
): Partial<EntityDetails> {
  if (individual?.phone != null && !isReachable(individual.phone, deps))
    throw new ServiceError('INVALID_ENTITY_PHONE_NUMBER')
  if (individual?.dob != null && !isBirthday(individual.dob, now))
    throw new ServiceError(
      'INVALID_REQUEST',
      'individual.dob must be a date after 1900-01-01 and in the past, in the format YYYY-MM-DD.',
    )
  return presentFields(individual) as Partial<EntityDetails>
}

export const readAddress = (address: z.output<typeof addressInput> | null | undefined) =>
  presentFields(address) as Partial<EntityDetails['address']>

/** Reads a corporation's fields. Throws INVALID_ENTITY_PHONE_NUMBER if no phone can have an owner's number. */
export function readCorporation(corporation: EntityChange['corporation'], deps: Deps): Partial<Corporation> {
  corporation?.owners?.forEach(({ phone }, index) => {
    if (phone != null && !isReachable(phone, deps))
      throw new ServiceError(
        'INVALID_ENTITY_PHONE_NUMBER',
        `corporation.owners[${index}].phone must be a United States number in E.164 form, such as +12025550123.`,
      )
  })
  return presentFields(corporation) as Partial<Corporation>
}

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
export function readNewEntity(body: Omit<EntityInput, 'metadata'>, scope: Pick<Scope, 'now' | 'deps'>): NewEntity {
  const address = { ...blankDetails.address, ...readAddress(body.address) }
  if (body.type === 'individual')
    return {
      type: 'individual',
      kind: null,
      details: { ...blankDetails, ...readIndividual(body.individual, scope), address },
    }
  const { name = null, dba = null, ein = null, owners = [] } = readCorporation(body.corporation, scope.deps)
  return {
    type: 'corporation',
    kind: body.kind ?? null,
    details: { ...blankDetails, address, corporation: { name, dba, ein, owners } },
  }
}
