import type { EventType } from '@causeway/contract/events'
import { emit } from '../../notify/emit.js'
import { recordOperatorAction } from '../../platform/audit/store.js'
import { lockRows } from '../../platform/db/row-locks.js'
import type { Db } from '../../platform/db/store.js'
import type { Deps } from '../../platform/scope.js'
import { generateServiceKey, type ServiceKeyRow, showServiceKey } from '../../team/encryption/service-keys.js'
import { findTeam } from '../../team/teams/store.js'

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
async function changeServiceKeys<T extends { changes: readonly KeyChange[] } | undefined>(
  deps: Deps,
  action: string,
  work: (tx: Db, now: number) => Promise<T>,
): Promise<T> {
  let hooks: (() => Promise<void> | void)[] = []
  const result = await deps.store.write(async tx => {
    hooks = []
    const now = deps.clock()
    const effect = await work(tx, now)
    if (effect) await recordOperatorAction(tx, now, action, null, effect.changes[0]?.after.id ?? null)
    for (const id of effect ? await teamsToNotify(tx) : []) {
      const team = (await findTeam(tx, id))!
      const scope = {
        deps,
        team,
        now: now + team.clockOffset,
        db: tx,
        after: (hook: () => Promise<void> | void) => hooks.push(hook),
      }
      for (const change of effect!.changes) await emit(scope, change.type, change.after, change.before)
    }
    return effect
  })
  for (const hook of hooks) await hook()
  return result
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
  lockRows(tx, tx.selectFrom('service_keys').selectAll().where('status', '=', status))

/**
 * Creates a key and makes it the key that clients use to encrypt requests. The previous key is accepted until it is
 * disabled.
 */
export async function rotateServiceKey(deps: Deps): Promise<{ active: ShownKey; deprecated: ShownKey | null }> {
  const newKey = await generateServiceKey(deps.vault, deps.clock())
  const { active, deprecated } = await changeServiceKeys(deps, 'service_key.rotate', async (tx, now) => {
    const lockActive = () => lockKeys(tx, 'active').executeTakeFirst()
    // If another rotation held the lock, the first query finds nothing, and the second finds the new key.
    const previous = (await lockActive()) ?? (await lockActive())
    const deprecation = previous && (await updateServiceKey(tx, previous, { status: 'deprecated', updated_at: now }))
    await tx.insertInto('service_keys').values(newKey).execute()
    const shownKey = showServiceKey(newKey)
    const creation: KeyChange = { type: 'service_jwk.create', after: shownKey, before: null }
    return {
      active: shownKey,
      deprecated: deprecation?.after ?? null,
      changes: [creation, ...(deprecation ? [deprecation] : [])],
    }
  })
  return { active, deprecated }
}

/**
 * Disables a deprecated key: deletes its private key and rejects requests encrypted with it. Returns undefined if there
 * is no such key.
 */
export async function disableServiceKey(deps: Deps, id: string): Promise<ShownKey | undefined> {
  const result = await changeServiceKeys(deps, 'service_key.disable', async (tx, now) => {
    const row = await lockKeys(tx, 'deprecated').where('id', '=', id).executeTakeFirst()
    return row && { changes: [await updateServiceKey(tx, row, { status: 'disabled', private: '', updated_at: now })] }
  })
  return result?.changes[0]?.after
}
