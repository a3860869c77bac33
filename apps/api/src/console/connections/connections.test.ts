// kills: secret-settings-stay-inside

import { OutsideError } from '@causeway/connector/ports/outside-error'
import { RejectedKeyError } from '@causeway/connector/provider/guarded-fetch'
import { type Settings, secret, text } from '@causeway/connector/provider/settings'
import { connections as declared } from '@causeway/contract/endpoints/console-connections'
import { DAY_MS, HOUR_MS } from '@causeway/contract/time'
import { providers } from '@causeway/providers/index'
import { describe, expect, it } from 'vitest'
import { readPayee } from '../../network/payees/payee.js'
import { confirmPayee, proposePayees } from '../../network/payees/store.js'
import { describeConnections } from '../../network/providers/connections.js'
import { watchCredentials } from '../../network/providers/health.js'
import { createProviderUsage } from '../../network/providers/usage.js'
import { consoleOf } from '../../testing/console.js'
import { testService } from '../../testing/service.js'

/** Is in every secret setting, and must be in no response. */
const MARKER = 'marker0secret0value'

/** Sets every secret of a provider to the marker, and every other setting to its name. */
const configure = (provider: (typeof providers)[string]) => ({
  provider: {
    ...provider,
    hosts: () => ['https://bank.example', 'https://bank.example'],
    environment: () => 'sandbox' as const,
  },
  settings: Object.fromEntries(
    Object.entries(provider.settings as Settings).map(([name, { isSecret }]) => [name, isSecret ? MARKER : name]),
  ),
})
const list = [
  configure(providers['twilio']!),
  configure({
    ...providers['increase']!,
    settings: {
      ...(providers['increase']!.settings as Settings),
      BANK_UNSET: secret({ what: 'a secret', pattern: /^$/, mustBe: 'empty' }),
      BANK_EMPTY: text({ what: 'a text', pattern: /^$/, mustBe: 'empty' }),
    },
  }),
].map(each => ({ ...each, settings: { ...each.settings, BANK_UNSET: '', BANK_EMPTY: '' } }))
const service = await testService({
  providers: { list, fetch: async () => new Response(null, { status: 503 }) },
  unserved: ['network/credit_score'],
})
const { send, signedIn, operator } = consoleOf(service)
const { cookie } = await operator()
const { deps } = service

type Row = Record<string, unknown>
const read = async (path: string, as = cookie) => {
  const reply = await send('GET', `/api${path}`, { cookie: as })
  expect(reply.status, reply.text).toBe(200)
  return reply.body as { data: Row[]; next_cursor: string | null }
}
const connectionOf = async (name: string) =>
  (await read('/operator/connections')).data.find(each => each['name'] === name)!

it('rejects users who are not operators', async () => {
  const { cookie: admin } = await signedIn()
  for (const { method, path } of Object.values(declared))
    expect([path, (await send(method, `/api${path}`, { cookie: admin })).status]).toEqual([path, 403])
})

