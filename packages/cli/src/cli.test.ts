import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { Causeway, verifyWebhook, type WebhookPayload } from '@causeway/sdk'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { triggers } from './sandbox/triggers.js'
import { command, type Service, startReceiver, startService } from './testing/service.js'

let service: Service
let env: Record<string, string>
let causeway: Causeway
beforeAll(async () => {
  service = await startService()
  env = { CAUSEWAY_KEY: service.key, CAUSEWAY_URL: service.url }
  causeway = new Causeway({ apiKey: service.key, baseUrl: service.url })
})
afterAll(() => service?.stop())

const soon = { timeout: 10_000, interval: 50 }
const quick = ['--interval', '200']
const line = (found: string | undefined) => found?.split('  ') ?? []

describe('trigger', () => {
  it.each(Object.keys(triggers))('causes %s', async type => {
    const { code, out, err } = command(['trigger', type], env)
    expect([await code, err.filter(said => !/^[\w ]+ \w+_\w+$/.test(said))]).toEqual([0, []])
    expect(JSON.parse(out.join('\n'))).toMatchObject({ type, id: expect.stringMatching(/^evt_/) })
  })

  it('uses the given resources', async () => {
    const first = command(['trigger', 'payment.create'], env)
    await first.code
    const { resource_id, data } = JSON.parse(first.out.join('\n'))
    const again = command(['trigger', 'payment.update', '--payment', resource_id], env)
    expect(await again.code).toBe(0)
    expect(again.err).toEqual([])
    expect(JSON.parse(again.out.join('\n'))).toMatchObject({ resource_id, data: { status: 'processing' } })
    const other = command(['trigger', 'balance.update', '--account', data.destination], env)
    expect(await other.code).toBe(0)
    expect(JSON.parse(other.out.join('\n')).data.account_id).toBe(data.destination)
  })

  it('prints the rejection from the service, and exits 1', async () => {
    const { code, err } = command(['trigger', 'payment.update', '--payment', 'pmt_unknown'], env)
    expect(await code).toBe(1)
    expect(err.join()).toMatch(/\(NOT_FOUND, req_\w+\)/)
  })
})

describe('tail', () => {
  it('shows new events in order, each once, and exits cleanly on Ctrl-C', async () => {
    await causeway.entities.create({ type: 'individual', individual: {} })
    const tail = command(['tail', '--types', 'entity.create', ...quick], env)
    await vi.waitFor(() => expect(tail.err).toHaveLength(1), soon)
    const made: string[] = []
    for (let index = 0; index < 5; index += 1)
      made.push((await causeway.entities.create({ type: 'individual', individual: {} })).id)
    await vi.waitFor(() => expect(tail.out).toHaveLength(5), soon)
    const later = (await causeway.entities.create({ type: 'individual', individual: {} })).id
    await vi.waitFor(() => expect(tail.out).toHaveLength(6), soon)
    expect(tail.out.map(each => line(each)[2])).toEqual([...made, later])
    expect(await tail.stop()).toBe(0)
  })

  it('prints each event in full as JSON', async () => {
    const tail = command(['tail', '--json', ...quick], env)
    await vi.waitFor(() => expect(tail.err).toHaveLength(1), soon)
    const { id } = await causeway.entities.create({ type: 'individual', individual: {} })
    await vi.waitFor(() => expect(tail.out.length).toBeGreaterThan(0), soon)
    expect(JSON.parse(tail.out[0] ?? '')).toMatchObject({ resource_id: id, data: { id, status: 'incomplete' } })
    await tail.stop()
  })
})

