import { calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK, type JWK } from 'jose'
import { createId } from '../../platform/crypto/random.js'
import type { Vault } from '../../platform/crypto/vault.js'
import { jsonColumn } from '../../platform/db/json-column.js'
import type { Db, Store } from '../../platform/db/store.js'
import type { Tables } from '../../platform/db/tables.js'
import { showTime } from '../../platform/show.js'
import { KEY_ALGORITHM, type PublicJwk } from './rules.js'

export type ServiceKeyRow = Tables['service_keys']
type Key = Awaited<ReturnType<typeof importJWK>>

/** A key's private part: a data key wrapped with the master key, and the JWK sealed with that data key. */
const privateJson = jsonColumn<{ wrapped: string; sealed: string }>('service_keys.private')
const jwkJson = jsonColumn<JWK>('service_keys.private')

const privateField = (id: string) => ({ id, field: 'private' })

/** Creates a key and encrypts its private part. Generating a key is slow, because it requires large primes. */
export async function generateServiceKey(vault: Vault, now: number): Promise<ServiceKeyRow> {
  const { privateKey } = await generateKeyPair(KEY_ALGORITHM, { modulusLength: 2_048, extractable: true })
  const jwk = await exportJWK(privateKey)
  const id = createId('service_jwk', now)
  const wrapped = vault.createTeamKey('service')
  const sealed = vault.sealer('service', wrapped).seal(privateField(id), jwkJson.write(jwk))
  return {
    id,
    n: jwk.n!,
    e: jwk.e!,
    private: privateJson.write({ wrapped, sealed }),
    thumbprint: await calculateJwkThumbprint(jwk, 'sha256'),
    status: 'active',
    created_at: now,
    updated_at: now,
  }
}

const jwkOf = ({ id, n, e }: ServiceKeyRow): PublicJwk => ({
  kty: 'RSA',
  kid: id,
  n,
  e,
  alg: KEY_ALGORITHM,
  use: 'enc',
})

export const showServiceKey = (row: ServiceKeyRow) => ({
  id: row.id,
  jwk: jwkOf(row),
  jwk_thumbprint: row.thumbprint,
  status: row.status,
  created_at: showTime(row.created_at),
  updated_at: showTime(row.updated_at),
})

/** Formats a key as a member of a key set. */
export const showKeySetMember = (row: ServiceKeyRow) => {
  const { id, jwk, status, created_at, updated_at } = showServiceKey(row)
  return { id, ...jwk, status, created_at, updated_at }
}

/** @param id an id from a request, not yet validated */
export async function findServiceKey(db: Db, id: string): Promise<ServiceKeyRow | undefined> {
  if (!/^\w{1,60}$/.test(id)) return undefined
  return db.selectFrom('service_keys').selectAll().where('id', '=', id).executeTakeFirst()
}

/** Returns all keys, including disabled ones, newest first. */
export const listServiceKeys = (db: Db): Promise<ServiceKeyRow[]> =>
  db.selectFrom('service_keys').selectAll().orderBy('id', 'desc').execute()

const findActiveKey = (db: Db) =>
  db.selectFrom('service_keys').selectAll().where('status', '=', 'active').executeTakeFirst()

/**
 * Creates the store for the service's encryption and decryption keys. The store generates the first key on first use.
 */
export function createServiceKeys(store: Store, vault: Vault, clock: () => number) {
  let pendingCreation: Promise<void> | undefined
  const keysById = new Map<string, Key>()

  async function createFirstKey(): Promise<void> {
    const row = await generateServiceKey(vault, clock())
    await store.write(tx =>
      tx
        .insertInto('service_keys')
        .values(row)
        .onConflict(conflict => conflict.doNothing())
        .execute(),
    )
  }

  return {
    /** Returns the key that clients use to encrypt requests. */
    async active(): Promise<ServiceKeyRow> {
      const row = await findActiveKey(store.reader)
      if (row) return row
      pendingCreation ??= createFirstKey().finally(() => {
        pendingCreation = undefined
      })
      await pendingCreation
      return (await findActiveKey(store.reader))!
    },
    /** Returns a key's private part, or undefined if the key does not exist or is disabled. */
    async open(id: string): Promise<Key | undefined> {
      const row = await findServiceKey(store.reader, id)
      if (!row || row.status === 'disabled') return undefined
      let key = keysById.get(id)
      if (!key) {
        const { wrapped, sealed } = privateJson.read(row.private)
        key = await importJWK(
          jwkJson.read(vault.sealer('service', wrapped).open(privateField(id), sealed)),
          KEY_ALGORITHM,
        )
        keysById.set(id, key)
      }
      return key
    },
  }
}
export type ServiceKeys = ReturnType<typeof createServiceKeys>
