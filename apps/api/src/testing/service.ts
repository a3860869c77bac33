/** For tests alone: the whole app on a fresh store of either engine, with a clock and waits that the test moves. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { createApp, type Given } from '../app.js'
import { checkStore, loadKeys } from '../boot.js'
import { randomText } from '../crypto/random.js'
import { createVault } from '../crypto/vault.js'
import { openStore, type Store } from '../db/store.js'
import { noAssets } from '../frame/assets.js'
import { createLog } from '../log.js'
import type { Ports } from '../ports.js'
import { createSandbox } from '../sandbox/sandbox.js'
import { createKey, createTeam } from '../teams/store.js'

/** `postgres://…` of a throwaway server; unset: SQLite. */
const server = process.env['TEST_DATABASE_URL']
export const engine = server ? 'postgres' : 'sqlite'

async function freshStore(): Promise<{ store: Store; remove: () => Promise<void> }> {
  if (!server) {
    const folder = mkdtempSync(join(tmpdir(), 'causeway-test-'))
    const store = await openStore(`file:${join(folder, 'test.db')}`)
    return { store, remove: async () => rmSync(folder, { recursive: true, force: true }) }
  }
  const name = `test_${randomText(12).toLowerCase()}`
  const admin = new pg.Client({ connectionString: server })
  await admin.connect()
  await admin.query(`create database ${name}`)
  const store = await openStore(Object.assign(new URL(server), { pathname: `/${name}` }).toString())
  return {
    store,
    async remove() {
      await admin.query(`drop database ${name} with (force)`)
      await admin.end()
    },
  }
}

export interface Reply {
  status: number
  body: never
  text: string
  headers: Headers
}

export interface TestService {
  readonly store: Store
  readonly deps: ReturnType<typeof createApp>['deps']
  readonly app: ReturnType<typeof createApp>
  readonly key: string
  readonly team: string
  /** A second process on the same store: another app, with jobs of its own. */
  another(): ReturnType<typeof createApp>
  /** Every log line so far. */
  readonly lines: string[]
  /** Calls the API with the team's key. A body that is a string goes as it is. */
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Reply>
  /** Another team and its key. */
  anotherTeam(): Promise<{ key: string; team: string }>
  /** Moves real time. */
  advance(ms: number): void
  /** Runs all due jobs of the team to their end. */
  settle(): Promise<void>
  stop(): Promise<void>
}

export interface TestOptions {
  environment?: 'sandbox' | 'production'
  ports?: (ports: Ports) => Ports
}

/** A running app without listeners. Time stands still until `advance`. */
export async function testService(options: TestOptions = {}): Promise<TestService> {
  const { store, remove } = await freshStore()
  let now = Date.parse('2026-03-02T15:00:00.000Z')
  const clock = () => now
  const environment = options.environment ?? 'sandbox'
  const master = Buffer.alloc(32, 7)
  const vault = createVault(master)
  await checkStore(store, vault, environment)
  const keys = await loadKeys(store, vault, master)
  const lines: string[] = []
  const sleep = async (ms: number) => {
    now += ms
  }
  const sandbox = createSandbox({ sleep })
  const given: Given = {
    environment,
    apiOrigin: 'http://127.0.0.1:4000',
    frameOrigin: 'http://localhost:4100',
    store,
    vault,
    keys,
    clock,
    log: createLog(line => lines.push(line), clock),
    ports: options.ports?.(sandbox) ?? sandbox,
    reach() {},
    sleep,
    assets: noAssets,
  }
  const app = createApp(given)
  const makeTeam = () =>
    store.write(async tx => {
      const team = await createTeam(tx, vault, 'Northwind Lending', null, now)
      return { team: team.id, key: (await createKey(tx, team.id, now)).value }
    })
  const { team, key } = await makeTeam()
  return {
    store,
    deps: app.deps,
    app,
    key,
    team,
    lines,
    another: () => createApp(given),
    anotherTeam: makeTeam,
    advance: ms => {
      now += ms
    },
    settle: () => app.deps.jobs.drain(team, 20_000),
    async call(method, path, body, headers = {}) {
      const init: RequestInit = { method, headers: { authorization: `Bearer ${key}`, ...headers } }
      if (body !== undefined) {
        init.body = typeof body === 'string' ? body : JSON.stringify(body)
        init.headers = { 'content-type': 'application/json', ...init.headers } as Record<string, string>
      }
      const response = await app.api.fetch(new Request(`http://127.0.0.1:4000${path}`, init))
      const text = await response.text()
      const json = /json/.test(response.headers.get('content-type') ?? '')
      return {
        status: response.status,
        text,
        body: (json ? JSON.parse(text) : text) as never,
        headers: response.headers,
      }
    },
    async stop() {
      await app.deps.jobs.stop()
      await store.close()
      await remove()
    },
  }
}