describe('logs tail', () => {
  const made = (name: string) => causeway.entities.create({ type: 'corporation', corporation: { name } })

  it('shows new requests, except its own', async () => {
    const logs = command(['logs', 'tail', ...quick], env)
    await vi.waitFor(() => expect(logs.err).toHaveLength(1), soon)
    await made('Northwind')
    await causeway.payments.retrieve('pmt_unknown').catch(() => undefined)
    const refused = () => logs.out.find(each => each.includes('GET /payments/:pmt_id'))
    await vi.waitFor(() => expect(refused()).toBeDefined(), soon)
    // The log can take up to a second to include the requests of earlier tests.
    const shown = logs.out.map(each => line(each)[1])
    expect(shown.slice(-2)).toEqual(['POST /entities', 'GET /payments/:pmt_id'])
    expect(shown).not.toContain('GET /requests')
    expect(refused()).toMatch(/ {2}404 {2}NOT_FOUND {2}\d+ ms {2}req_\w+$/)
    expect(await logs.stop()).toBe(0)
  })

  it('shows only failed requests, in full as JSON', async () => {
    const logs = command(['logs', 'tail', '--failed', '--json', ...quick], env)
    await vi.waitFor(() => expect(logs.err).toHaveLength(1), soon)
    await made('Northwind')
    await causeway.payments.retrieve('pmt_unknown').catch(() => undefined)
    await vi.waitFor(() => expect(logs.out.length).toBeGreaterThan(0), soon)
    const shown = logs.out.map(each => JSON.parse(each))
    expect(shown.at(-1)).toMatchObject({ route: '/payments/:pmt_id', status: 404, sub_type: 'NOT_FOUND' })
    expect(shown.every(({ status }) => status >= 400)).toBe(true)
    await logs.stop()
  })
})

describe('listen', () => {
  it('forwards what a webhook would receive, signed with the secret that it prints', async () => {
    const receiver = await startReceiver()
    const types = ['payment.create', 'balance.update', 'entity_verification_session.update', 'account.create'] as const
    // For comparison, a second receiver gets the same events from the service, through webhooks at the latest version.
    await causeway.team.update({ version: '2026-03-30' })
    const real = await startReceiver()
    const listen = command(['listen', '--to', receiver.url, '--types', types.join(), ...quick], env)
    for (const type of types)
      await causeway.webhooks.create({ type, url: real.url, hmac_secret: 'a secret of the other receiver' })
    await vi.waitFor(() => expect(listen.out).toHaveLength(1), soon)
    const secret = listen.out[0] ?? ''

    for (const type of ['payment.create', 'balance.update']) await command(['trigger', type], env).code
    const forwarded = () => listen.out.slice(1)
    const bodies = (calls: { body: string }[]) =>
      calls
        .map(({ body }) => JSON.parse(body) as WebhookPayload)
        .map(({ webhook_id: _, ...rest }) => rest)
        .sort((a, b) => String(a.event).localeCompare(String(b.event)))
    await vi.waitFor(() => expect(real.calls.length).toBeGreaterThan(5), soon)
    await vi.waitFor(() => expect(bodies(receiver.calls)).toEqual(bodies(real.calls)), soon)
    expect(new Set(bodies(real.calls).map(({ type }) => type))).toEqual(new Set(types))

    for (const { body, headers } of receiver.calls)
      expect(await verifyWebhook({ body, headers, secret })).toMatchObject({
        delivery_id: expect.stringMatching(/^dlv_/),
      })
    for (const { body, headers } of real.calls)
      await verifyWebhook({ body, headers, secret: 'a secret of the other receiver' })
    expect(forwarded().every(said => said.endsWith('delivered (200)'))).toBe(true)
    expect(await listen.stop()).toBe(0)
    await Promise.all([receiver.stop(), real.stop()])
  }, 40_000)

  it('sends the full event on request, with the given secret, and continues after a rejection', async () => {
    const statuses = [500, 200]
    const receiver = await startReceiver(() => statuses.shift() ?? 200)
    const args = ['--to', receiver.url, '--secret', 'mine', '--expand', '--types', 'entity.create', ...quick]
    const listen = command(['listen', ...args], env)
    await vi.waitFor(() => expect(listen.out).toEqual(['mine']), soon)
    for (let index = 0; index < 2; index += 1) await causeway.entities.create({ type: 'individual', individual: {} })
    await vi.waitFor(() => expect(listen.out).toHaveLength(3), soon)
    expect(listen.out.slice(1).map(said => line(said)[3])).toEqual(['rejected (500)', 'delivered (200)'])
    const told = await verifyWebhook({ ...receiver.calls[1]!, secret: 'mine' })
    expect(told.event).toMatchObject({ type: 'entity.create', resource_id: told.id })
    await receiver.stop()
    await causeway.entities.create({ type: 'individual', individual: {} })
    await vi.waitFor(() => expect(listen.out[3]).toMatch(/connection failed$/), soon)
    await listen.stop()
  })
})

