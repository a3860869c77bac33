import type { EventType } from '@causeway/contract/events'
import { emit } from '../notify/events/store.js'
import { noteOperator } from '../platform/audit/store.js'
import { locked } from '../platform/db/row-locks.js'
import type { Db } from '../platform/db/store.js'
import type { Deps } from '../platform/scope.js'
import { generateServiceKey, type ServiceKeyRow, showServiceKey } from '../team/encryption/service-keys.js'
import { findTeam } from '../team/teams/store.js'

type ShownKey = ReturnType<typeof showServiceKey>
interface KeyChange {
  type: EventType
  after: ShownKey
  before: ShownKey | null
}

/**
 * Returns the ids of the teams to notify about a service key: those with a public key, or with a webhook that
 * subscribes to the event.
 */
async function teamsToNotify(tx: Db): Promise<string[]> {
  const rows = await tx
    .selectFrom('team_public_keys')
    .select('team_id')
    .where('status', '=', 'active')
    .union(
      tx
        .selectFrom('webhooks')
        .select('team_id')
        .where('type', 'in', ['service_jwk.create', 'service_jwk.update'])
        .where('status', 'in', ['active', 'requires_attention']),
    )
    .execute()
  return rows.map(row => row.team_id).sort()
}

/** Changes keys, records the operator's action, and emits an event about the change, all in one transaction. */
async function changeServiceKeys<T extends { told: readonly KeyChange[] } | undefined>(
  deps: Deps,
  action: string,
  work: (tx: Db, now: number) => Promise<T>,
): Promise<T> {
  let after: (() => Promise<void> | void)[] = []
  const done = await deps.store.write(async tx => {
    after = []
    const now = deps.clock()
    const made = await work(tx, now)
    if (made) await noteOperator(tx, now, action, null, made.told[0]?.after.id ?? null)
    for (const id of made ? await teamsToNotify(tx) : []) {
      const team = (await findTeam(tx, id))!
      const scope = {
        deps,
        team,
        now: now + team.clockOffset,
        db: tx,
        after: (hook: () => Promise<void> | void) => after.push(hook),
      }
      for (const each of made!.told) await emit(scope, each.type, each.after, each.before)
    }
    return made
  })
  for (const hook of after) await hook()
  return done
}

/** Updates a row. @returns the row before and after the change, for the event */
async function updateServiceKey(tx: Db, row: ServiceKeyRow, to: Partial<ServiceKeyRow>): Promise<KeyChange> {
  const changed = await tx
    .updateTable('service_keys')
    .set(to)
    .where('id', '=', row.id)
    .returningAll()
    .executeTakeFirstOrThrow()
  return { type: 'service_jwk.update', after: showServiceKey(changed), before: showServiceKey(row) }
}

const lockKeys = (tx: Db, status: ServiceKeyRow['status']) =>
  locked(tx, tx.selectFrom('service_keys').selectAll().where('status', '=', status))

/**
 * Creates a key and makes it the key that clients use to encrypt requests. The previous key is accepted until it is
 * disabled.
 */
export async function rotateServiceKey(deps: Deps): Promise<{ active: ShownKey; deprecated: ShownKey | null }> {
  const fresh = await generateServiceKey(deps.vault, deps.clock())
  const { active, deprecated } = await changeServiceKeys(deps, 'service_key.rotate', async (tx, now) => {
    const find = () => lockKeys(tx, 'active').executeTakeFirst()
    // If another rotation held the lock, the first query finds nothing, and the second finds the new key.
    const old = (await find()) ?? (await find())
    const left = old && (await updateServiceKey(tx, old, { status: 'deprecated', updated_at: now }))
    await tx.insertInto('service_keys').values(fresh).execute()
    const shown = showServiceKey(fresh)
    const made: KeyChange = { type: 'service_jwk.create', after: shown, before: null }
    return { active: shown, deprecated: left?.after ?? null, told: [made, ...(left ? [left] : [])] }
  })
  return { active, deprecated }
}

/**
 * Disables a deprecated key: deletes its private key and rejects requests encrypted with it. Returns undefined if there
 * is no such key.
 */
export async function disableServiceKey(deps: Deps, id: string): Promise<ShownKey | undefined> {
  const done = await changeServiceKeys(deps, 'service_key.disable', async (tx, now) => {
    const row = await lockKeys(tx, 'deprecated').where('id', '=', id).executeTakeFirst()
    return row && { told: [await updateServiceKey(tx, row, { status: 'disabled', private: '', updated_at: now })] }
  })
  return done?.told[0]?.after
}
