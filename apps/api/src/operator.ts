import { existsSync } from 'node:fs'
import { ServiceError } from '@causeway/contract/errors'
import { isVersion, versions } from '@causeway/contract/versions'
import { openPorts } from './adapters.js'
import { createApp } from './app.js'
import { auditSince, noteOperator } from './audit/store.js'
import { checkStore, loadKeys } from './boot.js'
import type { Config } from './config.js'
import { eraseEntity, exportEntity } from './consent/person.js'
import { createVault } from './crypto/vault.js'
import { backupStore, restoreStore } from './db/backup.js'
import { type Db, openBeside, openStore, type Store } from './db/store.js'
import { disableServiceKey, rotateServiceKey } from './encryption/rotate.js'
import { allServiceKeys, showServiceKey } from './encryption/service-keys.js'
import { noAssets } from './frame/assets.js'
import { checkLedger } from './ledger/check.js'
import { createOutbound } from './outbound/outbound.js'
import { type Deps, reading, transact } from './scope.js'
import { createKey, createTeam, findTeam, readTeam, revokeKey, STOPPED, saveTeam, showKey } from './teams/store.js'
import { showTeam } from './teams/team.js'

export const usage = `pnpm admin team create NAME
pnpm admin team list
pnpm admin key create TEAM
pnpm admin key revoke KEY
pnpm admin version set TEAM VERSION
pnpm admin encryption keys            (also while the service runs)
pnpm admin encryption rotate          (also while the service runs)
pnpm admin encryption disable KEY     (also while the service runs)
pnpm admin payments stop TEAM|all     (also while the service runs)
pnpm admin payments start TEAM|all    (also while the service runs)
pnpm admin ledger check               (also while the service runs; exits 1 where something does not agree)
pnpm admin entity export ENTITY       (also while the service runs; all that is kept of a person, numbers masked)
pnpm admin entity erase ENTITY        (also while the service runs)
pnpm admin audit list TEAM|all TIME   (also while the service runs; all: what concerns everybody)
pnpm admin backup FILE      (SQLite; also while the service runs)
pnpm admin restore FILE     (SQLite; while no service runs)`

/** A command that can't be carried out. Its message says what to do. */
export class OperatorError extends Error {
  override readonly name = 'OperatorError'
}

type Command = (store: Store, config: Config, now: number, ...args: string[]) => Promise<unknown>

async function teamOf(store: Store, id: string) {
  const team = await findTeam(store.reader, id)
  if (!team) throw new OperatorError(`There is no team ${id}. List them with: pnpm admin team list`)
  return team
}

/**
 * Stops the payments of a team or of everybody, or lets them go on: none is made or handed over meanwhile. Who stopped one
 * team lets that team go on; `all` is a switch of its own.
 */
async function switchPayments(store: Store, id: string, stopped: number | null, now: number): Promise<unknown> {
  const audited = (tx: Db, team: string | null) =>
    noteOperator(tx, now, stopped === null ? 'payments.start' : 'payments.stop', team, team)
  const since = stopped === null ? null : new Date(stopped).toISOString()
  if (id === 'all') {
    await store.write(async tx => {
      await tx.deleteFrom('settings').where('name', '=', STOPPED).execute()
      if (since !== null) await tx.insertInto('settings').values({ name: STOPPED, value: since }).execute()
      await audited(tx, null)
    })
    return { payments: 'all', stopped_at: since }
  }
  const team = await teamOf(store, id)
  await store.write(async tx => {
    await tx.updateTable('teams').set({ payments_stopped_at: stopped }).where('id', '=', team.id).execute()
    await audited(tx, team.id)
  })
  return { payments: team.id, stopped_at: since }
}

/** Entries of the audit log in one answer. */
const AT_ONCE = 1_000

/** Commands for which the service need not stop. */
const beside = new Set([
  'payments stop',
  'payments start',
  'ledger check',
  'audit list',
  'entity export',
  'entity erase',
  'encryption keys',
  'encryption rotate',
  'encryption disable',
])