describe('events resend', () => {
  it('redelivers an event to all of its webhooks or to one of them', async () => {
    const [first, second] = [await startReceiver(), await startReceiver()]
    const hook = (url: string) => causeway.webhooks.create({ type: 'entity.create', url, hmac_secret: 'x'.repeat(24) })
    const [one, other] = [await hook(first.url), await hook(second.url)]
    const { id } = await causeway.entities.create({ type: 'individual', individual: {} })
    const [event] = (await causeway.events.list({ type: 'entity.create', resource_id: id })).data
    const calls = () => [first, second].map(each => each.calls.filter(({ body }) => body.includes(event!.id)).length)
    await vi.waitFor(() => expect(calls()).toEqual([1, 1]), soon)
    const all = command(['events', 'resend', event!.id], env)
    expect([await all.code, all.err]).toEqual([0, []])
    expect(all.out.map(each => line(each)[1]).sort()).toEqual([one.id, other.id].sort())
    await vi.waitFor(() => expect(calls()).toEqual([2, 2]), soon)
    const single = command(['events', 'resend', event!.id, '--webhook', other.id], env)
    expect([await single.code, single.out.length]).toEqual([0, 1])
    await vi.waitFor(() => expect(calls()).toEqual([2, 3]), soon)
    await Promise.all([first.stop(), second.stop()])
  }, 40_000)

  it('reports that the event was sent to no webhook, and exits 1', async () => {
    const trigger = command(['trigger', 'entity.update'], env)
    await trigger.code
    const { id } = JSON.parse(trigger.out.join('\n'))
    const { code, err } = command(['events', 'resend', id], env)
    expect(await code).toBe(1)
    expect(err.join()).toContain(`${id} (entity.update) was not sent to any webhook`)
  })
})

it('--version prints the version of the package', async () => {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
  for (const name of ['--version', '-v']) {
    const { code, out } = command([name])
    expect([await code, out]).toEqual([0, [version]])
  }
})

it.each([
  ['payment.updated', ['payment.update']],
  ['Payments', ['payment.create', 'payment.update']],
  ['session', ['opal_session.update']],
])('trigger %s suggests similar events', async (name, types) => {
  const { code, err } = command(['trigger', name], { CAUSEWAY_KEY: 'sk_x' })
  expect(await code).toBe(2)
  expect(
    err
      .join('\n')
      .match(/^ {2}\S+/gm)
      ?.map(each => each.trim()),
  ).toEqual(types)
})

