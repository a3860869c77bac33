import { readFileSync } from 'node:fs'
import { BlockList } from 'node:net'
import { resolve } from 'node:path'
import type { ConnectionOptions } from 'node:tls'
import pg from 'pg'
import { ConfigError } from '../platform/config-error.js'

/** Variables that hold a secret. `NAME_FILE` can instead name a file that contains the value. */
const secretNames = [
  'ENCRYPTION_KEY',
  'CONNECTOR_KEY',
  'BOOTSTRAP_SECRET_KEY',
  'CONSOLE_OIDC_CLIENT_SECRET',
  'DATABASE_URL',
  'MIGRATE_DATABASE_URL',
  'REPLICA_DATABASE_URL',
  'SMTP_URL',
] as const

/**
 * Returns the environment with the secrets read from their `NAME_FILE` files. Throws a ConfigError if a file can't be
 * used or its variable is also set. The message never contains a secret.
 */
export function readSecretFiles(
  env: NodeJS.ProcessEnv,
  folder: string,
  names: readonly string[] = secretNames,
): NodeJS.ProcessEnv {
  const resolved = { ...env }
  for (const name of names) {
    const file = env[`${name}_FILE`]
    if (!file) continue
    if (env[name]) throw new ConfigError(`${name} and ${name}_FILE are both set. Set one of them.`)
    let text: string
    try {
      text = readFileSync(resolve(folder, file), 'utf8').trim()
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      throw new ConfigError(
        `${name}_FILE names a file that cannot be read (${code}). It must be readable by the service's user.`,
      )
    }
    if (text === '') throw new ConfigError(`${name}_FILE names an empty file. It must contain the value of ${name}.`)
    resolved[name] = text
  }
  return resolved
}

const MIN_DISTINCT = 8

/**
 * Detects values that are not random: those with few distinct bytes, or few distinct differences between neighboring
 * bytes.
 */
function isWeak(bytes: Uint8Array): boolean {
  const steps = new Set<number>()
  for (let index = 1; index < bytes.length; index += 1) steps.add(bytes[index]! - bytes[index - 1]!)
  return new Set(bytes).size < MIN_DISTINCT || steps.size < MIN_DISTINCT
}

/** Detects a text that was encoded in base64. 32 random bytes are never all printable. */
const isText = (bytes: Uint8Array): boolean => bytes.every(byte => byte >= 0x20 && byte < 0x7f)

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8, 'ipv4')
loopback.addAddress('::1', 'ipv6')
/** Returns true for this machine's names and addresses. IPv6 addresses can be in brackets. */
export function isLoopbackHost(host: string): boolean {
  const name = host.replace(/^\[(.*)\]$/, '$1')
  return /^(.*\.)?localhost$/.test(name) || loopback.check(name, name.includes(':') ? 'ipv6' : 'ipv4')
}

/** The settings that the production checks cover. */
interface ProductionSettings {
  databaseUrl: string
  migrateUrl: string
  replicaUrl: string | null
  opsHost: string
  trustedProxies: readonly string[]
  rateLimits: number
  masterKey: Uint8Array
  connector: { keys: { secretsByKid: ReadonlyMap<string, { secret: Uint8Array }['secret']> } } | null
  bootstrapKey: string | null
}

const KEY_HINT = 'Generate one with: openssl rand -base64 32'

/**
 * Throws ConfigError if a value is unsafe in production. The message names the variable, the reason and a correct
 * value.
 */
export function checkProduction(env: NodeJS.ProcessEnv, config: ProductionSettings): void {
  // mutant: guessable-encryption-key (false)
  if (isWeak(config.masterKey) || isText(config.masterKey))
    throw new ConfigError(`ENCRYPTION_KEY must be random, but this value can be guessed. ${KEY_HINT}`)
  for (const secret of config.connector?.keys.secretsByKid.values() ?? [])
    if (isWeak(secret) || isText(secret))
      throw new ConfigError(`CONNECTOR_KEY must be random, but this value can be guessed. ${KEY_HINT}`)
  if (config.bootstrapKey !== null && isWeak(Buffer.from(config.bootstrapKey.slice(3))))
    throw new ConfigError(
      'BOOTSTRAP_SECRET_KEY must be random, but this value can be guessed. Omit it and the service creates one, or generate one with: echo sk_$(openssl rand -hex 24)',
    )
  if (config.rateLimits === 0)
    throw new ConfigError(
      'RATE_LIMITS=0 disables every rate limit. In production, RATE_LIMITS must be more than 0, such as 1.',
    )
  checkProxies(env, config.trustedProxies)
  if (!isLoopbackHost(config.opsHost) && env['OPS_EXPOSED'] !== 'allow')
    throw new ConfigError(
      'OPS_HOST is not a loopback address, and the operations listener has no authentication. Use 127.0.0.1, or set OPS_EXPOSED=allow if only a private network can reach it.',
    )
  if (env['NODE_TLS_REJECT_UNAUTHORIZED'] === '0')
    throw new ConfigError(
      'NODE_TLS_REJECT_UNAUTHORIZED=0 turns off the verification of every certificate. Remove it. For a private authority, use NODE_EXTRA_CA_CERTS.',
    )
  checkDistinct(config)
  checkDatabase(env, 'DATABASE_URL', config.databaseUrl)
  checkDatabase(env, 'MIGRATE_DATABASE_URL', config.migrateUrl)
  if (config.replicaUrl !== null) checkDatabase(env, 'REPLICA_DATABASE_URL', config.replicaUrl)
}

