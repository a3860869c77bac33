import { createKeys, createSigningKey, type Keys } from '../platform/crypto/keys.js'
import { sameText, type Vault } from '../platform/crypto/vault.js'
import { jsonColumn } from '../platform/db/json-column.js'
import type { Store } from '../platform/db/store.js'
import { createKey } from '../team/teams/keys.js'
import { createTeam } from '../team/teams/store.js'

/** Returns a setting from the store, or undefined if it is not set. */
export async function findSetting(store: Pick<Store, 'reader'>, name: string): Promise<string | undefined> {
  const row = await store.reader.selectFrom('settings').select('value').where('name', '=', name).executeTakeFirst()
  return row?.value
}

/** Stores a setting unless it is already set. @returns the stored value */
async function setIfMissing(store: Store, name: string, value: string): Promise<string> {
  await store.write(tx =>
    tx
      .insertInto('settings')
      .values({ name, value })
      .onConflict(conflict => conflict.column('name').doNothing())
      .execute(),
  )
  return (await findSetting(store, name)) ?? value
}

/** The setting of a store that belongs to a connector with providers. */
const CONNECTOR_SETTING = 'connector'

/** Rejects the service's store, and marks any other one as the connector's. */
export async function claimForConnector(store: Store): Promise<void> {
  if ((await findSetting(store, 'bootstrapped')) !== undefined)
    throw new Error("The store belongs to the service. Set DATABASE_URL to a store of the connector's own.")
  await setIfMissing(store, CONNECTOR_SETTING, 'yes')
}

/** Rejects a store that belongs to a connector. */
export async function rejectConnectorStore(store: Store): Promise<void> {
  if ((await findSetting(store, CONNECTOR_SETTING)) !== undefined)
    throw new Error("The store belongs to a connector. Set DATABASE_URL to a store of the service's own.")
}

/** Rejects a store that belongs to another environment or uses another encryption key. */
export async function checkStore(store: Store, vault: Vault, environment: string): Promise<void> {
  const stored = await setIfMissing(store, 'environment', environment)
  if (stored !== environment)
    throw new Error(
      `The store belongs to the ${stored} environment, so it can't be opened as ${environment}. Set ENVIRONMENT=${stored}, or set DATABASE_URL to another store.`,
    )
  if (!sameText(await setIfMissing(store, 'key_check', vault.check), vault.check))
    throw new Error('ENCRYPTION_KEY must be the key that this store was created with. Nothing was changed.')
}

const signingJson = jsonColumn<{ wrapped: string; sealed: string }>('settings.value')

/** Loads the service's signing key. The key is created once and stored encrypted. */
export async function loadKeys(store: Store, vault: Vault, master: Buffer): Promise<Keys> {
  const createSealedKey = async (): Promise<string> => {
    const wrapped = vault.createTeamKey('service')
    const sealed = vault.sealer('service', wrapped).seal({ id: 'service', field: 'signing' }, await createSigningKey())
    return signingJson.write({ wrapped, sealed })
  }
  const stored =
    (await findSetting(store, 'signing_key')) ?? (await setIfMissing(store, 'signing_key', await createSealedKey()))
  const { wrapped, sealed } = signingJson.read(stored)
  return createKeys(master, vault.sealer('service', wrapped).open({ id: 'service', field: 'signing' }, sealed))
}

/**
 * Creates the first team and its key if there is no team. If several processes start at the same time, only one of them
 * creates the team.
 * @param saveKey saves a generated key for the operator. `saveKey` runs before the commit, so that no generated key is lost.
 */
export async function createFirstTeam(
  store: Store,
  vault: Vault,
  value: string | null,
  now: number,
  saveKey: (value: string) => void,
): Promise<void> {
  await store.write(async tx => {
    // If another process is inserting the same row, waits for that process to finish.
    const marker = await tx
      .insertInto('settings')
      .values({ name: 'bootstrapped', value: new Date(now).toISOString() })
      .onConflict(conflict => conflict.column('name').doNothing())
      .returning('name')
      .executeTakeFirst()
    if (!marker || (await tx.selectFrom('teams').select('id').limit(1).executeTakeFirst())) return
    const team = await createTeam(tx, vault, 'First team', null, now)
    const key = await createKey(tx, team.id, now, { value: value ?? undefined })
    if (value === null) saveKey(key.value)
  })
}
