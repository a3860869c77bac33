import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { OutsideError } from '@causeway/connector/ports/outside-error'
import pg from 'pg'
import { checkLedger } from '../../money/ledger/check.js'
import { OPERATOR } from '../../platform/audit/operator.js'
import { randomText } from '../../platform/crypto/random.js'
import { createVault } from '../../platform/crypto/vault.js'
import { restoreStore } from '../../platform/db/sqlite/backup.js'
import { openStore, type Store } from '../../platform/db/store.js'
import { checkStore } from '../boot.js'
import type { Config } from '../config.js'
import { backupFolder, newestBackup } from './backups.js'
import { createCommandDeps } from './deps.js'

/** The folder in which PostgreSQL packages install each version's programs. */
const POSTGRES_FOLDER = '/usr/lib/postgresql'

/** Returns the candidate paths for a program: first the one on PATH, then the installed versions, latest first. */
function pathsOf(program: string): string[] {
  let versions: string[] = []
  try {
    versions = readdirSync(POSTGRES_FOLDER).sort((a, b) => Number(b) - Number(a))
  } catch {
    // No PostgreSQL packages are installed.
  }
  return [program, ...versions.map(version => join(POSTGRES_FOLDER, version, 'bin', program))]
}

/** Runs a PostgreSQL program. Error messages omit the program's output, which may contain rows. */
export async function runPostgresTool(program: string, args: readonly string[]): Promise<void> {
  for (const path of pathsOf(program))
    try {
      await promisify(execFile)(path, args)
      return
    } catch (error) {
      const { code } = error as { code?: unknown }
      if (code === 'ENOENT') continue
      throw new Error(
        `${program} failed (${String(code)}). Run it yourself to see the reason: docs/operations.md has the command.`,
      )
    }
  throw new Error(
    `${program} was not found on PATH or in ${POSTGRES_FOLDER}. Install the PostgreSQL client tools, for example with: apt-get install postgresql-client`,
  )
}

/**
 * Returns a database URL for PostgreSQL programs. Writes the password to a file, because all users can see a program's
 * arguments.
 */
function toolUrl(databaseUrl: string, folder: string): string {
  const url = new URL(databaseUrl)
  url.searchParams.delete('uselibpqcompat')
  if (url.password !== '') {
    const file = join(folder, 'pgpass')
    const password = decodeURIComponent(url.password).replace(/[\\:]/g, '\\$&')
    writeFileSync(file, `*:*:*:*:${password}\n`, { mode: 0o600 })
    url.searchParams.set('passfile', file)
    url.password = ''
  }
  return url.toString()
}

/** A temporary store, removed after the drill. */
interface TemporaryStore {
  url: string
  remove(): Promise<void>
}

function restoreFile(config: Config, backup: string, folder: string): TemporaryStore {
  const file = join(folder, 'store.db')
  restoreStore(file, backup, createVault(config.masterKey).check)
  return { url: `file:${file}`, remove: async () => {} }
}

async function restoreDump(config: Config, backup: string, folder: string): Promise<TemporaryStore> {
  const name = `causeway_drill_${randomText(12).toLowerCase()}`
  const url = Object.assign(new URL(config.databaseUrl), { pathname: `/${name}` }).toString()
  const admin = new pg.Client({ connectionString: config.databaseUrl })
  await admin.connect()
  const remove = async () => {
    await admin.query(`drop database if exists ${name} with (force)`)
    await admin.end()
  }
  try {
    await admin.query(`create database ${name} template template0`)
    const options = ['--no-owner', '--no-privileges', '--exit-on-error']
    await runPostgresTool('pg_restore', [...options, `--dbname=${toolUrl(url, folder)}`, backup])
    return { url, remove }
  } catch (error) {
    await remove()
    throw error
  }
}

/** Returns the time at which a store's latest row was written, in epoch milliseconds, or null if there are no rows. */
async function latestRow({ reader }: Store): Promise<number | null> {
  let latest: number | null = null
  const teams = await reader.selectFrom('teams').select('id').execute()
  for (const team of [...teams.map(row => row.id), OPERATOR])
    for (const table of ['events', 'session_events', 'audit'] as const) {
      const query = reader.selectFrom(table).select('created_at').where('team_id', '=', team)
      const row = await query.orderBy('id', 'desc').limit(1).executeTakeFirst()
      if (row) latest = Math.max(latest ?? 0, Number(row.created_at))
    }
  return latest
}

const toSeconds = (ms: number) => Math.round(Math.max(0, ms)) / 1_000

/**
 * Restores a backup into a temporary store, opens the store as the service does, and checks its ledger. Does not query
 * the rail, because payments at the rail have changed since the backup.
 * @param from the backup file, or a folder whose latest file is used
 */
export async function drillRestore(config: Config, from: string, now: number) {
  const path = resolve(from === '' ? backupFolder(config) : from)
  const backup = statSync(path, { throwIfNoEntry: false })?.isFile() ? path : newestBackup(path)
  if (backup === null) throw new Error(`There is no backup in ${path}. docs/operations.md describes how to make one.`)
  const startedAt = performance.now()
  mkdirSync(config.dataFolder, { recursive: true })
  const folder = mkdtempSync(join(config.dataFolder, 'drill-'))
  try {
    const restore = config.databaseUrl.startsWith('file:') ? restoreFile : restoreDump
    const temporary = await restore(config, backup, folder)
    try {
      const store = await openStore(temporary.url, {
        pool: 2,
        prepared: config.prepared,
        tables: { alone: true },
      })
      try {
        await checkStore(store, createVault(config.masterKey), config.environment)
        const deps = await createCommandDeps(store, config, now)
        const status = async () => {
          throw new OutsideError('A drill does not call the rail.')
        }
        const ports = { ...deps.ports, rail: { ...deps.ports.rail, status } }
        const { ok, payments, faulty } = await checkLedger({ ...deps, ports })
        const latest = await latestRow(store)
        return {
          ok,
          backup,
          ledger: { ok, payments, faulty },
          latest_row_at: latest === null ? null : new Date(latest).toISOString(),
          rpo_seconds: latest === null ? null : toSeconds(now - latest),
          rto_seconds: toSeconds(performance.now() - startedAt),
        }
      } finally {
        await store.close()
      }
    } finally {
      await temporary.remove()
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