it('the commands in the README run', async () => {
  const page = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
  const lines = page.split('\n').filter(each => /^causeway \w/.test(each))
  expect(lines.length).toBeGreaterThan(2)
  const recorded = join(mkdtempSync(join(tmpdir(), 'causeway-cli-recorded-')), 'recorded.har')
  writeFileSync(
    recorded,
    JSON.stringify({ log: { entries: [{ request: { method: 'GET', url: 'https://api.example.com/ping' } }] } }),
  )
  for (const each of lines) {
    const args = each.replace(/#.*/, '').replace('recorded.har', recorded).trim().split(/\s+/).slice(1)
    const running = command(args, env)
    if (args[0] !== 'trigger' && args[0] !== 'migrate') {
      await vi.waitFor(() => expect(running.err).toHaveLength(1), soon)
      running.stop()
    }
    expect([await running.code, each]).toEqual([0, each])
  }
})

it('the single installed file runs on its own', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'causeway-cli-file-'))
  await promisify(execFile)(process.execPath, [fileURLToPath(new URL('../build.mjs', import.meta.url))])
  copyFileSync(fileURLToPath(new URL('../dist/causeway.js', import.meta.url)), join(folder, 'causeway.mjs'))
  const run = (args: string[]) =>
    promisify(execFile)(process.execPath, [join(folder, 'causeway.mjs'), ...args], { env })
  expect(JSON.parse((await run(['trigger', 'entity.create'])).stdout)).toMatchObject({ type: 'entity.create' })
  // Closes the pipe as `head` does, then causes output.
  const tail = spawn(process.execPath, [join(folder, 'causeway.mjs'), 'tail', '--json', ...quick], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const closed = once(tail, 'close')
  let complaints = ''
  tail.stderr.on('data', chunk => {
    complaints += chunk
  })
  await once(tail.stderr, 'data')
  tail.stdout.destroy()
  await run(['trigger', 'entity.create'])
  expect([(await closed)[0], complaints]).toEqual([0, expect.not.stringContaining('EPIPE')])
  await expect(run(['dance'])).rejects.toMatchObject({
    code: 2,
    stderr: expect.stringContaining('dance is not a command'),
  })
  rmSync(folder, { recursive: true })
})

describe('the command line', () => {
  it.each([
    [[], 2, ''],
    [['--help'], 0, ''],
    [['listen', '--help'], 0, ''],
    [['tail', '-h'], 0, ''],
    [['logs', '--help'], 0, ''],
    [['logs'], 2, 'causeway logs tail'],
    [['logs', 'show'], 2, 'causeway logs tail'],
    [['trigger', '--help'], 0, ''],
    [['dance'], 2, 'dance is not a command'],
    [['listen'], 2, '--to is required'],
    [['listen', '--to', 'nowhere'], 2, '--to must be a URL'],
    [['tail', '--loud'], 2, "Unknown option '--loud'"],
    [['tail', '--interval', '1'], 2, 'at least 200'],
    [['tail', '--url', 'x'], 2, '--url must be a URL'],
    [['tail', '--url', 'http://127.0.0.1:1/?a=b'], 2, 'must not contain a query'],
    [['tail', '--url', 'http://api.test'], 2, 'must begin with https://'],
    [['trigger'], 2, 'exactly one event'],
    [['trigger', 'moon.rise'], 2, 'cannot be triggered. Use one of:\n  entity.create '],
    [['events', '--help'], 0, ''],
    [['events'], 2, 'Specify one event'],
    [['events', 'resend'], 2, 'Specify one event'],
    [['events', 'resend', 'evt_1', 'evt_2'], 2, 'Specify one event'],
    [['events', 'resend', 'pmt_1'], 2, 'must be an id such as evt_1'],
    [['events', 'resend', 'evt_1', '--webhook', 'mine'], 2, '--webhook must be an id'],
    [['tail', '--key-file', 'nowhere.key'], 2, '--key-file must be a readable file'],
    [['tail', '--url', 'http://127.0.0.1:1'], 1, 'Check that it is running'],
  ])('%j exits with %i', async (args, code, said) => {
    const { code: ended, out, err } = command(args, { CAUSEWAY_KEY: 'sk_x' })
    expect(await ended).toBe(code)
    expect(err.join('\n')).toContain(said)
    expect(out.join('\n').includes('causeway')).toBe(code !== 1 && said === '')
  })

  it('requires a key, and says where to get one', async () => {
    const { code, err } = command(['tail'])
    expect(await code).toBe(2)
    expect(err.join()).toContain('CAUSEWAY_KEY')
  })

  it('reports an invalid key', async () => {
    const { code, err } = command(['tail'], { ...env, CAUSEWAY_KEY: 'sk_wrong' })
    expect(await code).toBe(1)
    expect(err.join()).toContain('UNAUTHORIZED')
  })
})
