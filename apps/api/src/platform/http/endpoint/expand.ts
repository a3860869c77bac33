import { ServiceError } from '@causeway/contract/errors'
import type { Ctx } from '../../scope.js'

/**
 * Reads the fields to expand from `expand[]=x` or `expand=x`. For an unknown field, throws INVALID_REQUEST with a list
 * of the allowed fields.
 */
export function readExpand(ctx: Ctx, allowed: readonly string[]): Set<string> {
  const wanted = [...ctx.query.getAll('expand[]'), ...ctx.query.getAll('expand')].filter(name => name !== '')
  for (const name of wanted)
    if (!allowed.includes(name)) throw new ServiceError('INVALID_REQUEST', `expand[] can be: ${allowed.join(', ')}.`)
  return new Set(wanted)
}

/** Returns the requested fields that start with `prefix.`, without that prefix. */
export function fieldsUnder(expand: ReadonlySet<string>, prefix: string): Set<string> {
  return new Set([...expand].filter(name => name.startsWith(`${prefix}.`)).map(name => name.slice(prefix.length + 1)))
}
