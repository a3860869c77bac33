// biome-ignore-all lint/style/noExcessiveLinesPerFile: it lists every check of the doctor command.
import { existsSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createExchange, UnknownMethodError } from '@causeway/connector/http/exchange'
import { CAPABILITIES_PATH } from '@causeway/connector/methods/contract'
import { OutsideError } from '@causeway/connector/ports/outside-error'
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '@causeway/contract/time'
import { sql } from 'kysely'
import { checkLedger } from '../../money/ledger/check.js'
import { SHARED_LIMIT_REACHED } from '../../people/entities/methods/sms/codes.js'
import { randomText } from '../../platform/crypto/random.js'
import { createVault, sameText } from '../../platform/crypto/vault.js'
import { BUILD, findSchemaMismatch, pending, readSchema } from '../../platform/db/migrations/migrate.js'
import { incompleteBackup } from '../../platform/db/sqlite/backup.js'
import { createProbeText, type Store } from '../../platform/db/store.js'
import { findTableProblem } from '../../platform/db/table-problem.js'
import { countJobs } from '../../platform/jobs/count.js'
import { findFutureJobs } from '../../platform/jobs/future.js'
import { isFailing } from '../../platform/jobs/lanes.js'
import { countMissingJobs, sumOf } from '../../platform/jobs/missing.js'
import { describeFault } from '../../platform/log.js'
import { PAYMENTS_STOPPED_SETTING, readStop } from '../../team/teams/store.js'
import { findSetting } from '../boot.js'
import { type Config, ConfigError } from '../config.js'
import { checkProduction } from '../hardening.js'
import { backupFolder, newestBackup } from './backups.js'
import { createCommandDeps } from './deps.js'

/** The result of a check. A problem must be fixed before the service can run; a warning may be intentional. */
export interface CheckResult {
  level: 'ok' | 'warning' | 'problem'
  /** Describes the result and, if the level is not `ok`, how to fix the cause. */
  message: string
}
export interface CheckInput {
  env: NodeJS.ProcessEnv
  config: Config
  store: Store
  /** The time on this machine's clock, in epoch milliseconds. */
  now: number
  /** Returns the number of free bytes on the disk that holds a folder. */
  free(folder: string): number
}

export const ok = (message: string): CheckResult => ({ level: 'ok', message })
const warning = (message: string): CheckResult => ({ level: 'warning', message })
export const problem = (message: string): CheckResult => ({ level: 'problem', message })

const MB = 1024 * 1024

/** The maximum duration of the ledger check, in ms. */
const LEDGER_CHECK_TIMEOUT_MS = 10 * SECOND_MS
/** The job delay above which an alert fires. See ops/alerts.yml. */
const MAX_JOB_DELAY_MS = 10 * SECOND_MS
/** Signatures exchanged between the service and its connector are valid for one minute. */
const CLOCK_SKEW_MS = { warning: 2 * SECOND_MS, problem: 30 * SECOND_MS }
const MIN_FREE_BYTES = { warning: 1024 * MB, problem: 100 * MB }
/** The oldest supported PostgreSQL version, in `server_version_num` format. */
const MIN_POSTGRES_VERSION = 150_000

/** Formats a duration in its largest whole unit. */
function formatDuration(ms: number): string {
  for (const [unit, size] of Object.entries({ day: DAY_MS, hour: HOUR_MS, minute: MINUTE_MS, second: SECOND_MS })) {
    const count = Math.floor(ms / size)
    if (count > 0) return `${count} ${unit}${count === 1 ? '' : 's'}`
  }
  return 'less than a second'
}

export const isFileStore = ({ databaseUrl }: Pick<Config, 'databaseUrl'>) => databaseUrl.startsWith('file:')
export const storePath = ({ databaseUrl }: Pick<Config, 'databaseUrl'>) => databaseUrl.slice('file:'.length)

class RollbackError extends Error {}

