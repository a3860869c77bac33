import { networkOf } from '../../../../platform/http/address.js'
import { allRemaining, takeAll } from '../../../../platform/limits/counters.js'
import { DAY, HOUR, type Limit, type Remaining } from '../../../../platform/limits/limit.js'
import type { Scope } from '../../../../platform/scope.js'
import { type EntityRow, typedOf } from '../../entity.js'

/** Limits on sending codes, as configured by the operator. */
export interface CodeLimits {
  /** The maximum number of codes sent per hour to a number that a visitor typed but has not verified. */
  readonly typed: number
  /** The maximum number of codes that each team can send per hour to a number that the customer supplied. */
  readonly supplied: number
  /** The maximum number of codes per hour that one network address can request. */
  readonly address: number
  /** The maximum number of codes sent per day to a number, across all teams. */
  readonly day: number
}

/** Returns the default limits. The sandbox allows 20 times as many codes as production. */
export function defaultCodeLimits(environment: 'sandbox' | 'production'): CodeLimits {
  const factor = environment === 'sandbox' ? 20 : 1
  return { typed: 3 * factor, supplied: 3 * factor, address: 30 * factor, day: 10 * factor }
}

const byNumber = 'ENTITY_PHONE_VERIFICATION_MAX_ATTEMPTS'

/** Returns the limits on sending codes to an entity's number, each with its counter's subject. */
function limitsOf({ deps, team }: Scope, entity: EntityRow, phone: string): (readonly [Limit, string])[] {
  const { typed, supplied, day } = deps.codeLimits
  return [
    typedOf(entity).has('phone')
      ? [{ kind: 'code_typed', most: typed, window: HOUR, error: byNumber }, phone]
      : [{ kind: 'code_supplied', most: supplied, window: HOUR, error: byNumber }, `${team.id} ${phone}`],
    [{ kind: 'code_day', most: day, window: DAY, error: byNumber }, phone],
  ]
}

/** Returns how many more codes can be sent to an entity's number and, if none, when the next one can be sent. */
export async function sendsLeft(scope: Scope, entity: EntityRow, phone: string): Promise<Remaining> {
  const found = await allRemaining(scope, limitsOf(scope, entity, phone))
  const left = Math.min(...found.map(each => each.left))
  return { left, freeAt: Math.max(...found.filter(each => each.left === left).map(each => each.freeAt)) }
}

/**
 * Counts a code against the limits for the entity's number and, if known, for the network address that requested the
 * code. An IPv6 /64 counts as one address. If a limit has been reached, throws LimitError and counts nothing.
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
