// biome-ignore-all lint/style/noExcessiveLinesPerFile: every setting that startup rejects has a row.
import { randomBytes } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ConfigError, readConfig } from './config.js'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'causeway-config-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const read = (env: Record<string, string>) => readConfig(env, folder)
const key = randomBytes(32).toString('base64')
const weak = Buffer.alloc(32).toString('base64')

/** Valid settings for starting in production. */
const live = {
  ENVIRONMENT: 'production',
  API_ORIGIN: 'https://a.example',
  FRAME_ORIGIN: 'https://b.example',
  ENCRYPTION_KEY: key,
  CONNECTOR_URL: 'https://connector.example/v1',
  CONNECTOR_KEY: randomBytes(32).toString('base64'),
  TRUSTED_PROXIES: '10.0.0.0/8',
}

describe('starting without any setting', () => {
  it('uses the sandbox on its default ports, with a file and a key that only the owner can read', () => {
    const config = read({})
    expect(config).toMatchObject({
      environment: 'sandbox',
      host: '127.0.0.1',
      port: 4000,
      framePort: 4100,
      opsHost: '127.0.0.1',
      opsPort: 4200,
      databaseUrl: `file:${join(folder, 'data/causeway.db')}`,
      role: 'all',
      bootstrapKey: null,
      outboundLoopback: false,
      silentOrigins: [],
    })
    const file = join(folder, 'data/encryption.key')
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(Buffer.from(readFileSync(file, 'utf8'), 'base64')).toEqual(config.masterKey)
    expect(read({}).masterKey).toEqual(config.masterKey)
  })

  it('allows 20 times as many codes as production, or the configured number', () => {
    expect(read(live).codeLimits).toEqual({ typed: 3, supplied: 3, address: 30, day: 10 })
    expect(read({}).codeLimits).toEqual({ typed: 60, supplied: 60, address: 600, day: 200 })
    const set = {
      CODES_PER_TYPED_NUMBER: '1',
      CODES_PER_SUPPLIED_NUMBER: '2',
      CODES_PER_ADDRESS: '3',
      CODES_PER_DAY: '4',
    }
    expect(read({ ...live, ...set }).codeLimits).toEqual({ typed: 1, supplied: 2, address: 3, day: 4 })
    for (const [name, value] of Object.keys(set).flatMap(each => ['0', '-1', '1.5', 'x'].map(text => [each, text])))
      expect(() => read({ [name!]: value! })).toThrow(`${name} must be a number of codes from 1 to 999999.`)
  })

  it('is called Causeway unless a name is set, which must be short and printable', () => {
    for (const [value, name] of [
      [undefined, 'Causeway'],
      ['', 'Causeway'],
      [' ', 'Causeway'],
      ['  Harbor & Sons, Inc. ', 'Harbor & Sons, Inc.'],
      ['é'.repeat(40), 'é'.repeat(40)],
    ] as const)
      expect(read(value === undefined ? {} : { SERVICE_NAME: value }).serviceName).toBe(name)
    for (const wrong of ['x'.repeat(41), '&', '\u3164', 'Acme \u202egnidneL', 'Ac\u200bme', 'Acme\nLending'])
      expect(() => read({ SERVICE_NAME: wrong })).toThrow('SERVICE_NAME must be 1 to 40 characters')
  })

  it('accepts explicit settings, and a port of 0', () => {
    expect(
      read({
        PORT: '0',
        FRAME_PORT: '1',
        OPS_PORT: '65535',
        HOST: '0.0.0.0',
        ENCRYPTION_KEY: key,
        DATABASE_URL: 'file:x/y.db',
        ROLE: 'worker',
        SILENT_ORIGINS: 'https://sna.example.com, https://*.carrier.example:8443,',
      }),
    ).toMatchObject({
      silentOrigins: ['https://sna.example.com', 'https://*.carrier.example:8443'],
      port: 0,
      framePort: 1,
      opsPort: 65_535,
      host: '0.0.0.0',
      databaseUrl: `file:${join(folder, 'x/y.db')}`,
      role: 'worker',
    })
    expect(existsSync(join(folder, 'x'))).toBe(false)
  })
})

describe('the console', () => {
  it('is served only if its port is set; in production, it needs a separate https origin', () => {
    expect(read({})).toMatchObject({ consolePort: null, consoleOrigin: null })
    expect(read({ CONSOLE_PORT: '0' })).toMatchObject({ consolePort: 0 })
    expect(() => read({ ...live, CONSOLE_PORT: '4400' })).toThrow('CONSOLE_ORIGIN must be an https origin')
    expect(() => read({ ...live, CONSOLE_PORT: '4400', CONSOLE_ORIGIN: live.API_ORIGIN })).toThrow('must differ')
    expect(() => read({ CONSOLE_ORIGIN: 'http://console.example' })).toThrow('CONSOLE_ORIGIN must use https')
    expect(read({ ...live, CONSOLE_PORT: '4400', CONSOLE_ORIGIN: 'https://console.example' })).toMatchObject({
      consoleOrigin: 'https://console.example',
    })
  })
})

