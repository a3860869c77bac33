import { ServiceError } from '@causeway/contract/errors'
import type { Scope } from '../../platform/scope.js'
import type { EntityDetails } from '../holders/entity.js'
import { type Corporation, type EntityChange, readAddress, readCorporation, readIndividual } from './input.js'

type Fields = Record<string, unknown>

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null

/**
 * Merges new values into existing ones. Throws ENTITY_UPDATE_INVALID if the merge would replace a field's value or
 * shorten a list.
 */
function mergeValue(path: string, old: unknown, next: unknown): unknown {
  if (next === null || next === undefined) return old ?? null
  if (old === null || old === undefined || old === next) return next
  if (Array.isArray(old) && Array.isArray(next)) {
    if (next.length < old.length)
      throw new ServiceError(
        'ENTITY_UPDATE_INVALID',
        `${path} must include all existing entries in their current order.`,
      )
    return next.map((item, index) => mergeValue(`${path}[${index}]`, old[index], item))
  }
  if (isFields(old) && isFields(next) && !Array.isArray(old)) {
    const changed = Object.entries(next).map(([key, value]) => [key, mergeValue(`${path}.${key}`, old[key], value)])
    return { ...old, ...Object.fromEntries(changed) }
  }
  throw new ServiceError('ENTITY_UPDATE_INVALID', `${path} already has a value and cannot be changed.`)
}

const blank: Corporation = { name: null, dba: null, ein: null, owners: [] }

const omit = <T extends object>(fields: T, names: readonly string[]): T =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, names.includes(name) ? null : value])) as T

/**
 * Adds the fields of a request body to an entity's details. Replaces unverified details that were typed in a frame.
 * Throws the error that the contract defines for a change that is not allowed.
 * @returns the new details, and the names of the typed details that were replaced
 */
export function mergeDetails(
  before: EntityDetails,
  typed: ReadonlySet<string>,
  body: EntityChange,
  scope: Pick<Scope, 'now' | 'deps'>,
): { details: EntityDetails; replaced: string[] } {
  const individual = readIndividual(body.individual, scope)
  const address = readAddress(body.address)
  const input: Fields = { ...individual, ...address }
  const current: Fields = { ...before, ...before.address }
  const replaced = [...typed].filter(
    name =>
      current[name] != null &&
      (input[name] === undefined
        ? name === 'ssn_4' && individual.ssn != null && !individual.ssn.endsWith(String(current[name]))
        : input[name] !== current[name]),
  )
  const details = { ...omit(before, replaced), address: omit(before.address, replaced) }
  const { corporation, ...person } = details
  if (
    (individual.ssn && details.ssn_4 && !individual.ssn.endsWith(details.ssn_4)) ||
    (individual.ssn_4 && details.ssn && !details.ssn.endsWith(individual.ssn_4))
  )
    throw new ServiceError('ENTITY_UPDATE_INVALID', 'individual.ssn must end with the digits of individual.ssn_4.')
  const merged = {
    ...(mergeValue('individual', person, individual) as typeof person),
    address: mergeValue('address', details.address, address) as EntityDetails['address'],
    corporation:
      body.corporation == null
        ? corporation
        : (mergeValue('corporation', corporation ?? blank, readCorporation(body.corporation, scope.deps)) as Fields),
  }
  return { details: merged, replaced }
}
