import { createHmac } from 'node:crypto'
import type { Hook } from '@causeway/connector/provider/provider'
import { readSettings } from '@causeway/connector/provider/settings'
import { MINUTE_MS } from '@causeway/contract/time'
import { describe, expect, it } from 'vitest'
import { achDebt, checkDebt, createWorld, payment } from '../testing/increase.js'
import { check } from './check.js'
import { increase } from './provider.js'
import { environment, type IncreaseSettings, settings } from './settings.js'

const env = { INCREASE_API_KEY: 'emulator_api_key', INCREASE_WEBHOOK_SECRET: 'a secret of the subscription' }

it('pays cards only if card push is on', () => {
  const routes = (INCREASE_CARD_PUSH: string) =>
    increase.capabilities(readSettings(settings, { ...env, INCREASE_CARD_PUSH }).values!).routes
  expect(routes('off')).toEqual(['ach', 'check'])
  expect(routes('on')).toEqual(['ach', 'check', 'card_push'])
})

describe('webhooks', () => {
  async function webhook() {
    const world = createWorld()
    await world.call('rail/submit', payment(), 'pmt_1')
    const [delivery] = world.emulator.takeWebhooks()
    const hook = { headers: new Headers(delivery!.headers), url: delivery!.url, body: Buffer.from(delivery!.body) }
    const verify = (given: Hook, values: IncreaseSettings, now: number) =>
      increase.hooks!.verify(given, values, now, world.context.fetch)
    return { ...world, hook, verify, settings: world.context.settings }
  }

  it('accepts what Increase signed, and names the transfer that changed', async () => {
    const { hook, verify, settings: values, transferOf, emulator } = await webhook()
    expect(await verify(hook, values, emulator.bank.now())).toBe(true)
    expect(increase.hooks!.read(hook)).toEqual({ id: JSON.parse(hook.body.toString()).id, changed: [transferOf()!.id] })
    const [id, time] = [hook.headers.get('webhook-id'), hook.headers.get('webhook-timestamp')]
    const hmac = createHmac('sha256', values.INCREASE_WEBHOOK_SECRET).update(`${id}.${time}.${hook.body}`)
    expect(hook.headers.get('webhook-signature')).toBe(`v1,${hmac.digest('base64')}`)
  })

  // kills: old-hook-is-rejected
  it('rejects another body, id, time, key and version, and signatures that are too old', async () => {
    const { hook, verify, settings: values, emulator } = await webhook()
    const now = emulator.bank.now()
    const rejects = async (headers: Record<string, string>, body = hook.body, at = now) => {
      const changed = { ...hook, body, headers: new Headers({ ...Object.fromEntries(hook.headers), ...headers }) }
      expect(await verify(changed, values, at)).toBe(false)
    }
    const signature = hook.headers.get('webhook-signature')!
    await rejects({}, Buffer.from(hook.body.toString().replace('ach', 'bch')))
    await rejects({ 'webhook-id': 'msg_other' })
    await rejects({ 'webhook-id': '' })
    await rejects({ 'webhook-timestamp': 'now' })
    await rejects({ 'webhook-timestamp': String(Math.floor(now / 1_000) + 1) })
    await rejects({ 'webhook-signature': signature.replace('v1,', 'v2,') })
    await rejects({ 'webhook-signature': '' })
    await rejects({ 'webhook-signature': `${'v1,x '.repeat(10)}${signature}` })
    await rejects({}, hook.body, now + 6 * MINUTE_MS)
    await rejects({}, hook.body, now - 6 * MINUTE_MS)
    expect(await verify(hook, { ...values, INCREASE_WEBHOOK_SECRET: 'another secret that is long' }, now)).toBe(false)
    const rotated = { ...hook, headers: new Headers({ ...Object.fromEntries(hook.headers) }) }
    rotated.headers.set('webhook-signature', `v1,AAAA ${signature}`)
    expect(await verify(rotated, values, now)).toBe(true)
  })

  it('reads nothing from other events and other bodies', async () => {
    const { hook } = await webhook()
    const read = (body: string) => increase.hooks!.read({ ...hook, body: Buffer.from(body) })
    const event = { id: 'event_1', category: 'ach_transfer.updated', associated_object_id: 'ach_transfer_1' }
    expect(read(JSON.stringify(event))).toEqual({ id: 'event_1', changed: ['ach_transfer_1'] })
    expect(read(JSON.stringify({ ...event, category: 'card.created' }))).toBeNull()
    expect(read(JSON.stringify({ ...event, associated_object_id: 7 }))).toBeNull()
    expect(read(JSON.stringify({ ...event, id: '../x' }))).toBeNull()
    expect(read('null')).toBeNull()
    expect(read('{')).toBeNull()
  })
})