/** Commands on an open store, by their words; the number is how many arguments follow. */
const commands: Readonly<Record<string, readonly [number, Command]>> = {
  'team create': [
    1,
    (store, config, now, name = '') =>
      store.write(async tx => {
        const team = await createTeam(tx, createVault(config.masterKey), name, null, now)
        const { row, value } = await createKey(tx, team.id, now)
        return { ...showTeam(team), key: { ...showKey(row), value } }
      }),
  ],
  'team list': [
    0,
    async store =>
      (await store.reader.selectFrom('teams').selectAll().orderBy('id').execute()).map(row => showTeam(readTeam(row))),
  ],
  'key create': [
    1,
    async (store, _config, now, id = '') => {
      const team = await teamOf(store, id)
      const { row, value } = await store.write(tx => createKey(tx, team.id, now))
      return { team_id: team.id, ...showKey(row), value }
    },
  ],
  'key revoke': [
    1,
    async (store, _config, now, id = '') => {
      const row = await store.write(tx => revokeKey(tx, id, now))
      if (!row) throw new OperatorError(`There is no live key ${id}.`)
      return { team_id: row.team_id, ...showKey(row), revoked_at: new Date(now).toISOString() }
    },
  ],
  'version set': [
    2,
    async (store, _config, now, id = '', version = '') => {
      const team = await teamOf(store, id)
      if (!isVersion(version)) throw new OperatorError(`The version must be one of: ${versions.join(', ')}.`)
      return showTeam(await store.write(tx => saveTeam(tx, team.id, { version }, now)))
    },
  ],
  'encryption keys': [0, async store => (await allServiceKeys(store.reader)).map(showServiceKey)],
  'encryption rotate': [0, async (store, config, now) => rotateServiceKey(await depsOf(store, config, now))],
  'encryption disable': [
    1,
    async (store, config, now, id = '') => {
      const disabled = await disableServiceKey(await depsOf(store, config, now), id)
      if (!disabled)
        throw new OperatorError(
          `There is no deprecated key ${id}. The active one is replaced first: encryption rotate.`,
        )
      return disabled
    },
  ],
  'payments stop': [1, (store, _config, now, id = '') => switchPayments(store, id, now, now)],
  'payments start': [1, (store, _config, now, id = '') => switchPayments(store, id, null, now)],
  'audit list': [
    2,
    async (store, _config, _now, id = '', time = '') => {
      const since = Date.parse(time)
      if (!Number.isFinite(since))
        throw new OperatorError(`The time must be ISO 8601, such as ${new Date(0).toISOString()}.`)
      const team = id === 'all' ? null : (await teamOf(store, id)).id
      const entries = await auditSince(store.reader, team, since, AT_ONCE)
      return { entries, more_since: entries.length === AT_ONCE ? entries.at(-1)!.created_at : null }
    },
  ],
  'entity export': [
    1,
    async (store, config, now, id = '') => {
      const { deps, team, row } = await personOf(store, config, now, id)
      await store.write(tx => noteOperator(tx, now, 'entity.export', team.id, id))
      return exportEntity(reading(deps, team), row)
    },
  ],
  'entity erase': [
    1,
    async (store, config, now, id = '') => {
      const { deps, team } = await personOf(store, config, now, id)
      await transact(deps, team, async scope => {
        await eraseEntity(scope, id)
        await noteOperator(scope.db, now, 'entity.erase', team.id, id)
      }).catch(error => {
        if (!(error instanceof ServiceError)) throw error
        throw new OperatorError(error.message)
      })
      return { erased: id }
    },
  ],
  'ledger check': [0, async (store, config, now) => checkLedger(await depsOf(store, config, now))],
}

/** An entity, with what is needed to read and change it. */
async function personOf(store: Store, config: Config, now: number, id: string) {
  const row = await store.reader.selectFrom('entities').selectAll().where('id', '=', id).executeTakeFirst()
  if (!row) throw new OperatorError(`There is no entity ${id}.`)
  const deps = await depsOf(store, config, now)
  return { deps, row, team: await teamOf(store, row.team_id) }
}

/** What the service works with, for looking at what it did. Nothing starts. */
async function depsOf(store: Store, config: Config, now: number): Promise<Deps> {
  const vault = createVault(config.masterKey)
  // Of the outside the rail alone is asked: its own, since it knows what it was given.
  const adapters = { ...config.adapters, network: 'sandbox', identity: 'sandbox' } as const
  const { ports } = await openPorts({ adapters, connector: config.connector }, store, () => {})
  return createApp({
    environment: config.environment,
    apiOrigin: config.apiOrigin ?? '',
    frameOrigin: config.frameOrigin ?? '',
    silentOrigins: [],
    store,
    vault,
    keys: await loadKeys(store, vault, config.masterKey),
    clock: () => now,
    log: () => {},
    ports,
    reach: () => {},
    sleep: async () => {},
    outbound: createOutbound({ loopback: false, ownPorts: () => [] }),
    assets: noAssets,
    rateLimits: 0,
    trustedProxies: [],
  }).deps
}

function fileOf(config: Config): string {
  if (!config.databaseUrl.startsWith('file:'))
    throw new OperatorError('This is for SQLite. With PostgreSQL use pg_dump and pg_restore.')
  return config.databaseUrl.slice('file:'.length)
}

/** Carries out one command of the operator. @returns what is printed. Throws OperatorError, or the store's own refusal */
export async function operate(config: Config, args: readonly string[], now: number): Promise<unknown> {
  const [first = '', second = '', ...rest] = args
  const copies = first === 'backup' || first === 'restore'
  const command = commands[`${first} ${second}`]
  if (copies ? args.length !== 2 : command?.[0] !== rest.length) throw new OperatorError(usage)
  if (config.databaseUrl.startsWith('file:') && first !== 'restore' && !existsSync(fileOf(config)))
    throw new OperatorError(`There is no store at ${fileOf(config)}. Start the service once, or set DATABASE_URL.`)
  if (first === 'backup') return { backup: backupStore(fileOf(config), second) }
  if (first === 'restore') {
    restoreStore(fileOf(config), second, createVault(config.masterKey).check)
    return { restored: fileOf(config) }
  }
  const store = await (beside.has(`${first} ${second}`) ? openBeside : openStore)(config.databaseUrl)
  try {
    await checkStore(store, createVault(config.masterKey), config.environment)
    return await command![1](store, config, now, ...rest)
  } finally {
    await store.close()
  }
}
