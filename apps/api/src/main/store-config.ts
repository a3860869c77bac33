import { randomBytes } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { readBase64 } from '@causeway/connector/wire/base64'
import { ConfigError } from '../platform/config-error.js'
import { readChoice } from './variables.js'

/** The settings of a process's store. */
export interface StoreConfig {
  databaseUrl: string
  /**
   * The database URL that `pnpm admin migrate` uses to change PostgreSQL tables. It must connect directly, not through
   * a pooler, as the role that owns the tables.
   */
  migrateUrl: string
  /** The URL of a PostgreSQL replica, used for large reads that may be a few seconds out of date. */
  replicaUrl: string | null
  /** The maximum number of PostgreSQL connections for this process. */
  pool: number
  /** The maximum duration of a PostgreSQL statement, in ms. */
  statementTimeout: number
  /**
   * True to use prepared statements on PostgreSQL. PgBouncer before version 1.21 does not support them in transaction
   * mode.
   */
  prepared: boolean
  /** The folder for the SQLite file and generated keys. */
  dataFolder: string
  masterKey: Buffer
}

export interface StoreConfigOptions {
  environment: 'sandbox' | 'production'
  /** The folder that relative paths start from. */
  folder: string
  /** The path of the SQLite file if `DATABASE_URL` is not set. */
  file: string
  /** False if a missing encryption key is an error, so that nothing is created. */
  makeKey: boolean
}

/** Reads the settings of the store, and creates the sandbox's encryption key if it does not exist. Throws ConfigError. */
export function readStoreConfig(
  env: NodeJS.ProcessEnv,
  { environment, folder, file, makeKey }: StoreConfigOptions,
): StoreConfig {
  const database = env['DATABASE_URL'] || `file:${file}`
  if (!/^(file:.|postgres(ql)?:\/\/)/.test(database))
    throw new ConfigError('DATABASE_URL must start with file: (SQLite) or postgres:// (PostgreSQL).')
  const databaseUrl = database.startsWith('file:') ? `file:${resolve(folder, database.slice(5))}` : database
  const dataFolder = databaseUrl.startsWith('file:') ? dirname(databaseUrl.slice(5)) : resolve(folder, 'data')
  return {
    databaseUrl,
    migrateUrl: readOtherUrl(env, 'MIGRATE_DATABASE_URL', databaseUrl) ?? databaseUrl,
    replicaUrl: readOtherUrl(env, 'REPLICA_DATABASE_URL', databaseUrl),
    pool: readPoolSize(env),
    statementTimeout: readStatementTimeout(env),
    prepared: readChoice(env, 'DATABASE_PREPARED', ['on', 'off'], 'on') === 'on',
    dataFolder,
    masterKey: readMasterKey(env, environment, databaseUrl, dataFolder, makeKey),
  }
}

/** Reads the URL of another connection to the same PostgreSQL database. */
function readOtherUrl(env: NodeJS.ProcessEnv, name: 'MIGRATE_DATABASE_URL' | 'REPLICA_DATABASE_URL', database: string) {
  const url = env[name] || null
  if (url === null || url === database) return url
  if (!/^postgres(ql)?:\/\//.test(url) || database.startsWith('file:'))
    throw new ConfigError(`${name} must start with postgres://. With SQLite, set only DATABASE_URL.`)
  return url
}

function readStatementTimeout(env: NodeJS.ProcessEnv): number {
  const text = env['DATABASE_TIMEOUT'] || '15'
  if (!/^\d{1,3}$/.test(text) || Number(text) < 6)
    throw new ConfigError('DATABASE_TIMEOUT must be a number of seconds from 6 to 999.')
  return Number(text) * 1_000
}

function readPoolSize(env: NodeJS.ProcessEnv): number {
  const text = env['DATABASE_POOL'] || '16'
  if (!/^[1-9]\d{0,2}$/.test(text) || Number(text) < 2)
    throw new ConfigError('DATABASE_POOL must be a number of connections from 2 to 999.')
  return Number(text)
}

function readMasterKey(
  env: NodeJS.ProcessEnv,
  environment: string,
  databaseUrl: string,
  folder: string,
  createIfMissing: boolean,
): Buffer {
  const text = env['ENCRYPTION_KEY']
  if (text) {
    const key = readBase64(text)
    if (key?.length !== 32)
      throw new ConfigError('ENCRYPTION_KEY must be 32 bytes in base64. Generate one with: openssl rand -base64 32')
    return key
  }
  if (environment === 'production' || !databaseUrl.startsWith('file:'))
    throw new ConfigError(
      'ENCRYPTION_KEY is required in production and with PostgreSQL. Generate one with: openssl rand -base64 32',
    )
  const file = resolve(folder, 'encryption.key')
  if (!createIfMissing && !existsSync(file))
    throw new ConfigError(`${file} does not exist. Start the service once to create it, or set ENCRYPTION_KEY.`)
  if (!existsSync(file)) writePrivate(file, randomBytes(32).toString('base64'))
  return Buffer.from(readFileSync(file, 'utf8').trim(), 'base64')
}

/** Writes a file that only its owner can read. */
export function writePrivate(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, `${text}\n`, { mode: 0o600 })
  chmodSync(file, 0o600)
}
