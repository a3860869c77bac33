import { existsSync, readFileSync } from 'node:fs'
import { eventTypes } from '@causeway/contract/events'
import { describe, expect, it, vi } from 'vitest'
import { openStates } from '../notify/events/states.js'
import { sealer } from '../platform/scope.js'
import { findTeam } from '../team/teams/store.js'
import { frameCall, fundingAccount, Person, verify } from '../testing/frame.js'
import { createReceiver } from '../testing/receiver.js'
import { testService } from '../testing/service.js'

/** All personal and secret values used in one run. Each value is unique, so the test can search for it. */
const canaries = {
  first_name: 'Quillonius',
  last_name: 'Abernathwaite',
  email: 'quillonius@abernathwaite.example',
  dob: '1971-03-29',
  ssn: '519283746',
  ssn_4: '8261',
  phone: '+15125550103',
  line1: '8841 Zephyrine Court',
  line2: 'Flat Omicron',
  city: 'Marblethorpe',
  zip: '73491',
  ach: '880417266135',
  card: '4000000000090342',
  company: 'Vorpaline Holdings',
  ein: '918273645',
  owner: 'Thaddeuxian',
  key: 'canary of a fault',
  forwarded: 'vlt-7f3a-forwarded-secret',
  webhook_token: 'hook-token-55e1-canary',
  webhook_secret: 'hook-secret-90bd17ec-canary',
}
const secrets: string[] = []
/** Receives every type of event with its full contents. */
const receiver = createReceiver()
let files: Record<string, Buffer> = {}

const service = await testService({ outbound: receiver.outbound })
await everything()
await service.settle()
if (service.file !== null)
  for (const suffix of ['', '-wal', '-shm', '.lock', '.pid'])
    if (existsSync(service.file + suffix)) files = { ...files, [suffix]: readFileSync(service.file + suffix) }

/** Runs flows that fill in every input for personal data, including flows that fail. */
async function everything(): Promise<void> {
  const c = canaries
  const { first_name, last_name, line1, line2, city, zip } = c
  const address = { line1, line2, city, zip, state: 'TX' }
  const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
    service.call('POST', path, body, headers)
  const keyed = { 'idempotency-key': 'privacy-1' }
  await post(
    '/entities',
    {
      type: 'individual',
      individual: { first_name, last_name, email: c.email, ssn: c.ssn, dob: c.dob, phone: c.phone },
      address,
    },
    keyed,
  )
  const company = await post('/entities', {
    type: 'corporation',
    corporation: { name: c.company, ein: c.ein, owners: [{ first_name: c.owner }] },
  })
  const source = await post('/accounts', {
    holder_id: company.body['id'],
    ach: { routing: '062103000', number: c.ach, type: 'checking' },
  })
  await service.call('GET', `/accounts/${source.body['id']}`)
  await service.call('GET', '/entities')
  const secret = await post('/secrets', { value: c.forwarded }, { 'idempotency-key': 'privacy-2' })
  await service.call('PATCH', '/team', { forwarding_allow_list: ['https://www.example.com'] })
  const { body: forwarded } = await post('/forwarding_requests', {
    url: 'https://www.example.com/vault',
    method: 'POST',
    headers: { authorization: 'Bearer {{it.value}}' },
    body: '{"it":"{{it.value}}"}',
    bindings: { it: secret.body['id'] },
  })
  await service.call('GET', `/forwarding_requests/${forwarded['id']}`)
  await post('/webhooks', {
    type: 'payment.update',
    url: 'https://www.example.com/hook',
    auth_token: c.webhook_token,
    hmac_secret: c.webhook_secret,
  })
  for (const type of eventTypes)
    await post('/webhooks', { type, url: 'https://www.example.com/all', expand_event: true })
  const made = await post('/team/keys', {})
  secrets.push(made.body['value'])
  // Sends invalid requests that contain the values, and triggers an error that contains some of them.
  await post('/entities', { type: 'individual', individual: { phone: c.ssn, ssn: c.last_name, dob: c.line1 } })
  await post('/accounts', { holder_id: c.last_name, ach: { routing: c.ach, number: c.ach, type: c.city } })
  await post('/entities', `{"type":"individual","individual":{"ssn":"${c.ssn}"`)
  await service.call('GET', `/entities?expand[]=${c.last_name}&from_date=${c.ssn}`)
  await service.call('GET', `/entities/${c.ssn}`)
  await post(`/${c.last_name}/${c.ssn}`, {})
  vi.spyOn(service.deps.jobs, 'enqueue').mockRejectedValueOnce(Object.assign(new Error(c.key), { detail: c.ssn }))
  await post('/entities', { type: 'individual', individual: { first_name, last_name, phone: c.phone } })
  await journey(address)
  await cards()
}

/**
 * Takes a person through a flow in which they type everything themselves, ending with a confirmed and released session.
 */
