import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { apiDifferences } from '@causeway/contract/differences'
import { endpoints } from '@causeway/contract/endpoints/table'
import { afterAll, describe, expect, it } from 'vitest'
import { run } from '../cli.js'
import type { Report } from './check-requests.js'
import { wordsOf } from './curl.js'

const folder = mkdtempSync(join(tmpdir(), 'migrate-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

let written = 0
function write(name: string, text: string): string {
  written += 1
  const path = join(folder, `${written}`)
  mkdirSync(path)
  writeFileSync(join(path, name), text)
  return join(path, name)
}
const lines = (requests: readonly object[]) =>
  write('calls.ndjson', requests.map(request => JSON.stringify(request)).join('\n'))

async function migrate(...args: string[]) {
  const out: string[] = []
  const err: string[] = []
  const io = { out: (line: string) => out.push(line), err: (line: string) => err.push(line), env: {} }
  const code = await run(['migrate', 'check', ...args], { ...io, signal: new AbortController().signal })
  return { code, out: out.join('\n'), err: err.join('\n') }
}
const reportOf = async (path: string, ...args: string[]): Promise<Report> =>
  JSON.parse((await migrate(path, '--json', ...args)).out)

const har = (requests: readonly object[]) =>
  JSON.stringify({ log: { entries: requests.map(request => ({ request })) } })
const secrets = ['sk_verysecretvalue', '123456789', 'Quillonia', 'ent_au22b1fbFJbp8']

describe('migrate check', () => {
  it.each([
    ['lines.ndjson', JSON.stringify({ method: 'POST', path: '/opal/token', body: { mode: 'connect' } })],
    [
      'log.har',
      har([{ method: 'POST', url: 'https://api.example.com/opal/token', headers: [], postData: { text: '{}' } }]),
    ],
    [
      'one.json',
      JSON.stringify({ method: 'post', url: 'https://api.example.com/enveloped/opal/token', body: '{}' }, null, 2),
    ],
    [
      'calls.sh',
      `# a token\n$ curl https://api.example.com/opal/token \\\n  -H 'Authorization: Bearer x' \\\n  -d '{"mode":"connect"}'`,
    ],
  ])('reads %s', async (name, text) => {
    const report = await reportOf(write(name, text))
    expect(report).toMatchObject({ requests: 1, endpoints: 1 })
    expect(report.findings).toEqual([
      {
        rejected: false,
        endpoint: 'POST /opal/token',
        says: expect.stringMatching(/^A token: .* opens once/),
        requests: 1,
      },
    ])
  })

  it('reads all files of a folder, and ignores other files', async () => {
    const path = write('a.har', har([{ method: 'GET', url: 'https://api.example.com/ping' }]))
    const inner = join(path, '..')
    mkdirSync(join(inner, 'more'))
    writeFileSync(join(inner, 'more', 'b.curl'), 'curl https://api.example.com/ping\n')
    writeFileSync(join(inner, 'image.png'), 'curl https://api.example.com/ping')
    expect(await reportOf(inner)).toMatchObject({ requests: 2 })
  })

  it('reads only requests to the host', async () => {
    const requests = ['https://api.example.com/ping', 'https://fonts.example.com/a.woff2']
    const path = write('log.har', har(requests.map(url => ({ method: 'GET', url }))))
    expect((await reportOf(path)).requests).toBe(2)
    expect((await reportOf(path, '--host', 'api.example.com')).requests).toBe(1)
    const { code, err } = await migrate(path, '--host', 'other.example.com')
    expect([code, err]).toEqual([1, expect.stringContaining('has no requests to other.example.com')])
  })

  it.each([
    [
      'an endpoint that never existed',
      { method: 'GET', path: '/wallets/wal_1' },
      'GET /wallets/:id',
      /no such endpoint/,
    ],
    [
      'a removed endpoint',
      { method: 'POST', path: '/accounts/acc_1/syncs' },
      'POST /accounts/:id/syncs',
      /Use .*updates/,
    ],
    [
      'an unknown version',
      { method: 'GET', path: '/ping', headers: { 'Method-Version': '2023-01-01' } },
      'GET /ping',
      /version is not supported/,
    ],
    [
      'an endpoint newer than the version',
      { method: 'POST', path: '/intents', headers: { 'Method-Version': '2020-12-06' } },
      'POST /intents',
      /exists from version 2024-04-04/,
    ],
    [
      'an elliptic key',
      { method: 'POST', path: '/teams/mle/public_keys', body: { jwk: { kty: 'EC' } } },
      'POST /teams/mle/public_keys',
      /elliptic/,
    ],
    [
      'terms of Elements',
      { method: 'POST', path: '/elements/token', body: { balance_transfer: { payout_amount_min: 1 } } },
      'POST /elements/token',
      /loan_amount/,
    ],
    ['a clearing account', { method: 'POST', path: '/accounts', body: { clearing: {} } }, 'POST /accounts', /clearing/],
    [
      'a session of an element',
      { method: 'POST', path: '/entities/ent_1/verification_sessions', body: { method: 'opal' } },
      'POST /entities/:ent_id/verification_sessions',
      /begin only when/,
    ],
  ])('finds %s, and exits 1', async (_name, request, endpoint, says) => {
    const path = lines([request, request])
    expect((await reportOf(path)).findings).toContainEqual({
      rejected: true,
      endpoint,
      says: expect.stringMatching(says),
      requests: 2,
    })
    const { code, out, err } = await migrate(path)
    expect([code, err]).toEqual([1, expect.stringMatching(/will make requests fail/)])
    expect(out).toContain(`${endpoint} (2 requests)`)
  })

  it('exits 0 and says so if no difference affects the requests', async () => {
    const { code, out, err } = await migrate(lines([{ method: 'GET', path: '/entities?page=2' }]))
    expect([code, err]).toEqual([0, ''])
    expect(out).toMatch(/^Read 1 request to 1 endpoint\.\nNo difference affects them\./)
  })

  it('prints no id, key, query or value', async () => {
    const [key, number, name, id] = secrets as [string, string, string, string]
    const path = lines([
      { method: 'GET', path: `/unknown/${key}/${id}?name=${name}`, headers: { authorization: `Bearer ${key}` } },
      { method: 'GET', path: `/${number}` },
      { method: 'POST', path: '/entities', headers: { 'method-version': key }, body: { type: 'receive_only', name } },
    ])
    const plain = await migrate(path)
    const json = await migrate(path, '--json')
    for (const secret of secrets) expect(JSON.stringify([plain, json])).not.toContain(secret)
    expect(plain.out).toContain('GET /unknown/:id/:id')
  })

  it.each([
    ['a file that does not exist', join(folder, 'none.har'), /none\.har does not exist/],
    ['a file of another kind', write('a.png', ''), /must end in \.har/],
    ['a log without entries', write('a.har', '{}'), /must be JSON with log\.entries/],
    [
      'a line that is not a request',
      write('a.ndjson', '{"method":"GET"}'),
      /line 1: must be JSON with method and path/,
    ],
    ['a line that is too long', write('b.ndjson', `"${'x'.repeat(2 * 1024 * 1024)}"`), /line 1: must be JSON/],
    ['a file without requests', write('a.txt', 'nothing'), /has no requests/],
  ])('rejects %s', async (_name, path, message) => {
    const { code, err } = await migrate(path)
    expect([code, err]).toEqual([1, expect.stringMatching(message)])
  })

  it('needs a file', async () => {
    const { code, err } = await migrate()
    expect([code, err]).toEqual([2, expect.stringMatching(/A file or a folder is required/)])
  })
})

it.each([
  [`a 'b c' "d \\"e"`, ['a', 'b c', 'd "e']],
  [`a\\ b ''`, ['a b', '']],
  [`-d '{"a":1}'`, ['-d', '{"a":1}']],
])('The words of %s are those of a shell', (command, words) => {
  expect(wordsOf(command)).toEqual(words)
})

it('Every difference names endpoints of the contract', () => {
  const names = new Set(endpoints.map(({ method, path }) => `${method} ${path}`))
  const unknown = apiDifferences.flatMap(({ affects }) => affects?.endpoints.filter(name => !names.has(name)) ?? [])
  expect(unknown).toEqual([])
})
