import { existsSync } from 'node:fs'
import { ServiceError } from '@causeway/contract/errors'
import { MAX_NAME_LENGTH } from '@causeway/contract/values/name'
import { isVersion, versions } from '@causeway/contract/versions'
import { checkLedger } from '../../money/ledger/check.js'
import { changesBetween } from '../../platform/audit/changes.js'
import { listAuditSince, recordOperatorAction } from '../../platform/audit/store.js'
import { companyName } from '../../platform/company-name.js'
import { createVault } from '../../platform/crypto/vault.js'
import { checkSchema, pending, phaseOf, readSchema, type SchemaState } from '../../platform/db/migrations/migrate.js'
import { lockRows } from '../../platform/db/row-locks.js'
import { backupStore, restoreStore } from '../../platform/db/sqlite/backup.js'
import { openLiveStore, openStore, type Store } from '../../platform/db/store.js'
import { reading, transact } from '../../platform/scope.js'
import { eraseEntity, exportEntity } from '../../privacy/person.js'
import { listServiceKeys, showServiceKey } from '../../team/encryption/service-keys.js'
import { ceilings, limitToGrants, loadGrants, powers } from '../../team/teams/grants.js'
import { createKey, lockCreatedKeys, revokeKey, showKey } from '../../team/teams/keys.js'
import { setPaymentsStop } from '../../team/teams/stops.js'
import { createTeam, listTreeIds, readTeam, updateTeam } from '../../team/teams/store.js'
import { showTeam } from '../../team/teams/team.js'
import { checkStore } from '../boot.js'
import type { Config } from '../config.js'
import { createConsoleLink, endSessions, listConsoleSessions, readLinkUser } from './console-commands.js'
import { createCommandDeps } from './deps.js'
import { drillRestore } from './drill.js'
import { OperatorError, requireTeam } from './operator-team.js'
import { payeeCommands } from './payees.js'
import { reconcile } from './reconcile.js'
import { listRequestEffects } from './request-effects.js'
import { disableServiceKey, rotateServiceKey } from './rotate.js'
import { rebuildSearchWords } from './search-words.js'
import { statementCommands } from './statement.js'
import { userCommands } from './user-commands.js'

export const usage = `pnpm admin team create NAME
pnpm admin team list
pnpm admin team grants TEAM           (the permissions and limits granted to the team)
pnpm admin team grant TEAM NAME VALUE (a permission: on or off; a limit: a number or none; includes the teams below)
pnpm admin key create TEAM
pnpm admin key revoke KEY
pnpm admin key revoke-created KEY     (the key and every key created with it)
pnpm admin version set TEAM VERSION
pnpm admin console link [TEAM] [--role ROLE --name NAME]
                                      (a link that signs in to the console once, within 10 minutes; without a role, as
                                      an operator; TEAM is optional if there is only one)
pnpm admin console invite EMAIL [--team TEAM] --role ROLE [--operator]
                                      (a link with which the person becomes a user, within 7 days; for a user who lost
                                       their passkeys, omit the role)
pnpm admin console users              (the users of all teams)
pnpm admin console disable USER       (ends the user's sessions; a new invitation enables the user again)
pnpm admin console sessions           (the active console sessions and unused links of all teams)
pnpm admin console end SESSION|TEAM|all (ends sessions and deletes unused links and invitations; includes the
                                      teams below the team)
pnpm admin encryption keys
pnpm admin encryption rotate
pnpm admin encryption disable KEY
pnpm admin payments stop TEAM|all     (includes the teams below it)
pnpm admin payments start TEAM|all    (the console can't lift a stop that a command started)
pnpm admin payments reconcile FILE    (after a restore: lists payments that the rail has but the store lacks)
pnpm admin payee import FILE.csv --by NAME [--dry-run]
                                      (proposes how merchants are paid, and reports each line)
pnpm admin payee list                 (proposed and active payees)
pnpm admin payee confirm PAYEE|all --by NAME (must be another person than the person who proposed it)
pnpm admin payee remove PAYEE --by NAME  (rejects a proposal, or stops payments to an active payee)
pnpm admin payments statement FROM TO (compares providers' statements with the store; exits with 1 if they differ)
pnpm admin payments exceptions [--all] [--csv]
                                      (differences that still exist and have no explanation, or all of them)
pnpm admin payments explain EXCEPTION --by NAME --note TEXT
pnpm admin ledger check               (exits with 1 if a payment does not match the ledger)
pnpm admin entity export ENTITY       (all data about a person, with masked numbers)
pnpm admin entity erase ENTITY
pnpm admin search rebuild             (run once after an upgrade, so that searches find people by any spelling of their name)
pnpm admin audit list TEAM|all TIME   (all: entries that do not belong to a specific team)
pnpm admin doctor                     (checks settings, store, jobs, ledger and backups; exits with 1 if there is a problem)
pnpm admin request REQUEST            (shows what a request caused: events, deliveries, jobs, audit entries)
pnpm admin migrate                    (updates the tables)
pnpm admin migrate plan               (lists pending changes)
pnpm admin migrate contract           (removes unused parts of the schema; run it after all processes run this version)
pnpm admin backup FILE                (SQLite)
pnpm admin restore FILE               (SQLite; stop the service first)
pnpm admin drill restore [BACKUP]     (restores the latest backup next to the store, checks it, then removes the copy)
Every command except restore can run while the service is running.`

