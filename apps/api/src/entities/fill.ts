import { ServiceError } from '@causeway/contract/errors'
import type { EntityDetails } from './entity.js'
import { type Corporation, readAddress, readCorporation, readIndividual } from './input.js'

type Fields = Record<string, unknown>

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null

/** What was known with what is given: a field that has a value keeps it, and lists only grow. Throws ENTITY_UPDATE_INVALID. */
function add(path: string, old: unknown, next: unknown): unknown {
  if (next === null || next === undefined) return old ?? null
  if (old === null || old === undefined || old === next) return next
  if (Array.isArray(old) && Array.isArray(next)) {
    if (next.length < old.length)
      throw new ServiceError(
        'ENTITY_UPDATE_INVALID',
        `${path} must hold everybody who is in it already, in their order.`,
      )
    return next.map((item, index) => add(`${path}[${index}]`, old[index], item))
  }
  if (isFields(old) && isFields(next) && !Array.isArray(old)) {
    const changed = Object.entries(next).map(([key, value]) => [key, add(`${path}.${key}`, old[key], value)])
    return { ...old, ...Object.fromEntries(changed) }
  }
  throw new ServiceError('ENTITY_UPDATE_INVALID', `${path} already has a value and cannot be changed.`)
}

const blank: Corporation = { name: null, dba: null, ein: null, owners: [] }

/** Details with what a body adds. Throws the contract's error for what cannot be, or cannot be any more. */
export function fill(details: EntityDetails, body: Fields, now: number): EntityDetails {
  const individual = body['individual'] == null ? {} : readIndividual(body['individual'], now)
  const address = body['address'] == null ? {} : readAddress(body['address'])
  const { corporation, ...person } = details
  if (
    (individual.ssn && details.ssn_4 && !individual.ssn.endsWith(details.ssn_4)) ||
    (individual.ssn_4 && details.ssn && !details.ssn.endsWith(individual.ssn_4))
  )
    throw new ServiceError('ENTITY_UPDATE_INVALID', 'individual.ssn and individual.ssn_4 do not agree.')
  return {
    ...(add('individual', person, individual) as typeof person),
    address: add('address', details.address, address) as EntityDetails['address'],
    corporation:
      body['corporation'] == null
        ? corporation
        : (add('corporation', corporation ?? blank, readCorporation(body['corporation'])) as Fields),
  }
}
