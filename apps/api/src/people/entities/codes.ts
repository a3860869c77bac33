import { networkOf } from '../../platform/http/address.js'
import { allRemaining, takeAll } from '../../platform/limits/counters.js'
import { DAY, HOUR, type Limit, type Remaining } from '../../platform/limits/limit.js'
import type { Scope } from '../../platform/scope.js'
import { type EntityRow, typedOf } from './entity.js'

/** Limits on sending codes, as the operator configured them. */
export interface CodeLimits {
  /** Per hour, to a number typed by a visitor who has not proven it. */
  readonly typed: number
  /** Per hour and team, to a number that the customer supplied. */
  readonly supplied: number
  /** Per hour, requested from one network address. */
  readonly address: number
  /** Per day, to a number, across all teams that supplied it. */
  readonly day: number
}

/** Returns the defaults: the sandbox allows 20 times as many as production. */
export function defaultCodeLimits(environment: 'sandbox' | 'production'): CodeLimits {
  const factor = environment === 'sandbox' ? 20 : 1
  return { typed: 3 * factor, supplied: 3 * factor, address: 30 * factor, day: 10 * factor }
}

const byNumber = 'ENTITY_PHONE_VERIFICATION_MAX_ATTEMPTS'

/** Returns the limits on codes to an entity's number, each with its subject. */
function limitsOf({ deps, team }: Scope, entity: EntityRow, phone: string): (readonly [Limit, string])[] {
  const { typed, supplied, day } = deps.codeLimits
  return [
    typedOf(entity).has('phone')
      ? [{ kind: 'code_typed', most: typed, window: HOUR, error: byNumber }, phone]
      : [{ kind: 'code_supplied', most: supplied, window: HOUR, error: byNumber }, `${team.id} ${phone}`],
    [{ kind: 'code_day', most: day, window: DAY, error: byNumber }, phone],
  ]
}

/**
 * Returns how many codes can still be sent to an entity's number, and when the next one can be sent if none can now.
 */
export async function sendsLeft(scope: Scope, entity: EntityRow, phone: string): Promise<Remaining> {
  const found = await allRemaining(scope, limitsOf(scope, entity, phone))
  const left = Math.min(...found.map(each => each.left))
  return { left, freeAt: Math.max(...found.filter(each => each.left === left).map(each => each.freeAt)) }
}

/**
 * Counts a code against the entity's number and, if known, the requesting network address; an IPv6 /64 counts as one
 * address. Throws LimitError, in which case nothing is counted.
 */
export async function countSend(
  scope: Scope,
  entity: EntityRow,
  phone: string,
  address: string | undefined,
): Promise<void> {
  const sender: Limit = {
    kind: 'code_address',
    most: scope.deps.codeLimits.address,
    window: HOUR,
    error: 'ENTITY_PHONE_VERIFICATION_ADDRESS_LIMIT',
  }
  await takeAll(scope, [
    ...(address === undefined ? [] : [[sender, networkOf(address)] as const]),
    ...limitsOf(scope, entity, phone),
  ])
}