type Command = (store: Store, config: Config, now: number, ...args: string[]) => Promise<unknown>

/** Stops or resumes the payments of one team or all teams. */
async function setPaymentsStopped(store: Store, id: string, stopped: number | null, now: number): Promise<unknown> {
  const team = id === 'all' ? null : (await requireTeam(store, id)).id
  await store.write(tx => setPaymentsStop(tx, team, stopped, now))
  return { payments: team ?? 'all', stopped_at: stopped === null ? null : new Date(stopped).toISOString() }
}

/** The maximum number of audit log entries in one result. */
const MAX_AUDIT_ENTRIES = 1_000

/**
 * Grants a permission or a limit to a team and the teams below it. Existing settings that exceed the new grant are
 * reduced to match it.
 */
async function grantToTeam(store: Store, config: Config, now: number, id: string, name: string, value: string) {
  const isPower = (powers as readonly string[]).includes(name)
  if (!isPower && !(ceilings as readonly string[]).includes(name))
    throw new OperatorError(`NAME must be one of: ${[...powers, ...ceilings].join(', ')}.`)
  if (isPower ? value !== 'on' && value !== 'off' : value !== 'none' && !/^[1-9]\d{0,14}$/.test(value))
    throw new OperatorError(`${name} must be ${isPower ? 'on or off' : 'a whole number above 0, or none'}.`)
  const team = await requireTeam(store, id)
  return store.write(async tx => {
    const query = tx
      .selectFrom('teams')
      .selectAll()
      .where('id', 'in', await listTreeIds(tx, team))
      .orderBy('id')
    const rows = await lockRows(tx, query).execute()
    const before = await tx
      .selectFrom('team_grants')
      .select('value')
      .where('team_id', '=', team.id)
      .where('name', '=', name)
      .executeTakeFirst()
    await tx
      .insertInto('team_grants')
      .values({ team_id: team.id, name, value })
      .onConflict(conflict => conflict.columns(['team_id', 'name']).doUpdateSet({ value }))
      .execute()
    for (const each of rows.map(row => readTeam(row))) {
      const settings = limitToGrants(each.settings, await loadGrants(tx, config.environment, each.path))
      if (JSON.stringify(settings) === JSON.stringify(each.settings)) continue
      const changes = changesBetween({ ...each.settings }, { ...settings })
      await updateTeam(tx, each.id, { settings }, now)
      await recordOperatorAction(tx, now, 'team.update', each.id, each.id, null, { changes })
    }
    const changes = changesBetween({ [name]: before?.value }, { [name]: value })
    await recordOperatorAction(tx, now, 'team.grant', team.id, team.id, null, { changes })
    return { team_id: team.id, ...(await loadGrants(tx, config.environment, team.path)) }
  })
}