describe('settings and checks', () => {
  const urlOf = (more: Record<string, string>) => {
    const { values } = readSettings(settings, { ...env, ...more })
    return [increase.hosts(values!)[0], environment(values!)]
  }

  it('chooses the environment by the host', () => {
    expect(urlOf({})).toEqual(['https://api.increase.com', 'production'])
    expect(urlOf({ INCREASE_ENVIRONMENT: 'sandbox' })).toEqual(['https://sandbox.increase.com', 'sandbox'])
    const sandbox = { INCREASE_API_URL: 'https://sandbox.increase.com' }
    expect(urlOf({ ...sandbox, INCREASE_ENVIRONMENT: 'production' })[1]).toBe('sandbox')
    expect(urlOf({ INCREASE_API_URL: 'http://127.0.0.1:4700' })).toEqual(['http://127.0.0.1:4700', 'sandbox'])
  })

  async function findings(
    options: Parameters<typeof createWorld>[0],
    change?: (world: ReturnType<typeof createWorld>) => void,
  ) {
    const world = createWorld(options)
    change?.(world)
    const list = []
    for await (const { level, message } of check(world.context)) if (level !== 'ok') list.push(`${level}: ${message}`)
    return list
  }

  it('finds nothing to do in a complete configuration', async () => {
    expect(await findings({})).toEqual([])
  })

  it.each([
    ['a wrong key', { env: { INCREASE_API_KEY: 'another_key' } }, 'problem: Increase rejected INCREASE_API_KEY'],
    [
      'another environment',
      { env: { INCREASE_ENVIRONMENT: 'production', INCREASE_API_URL: 'https://sandbox.increase.com' } },
      'problem: INCREASE_ENVIRONMENT is production',
    ],
    ['no account', { accounts: [] }, 'problem: Increase accepted the key, but has no open account'],
    [
      'another deposit account',
      { env: { INCREASE_DEPOSIT_ACCOUNT: 'account_x' } },
      'problem: INCREASE_DEPOSIT_ACCOUNT names no open account',
    ],
    [
      'no subscription',
      { webhooks: { url: 'https://api.example.com/other', secret: 'x'.repeat(20) } },
      'problem: No event subscription',
    ],
    [
      'card push',
      { env: { INCREASE_CARD_PUSH: 'on' } },
      'problem: INCREASE_CARD_PUSH is on, so INCREASE_TOKENIZATION_KEY is required',
    ],
  ] as const)('names %s, with what to do', async (_, options, expected) => {
    expect((await findings(options as never)).some(finding => finding.startsWith(expected))).toBe(true)
  })

  it('names an inactive subscription, one without the needed events, and a missing account number', async () => {
    const disabled = await findings({}, ({ emulator }) => {
      emulator.events.subscriptions[0]!.object.status = 'disabled' as never
    })
    expect(disabled).toEqual([expect.stringContaining('is not active. Enable it')])
    const partial = await findings({}, ({ emulator }) => {
      emulator.events.subscriptions[0]!.object.selected_event_categories = [
        { event_category: 'ach_transfer.updated' },
      ] as never
    })
    expect(partial).toEqual([expect.stringContaining('leaves out check_transfer.updated, card_push_transfer.updated')])
    const unnumbered = await findings({}, ({ emulator }) => {
      emulator.bank.numbers[0]!.status = 'disabled'
    })
    expect(unnumbered).toEqual([expect.stringContaining('No account has an active account number')])
  })

  it('reports that Increase can’t be reached', async () => {
    const world = createWorld()
    world.emulator.limitNext(1)
    const messages = []
    for await (const { message } of check(world.context)) messages.push(message)
    expect(messages[0]).toMatch(
      /^https:\/\/api\.increase\.com did not answer as expected: Increase limits requests now/,
    )
  })

  it('sends requests to its own host only, and names no account in its errors', async () => {
    const { context, call, emulator } = createWorld()
    await expect(context.fetch({ method: 'GET', url: 'https://example.com/' })).rejects.toThrow('may not go')
    emulator.limitNext(1)
    await expect(call('rail/submit', payment({ destination: achDebt }), 'pmt_1')).rejects.toMatchObject({
      outcome: 'nothing',
      retryable: true,
      message: 'Increase limits requests now.',
    })
    expect(await call('rail/submit', payment({ destination: checkDebt }), 'pmt_1')).toEqual({ status: 'accepted' })
  })
})