describe('starting with a connector', () => {
  it('uses it for all three ports, in production too', () => {
    const { routes, connector } = read(live)
    expect(new Set(routes.values())).toEqual(new Set(['connector']))
    expect(connector).toMatchObject({ url: 'https://connector.example/v1', timeout: 8_000 })
    expect(read({ ...live, CONNECTOR_URL: 'http://127.0.0.1:4400' }).connector?.url).toBe('http://127.0.0.1:4400/')
  })

  it('uses it only for the requested ports, outside production', () => {
    const { CONNECTOR_URL, CONNECTOR_KEY } = live
    const adapters = { NETWORK_ADAPTER: 'sandbox', IDENTITY_ADAPTER: 'sandbox' }
    const { routes } = read({ CONNECTOR_URL, CONNECTOR_KEY, ...adapters })
    expect(['network/balance', 'identity/match', 'rail/submit'].map(path => routes.get(path))).toEqual([
      'sandbox',
      'sandbox',
      'connector',
    ])
    expect(read({ CONNECTOR_URL, ...adapters, RAIL_ADAPTER: 'sandbox' }).connector).toBeNull()
    expect(read({}).connector).toBeNull()
    expect(new Set(read({}).routes.values())).toEqual(new Set(['sandbox']))
  })
})

describe('startup is rejected', () => {
  // kills: guessable-encryption-key, no-sandbox-in-production
  it.each<[Record<string, string>, RegExp]>([
    [{ PORT: '65536' }, /^PORT must be a port from 0 to 65535\.$/],
    [{ FRAME_PORT: 'x' }, /^FRAME_PORT must be/],
    [{ OPS_PORT: '-1' }, /^OPS_PORT must be/],
    [{ ROLE: 'both' }, /^ROLE must be one of: all, api, worker\.$/],
    [{ ENVIRONMENT: 'staging' }, /^ENVIRONMENT must be one of: sandbox, production\.$/],
    [{ API_ORIGIN: 'api.example.com' }, /^API_ORIGIN must be an origin such as/],
    [{ API_ORIGIN: 'https://api.example.com/v1', ENVIRONMENT: 'sandbox' }, /^API_ORIGIN .* without a path/],
    [{ FRAME_ORIGIN: 'ftp://127.0.0.1' }, /^FRAME_ORIGIN must be an origin/],
    [{ API_ORIGIN: 'https://api.example.com' }, /^API_ORIGIN is not a loopback address, so ENVIRONMENT must be set/],
    [{ FRAME_ORIGIN: 'http://10.0.0.1:4100' }, /^FRAME_ORIGIN is not a loopback address/],
    [
      { FRAME_ORIGIN: 'http://10.0.0.1:4100', ENVIRONMENT: 'sandbox' },
      /^FRAME_ORIGIN must use https or be on this machine/,
    ],
    [{ FRAME_ORIGIN: 'https://localhost:4100' }, /^FRAME_ORIGIN is not a loopback address/],
    [
      { API_ORIGIN: 'http://127.0.0.1:1', FRAME_ORIGIN: 'http://127.0.0.1:1' },
      /must differ, because the frame requires its own origin/,
    ],
    [{ DATABASE_URL: 'mysql://x' }, /^DATABASE_URL must start with file: \(SQLite\) or postgres:/],
    [{ DATABASE_URL: 'file:' }, /^DATABASE_URL must/],
    [{ DATABASE_TIMEOUT: '5' }, /^DATABASE_TIMEOUT must be a number of seconds from 6 to 999\./],
    [
      { REPLICA_DATABASE_URL: 'postgres://127.0.0.1/x' },
      /^REPLICA_DATABASE_URL must start with postgres:\/\/\. With SQLite,/,
    ],
    [{ DATABASE_URL: 'postgres://127.0.0.1/x' }, /^ENCRYPTION_KEY is required in production and with PostgreSQL/],
    [{ ENCRYPTION_KEY: 'short' }, /^ENCRYPTION_KEY must be 32 bytes in base64\. Generate one with/],
    [{ ENCRYPTION_KEY: Buffer.alloc(33).toString('base64') }, /^ENCRYPTION_KEY must be 32 bytes/],
    [{ BOOTSTRAP_SECRET_KEY: 'sk_short' }, /^BOOTSTRAP_SECRET_KEY must be sk_ followed by at least 20/],
    [{ BOOTSTRAP_SECRET_KEY: 'x'.repeat(40) }, /^BOOTSTRAP_SECRET_KEY must be/],
    [{ SILENT_ORIGINS: 'https:' }, /^SILENT_ORIGINS contains “https:”\. It must be a comma-separated list/],
    [{ SILENT_ORIGINS: 'http://sna.example.com' }, /^SILENT_ORIGINS contains “http:/],
    [{ SILENT_ORIGINS: 'https://sna.example.com/' }, /^SILENT_ORIGINS contains/],
    [{ SILENT_ORIGINS: 'https://*' }, /^SILENT_ORIGINS contains “https:\/\/\*”/],
    [{ SILENT_ORIGINS: "https://a.example; script-src 'unsafe-inline'" }, /^SILENT_ORIGINS contains/],
    [{ OUTBOUND_LOOPBACK: '1' }, /^OUTBOUND_LOOPBACK must be one of: refuse, allow\.$/],
    [
      {
        ENVIRONMENT: 'production',
        OUTBOUND_LOOPBACK: 'allow',
        API_ORIGIN: 'https://a.example',
        FRAME_ORIGIN: 'https://b.example',
      },
      /^OUTBOUND_LOOPBACK=allow is for the sandbox only/,
    ],
    [{ ENVIRONMENT: 'production' }, /^API_ORIGIN must be an https origin in production\.$/],
    [
      { ENVIRONMENT: 'production', API_ORIGIN: 'https://a.example', FRAME_ORIGIN: 'http://b.example' },
      /^FRAME_ORIGIN must be an https origin/,
    ],
    [
      {
        ENVIRONMENT: 'production',
        API_ORIGIN: 'https://a.example',
        FRAME_ORIGIN: 'https://b.example',
        ENCRYPTION_KEY: key,
      },
      /^NETWORK_ADAPTER must be http in production, with CONNECTOR_URL/,
    ],
    [{ ...live, RAIL_ADAPTER: 'sandbox' }, /^RAIL_ADAPTER must be http in production/],
    [{ ...live, CONNECTOR_URL: 'http://connector.example' }, /^CONNECTOR_URL must be https in production/],
    [{ ...live, CONNECTOR_KEY: 'short' }, /^CONNECTOR_KEY must be at least 32 bytes in base64/],
    [{ IDENTITY_ADAPTER: 'http' }, /^IDENTITY_ADAPTER=http requires CONNECTOR_URL/],
    [{ RAIL_ADAPTER: 'bank' }, /^RAIL_ADAPTER must be one of: sandbox, http\.$/],
    [{ CONNECTOR_URL: 'connector' }, /^CONNECTOR_URL must be a URL/],
    [{ CONNECTOR_URL: 'https://a:b@connector.example' }, /^CONNECTOR_URL must be a URL/],
    [{ CONNECTOR_URL: 'https://connector.example' }, /^CONNECTOR_KEY must be/],
    [
      { ...live, ENCRYPTION_KEY: weak },
      /^ENCRYPTION_KEY must be random, but this value can be guessed\. Generate one with/,
    ],
    [
      { ...live, ENCRYPTION_KEY: Buffer.from([...Array(32).keys()]).toString('base64') },
      /^ENCRYPTION_KEY must be random/,
    ],
    [
      { ...live, ENCRYPTION_KEY: Buffer.from('passwordpasswordpasswordpassword').toString('base64') },
      /^ENCRYPTION_KEY must be random/,
    ],
    ...[randomBytes(16).toString('hex'), 'my very own passphrase, 32 bytes'].map(
      (text): [Record<string, string>, RegExp] => [
        { ...live, ENCRYPTION_KEY: Buffer.from(text).toString('base64') },
        /^ENCRYPTION_KEY must be random/,
      ],
    ),
    [
      { ...live, CONNECTOR_KEY: Buffer.from(randomBytes(20).toString('hex')).toString('base64') },
      /^CONNECTOR_KEY must be random/,
    ],
    ...[`${key.slice(0, 20)} ${key.slice(20)}`, `${key}!`, `#${key}`, `${key}===`].map(
      (text): [Record<string, string>, RegExp] => [
        { ENCRYPTION_KEY: text },
        /^ENCRYPTION_KEY must be 32 bytes in base64/,
      ],
    ),
    [{ ...live, CONNECTOR_KEY: `${live.CONNECTOR_KEY}!` }, /^CONNECTOR_KEY must be at least 32 bytes in base64/],
    [{ ...live, CONNECTOR_KEY: `${live.CONNECTOR_KEY},` }, /^CONNECTOR_KEY must be at least 32 bytes in base64/],
    [
      { ...live, CONNECTOR_KEY: `${randomBytes(32).toString('base64')},${live.ENCRYPTION_KEY}` },
      /^ENCRYPTION_KEY and CONNECTOR_KEY contain the same secret, so/,
    ],
    [
      { ...live, CONSOLE_PORT: '4400', CONSOLE_ORIGIN: `${live.FRAME_ORIGIN}:8443` },
      /^CONSOLE_ORIGIN and FRAME_ORIGIN must have different hosts/,
    ],
    [
      { ...live, CONSOLE_PORT: '4400', CONSOLE_ORIGIN: `${live.API_ORIGIN}:8443` },
      /^CONSOLE_ORIGIN and API_ORIGIN must have different hosts/,
    ],
    [{ ...live, NODE_TLS_REJECT_UNAUTHORIZED: '0' }, /^NODE_TLS_REJECT_UNAUTHORIZED=0 turns off/],
    [
      { ...live, TRUSTED_PROXIES: Array.from({ length: 256 }, (_, index) => `${index}.0.0.0/8`).join(',') },
      /^The ranges in TRUSTED_PROXIES together contain too many addresses/,
    ],
    ...[
      ['sslmode=verify-full&sslmode=disable', 'sslmode'],
      ['sslmode=verify-full&sslmode=no-verify', 'sslmode'],
      ['sslmode=verify-full&host=db.example&host=127.0.0.1', 'host'],
    ].map(([query, name]): [Record<string, string>, RegExp] => [
      { ...live, DATABASE_URL: `postgres://u:p@db.example/x?${query}` },
      new RegExp(`^DATABASE_URL sets ${name} more than once`),
    ]),
    [
      { ...live, DATABASE_URL: 'postgres://u:p@db.example/x?sslmode=verify-full&sslrootcert=/missing' },
      /^DATABASE_URL has settings that the database driver rejects \(ENOENT\)/,
    ],
    ...['PGHOST', 'PGSSLMODE', 'PGOPTIONS', 'PGPORT'].map((name): [Record<string, string>, RegExp] => [
      { ...live, DATABASE_URL: 'postgres:///x', [name]: 'db.example' },
      new RegExp(`^${name} must not be set in production`),
    ]),
    [{ ...live, CONNECTOR_KEY: `${key},${weak}` }, /^CONNECTOR_KEY must be random/],
    [{ ...live, BOOTSTRAP_SECRET_KEY: `sk_${'a'.repeat(20)}` }, /^BOOTSTRAP_SECRET_KEY must be random/],
    [{ ...live, BOOTSTRAP_SECRET_KEY: 'sk_12345678901234567890' }, /^BOOTSTRAP_SECRET_KEY must be random/],
    [{ ...live, RATE_LIMITS: '0' }, /^RATE_LIMITS=0 disables every rate limit\./],
    [{ ...live, OPS_HOST: '0.0.0.0' }, /^OPS_HOST is not a loopback address, and the operations listener has no auth/],
    [{ ...live, OPS_HOST: '::' }, /^OPS_HOST is not a loopback address/],
    [{ OPS_EXPOSED: 'yes' }, /^OPS_EXPOSED must be one of: refuse, allow\.$/],
    [{ ...live, TRUSTED_PROXIES: '' }, /^TRUSTED_PROXIES is required in production\. .* or to none if/],
    [{ ...live, TRUSTED_PROXIES: '0.0.0.0/0' }, /^TRUSTED_PROXIES contains 0\.0\.0\.0\/0, so clients could choose/],
    [{ ...live, TRUSTED_PROXIES: '10.0.0.1,128.0.0.0/1' }, /^TRUSTED_PROXIES contains 128\.0\.0\.0\/1/],
    [{ ...live, TRUSTED_PROXIES: '::/0' }, /^TRUSTED_PROXIES contains ::\/0/],
    [{ TRUSTED_PROXIES: 'none,10.0.0.1' }, /^TRUSTED_PROXIES contains “none”\. It must be/],
    ...['', '?sslmode=disable', '?sslmode=no-verify', '?sslmode=prefer', '?sslmode=require&uselibpqcompat=true'].map(
      (end): [Record<string, string>, RegExp] => [
        { ...live, DATABASE_URL: `postgres://u:p@db.example/x${end}` },
        /^DATABASE_URL connects to another machine without TLS .* Add sslmode=verify-full/,
      ],
    ),
    [{ ...live, DATABASE_URL: 'postgres://127.0.0.1/x?host=db.example' }, /^DATABASE_URL connects to another machine/],
    [
      { ...live, DATABASE_URL: 'postgres://127.0.0.1/x', REPLICA_DATABASE_URL: 'postgres://db.example/x' },
      /^REPLICA_DATABASE_URL connects to another machine/,
    ],
    [{ ...live, ENCRYPTION_KEY_FILE: 'a' }, /^ENCRYPTION_KEY and ENCRYPTION_KEY_FILE are both set\. Set one/],
    [{ CONNECTOR_KEY_FILE: 'missing' }, /^CONNECTOR_KEY_FILE names a file that cannot be read \(ENOENT\)\./],
    [{ DATABASE_URL_FILE: '/dev/null' }, /^DATABASE_URL_FILE names an empty file\./],
    [{ ...live, CONNECTOR_TIMEOUT: '8s' }, /^CONNECTOR_TIMEOUT must be a number of milliseconds/],
  ])('%j', (env, sentence) => {
    expect(() => read(env)).toThrow(sentence)
    expect(() => read(env)).toThrow(ConfigError)
    for (const value of Object.values(env))
      if (value.length > 12 && !/example|^(https?|ftp):/.test(value)) expect(() => read(env)).not.toThrow(value)
  })

  it.each([
    { OPS_HOST: '0.0.0.0', OPS_EXPOSED: 'allow' },
    { OPS_HOST: '::1' },
    { TRUSTED_PROXIES: 'none' },
    { TRUSTED_PROXIES: '10.0.0.0/8,fc00::/7,192.0.2.7' },
    { BOOTSTRAP_SECRET_KEY: `sk_${randomBytes(24).toString('hex')}` },
    { ENCRYPTION_KEY: randomBytes(32).toString('base64url') },
    { TRUSTED_PROXIES: '10.0.0.0/8,172.16.0.0/12,192.168.0.0/16,::ffff:192.0.2.0/120' },
    { CONSOLE_PORT: '4400', CONSOLE_ORIGIN: 'https://console.example' },
    { DATABASE_URL: 'postgres://u:p@db.example/x?sslmode=verify-full' },
    { DATABASE_URL: 'postgres://u:p@db.example/x?sslmode=verify-full&uselibpqcompat=true' },
    { DATABASE_URL: 'postgres://u:p@[::1]/x' },
    { DATABASE_URL: 'postgres://%2Fvar%2Frun/x' },
    { DATABASE_URL: 'postgres:///x?host=/var/run' },
  ])('but accepted in production with %j', more => {
    expect(read({ ...live, ...more }).environment).toBe('production')
  })

  it('with an IPv6 range that stands for all IPv4 addresses', () => {
    expect(() => read({ ...live, TRUSTED_PROXIES: '::ffff:0:0/96' })).toThrow('TRUSTED_PROXIES contains ::ffff:0:0/96')
  })

  it('weak values are allowed in the sandbox', () => {
    expect(read({ ENCRYPTION_KEY: weak, RATE_LIMITS: '0', OPS_HOST: '0.0.0.0' })).toMatchObject({ rateLimits: 0 })
  })

  it('loopback origins require no environment', () => {
    for (const origin of ['http://127.0.0.1:5', 'http://localhost:5', 'http://frame.localhost:5', 'http://127.1.2.3:5'])
      expect(read({ FRAME_ORIGIN: origin }).frameOrigin).toBe(origin)
    expect(read({ ENVIRONMENT: 'sandbox', API_ORIGIN: 'https://api.example.com/' }).apiOrigin).toBe(
      'https://api.example.com',
    )
  })
})

describe('a secret in a file', () => {
  it('is read from the file that its variable names, without the trailing newline', () => {
    const put = (name: string, value: string) => {
      writeFileSync(join(folder, name), `${value}\n`)
      return name
    }
    const { ENCRYPTION_KEY: _1, CONNECTOR_KEY: _2, ...rest } = live
    const bootstrap = `sk_${randomBytes(24).toString('hex')}`
    const config = read({
      ...rest,
      ENCRYPTION_KEY_FILE: put('master', key),
      CONNECTOR_KEY_FILE: join(folder, put('connector', live.CONNECTOR_KEY)),
      BOOTSTRAP_SECRET_KEY_FILE: put('bootstrap', bootstrap),
      DATABASE_URL_FILE: put('database', 'file:other/store.db'),
    })
    expect(config).toMatchObject({ bootstrapKey: bootstrap, databaseUrl: `file:${join(folder, 'other/store.db')}` })
    expect(config.masterKey.toString('base64')).toBe(key)
    expect(config.connector).not.toBeNull()
  })
})