/** Revokes a key. With `created`, also revokes every key that was created with the revoked key. */
async function revokeKeys(store: Store, now: number, id: string, withCreated: boolean) {
  return store.write(async tx => {
    const row = await revokeKey(tx, id, now)
    if (!row && !withCreated) throw new OperatorError(`No active key has the id ${id}.`)
    const createdKeys = await lockCreatedKeys(tx, id)
    if (!row && createdKeys.length === 0)
      throw new OperatorError(`No active key has the id ${id}, and no active key was created with it.`)
    if (row) await recordOperatorAction(tx, now, 'key.revoke', row.team_id, id)
    if (withCreated)
      for (const each of createdKeys) {
        await revokeKey(tx, each.id, now)
        await recordOperatorAction(tx, now, 'key.revoke', each.team_id, each.id)
      }
    const shownKeys = createdKeys.map(each => ({ team_id: each.team_id, id: each.id }))
    return {
      ...(row && { team_id: row.team_id, ...showKey(row) }),
      revoked_at: new Date(now).toISOString(),
      [withCreated ? 'also_revoked' : 'created_and_live']: shownKeys,
    }
  })
}

/** Reads the name of a new team. Throws an OperatorError if the name breaks the rule for names. */
function readTeamName(text: string): string {
  const name = companyName(text, MAX_NAME_LENGTH)
  if (name === null)
    throw new OperatorError(
      `NAME must be 1 to ${MAX_NAME_LENGTH} characters, with a letter or digit and no invisible character.`,
    )
  return name
}

/**
 * Commands that use an open store, keyed by name. A name has one or two words. Each entry begins with the number of
 * arguments that the command takes. `optional` commands also run without their last argument.
 */