async function journey(address: Record<string, string>): Promise<void> {
  const { first_name, last_name, dob, ssn_4, phone } = canaries
  const made = await service.call('POST', '/elements/token', {
    type: 'balance_transfer',
    entity: { type: 'individual', individual: { first_name, last_name } },
    balance_transfer: { loan_amount: 300_000 },
  })
  const { element_token, session_id } = made.body as { element_token: string; session_id: string }
  const person = await Person.arrive(service, element_token)
  secrets.push(element_token, element_token.slice(-33), person.bearer, service.key)
  await person.consent()
  await person.send({ action: 'send', phone })
  await person.send({ action: 'verify', code: '987123' })
  await person.send({ action: 'submit', dob, ...address, ssn_4: '0000' })
  await person.send({ action: 'submit', dob, ...address, ssn_4 })
  await person.wait()
  await person.send({ action: 'select', accounts: person.data('selection').accounts.map(account => account.id) })
  await person.send({ action: 'review', allocations: person.data('allocation').suggestion })
  await person.send({ action: 'confirm' })
  expect(person.view.step).toBe('done')
  secrets.push(person.view.result!)
  await service.call('POST', `/opal/sessions/${session_id}`, {
    action: 'release_payments',
    data: { source: await fundingAccount(service) },
  })
  await frameCall(service, 'GET', '/s', undefined, { authorization: `Bearer ${person.bearer}x` })
  await service.call('GET', `/elements/token/${element_token}/results`)
  const opal = await service.call('POST', '/opal/token', { session_id })
  const { token } = opal.body['data'] as { token: string }
  secrets.push(token)
  await service.call('GET', '/opal/token', undefined, { authorization: `Bearer ${token}` })
}

/** Takes a person through a flow in which they enter a card's full number. */
async function cards(): Promise<void> {
  const made = await service.call('POST', '/elements/token', {
    type: 'connect',
    connect: {
      products: ['payment'],
      entity: { type: 'individual', individual: { first_name: 'Kevin', last_name: 'Doyle', phone: '+15125550100' } },
    },
  })
  const person = await verify(service, await Person.arrive(service, made.body['element_token']))
  const open = person.data('selection').accounts.filter(account => account.status === 'needs_number')
  await person.send({ action: 'select', accounts: open.map(account => account.id) })
  await person.send({ action: 'submit', number: canaries.card })
  expect(person.view.step).toBe('done')
}

/**
 * Returns the names of the canaries found in a string. Any four digits can appear by chance, for example in a time in
 * milliseconds, so `ssn_4` counts only as a whole number.
 */
const found = (text: string, but: readonly string[] = []) =>
  Object.entries(canaries)
    .filter(([name]) => !but.includes(name))
    .flatMap(([name, value]) =>
      (name === 'ssn_4' ? new RegExp(`(?<!\\w)${value}(?!\\w)`).test(text) : text.includes(value)) ? [name] : [],
    )
    .concat(secrets.filter(value => text.includes(value)).map(value => `secret ${value.slice(0, 8)}`))

describe('nothing personal and no secret', () => {
  it('appears in a log line, and no line has a path or an unlisted field', () => {
    expect(service.lines.length).toBeGreaterThan(30)
    expect(found(service.lines.join('\n'))).toEqual([])
    for (const line of service.lines) expect(line).not.toMatch(/(ent|acc|osess)_\w{13}/)
    expect(service.lines.some(line => line.includes('"fault"'))).toBe(true)
  })

  it('appears in a decrypted event', async () => {
    const team = (await findTeam(service.store.reader, service.team))!
    const own = sealer({ deps: service.deps, team, now: 0, db: service.store.reader, after() {} })
    const rows = await service.store.reader.selectFrom('events').selectAll().execute()
    expect(rows.length).toBeGreaterThan(20)
    const opened = rows.map(row => JSON.stringify(openStates(own, row)))
    expect(found(opened.join('\n'))).toEqual([])
  })

  it('appears in a webhook payload', () => {
    expect(receiver.calls.length).toBeGreaterThan(20)
    // Calls to the vault are supposed to contain these values.
    const told = receiver.calls.filter(({ url }) => !url.endsWith('/vault'))
    expect(found(told.map(call => call.body).join('\n'))).toEqual([])
  })

  it('appears in a session event, a consent event or the audit log', async () => {
    for (const table of ['session_events', 'consents', 'audit', 'jobs', 'sessions', 'tokens', 'bearers'] as const) {
      const rows = await service.store.reader.selectFrom(table).selectAll().execute()
      expect([table, found(JSON.stringify(rows))]).toEqual([table, []])
    }
  })

  it('appears in any row, in any encoding', async () => {
    for (const table of [
      'entities',
      'accounts',
      'records',
      'idempotency',
      'counters',
      'api_keys',
      'payments',
      'settings',
      'teams',
      'webhooks',
      'deliveries',
      'secrets',
    ] as const) {
      const rows = await service.store.reader.selectFrom(table).selectAll().execute()
      expect([table, found(JSON.stringify(rows))]).toEqual([table, []])
    }
  })

  it('appears in the bytes of the store file, its write-ahead log or its lock file', () => {
    if (service.store.engine === 'postgres') return
    expect(Object.keys(files)).toEqual(expect.arrayContaining(['', '-wal']))
    for (const [suffix, bytes] of Object.entries(files)) {
      const text = bytes.toString('latin1')
      // In a large file, even a whole number can appear by chance, so it counts only as a quoted JSON value.
      const leaks = found(text).filter(name => name !== 'ssn_4' || text.includes(`"${canaries.ssn_4}"`))
      expect([suffix, leaks]).toEqual([suffix, []])
    }
    expect(files['']!.length + files['-wal']!.length).toBeGreaterThan(50_000)
  })
})
