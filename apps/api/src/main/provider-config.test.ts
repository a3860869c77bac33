// kills: no-sandbox-provider-in-production, live-keys-only-in-production
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { provider } from '@causeway/connector/provider/provider'
import { choice, secret } from '@causeway/connector/provider/settings'
import { afterAll, describe, expect, it } from 'vitest'
import { readProviders } from './provider-config.js'

const bank = provider({
  name: 'bank',
  title: 'Bank',
  settings: {
    BANK_KEY: secret({ what: 'the API key', pattern: /^key_\w{4,40}$/, mustBe: 'a key that begins with key_' }),
    BANK_ENVIRONMENT: choice('the system', ['sandbox', 'production'], 'sandbox'),
    BANK_VOUCH: choice('whether the bank vouches for accounts', ['on', 'off'], 'on'),
  },
  hosts: () => ['https://bank.example'],
  environment: ({ BANK_ENVIRONMENT }) => BANK_ENVIRONMENT,
  provides: { 'network/vouch': async () => null },
  outcomes: {},
  capabilities: ({ BANK_VOUCH }) => ({ without: BANK_VOUCH === 'on' ? [] : ['network/vouch'] }),
  async *check() {},
  proven: { level: 'emulator', on: '2026-11-29' },
})
const folder = mkdtempSync(join(tmpdir(), 'causeway-providers-'))
afterAll(() => rmSync(folder, { recursive: true }))
const read = (env: Record<string, string>, environment: 'sandbox' | 'production' = 'sandbox') =>
  readProviders(env, folder, environment, { bank })

describe('PROVIDERS', () => {
  it('configures each provider, and routes each method to the first that serves it', () => {
    const { providers, routes, connector } = read({ PROVIDERS: 'bank, sandbox', BANK_KEY: 'key_abcd' })
    expect(providers).toEqual([
      { provider: bank, settings: { BANK_KEY: 'key_abcd', BANK_ENVIRONMENT: 'sandbox', BANK_VOUCH: 'on' } },
    ])
    expect(routes.get('network/vouch')).toBe('bank')
    expect(routes.get('rail/submit')).toBe('sandbox')
    expect(connector).toBeNull()
  })

  it('routes no method to a provider whose settings turn it off', () => {
    const { routes } = read({ PROVIDERS: 'bank', BANK_KEY: 'key_abcd', BANK_VOUCH: 'off' })
    expect(routes.has('network/vouch')).toBe(false)
  })

  it('accepts a live system only in production', () => {
    const live = { PROVIDERS: 'bank', BANK_KEY: 'key_abcd', BANK_ENVIRONMENT: 'production' }
    expect(read(live, 'production').providers).toHaveLength(1)
    expect(() => read(live)).toThrow(/^ENVIRONMENT is sandbox, but the settings of Bank reach its production system/)
    expect(() => read({ ...live, BANK_ENVIRONMENT: 'sandbox' }, 'production')).toThrow(
      /^ENVIRONMENT is production, but the settings of Bank reach its sandbox system/,
    )
  })

  it.each([
    [{ PROVIDERS: 'bnak' }, /^PROVIDERS contains “bnak”. It must list some of: sandbox, connector, bank\.$/],
    [{ PROVIDERS: 'sandbox,sandbox' }, /^PROVIDERS lists sandbox twice/],
    [{ PROVIDERS: 'sandbox', PROVIDE: 'rail/submit:sandbox,rail/submit:sandbox' }, /^PROVIDE names rail\/submit twice/],
    [{ PROVIDERS: 'bank' }, /^BANK_KEY is required: the API key\. It must be a key that begins with key_\.$/],
    [{ PROVIDERS: 'bank', BANK_KEY: 'secret' }, /^BANK_KEY must be a key that begins with key_\.$/],
    [{ PROVIDERS: 'connector' }, /^PROVIDERS lists connector, so CONNECTOR_URL/],
    [{ PROVIDERS: 'sandbox', RAIL_ADAPTER: 'sandbox' }, /^RAIL_ADAPTER and PROVIDERS are both set/],
    [{ PROVIDERS: 'sandbox', PROVIDE: 'rail/submit' }, /^PROVIDE must list methods and providers/],
    [{ PROVIDERS: 'sandbox', PROVIDE: 'rail/submit:bank' }, /names a provider that is not in PROVIDERS/],
    [{ PROVIDE: 'rail/submit:sandbox' }, /^PROVIDE requires PROVIDERS/],
  ])('rejects %j', (env, message) => {
    expect(() => read(env)).toThrow(message)
  })

  it('reads a setting from the file that its _FILE variable names', () => {
    writeFileSync(join(folder, 'bank.key'), 'key_file\n')
    expect(read({ PROVIDERS: 'bank', BANK_KEY_FILE: 'bank.key' }).providers[0]!.settings).toMatchObject({
      BANK_KEY: 'key_file',
    })
    expect(() => read({ PROVIDERS: 'bank', BANK_KEY_FILE: 'bank.key', BANK_KEY: 'key_abcd' })).toThrow('are both set')
    expect(() => read({ PROVIDERS: 'bank', BANK_KEY_FILE: 'none.key' })).toThrow('cannot be read (ENOENT)')
  })

  it('rejects the sandbox in production', () => {
    expect(() => read({ PROVIDERS: 'bank,sandbox', BANK_KEY: 'key_abcd' }, 'production')).toThrow(
      /^PROVIDERS must not list sandbox in production/,
    )
  })
})

describe('codes by Twilio, and data and payments by an upstream', () => {
  const both = {
    PROVIDERS: 'twilio,upstream',
    TWILIO_ACCOUNT_SID: `AC${'a'.repeat(32)}`,
    TWILIO_API_KEY: `SK${'b'.repeat(32)}`,
    TWILIO_API_SECRET: 'c'.repeat(32),
    TWILIO_VERIFY_SERVICE: `VA${'d'.repeat(32)}`,
    UPSTREAM_API_URL: 'https://api.example.com',
    UPSTREAM_API_KEY: `sk_${'e'.repeat(32)}`,
    UPSTREAM_WEBHOOK_SECRET: 'f'.repeat(32),
  }
  const readBoth = (env: Record<string, string>) => readProviders({ ...both, ...env }, folder, 'sandbox')

  it('leave matching to the upstream, which finds only the people that it matched', () => {
    const { routes } = readBoth({})
    expect(routes.get('identity/send_code')).toBe('twilio')
    for (const path of ['identity/match', 'identity/questions', 'network/discover', 'rail/submit'])
      expect(routes.get(path)).toBe('upstream')
  })

  it('stop the start with the reason if PROVIDE lets Twilio match', () => {
    expect(() => readBoth({ PROVIDE: 'identity/match:twilio' })).toThrow(
      'upstream finds debts only for the people that it matched, so it must also serve identity/match.',
    )
  })
})
