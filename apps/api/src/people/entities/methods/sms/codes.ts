import { DAY_MS, HOUR_MS } from '@causeway/contract/time'
import { networkOf } from '../../../../platform/http/request/address.js'
import { countAgainstAll, readAllRemaining, tryCount } from '../../../../platform/limits/counters.js'
import type { Limit, Remaining } from '../../../../platform/limits/limit.js'
import type { Scope } from '../../../../platform/scope.js'
import { type EntityRow, typedFields } from '../../../holders/entity.js'

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

const numberLimitError = 'ENTITY_PHONE_VERIFICATION_MAX_ATTEMPTS'

/** The number of codes a day that each team can send to a number it supplied, whatever other teams sent to it. */
const RESERVED_PER_DAY = 3

/** The name of the counter that records that several teams together reached a number's daily limit. */
export const SHARED_LIMIT_REACHED = 'code_day_shared'

/** Returns the limits that count only a team's own codes to a number. */
function ownLimits({ deps, team }: Scope, isTyped: boolean, phone: string): (readonly [Limit, string])[] {
  const { typed, supplied, day } = deps.codeLimits
  const subject = `${team.id} ${phone}`
  return [
    [
      isTyped
        ? { kind: 'code_typed_own', max: typed, window: HOUR_MS, error: numberLimitError }
        : { kind: 'code_supplied', max: supplied, window: HOUR_MS, error: numberLimitError },
      subject,
    ],
    [{ kind: 'code_day_own', max: day, window: DAY_MS, error: numberLimitError }, subject],
  ]
}

/**
 * Returns how many more codes the team can send to an entity's number and, if none, when it can send the next one.
 * Counts only the team's own codes, so the answer doesn't reveal that another team sent codes to the same number.
 */
export async function codesLeft(scope: Scope, entity: EntityRow, phone: string): Promise<Remaining> {
  const limits = await readAllRemaining(scope, ownLimits(scope, typedFields(entity).has('phone'), phone))
  const left = Math.min(...limits.map(each => each.left))
  return { left, freeAt: Math.max(...limits.filter(each => each.left === left).map(each => each.freeAt)) }
}

/**
 * Counts a code against the limits for the entity's number and, if known, for the network address that requested the
 * code. An IPv6 /64 counts as one address. If a limit has been reached, throws LimitError and counts nothing. A number
 * that the team supplied can receive {@link RESERVED_PER_DAY} codes of the team even if other teams used up its limit.
 */
export async function countCode(
  scope: Scope,
  entity: EntityRow,
  phone: string,
  address: string | undefined,
): Promise<void> {
  const { typed, day, address: perAddress } = scope.deps.codeLimits
  const isTyped = typedFields(entity).has('phone')
  const sender: Limit = {
    kind: 'code_address',
    max: perAddress,
    window: HOUR_MS,
    error: 'ENTITY_PHONE_VERIFICATION_ADDRESS_LIMIT',
  }
  const reservedLimit: Limit = {
    kind: 'code_reserved',
    max: RESERVED_PER_DAY,
    window: DAY_MS,
    error: numberLimitError,
  }
  const ownTeamLimits = ownLimits(scope, isTyped, phone)
  const counted = await countAgainstAll(
    scope,
    [
      ...(isTyped ? [] : [[reservedLimit, ownTeamLimits[0]![1]] as const]),
      ...(address === undefined ? [] : [[sender, networkOf(address)] as const]),
      ...ownTeamLimits,
      ...(isTyped
        ? [[{ kind: 'code_typed', max: typed, window: HOUR_MS, error: numberLimitError } as Limit, phone] as const]
        : []),
      [{ kind: 'code_day', max: day, window: DAY_MS, error: numberLimitError }, phone],
    ],
    isTyped ? {} : { code_day: 'code_reserved' },
  )
  const left = counted.at(-1)?.left ?? 0
  const ownLeft = counted.at(isTyped ? -3 : -2)?.left ?? 0
  if (left === 0 && ownLeft > 0) await reportSharedLimit(scope, phone)
}

/**
 * Reports once a day that several teams together reached a number's daily limit. One of them may be bothering the
 * person or keeping the others from sending codes.
 */
async function reportSharedLimit(scope: Scope, phone: string): Promise<void> {
  const once: Limit = { kind: SHARED_LIMIT_REACHED, max: 1, window: DAY_MS, error: numberLimitError }
  if (!(await tryCount(scope, once, phone))) return
  scope.after(() => {
    scope.deps.metrics.sharedCodeLimit()
    scope.deps.log('warn', 'code_limit_reached_by_several_teams', { team_id: scope.team.id })
  })
}