const commands: Readonly<Record<string, readonly [number, Command, 'optional'?]>> = {
  'team create': [
    1,
    (store, config, now, name = '') =>
      store.write(async tx => {
        const team = await createTeam(tx, createVault(config.masterKey), readTeamName(name), null, now)
        const { row, value } = await createKey(tx, team.id, now)
        await recordOperatorAction(tx, now, 'team.create', team.id, team.id, null, {
          changes: changesBetween({}, { name: team.name }),
        })
        return { ...showTeam(team), key: { ...showKey(row), value } }
      }),
  ],
  'team list': [
    0,
    async store =>
      (await store.reader.selectFrom('teams').selectAll().orderBy('id').execute()).map(row => showTeam(readTeam(row))),
  ],
  'team grants': [
    1,
    async (store, config, _now, id = '') => {
      const team = await requireTeam(store, id)
      return { team_id: team.id, ...(await loadGrants(store.reader, config.environment, team.path)) }
    },
  ],
  'team grant': [
    3,
    (store, config, now, id = '', name = '', value = '') => grantToTeam(store, config, now, id, name, value),
  ],
  'key create': [
    1,
    async (store, _config, now, id = '') => {
      const team = await requireTeam(store, id)
      return store.write(async tx => {
        const { row, value } = await createKey(tx, team.id, now)
        await recordOperatorAction(tx, now, 'key.create', team.id, row.id, null, {
          changes: changesBetween({}, { scopes: showKey(row).scopes }),
        })
        return { team_id: team.id, ...showKey(row), value }
      })
    },
  ],
  'key revoke': [1, (store, _config, now, id = '') => revokeKeys(store, now, id, false)],
  'key revoke-created': [1, (store, _config, now, id = '') => revokeKeys(store, now, id, true)],
  'version set': [
    2,
    async (store, _config, now, id = '', version = '') => {
      const team = await requireTeam(store, id)
      if (!isVersion(version)) throw new OperatorError(`The version must be one of: ${versions.join(', ')}.`)
      return store.write(async tx => {
        await recordOperatorAction(tx, now, 'version.set', team.id, team.id, null, {
          changes: changesBetween({ version: team.version }, { version }),
        })
        return showTeam(await updateTeam(tx, team.id, { version }, now))
      })
    },
  ],
  'console link': [1, (store, config, now, ...args) => createConsoleLink(store, config, now, args), 'optional'],
  'console sessions': [0, (store, _config, now) => listConsoleSessions(store, now)],
  'console end': [1, (store, _config, now, which = '') => endSessions(store, now, which)],
  'encryption keys': [0, async store => (await listServiceKeys(store.reader)).map(showServiceKey)],
  'encryption rotate': [0, async (store, config, now) => rotateServiceKey(await createCommandDeps(store, config, now))],
  'encryption disable': [
    1,
    async (store, config, now, id = '') => {
      const disabled = await disableServiceKey(await createCommandDeps(store, config, now), id)
      if (!disabled)
        throw new OperatorError(
          `No deprecated key has the id ${id}. To disable the active key, replace it first: pnpm admin encryption rotate`,
        )
      return disabled
    },
  ],
  'payments stop': [1, (store, _config, now, id = '') => setPaymentsStopped(store, id, now, now)],
  'payments reconcile': [1, (store, _config, _now, file = '') => reconcile(store, file)],
  'payments start': [1, (store, _config, now, id = '') => setPaymentsStopped(store, id, null, now)],
  'audit list': [
    2,
    async (store, _config, _now, id = '', time = '') => {
      const since = Date.parse(time)
      if (!Number.isFinite(since))
        throw new OperatorError(`The time must be ISO 8601, such as ${new Date(0).toISOString()}.`)
      const team = id === 'all' ? null : (await requireTeam(store, id)).id
      const entries = await listAuditSince(store.reader, team, since, MAX_AUDIT_ENTRIES)
      return { entries, more_since: entries.length === MAX_AUDIT_ENTRIES ? entries.at(-1)!.created_at : null }
    },
  ],
  'entity export': [
    1,
    async (store, config, now, id = '') => {
      const { deps, team, row } = await loadPerson(store, config, now, id)
      await store.write(tx => recordOperatorAction(tx, now, 'entity.export', team.id, id))
      return exportEntity(reading(deps, team), row)
    },
  ],
  'entity erase': [
    1,
    async (store, config, now, id = '') => {
      const { deps, team } = await loadPerson(store, config, now, id)
      await transact(deps, team, async scope => {
        await eraseEntity(scope, id)
        await recordOperatorAction(scope.db, now, 'entity.erase', team.id, id)
      }).catch(error => {
        if (!(error instanceof ServiceError)) throw error
        throw new OperatorError(error.message)
      })
      return { erased: id }
    },
  ],
  'search rebuild': [
    0,
    async (store, config, now) => ({ people: await rebuildSearchWords(await createCommandDeps(store, config, now)) }),
  ],
  request: [
    1,
    (store, _config, _now, id = '') => {
      if (!/^req_\w{20}$/.test(id))
        throw new OperatorError(
          'REQUEST must be the value of a Request-Id header: req_ followed by 20 letters or digits. Log lines show it as request_id.',
        )
      return listRequestEffects(store.reader, id)
    },
  ],
  'ledger check': [0, async (store, config, now) => checkLedger(await createCommandDeps(store, config, now))],
}

/** Returns an entity, and the dependencies needed to read and change it. */
async function loadPerson(store: Store, config: Config, now: number, id: string) {
  const row = await store.reader
    .selectFrom('entities')
    .selectAll()
    .where('team_id', 'in', teams => teams.selectFrom('teams').select('id'))
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row) throw new OperatorError(`No entity has the id ${id}.`)
  const deps = await createCommandDeps(store, config, now)
  return { deps, row, team: await requireTeam(store, row.team_id) }
}

