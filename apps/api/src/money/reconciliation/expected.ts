/** Finds resources that the statement should show but did not. Every query reads a limited part of an index. */
import { lowestId } from '../../platform/crypto/random.js'
import type { Db, Store } from '../../platform/db/types.js'
import { endedWithoutArriving, isDue, LINE_GRACE_MS, LINK_GRACE_MS, type StatementException } from './compare.js'
import { BATCH_SIZE, findResources, findSeenLines, type TransferScope } from './transfers.js'

/** The part of a team's history to search, in real time. */
interface Search extends TransferScope {
  /** The earliest time of creation, in epoch milliseconds. */
  since: number
  /** Creations before this time, in epoch milliseconds. */
  until: number
  now: number
  /** The time by which the team's sandbox clock is ahead of the real time, in ms. */
  clockOffset: number
}

const exceptionOf = (
  kind: StatementException['kind'],
  { id, amount }: { id: string; amount: number },
  at: number,
): StatementException => ({
  ...{ kind, subject: id, resource_id: id, line_id: null, amount, expected_amount: null, at },
})

/** Yields the payments and reversals whose money should have left by now, but has no line. */
export async function* findMissingLines(
  { reader }: Pick<Store, 'reader'>,
  { team, provider, since, until, now }: Search,
): AsyncGenerator<StatementException[]> {
  const before = Math.min(until, now - LINE_GRACE_MS)
  let last = { created_at: since, external_id: '' }
  for (;;) {
    const { created_at, external_id } = last
    const objects = await reader
      .selectFrom('provider_objects')
      .select(['external_id', 'resource_id', 'created_at'])
      .where('team_id', '=', team)
      .where('provider', '=', provider)
      .where('line_id', 'is', null)
      .where('created_at', '>=', created_at)
      .where('created_at', '<', before)
      .where(at => at.or([at('created_at', '>', created_at), at('external_id', '>', external_id)]))
      .orderBy('created_at')
      .orderBy('external_id')
      .limit(BATCH_SIZE)
      .execute()
    const ids = [...new Set(objects.map(({ resource_id }) => resource_id))]
    const resources = await findResources(reader, team, ids)
    const seen = await findSeenLines(reader, { team, provider }, ids)
    // mutant: missing-line-is-reported (false)
    yield objects.flatMap(({ resource_id, created_at }) => {
      const resource = resources.get(resource_id)
      return resource && isDue(resource) && seen.get(resource_id)!.line_id === null
        ? exceptionOf('missing_there', resource, created_at)
        : []
    })
    if (objects.length < BATCH_SIZE) return
    last = objects.at(-1)!
  }
}

/** Yields the payments that ended without arriving, although their money left and did not come back. */
export async function* findMissingReturns(
  { reader }: Pick<Store, 'reader'>,
  { team, provider, since, until, now, clockOffset }: Search,
): AsyncGenerator<StatementException[]> {
  for (const status of endedWithoutArriving) {
    let after = lowestId('payment', since + clockOffset)
    for (;;) {
      const rows = await reader
        .selectFrom('payments')
        .select(['id', 'created_at', 'updated_at', 'simulated'])
        .where('team_id', '=', team)
        .where('status', '=', status)
        .where('id', '>', after)
        .where('id', '<', lowestId('payment', until + clockOffset))
        .orderBy('id')
        .limit(BATCH_SIZE)
        .execute()
      const ids = rows.map(({ id }) => id)
      const resources = await findResources(reader, team, ids)
      const seen = await findSeenLines(reader, { team, provider }, ids)
      yield rows.flatMap(({ id, created_at, updated_at, simulated }) => {
        const { line_id, return_line_id } = seen.get(id)!
        const isLate = updated_at < now + clockOffset - LINE_GRACE_MS
        // mutant: missing-return-is-reported (false)
        return simulated === 0 && isLate && line_id !== null && return_line_id === null
          ? exceptionOf('not_returned', resources.get(id)!, created_at - clockOffset)
          : []
      })
      if (rows.length < BATCH_SIZE) break
      after = ids.at(-1)!
    }
  }
}

/** Yields the payments that the provider accepted as their rail, but whose transfer there is unknown, so that no line can match them. */
export async function* findUnlinked(
  { reader }: Pick<Store, 'reader'>,
  { team, provider, since, until, now, clockOffset }: Search,
): AsyncGenerator<StatementException[]> {
  let after = lowestId('payment', since + clockOffset)
  const end = lowestId('payment', Math.min(until, now - LINK_GRACE_MS) + clockOffset)
  for (;;) {
    const calls = await reader
      .selectFrom('provider_calls')
      .select('request_id')
      .where('team_id', '=', team)
      .where('path', '=', 'rail/submit')
      .where('request_id', '>', after)
      .where('request_id', '<', end)
      .orderBy('request_id')
      .limit(BATCH_SIZE)
      .execute()
    const ids = calls.map(({ request_id }) => request_id)
    if (ids.length > 0)
      yield (await selectUnlinked(reader, { team, provider, ids })).map(({ created_at, ...payment }) =>
        exceptionOf('unlinked', payment, created_at - clockOffset),
      )
    if (ids.length < BATCH_SIZE) return
    after = ids.at(-1)!
  }
}

/** Selects the payments among these that are under way or arrived, but have no transfer. */
const selectUnlinked = (
  db: Db,
  { team, provider, ids }: TransferScope & { ids: readonly string[] },
): Promise<{ id: string; amount: number; created_at: number }[]> =>
  db
    .selectFrom('payments')
    .select(['payments.id', 'payments.amount', 'payments.created_at'])
    .where('payments.team_id', '=', team)
    .where('payments.id', 'in', ids)
    .where('payments.status', 'in', ['processing', 'sent', 'posted', 'cashed', 'settled'])
    .where('payments.simulated', '=', 0)
    .where('payments.provider', '=', provider)
    .where(each =>
      each.not(
        each.exists(
          each
            .selectFrom('provider_objects')
            .select('provider_objects.resource_id')
            .whereRef('provider_objects.team_id', '=', 'payments.team_id')
            .whereRef('provider_objects.resource_id', '=', 'payments.id')
            .where('provider_objects.provider', '=', provider),
        ),
      ),
    )
    .execute()
