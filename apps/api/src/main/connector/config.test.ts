import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { stopAtEnd } from '../../testing/cleanup.js'
import { readConnectorConfig } from './config.js'

const folder = mkdtempSync(join(tmpdir(), 'causeway-connector-'))
stopAtEnd(async () => rmSync(folder, { recursive: true }))
const base64 = () => randomBytes(32).toString('base64')
const key = base64()
const sandbox = {
  PROVIDERS: 'increase',
  CONNECTOR_KEY: key,
  INCREASE_API_KEY: 'a_key_of_the_bank',
  INCREASE_WEBHOOK_SECRET: 'a secret of the subscription',
  INCREASE_ENVIRONMENT: 'sandbox',
}
const production = {
  ...sandbox,
  ENVIRONMENT: 'production',
  ENCRYPTION_KEY: base64(),
  API_ORIGIN: 'https://api.example.com',
  INCREASE_ENVIRONMENT: 'production',
  TRUSTED_PROXIES: 'none',
}
const read = (env: Record<string, string | undefined>) => readConnectorConfig(env, folder)

it('has a store, a key and ports of its own', () => {
  const config = read(sandbox)
  expect(config).toMatchObject({
    ...{ environment: 'sandbox', port: 4600, opsPort: 4601, apiOrigin: 'http://127.0.0.1:4000' },
    databaseUrl: `file:${join(folder, 'data/connector/connector.db')}`,
  })
  expect([...config.routes.keys()]).toContain('rail/submit')
  expect(config.routes.has('network/discover')).toBe(false)
  expect(read(sandbox).masterKey).toEqual(config.masterKey)
})

it('reads secrets from files', () => {
  const file = join(folder, 'key')
  writeFileSync(file, 'a_key_from_a_file')
  const { INCREASE_API_KEY: _, ...rest } = sandbox
  const { settings } = read({ ...rest, INCREASE_API_KEY_FILE: file }).providers[0]!
  expect(settings['INCREASE_API_KEY']).toBe('a_key_from_a_file')
})

it('accepts the settings of production', () => {
  expect(read(production).environment).toBe('production')
  expect(read({ ...production, API_ORIGIN: 'http://127.0.0.1:4000' }).apiOrigin).toBe('http://127.0.0.1:4000')
})

describe('settings are rejected, with the reason:', () => {
  it.each<[Record<string, string | undefined>, RegExp]>([
    [
      { PROVIDERS: 'increase,sandbox' },
      /^PROVIDERS contains “sandbox”. A connector serves some of: increase, plaid, twilio, upstream/,
    ],
    [{ PROVIDERS: 'connector' }, /^PROVIDERS contains “connector”/],
    [{ PROVIDERS: '' }, /^PROVIDERS contains “”/],
    [{ CONNECTOR_KEY: 'short' }, /^CONNECTOR_KEY must be at least 32 bytes in base64, and match the service's key/],
    [{ INCREASE_API_KEY: undefined }, /^INCREASE_API_KEY is required/],
    [{ INCREASE_ENVIRONMENT: 'sandbox' }, /the settings of Increase reach its sandbox system/],
    [{ API_ORIGIN: undefined }, /^API_ORIGIN must be the origin of the service's API in production/],
    [{ API_ORIGIN: 'http://api.example.com' }, /^API_ORIGIN must be .* with https unless it is on this machine/],
    [{ ENCRYPTION_KEY: undefined }, /^ENCRYPTION_KEY is required in production/],
    [{ ENCRYPTION_KEY: key }, /ENCRYPTION_KEY and CONNECTOR_KEY contain the same secret/],
    [{ TRUSTED_PROXIES: undefined }, /^TRUSTED_PROXIES is required in production/],
  ])('%j', (changes, message) => {
    expect(() => read({ ...production, ...changes })).toThrow(message)
  })
})
