import { ServiceError } from '@causeway/contract/errors'
import type { Scope } from '../scope.js'

/** Source: rulings 15. Counted in real time, whoever asks. */
export const SENDS_PER_NUMBER = 3
export const SENDS_PER_ADDRESS = 10
const HOUR = 3_600_000

const key = (scope: Scope, kind: 'phone' | 'address', value: string) => scope.deps.vault.hash(`send ${kind}`, value)

/** How many codes can still go to a number now, and when the next one can after that. */
export async function sendsLeft(scope: Scope, phone: string): Promise<{ left: number; freeAt: number }> {
  const since = scope.deps.clock() - HOUR
  const rows = await scope.db
    .selectFrom('code_sends')
    .select('at')
    .where('who', '=', key(scope, 'phone', phone))
    .where('at', '>', since)
    .orderBy('at')
    .execute()
  return { left: Math.max(0, SENDS_PER_NUMBER - rows.length), freeAt: (rows[0]?.at ?? scope.deps.clock()) + HOUR }
}

/** Throws where a number, or a network address, got its share of codes in the last hour. */
export async function allowSend(scope: Scope, phone: string, address?: string): Promise<void> {
  if ((await sendsLeft(scope, phone)).left === 0) throw new ServiceError('ENTITY_PHONE_VERIFICATION_MAX_ATTEMPTS')
  if (address === undefined) return
  const { count } = await scope.db
    .selectFrom('code_sends')
    .select(query => query.fn.countAll<number>().as('count'))
    .where('who', '=', key(scope, 'address', address))
    .where('at', '>', scope.deps.clock() - HOUR)
    .executeTakeFirstOrThrow()
  if (Number(count) >= SENDS_PER_ADDRESS) throw new ServiceError('ENTITY_PHONE_VERIFICATION_MAX_ATTEMPTS')
}

/** Counts a send against its number, or against the network address that asked for it. */
export async function noteSend(scope: Scope, kind: 'phone' | 'address', value: string): Promise<void> {
  const at = scope.deps.clock()
  const who = key(scope, kind, value)
  await scope.db.insertInto('code_sends').values({ who, at }).execute()
  await scope.db
    .deleteFrom('code_sends')
    .where('who', '=', who)
    .where('at', '<', at - HOUR)
    .execute()
}
