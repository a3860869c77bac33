import { readFileSync } from 'node:fs'
import { BlockList } from 'node:net'
import { resolve } from 'node:path'
import { ConfigError } from '../platform/config-error.js'

/** Variables that hold a secret. `NAME_FILE` can instead name a file that contains the value. */
const secretNames = [
  'ENCRYPTION_KEY',
  'CONNECTOR_KEY',
  'BOOTSTRAP_SECRET_KEY',
  'DATABASE_URL',
  'MIGRATE_DATABASE_URL',
  'REPLICA_DATABASE_URL',
] as const

/**
 * Returns the environment with the secrets read from their `NAME_FILE` files. Throws a ConfigError if a file can't be
 * used or its variable is also set. The message never contains a secret.
 */
export function readSecretFiles(env: NodeJS.ProcessEnv, folder: string): NodeJS.ProcessEnv {
  const read = { ...env }
  for (const name of secretNames) {
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
    read[name] = text
  }
  return read
}

const FEW = 8

/**
 * Detects values that are not random: those with few distinct bytes, or few distinct differences between neighboring
 * bytes.
 */
function isWeak(bytes: Uint8Array): boolean {
  const steps = new Set<number>()
  for (let each = 1; each < bytes.length; each += 1) steps.add(bytes[each]! - bytes[each - 1]!)
  return new Set(bytes).size < FEW || steps.size < FEW
}

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8, 'ipv4')
loopback.addAddress('::1', 'ipv6')
/** Returns true for this machine's names and addresses. IPv6 addresses can be in brackets. */
export function isLoopbackHost(host: string): boolean {
  const name = host.replace(/^\[(.*)\]$/, '$1')
  return /^(.*\.)?localhost$/.test(name) || loopback.check(name, name.includes(':') ? 'ipv6' : 'ipv4')
}

/** The settings that the production checks cover. */
interface Checked {
  databaseUrl: string
  migrateUrl: string
  replicaUrl: string | null
  opsHost: string
  trustedProxies: readonly string[]
  rateLimits: number
  masterKey: Uint8Array
  connector: { keys: { byName: ReadonlyMap<string, { secret: Uint8Array }['secret']> } } | null
  bootstrapKey: string | null
}

const MAKE_KEY = 'Generate one with: openssl rand -base64 32'

/**
 * Throws ConfigError if a value is unsafe in production. The message names the variable, the reason and a correct
 * value.
 */
export function checkProduction(env: NodeJS.ProcessEnv, config: Checked): void {
  if (isWeak(config.masterKey))
    throw new ConfigError(`ENCRYPTION_KEY must be random, but this value can be guessed. ${MAKE_KEY}`)
  for (const secret of config.connector?.keys.byName.values() ?? [])
    if (isWeak(secret))
      throw new ConfigError(`CONNECTOR_KEY must be random, but this value can be guessed. ${MAKE_KEY}`)
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
  checkDatabase('DATABASE_URL', config.databaseUrl)
  checkDatabase('MIGRATE_DATABASE_URL', config.migrateUrl)
  if (config.replicaUrl !== null) checkDatabase('REPLICA_DATABASE_URL', config.replicaUrl)
}

function checkProxies(env: NodeJS.ProcessEnv, list: readonly string[]): void {
  if (!env['TRUSTED_PROXIES']?.trim())
    throw new ConfigError(
      'TRUSTED_PROXIES is required in production. Without it, all clients behind a proxy share one rate limit. Set it to the addresses of your proxies, such as 10.0.0.0/8, or to none if clients connect directly.',
    )
  const wide = list.find(range => {
    const [address = '', length] = range.split('/')
    // The shortest prefixes of private ranges: 10.0.0.0/8 and fc00::/7.
    return length !== undefined && Number(length) < (address.includes(':') ? 7 : 8)
  })
  if (wide !== undefined)
    throw new ConfigError(
      `TRUSTED_PROXIES contains ${wide}, so clients could choose their own address. It must contain only your proxies, such as 10.0.0.0/8.`,
    )
}

const ENCRYPTED = ['require', 'verify-ca', 'verify-full']

/** Throws ConfigError unless connections to a database on another machine use TLS with a verified certificate. */
function checkDatabase(name: string, text: string): void {
  if (text.startsWith('file:')) return
  const url = new URL(text)
  const host = decodeURIComponent(url.searchParams.get('host') ?? url.hostname)
  if (host === '' || host.startsWith('/') || isLoopbackHost(host)) return
  const mode = url.searchParams.get('sslmode')
  // In libpq, only verify-full checks that the certificate belongs to the server.
  const modes = url.searchParams.get('uselibpqcompat') === 'true' ? ['verify-full'] : ENCRYPTED
  if (mode === null || !modes.includes(mode))
    throw new ConfigError(
      `${name} connects to another machine without TLS or without verifying its certificate. Add sslmode=verify-full. If a private authority signed the server's certificate, also add sslrootcert=FILE.`,
    )
}