describe('the configured providers', () => {
  it('are listed with what they serve and what others serve in their place', async () => {
    expect((await read('/operator/connections')).data.map(({ name }) => name)).toEqual([
      'twilio',
      'increase',
      'sandbox',
    ])
    const twilio = await connectionOf('twilio')
    expect(twilio).toMatchObject({
      ...{ title: 'Twilio', environment: 'sandbox', hosts: ['https://bank.example'], receives_webhooks: false },
      proven: providers['twilio']!.proven,
    })
    expect(twilio['methods']).toContain('identity/send_code')
    // The sandbox finds debts by its own people, so it also matches them.
    expect(twilio['other_methods']).toContainEqual({ method: 'identity/match', provider: 'sandbox' })
    expect(await connectionOf('sandbox')).toMatchObject({ day: null, week: null, proven: null, settings: [] })
  })

  it('come with what can be offered, and the reason for the rest', async () => {
    const { capabilities } = (await read('/operator/connections')) as unknown as { capabilities: Row[] }
    expect(capabilities).toContainEqual({ kind: 'entity_method', name: 'sms', reason: null, providers: ['twilio'] })
    expect(capabilities).toContainEqual({
      ...{ kind: 'entity_product', name: 'credit_score', providers: [] },
      reason: expect.stringContaining('no provider in PROVIDERS serves network/credit_score'),
    })
  })

  it('show their settings, and of a secret only whether it is set', async () => {
    const { settings } = (await connectionOf('increase')) as { settings: Row[] }
    expect(settings).toContainEqual({
      ...{ name: 'INCREASE_API_KEY', is_secret: true, is_set: true },
      value: null,
    })
    expect(settings).toContainEqual({
      ...{ name: 'INCREASE_API_URL', is_secret: false, is_set: true },
      value: 'INCREASE_API_URL',
    })
    expect(settings).toContainEqual({ name: 'BANK_UNSET', is_secret: true, is_set: false, value: null })
    expect(settings).toContainEqual({ name: 'BANK_EMPTY', is_secret: false, is_set: false, value: null })
  })

  it('never show a secret', async () => {
    for (const path of ['/operator/connections', '/operator/payees', '/operator/notices', '/operator/health'])
      expect((await send('GET', `/api${path}`, { cookie })).text).not.toContain(MARKER)
    expect(service.lines.join('\n')).not.toContain(MARKER)
  })

  it('include the operator’s connector, without its key and its path', () => {
    const connector = { url: `https://connector.example/${MARKER}`, timeout: 8_000, keys: MARKER }
    const [facts] = describeConnections({ providers: [], connector }, new Map([['rail/submit', 'connector']]))
    expect(facts).toMatchObject({ name: 'connector', methods: ['rail/submit'], hosts: ['https://connector.example'] })
    expect(JSON.stringify(facts)).not.toContain(MARKER)
  })

  it('show since when the key is rejected', async () => {
    expect(await connectionOf('increase')).toMatchObject({ key_rejected_at: null })
    await watchCredentials(deps, 'increase')(false)
    expect(await connectionOf('increase')).toMatchObject({ key_rejected_at: new Date(deps.clock()).toISOString() })
  })

  it('show calls, failures and webhooks of the last day and week, and the last failure', async () => {
    for (const age of [DAY_MS + HOUR_MS, 7 * DAY_MS + HOUR_MS]) {
      const earlier = createProviderUsage({ ...deps, clock: () => deps.clock() - age })
      earlier.countCall('twilio', 'identity/send_code', new OutsideError('Twilio did not answer.'))
      await earlier.flush()
    }
    expect(await connectionOf('twilio')).toMatchObject({
      day: { calls: 0, failures: 0, webhooks: 0 },
      week: { calls: 1, failures: 1, webhooks: 0 },
      last_failure: { kind: 'no_answer', method: 'identity/send_code' },
    })
    const { providerUsage: usage } = deps
    usage.countCall('twilio', 'identity/check_code', new RejectedKeyError('Twilio'))
    usage.countCall('twilio', 'identity/check_code')
    usage.countHook('twilio')
    await usage.flush()
    const at = new Date(deps.clock()).toISOString()
    expect(await connectionOf('twilio')).toMatchObject({
      day: { calls: 2, failures: 1, webhooks: 1 },
      week: { calls: 3, failures: 2, webhooks: 1 },
      last_failure: { at, kind: 'rejected_key', method: 'identity/check_code' },
    })
  })
})

describe('the payee directory', () => {
  const propose = async (merchant: string, account: string) => {
    const input = readPayee({ merchant, route: 'ach', routing: '021000021', account, sec: 'ccd', max_amount: '250000' })
    if ('problems' in input) throw new Error(input.problems.join())
    return (await proposePayees(deps, [input], 'Ana Diaz', deps.clock()))[0]!
  }

  it('shows proposals and confirmed payees, with masked numbers', async () => {
    const [merchant] = deps.ports.network.merchants()
    const id = await propose(merchant!.id, '123456789')
    const short = await propose('mch_other', '1234')
    const proposed = await read('/operator/payees?status=proposed')
    expect(proposed.data).toMatchObject([
      { id: short, merchant: { id: 'mch_other', name: null }, details: { account: '••' } },
      { id, merchant: { id: merchant!.id, name: merchant!.name }, confirmed_by: null },
    ])
    await confirmPayee(service.store, id, 'Ben Okafor', deps.clock())
    const { data } = await read('/operator/payees')
    expect(data).toEqual([
      {
        ...{ id, merchant: { id: merchant!.id, name: merchant!.name }, status: 'active', route: 'ach' },
        details: { routing: '021000021', account: '••6789', sec: 'ccd' },
        ...{ max_amount: 250_000, note: null, proposed_by: 'Ana Diaz', confirmed_by: 'Ben Okafor' },
        proposed_at: new Date(deps.clock()).toISOString(),
        confirmed_at: new Date(deps.clock()).toISOString(),
      },
    ])
  })

  it('has pages', async () => {
    for (let index = 0; index < 51; index++) await propose(`mch_page_${index}`, 'number')
    const first = await read('/operator/payees?status=proposed')
    expect(first.data).toHaveLength(50)
    const second = await read(`/operator/payees?status=proposed&page_cursor=${first.next_cursor}`)
    expect(second).toMatchObject({ next_cursor: null })
    expect(new Set([...first.data, ...second.data].map(({ id }) => id)).size).toBe(52)
  })

  it.each(['status=removed', 'page_cursor=a-b'])('rejects %s', async query => {
    const reply = await send('GET', `/api/operator/payees?${query}`, { cookie })
    expect([reply.status, (reply.body['error'] as Row)['sub_type']]).toEqual([400, 'INVALID_SEARCH_PARAMETERS'])
  })
})
