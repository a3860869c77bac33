import { ServiceError } from '@causeway/contract/errors'
import { versions } from '@causeway/contract/versions'
import type { Deps } from '../../scope.js'
import { checkFilters, isOptional } from '../endpoint/declaration.js'
import type { Route } from '../endpoint/route.js'
import { isFieldName } from '../log/redact.js'
import type { Base } from '../request/context.js'

/** Returns a parameter's name, which the caller chose, if it is safe to show; otherwise, returns a generic phrase. */
const readable = (name: string) => (isFieldName(name.replace(/\[\]$/, '')) ? name : 'A query parameter')

/** Rejects an invalid request before it reaches a feature, so that no external call is made for it. */
export function checkRequest(deps: Deps, base: Base, route: Route): void {
  void base.version
  if (Object.values(base.params).some(value => value.includes('\0'))) throw new ServiceError('NOT_FOUND')
  for (const [name, value] of base.query)
    if (value.includes('\0'))
      throw new ServiceError('INVALID_REQUEST', `${readable(name)} must not contain the character U+0000.`)
  if (route.sandbox && deps.environment !== 'sandbox')
    throw new ServiceError('FORBIDDEN', 'Simulations are available only in the sandbox.')
  if (route.since && versions.indexOf(base.version) < versions.indexOf(route.since)) throw new ServiceError('NOT_FOUND')
}

/**
 * Rejects an empty filter of a read. An empty value often comes from an unset variable in the caller's code. A request
 * with an empty filter must not return the entire list.
 */
export function checkEmptyFilters(deps: Deps, base: Base, route: Route): void {
  for (const [name, value] of base.query)
    if (value === '' && isOptional(deps.versions, route, base.version, name))
      throw new ServiceError('INVALID_REQUEST', `${readable(name)} must not be empty. Omit it instead.`)
}

/** Rejects a filter that the endpoint doesn't have. */
export const checkFilterNames = (deps: Deps, base: Base, route: Route): void =>
  checkFilters(deps.versions, route, base.version, base.query)
