import { ServiceError } from '@causeway/contract/errors'
import { corporationKinds, entityTypes } from '@causeway/contract/resources/entity'
import { z } from 'zod'
import { parse } from '../http/body.js'
import { blankDetails, type EntityDetails, type EntityRow } from './entity.js'

const text = (max = 100) => z.string().trim().min(1).max(max).nullable().optional()

const addressInput = z.object({
  line1: text(200),
  line2: z.string().trim().max(200).nullable().optional(),
  city: text(),
  state: z
    .string()
    .regex(/^[A-Za-z]{2}$/, 'address.state must be two letters, such as TX.')
    .nullable()
    .optional(),
  zip: z
    .string()
    .regex(/^\d{5}(-\d{4})?$/, 'address.zip must be five digits, such as 78705.')
    .nullable()
    .optional(),
})

const individualInput = z.object({
  first_name: text(),
  last_name: text(),
  phone: z.string().nullable().optional(),
  email: z.string().nullable().optional(),
  dob: z.string().nullable().optional(),
  ssn: z.string().nullable().optional(),
  ssn_4: z.string().nullable().optional(),
})

const ownerInput = z.object({
  first_name: text(),
  last_name: text(),
  phone: z
    .string()
    .regex(/^\+1[2-9]\d{9}$/, 'must be a United States number in E.164 form, such as +12025550123.')
    .nullable()
    .optional(),
  email: z.email('must be an email address, such as ana@example.com.').max(254).nullable().optional(),
  dob: z.iso.date('must be a day in the form YYYY-MM-DD.').nullable().optional(),
  address: addressInput.nullable().optional(),
})

const corporationInput = z.object({
  name: z.string().trim().min(1).max(200),
  dba: text(200),
  ein: z
    .string()
    .regex(/^\d{2}-?\d{7}$/, 'corporation.ein must be nine digits.')
    .nullable()
    .optional(),
  owners: z.array(ownerInput).max(20).optional(),
})

export type Corporation = { name: string | null; dba: string | null; ein: string | null; owners: object[] }

/** The corporation's fields that a PUT gives, checked. */
export function readCorporation(value: unknown): Partial<Corporation> {
  const given = parse(corporationInput.partial(), value, 'corporation')
  return Object.fromEntries(Object.entries(given).filter(([, field]) => field != null)) as Partial<Corporation>
}

/** Whether a text is a day that a living person can be born on. */
export function isBirthday(value: string, now: number): boolean {
  const at = /^\d{4}-\d\d-\d\d$/.test(value) ? Date.parse(`${value}T00:00:00.000Z`) : Number.NaN
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(value) && at < now && at > Date.UTC(1900, 0, 1)
}

/** The individual's fields that a body gives, checked. Throws the contract's error for each. */
export function readIndividual(value: unknown, now: number): Partial<EntityDetails> {
  const given = parse(individualInput, value, 'individual')
  if (given.phone != null && !/^\+1[2-9]\d{9}$/.test(given.phone)) throw new ServiceError('INVALID_ENTITY_PHONE_NUMBER')
  if (given.email != null && !(given.email.length <= 254 && /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(given.email)))
    throw new ServiceError('INVALID_ENTITY_EMAIL_ADDRESS')
  if (given.ssn != null && (!/^\d{9}$/.test(given.ssn) || given.ssn_4 != null))
    throw new ServiceError('ENTITY_INVALID_SSN')
  if (given.ssn_4 != null && !/^\d{4}$/.test(given.ssn_4)) throw new ServiceError('ENTITY_INVALID_SSN4')
  if (given.dob != null && !isBirthday(given.dob, now))
    throw new ServiceError('INVALID_REQUEST', 'individual.dob must be a day in the past in the form YYYY-MM-DD.')
  return Object.fromEntries(Object.entries(given).filter(([, field]) => field != null)) as Partial<EntityDetails>
}

/** The address fields that a body gives, checked. */
export function readAddress(value: unknown): Partial<EntityDetails['address']> {
  const given = parse(addressInput, value, 'address')
  return Object.fromEntries(Object.entries(given).filter(([, field]) => field != null)) as Partial<
    EntityDetails['address']
  >
}

/** An entity that is still to be made. */
export interface NewEntity {
  type: EntityRow['type']
  /** Of a corporation: which kind, where that was said. */
  kind: string | null
  details: EntityDetails
}

/** The body of POST /entities, or an inline entity of a token. @param kinds whether a corporation can be said by its kind */
export function readNewEntity(body: Record<string, unknown>, now: number, kinds = false): NewEntity {
  const types = kinds ? (['individual', 'corporation', ...corporationKinds] as const) : entityTypes
  const { type: said } = parse(z.object({ type: z.enum(types) }), body)
  const kind = said === 'individual' || said === 'corporation' ? null : said
  const type = kind === null ? said : 'corporation'
  const address = { ...blankDetails.address, ...(body['address'] == null ? {} : readAddress(body['address'])) }
  if (type === 'corporation') {
    const given = parse(corporationInput, body['corporation'], 'corporation')
    const corporation = { name: given.name, dba: given.dba ?? null, ein: given.ein ?? null, owners: given.owners ?? [] }
    return { type, kind, details: { ...blankDetails, address, corporation } }
  }
  if (body['individual'] === undefined)
    throw new ServiceError(
      'INVALID_REQUEST',
      'individual is required for an entity of type individual; it may be an empty object.',
    )
  return { type: 'individual', kind, details: { ...blankDetails, ...readIndividual(body['individual'], now), address } }
}