function requireFile(config: Config): string {
  if (!config.databaseUrl.startsWith('file:'))
    throw new OperatorError('This command is for SQLite. With PostgreSQL, use pg_dump and pg_restore.')
  return config.databaseUrl.slice('file:'.length)
}

/** Migrates the tables to the current version. `plan` only reports pending migrations. */
async function migrateStore({ databaseUrl, migrateUrl, prepared }: Config, step: string) {
  if (!['', 'contract', 'plan'].includes(step)) throw new OperatorError(usage)
  const isFile = databaseUrl.startsWith('file:')
  const url = isFile ? databaseUrl : migrateUrl
  const setting = url === databaseUrl ? 'DATABASE_URL' : 'MIGRATE_DATABASE_URL'
  const report = (state: Pick<SchemaState, 'version'> | null) => {
    const schema = state?.version ?? 0
    return { schema, pending: pending({ version: schema }).map(number => ({ number, phase: phaseOf(number) })) }
  }
  // Opening a missing file would create it.
  if (step === 'plan' && isFile && !existsSync(url.slice('file:'.length))) return report(null)
  const tables = { phase: step === 'contract' ? 'contract' : 'expand' } as const
  const options = { prepared, pool: 2, setting } as const
  const store = await (step === 'plan' ? openLiveStore(url, options) : openStore(url, { ...options, tables }))
  try {
    return report(await readSchema(store.reader, store.engine))
  } finally {
    await store.close()
  }
}

/** Runs one operator command. @returns the value to print. Throws OperatorError, or an error from the store */
export async function operate(config: Config, args: readonly string[], now: number): Promise<unknown> {
  const [first = '', second = ''] = args
  const isCopy = first === 'backup' || first === 'restore'
  const nameLength = Object.hasOwn(commands, first) ? 1 : 2
  const rest = args.slice(nameLength)
  const command = commands[args.slice(0, nameLength).join(' ')]
  const isDrill = first === 'drill' && second === 'restore' && args.length <= 3
  if (isDrill) return drillRestore(config, args[2] ?? '', now)
  if (first === 'migrate' && args.length <= 2) return migrateStore(config, second)
  const [arity, , optional] = command ?? []
  const count = first === 'console' && second === 'link' ? readLinkUser(rest).rest.length : rest.length
  const listedCommands: Readonly<Record<string, typeof payeeCommands>> = {
    console: userCommands,
    payee: payeeCommands,
    payments: statementCommands,
  }
  const listedCommand = listedCommands[first]?.[second]
  const hasArity = listedCommand !== undefined || arity === count || (optional && arity === count + 1)
  if (isCopy ? args.length !== 2 : !hasArity) throw new OperatorError(usage)
  if (config.databaseUrl.startsWith('file:') && first !== 'restore' && !existsSync(requireFile(config)))
    throw new OperatorError(`There is no store at ${requireFile(config)}. Start the service once, or set DATABASE_URL.`)
  if (first === 'backup') return { backup: backupStore(requireFile(config), second) }
  if (first === 'restore') {
    restoreStore(requireFile(config), second, createVault(config.masterKey).check)
    return { restored: requireFile(config) }
  }
  const { databaseUrl, prepared, statementTimeout: timeout } = config
  const store = await openLiveStore(databaseUrl, { prepared, timeout })
  try {
    await checkSchema(store.reader, store.engine).catch(error => {
      throw new OperatorError(`The store can't be used: ${(error as Error).message}.`)
    })
    await checkStore(store, createVault(config.masterKey), config.environment)
    return listedCommand
      ? await listedCommand(store, config, now, args.slice(2))
      : await command![1](store, config, now, ...rest)
  } finally {
    await store.close()
  }
}