/** The number of addresses in all trusted ranges: enough for every private range, such as 10.0.0.0/8 and fc00::/7. */
const MAX_IPV4_ADDRESSES = 2 ** 25
const MAX_IPV6_ADDRESSES = 2 ** 122

/** Returns the number of IPv4 and IPv6 addresses in a range. An IPv6 range can stand for IPv4 addresses. */
function sizeOf(range: string): { ipv4: number; ipv6: number } {
  const [address = '', length] = range.split('/')
  if (!address.includes(':')) return { ipv4: 2 ** (32 - Number(length ?? 32)), ipv6: 0 }
  const ipv6 = 2 ** (128 - Number(length ?? 128))
  return /^(?:0{0,4}:){2,5}ffff:/i.test(address) ? { ipv4: ipv6, ipv6: 0 } : { ipv4: 0, ipv6 }
}

function checkProxies(env: NodeJS.ProcessEnv, list: readonly string[]): void {
  if (!env['TRUSTED_PROXIES']?.trim())
    throw new ConfigError(
      'TRUSTED_PROXIES is required in production. Without it, all clients behind a proxy share one rate limit. Set it to the addresses of your proxies, such as 10.0.0.0/8, or to none if clients connect directly.',
    )
  const sizes = list.map(sizeOf)
  const wide = list.find((_range, index) => sizes[index]!.ipv4 > 2 ** 24 || sizes[index]!.ipv6 > 2 ** 121)
  if (wide !== undefined)
    throw new ConfigError(
      `TRUSTED_PROXIES contains ${wide}, so clients could choose their own address. It must contain only your proxies, such as 10.0.0.0/8.`,
    )
  const sum = (family: 'ipv4' | 'ipv6') => sizes.reduce((all, each) => all + each[family], 0)
  if (sum('ipv4') > MAX_IPV4_ADDRESSES || sum('ipv6') > MAX_IPV6_ADDRESSES)
    throw new ConfigError(
      'The ranges in TRUSTED_PROXIES together contain too many addresses, so clients could choose their own address. It must contain only your proxies, such as 10.0.0.0/8.',
    )
}

/** The variables that node-postgres reads in addition to a URL. */
const driverVariables = [
  'PGHOST',
  'PGPORT',
  'PGUSER',
  'PGPASSWORD',
  'PGPASSFILE',
  'PGDATABASE',
  'PGSSLMODE',
  'PGSSLNEGOTIATION',
  'PGOPTIONS',
  'PGBINARY',
  'PGREPLICATION',
  'PGCLIENT_ENCODING',
]

const TLS_MODES = ['require', 'verify-ca', 'verify-full']

/**
 * Throws ConfigError unless connections to a database on another machine use TLS with a verified certificate. Checks
 * the settings that the driver itself derives from the URL.
 */
function checkDatabase(env: NodeJS.ProcessEnv, name: string, text: string): void {
  if (text.startsWith('file:')) return
  const variable = driverVariables.find(each => env[each])
  if (variable !== undefined)
    throw new ConfigError(`${variable} must not be set in production, because it would change ${name}.`)
  const { searchParams } = new URL(text)
  const repeated = [...searchParams.keys()].find(key => searchParams.getAll(key).length > 1)
  if (repeated !== undefined) throw new ConfigError(`${name} sets ${repeated} more than once. Set it once.`)
  const { host, ssl } = driverSettings(name, text)
  if (host === '' || host.startsWith('/') || isLoopbackHost(host)) return
  const mode = searchParams.get('sslmode')
  // In libpq, only verify-full checks that the certificate belongs to the server.
  const modes = searchParams.get('uselibpqcompat') === 'true' ? ['verify-full'] : TLS_MODES
  const isVerified =
    ssl === true || (typeof ssl === 'object' && ssl.rejectUnauthorized !== false && !ssl.checkServerIdentity)
  if (mode === null || !modes.includes(mode) || !isVerified)
    throw new ConfigError(
      `${name} connects to another machine without TLS or without verifying its certificate. Add sslmode=verify-full. If a private authority signed the server's certificate, also add sslrootcert=FILE.`,
    )
}

/** Returns the host and TLS settings that the driver would use. Doesn't connect. */
function driverSettings(name: string, connectionString: string): { host: string; ssl: boolean | ConnectionOptions } {
  try {
    const { host, ssl } = new pg.Client({ connectionString })
    return { host: host ?? '', ssl }
  } catch (error) {
    throw new ConfigError(
      `${name} has settings that the database driver rejects (${(error as NodeJS.ErrnoException).code ?? 'invalid value'}). Check its parameters, such as the path in sslrootcert.`,
    )
  }
}

/** Throws ConfigError if two settings hold the same secret. */
function checkDistinct({ masterKey, connector, bootstrapKey }: ProductionSettings): void {
  const secrets: [string, Buffer][] = [['ENCRYPTION_KEY', Buffer.from(masterKey)]]
  for (const secret of connector?.keys.secretsByKid.values() ?? []) secrets.push(['CONNECTOR_KEY', Buffer.from(secret)])
  if (bootstrapKey !== null) secrets.push(['BOOTSTRAP_SECRET_KEY', Buffer.from(bootstrapKey)])
  for (const [index, [name, secret]] of secrets.entries()) {
    const duplicate = secrets.slice(0, index).find(([, earlier]) => earlier.equals(secret))
    if (duplicate)
      throw new ConfigError(
        `${duplicate[0]} and ${name} contain the same secret, so one leak would reveal both. ${KEY_HINT}`,
      )
  }
}