/** All checks, in output order. Checks are read-only. */
export const checks: readonly { name: string; run(input: CheckInput): Promise<CheckResult> }[] = [
  {
    name: 'production',
    async run({ env, config }) {
      if (config.environment === 'production') return ok('The settings are safe for production.')
      try {
        checkProduction(env, config)
        return warning('ENVIRONMENT is sandbox: no real money moves. Set ENVIRONMENT=production to go live.')
      } catch (error) {
        if (!(error instanceof ConfigError)) throw error
        return warning(
          `ENVIRONMENT is sandbox: no real money moves. Production would reject these settings: ${error.message}`,
        )
      }
    },
  },
  {
    name: 'first key',
    async run({ config }) {
      const file = join(config.dataFolder, 'bootstrap.key')
      if (!existsSync(file)) return ok("The first team's key is not on disk.")
      return warning(`${file} is a key with all scopes. Store it in your secret manager and delete the file.`)
    },
  },
  {
    name: 'schema',
    async run({ store }) {
      const state = await readSchema(store.reader, store.engine)
      const reason = findSchemaMismatch(state)
      if (reason) return problem(`The store can't be used: ${reason}.`)
      if (state && state.version > BUILD)
        return warning(
          `A later version has changed the store. The store is at ${state.version}, but this release supports only versions up to ${BUILD}.`,
        )
      const unusable = await findTableProblem(store)
      if (unusable !== null) return problem(unusable)
      if (state && pending(state).length > 0)
        return warning(
          `The tables are at ${state.version}, which this version can use. Once every process runs this version, run pnpm admin migrate contract to remove the parts of the schema that are no longer needed.`,
        )
      return ok(`The tables are at ${BUILD}, the latest for this version. No table is missing.`)
    },
  },
  {
    name: 'environment',
    async run({ store, config }) {
      const stored = await findSetting(store, 'environment')
      if (stored === undefined) return warning('The store is empty. Start the service once to initialize it.')
      if (stored !== config.environment)
        return problem(
          `The store belongs to the ${stored} environment, but ENVIRONMENT is ${config.environment}. Set ENVIRONMENT=${stored}, or set DATABASE_URL to another store.`,
        )
      return ok(`The store belongs to the ${stored} environment.`)
    },
  },
  {
    name: 'encryption key',
    async run({ store, config }) {
      const stored = await findSetting(store, 'key_check')
      if (stored === undefined) return warning('The store is empty. Start the service once to initialize it.')
      if (!sameText(stored, createVault(config.masterKey).check))
        return problem('ENCRYPTION_KEY must be the key that this store was created with.')
      return ok('ENCRYPTION_KEY matches the store.')
    },
  },
  {
    name: 'writes',
    async run({ store }) {
      if (store.engine === 'postgres') {
        const { rows } = await sql<{ standby: boolean }>`select pg_is_in_recovery() as standby`.execute(store.reader)
        if (rows[0]!.standby)
          return problem('PostgreSQL is a standby, which accepts no writes. Connect to the primary.')
      }
      const failure = await store
        .write(async tx => {
          await tx
            .insertInto('settings')
            .values({ name: `doctor ${randomText(8)}`, value: createProbeText() })
            .execute()
          throw new RollbackError()
        })
        .catch(error => error)
      if (failure instanceof RollbackError) return ok('A test write succeeded and was rolled back.')
      return problem(
        `A write failed (${describeFault(failure).fault}). Check the disk, and the permissions of the service's user.`,
      )
    },
  },
  {
    name: 'database',
    async run({ store, config }) {
      if (store.engine === 'sqlite') {
        const exposedFiles = [storePath(config), join(config.dataFolder, 'encryption.key')].filter(
          file => existsSync(file) && (statSync(file).mode & 0o077) !== 0,
        )
        if (exposedFiles.length > 0)
          return problem(`Other users can read ${exposedFiles.join(' and ')}. Run: chmod 600 ${exposedFiles.join(' ')}`)
        return ok('SQLite: only the service’s user can read the files.')
      }
      const { rows } = await sql<Record<'version' | 'text' | 'most', string>>`
        select current_setting('server_version_num') as version, current_setting('server_version') as text,
          current_setting('max_connections') as most`.execute(store.reader)
      const { version, text, most } = rows[0]!
      if (Number(version) < MIN_POSTGRES_VERSION) return problem(`PostgreSQL is ${text}. Upgrade it to 15 or later.`)
      if (config.pool >= Number(most))
        return problem(
          `DATABASE_POOL is ${config.pool}, but PostgreSQL allows ${most} connections in total. Lower DATABASE_POOL, or raise max_connections.`,
        )
      return ok(
        `PostgreSQL ${text}: the limits are set. Each process opens at most ${config.pool} of ${most} connections.`,
      )
    },
  },
  {
    name: 'replica',
    async run({ store, config }) {
      if (store.replica === null) return ok('No replica is set. Long reads use the main database.')
      const read = sql<{ standby: boolean; lag: number | null }>`select pg_is_in_recovery() as standby,
        extract(epoch from clock_timestamp() - pg_last_xact_replay_timestamp()) * 1000 as lag`
      const replies = await Promise.all([
        read.execute(store.replica),
        findSetting({ reader: store.replica }, 'key_check'),
      ]).catch(describeFault)
      if ('fault' in replies)
        return problem(
          `The database at REPLICA_DATABASE_URL cannot be read (${replies.fault}). Until this is fixed, long reads use DATABASE_URL.`,
        )
      const [{ rows }, key] = replies
      if (key === undefined || !sameText(key, createVault(config.masterKey).check))
        return problem(
          "REPLICA_DATABASE_URL points to another installation's database. Set it to a replica of DATABASE_URL.",
        )
      const { standby, lag } = rows[0]!
      if (!standby) return warning('REPLICA_DATABASE_URL is a primary. It must be a replica of DATABASE_URL.')
      return ok(`The replica responds. Its latest change is ${formatDuration(Math.max(0, lag ?? 0))} old.`)
    },
  },
  {
    name: 'clock',
    async run({ store }) {
      if (store.engine === 'sqlite') return ok("SQLite uses this machine's clock.")
      const skew = Math.abs(store.clock() - Date.now())
      const fix = 'Synchronize the clocks of both machines, for example with chrony.'
      if (skew >= CLOCK_SKEW_MS.problem)
        return problem(`The clocks of this machine and PostgreSQL differ by ${formatDuration(skew)}. ${fix}`)
      if (skew >= CLOCK_SKEW_MS.warning)
        return warning(`The clocks of this machine and PostgreSQL differ by ${formatDuration(skew)}. ${fix}`)
      return ok('The clocks of this machine and PostgreSQL agree.')
    },
  },
  {
    name: 'jobs',
    async run({ store }) {
      const { ready, dead, lag } = await countJobs(store, store.clock)
      if (dead > 0) {
        const kinds = await store.reader
          .selectFrom('jobs')
          .select(from => ['kind', from.fn.countAll<number>().as('count')])
          .where('state', '=', 'dead')
          .groupBy('kind')
          .orderBy('kind')
          .execute()
        const list = kinds.map(({ kind, count }) => `${count} of ${kind}`).join(', ')
        return problem(
          `Jobs that failed their last attempt: ${list}. Search the log for job_failed to see the reasons.`,
        )
      }
      const missing = await countMissingJobs(store)
      if (sumOf(missing) > 0) {
        const list = Object.entries(missing).flatMap(([type, count]) => (count > 0 ? [`${count} ${type}`] : []))
        return problem(
          `Resources wait for jobs that do not exist: ${list.join(', ')}. For deliveries, run POST /webhooks/{id}/redeliver.`,
        )
      }
      const future = await findFutureJobs(store.reader, store.clock())
      if (future.count > 0)
        return problem(
          `${future.count} jobs were created up to ${formatDuration(future.ahead)} in the future, so they run late. Correct the clock if it is wrong, and then restart the service, which moves these jobs back.`,
        )
      if (lag * SECOND_MS > MAX_JOB_DELAY_MS)
        return warning(
          `The oldest due job has waited ${formatDuration(lag * SECOND_MS)}. Check that a process with ROLE=all or ROLE=worker is running.`,
        )
      return ok(`${ready} jobs are waiting, and none are late.`)
    },
  },
  {
    name: 'webhooks',
    async run({ store }) {
      const now = store.clock()
      const lanes = await store.reader.selectFrom('lanes').select(['paused_until', 'failures']).execute()
      const paused = lanes.filter(({ paused_until }) => Number(paused_until) > now).length
      const failing = lanes.filter(isFailing).length
      const { oldest } = await store.reader
        .selectFrom('jobs')
        .select(from => from.fn.min('created_at').as('oldest'))
        .where('kind', '=', 'webhook.deliver')
        .executeTakeFirstOrThrow()
      const age = oldest === null ? 0 : now - Number(oldest)
      const waits = age > HOUR_MS ? ` The oldest pending delivery has waited ${formatDuration(age)}.` : ''
      if (paused + failing > 0 || waits !== '')
        return warning(
          `Webhook endpoints: ${paused} paused, ${failing} failing.${waits} The team can see the reasons with GET /webhooks/{id}/deliveries.`,
        )
      return ok('No webhook endpoint is paused or failing.')
    },
  },
  {
    name: 'codes',
    async run({ store }) {
      const { count } = await store.reader
        .selectFrom('counters')
        .select(from => from.fn.countAll<number>().as('count'))
        .where('kind', '=', SHARED_LIMIT_REACHED)
        .where('ends_at', '>', store.clock())
        .executeTakeFirstOrThrow()
      if (Number(count) > 0)
        return warning(
          `In the last day, several teams together reached the daily limit on codes (CODES_PER_DAY) for ${count} phone number(s). Search the log for code_limit_reached_by_several_teams to see the teams.`,
        )
      return ok('No phone number reached its daily limit on codes through several teams.')
    },
  },
  {
    name: 'payments',
    async run({ store }) {
      const since = await findSetting(store, PAYMENTS_STOPPED_SETTING)
      if (since !== undefined)
        return warning(
          `All teams' payments have been stopped since ${readStop(since).since}. Run: pnpm admin payments start all`,
        )
      const teams = await store.reader
        .selectFrom('teams')
        .select('id')
        .where('payments_stopped_at', 'is not', null)
        .execute()
      if (teams.length > 0)
        return warning(
          `Payments are stopped for ${teams.map(({ id }) => id).join(', ')} and the teams below them. Run: pnpm admin payments start TEAM`,
        )
      return ok('No payments are stopped.')
    },
  },
  {
    name: 'ledger',
    async run({ store, config, now }) {
      // If there is no signing key, the service has never started. Loading the key here would create one.
      if ((await findSetting(store, 'signing_key')) === undefined)
        return warning('The store is empty. Start the service once to initialize it.')
      const until = performance.now() + LEDGER_CHECK_TIMEOUT_MS
      const isStopped = () => performance.now() > until
      const { payments, faulty, unanswered, unconfigured } = await checkLedger(
        await createCommandDeps(store, config, now),
        {
          trackedOnly: true,
          isStopped,
        },
      )
      if (faulty > 0)
        return problem(`${faulty} faults in ${payments} payments that can still change. Run: pnpm admin ledger check`)
      if (unconfigured.length > 0) {
        const names = unconfigured.join(' and ')
        return problem(
          `Payments that can still change were created for ${names}, which is not configured. They wait. Add ${names} to PROVIDERS, after the provider that new payments go to.`,
        )
      }
      if (unanswered > 0)
        return warning(
          `The rail did not respond to queries about ${unanswered} of ${payments} payments. Check the connector.`,
        )
      return ok(
        `${payments} payments that can still change agree with the ledger${isStopped() ? '; the check ended after 10 seconds' : ''}.`,
      )
    },
  },
  {
    name: 'connector',
    async run({ config, now }) {
      if (!config.connector) {
        const usesSandbox = [...config.routes.values()].includes('sandbox')
        return ok(`No connector is set.${usesSandbox ? ' The service uses the sandbox.' : ''}`)
      }
      const exchange = createExchange({ ...config.connector, fetch, clock: Date.now, id: () => randomText(20) })
      try {
        await exchange(CAPABILITIES_PATH, { request_id: 'doctor', team_id: '', now, question: {} })
        return ok('The connector responds, and its key matches.')
      } catch (error) {
        // A signed answer proves the key, whether or not the connector has this optional method.
        if (error instanceof UnknownMethodError) return ok('The connector responds, and its key matches.')
        if (!(error instanceof OutsideError)) throw error
        return problem(`${error.message} Check CONNECTOR_URL and CONNECTOR_KEY, and that the connector is running.`)
      }
    },
  },
  {
    name: 'disk',
    async run({ store, config, free: freeOf }) {
      if (store.engine === 'postgres')
        return ok('PostgreSQL stores the data. Monitor disk space on the machine that runs it.')
      const free = freeOf(dirname(storePath(config)))
      const message = `${Math.floor(free / MB)} MB are free, and the store uses ${Math.ceil(statSync(storePath(config)).size / MB)} MB.`
      if (free < MIN_FREE_BYTES.problem) return problem(`${message} Free up space now.`)
      return free < MIN_FREE_BYTES.warning ? warning(`${message} Free up space.`) : ok(message)
    },
  },
  {
    name: 'backup',
    async run({ store, config, now }) {
      const folder = backupFolder(config)
      const file = newestBackup(folder)
      if (file === null)
        return warning(`There is no backup in ${folder}. docs/operations.md describes how to make one.`)
      const reason = incompleteBackup(store, file, createVault(config.masterKey).check)
      if (reason !== null)
        return problem(`The latest backup, ${file}, cannot be used: ${reason}. Make another one, and delete this file.`)
      const age = now - statSync(file).mtimeMs
      if (age > DAY_MS)
        return warning(`The latest backup, ${file}, is ${formatDuration(age)} old. Make a backup at least every day.`)
      return ok(`The latest backup, ${file}, is ${formatDuration(age)} old.`)
    },
  },
]
