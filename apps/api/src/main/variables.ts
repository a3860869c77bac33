/** Reads variables of the environment that several processes have. Each function throws ConfigError. */
import { readSharedKeys, type SharedKeys } from '@causeway/connector/http/signature'
import { ConfigError } from '../platform/config-error.js'
import { isRange } from '../platform/http/request/address.js'

export function readPort(env: NodeJS.ProcessEnv, name: string, fallback: number): number {
  const text = env[name]
  if (text === undefined || text === '') return fallback
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535) throw new ConfigError(`${name} must be a port from 0 to 65535.`)
  return Number(text)
}

export function readChoice<T extends string>(
  env: NodeJS.ProcessEnv,
  name: string,
  values: readonly T[],
  fallback: T,
): T {
  const text = env[name] || fallback
  if (!(values as readonly string[]).includes(text))
    throw new ConfigError(`${name} must be one of: ${values.join(', ')}.`)
  return text as T
}

export function readOrigin(env: NodeJS.ProcessEnv, name: string): string | null {
  const text = env[name]
  if (!text) return null
  let url: URL
  try {
    url = new URL(text)
  } catch {
    throw new ConfigError(`${name} must be an origin such as https://api.example.com.`)
  }
  if (url.origin !== text.replace(/\/$/, '') || !/^https?:$/.test(url.protocol))
    throw new ConfigError(`${name} must be an origin such as https://api.example.com, without a path.`)
  return url.origin
}

export function readTrustedProxies(env: NodeJS.ProcessEnv): string[] {
  if (env['TRUSTED_PROXIES']?.trim() === 'none') return []
  const list = (env['TRUSTED_PROXIES'] ?? '').split(',').flatMap(each => each.trim() || [])
  const invalid = list.find(each => !isRange(each))
  if (invalid !== undefined)
    throw new ConfigError(
      `TRUSTED_PROXIES contains “${invalid}”. It must be none or a comma-separated list of addresses and ranges, such as 10.0.0.0/8,192.0.2.7.`,
    )
  return list
}

export function readRateLimits(env: NodeJS.ProcessEnv, fallback: number): number {
  const text = env['RATE_LIMITS']
  if (!text) return fallback
  if (!/^\d{1,4}(\.\d+)?$/.test(text))
    throw new ConfigError('RATE_LIMITS must be a factor for all rate limits, such as 1 or 2.5, or 0 to disable them.')
  return Number(text)
}

/** Reads the key that the service shares with a connector. @param other the other side, for the message */
export function readConnectorKey(env: NodeJS.ProcessEnv, other: string): SharedKeys {
  const keys = readSharedKeys(env['CONNECTOR_KEY'] ?? '')
  if (!keys)
    throw new ConfigError(
      `CONNECTOR_KEY must be at least 32 bytes in base64, and match ${other}'s key. Generate one with: openssl rand -base64 32`,
    )
  return keys
}
