import { ServiceError } from '@causeway/contract/errors'
import type { Scope } from '../../platform/scope.js'
import type { EntityDetails } from './entity.js'
import { type Corporation, type EntityChange, readAddress, readCorporation, readIndividual } from './input.js'

type Fields = Record<string, unknown>

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null

/**
 * Merges new values into existing ones. Throws ENTITY_UPDATE_INVALID if the merge would replace a field's value or
 * shorten a list.
 */
function add(path: string, old: unknown, next: unknown): unknown {
  if (next === null || next === undefined) return old ?? null
  if (old === null || old === undefined || old === next) return next
  if (Array.isArray(old) && Array.isArray(next)) {
    if (next.length < old.length)
      throw new ServiceError(
        'ENTITY_UPDATE_INVALID',
        `${path} must include all existing entries in their current order.`,
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

const without = <T extends object>(fields: T, names: readonly string[]): T =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, names.includes(name) ? null : value])) as T

/**
 * Adds the fields of a request body to an entity's details. Replaces unverified details that were typed in a frame.
 * Throws the error that the contract defines for a change that is not allowed.
 * @returns the new details, and the names of the typed details that were replaced
 */
export function fill(
  before: EntityDetails,
  typed: ReadonlySet<string>,
  body: EntityChange,
  scope: Pick<Scope, 'now' | 'deps'>,
): { details: EntityDetails; replaced: string[] } {
  const individual = readIndividual(body.individual, scope)
  const address = readAddress(body.address)
  const given: Fields = { ...individual, ...address }
  const known: Fields = { ...before, ...before.address }
  const replaced = [...typed].filter(
    name =>
      known[name] != null &&
      (given[name] === undefined
        ? name === 'ssn_4' && individual.ssn != null && !individual.ssn.endsWith(String(known[name]))
        : given[name] !== known[name]),
  )
  const details = { ...without(before, replaced), address: without(before.address, replaced) }
  const { corporation, ...person } = details
  if (
    (individual.ssn && details.ssn_4 && !individual.ssn.endsWith(details.ssn_4)) ||
    (individual.ssn_4 && details.ssn && !details.ssn.endsWith(individual.ssn_4))
  )
    throw new ServiceError('ENTITY_UPDATE_INVALID', 'individual.ssn must end with the digits of individual.ssn_4.')
  const filled = {
    ...(add('individual', person, individual) as typeof person),
    address: add('address', details.address, address) as EntityDetails['address'],
    corporation:
      body.corporation == null
        ? corporation
        : (add('corporation', corporation ?? blank, readCorporation(body.corporation, scope.deps)) as Fields),
  }
  return { details: filled, replaced }
}
