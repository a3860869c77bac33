/** Test helper that runs the whole app with a new store on either engine. The test controls the clock and the waits. */
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Ports } from '@causeway/connector/ports/ports'
import { isVersion, PINNED_VERSION, type Version } from '@causeway/contract/versions'
import pg from 'pg'
import { inject } from 'vitest'
import { noAssets } from '../flow/frame/assets.js'
import { type AppOptions, createApp } from '../main/app.js'
import { checkStore, loadKeys } from '../main/boot.js'
import { createCapabilities } from '../network/capabilities/capabilities.js'
import { describeConnections } from '../network/providers/connections.js'
import { discoveryOf } from '../network/providers/open.js'
import { createProviderUsage } from '../network/providers/usage.js'
import { type CodeLimits, defaultCodeLimits } from '../people/entities/methods/sms/codes.js'
import type { Keys } from '../platform/crypto/keys.js'
import { randomText } from '../platform/crypto/random.js'
import { createVault, type Vault } from '../platform/crypto/vault.js'
import { openStore, type Store } from '../platform/db/store.js'
import { createLog } from '../platform/log.js'
import { createMetrics } from '../platform/metrics.js'
import type { Mail } from '../platform/outbound/mail.js'
import { createOutbound, type Outbound } from '../platform/outbound/outbound.js'
import type { FaultMode, FaultTarget } from '../sandbox/faults/store.js'
import { createSandbox } from '../sandbox/sandbox.js'
import { carrier } from '../sandbox/tables/inputs.js'
import { createKey, findKey } from '../team/teams/keys.js'
import { createTeam } from '../team/teams/store.js'
import { stopAtEnd } from './cleanup.js'
import { connectorKeys, testConnector } from './connector/connector.js'
import { checkAnswer, noteDocument } from './contract/contract.js'
import { createWatch, type Watch } from './leaks/leak-watch.js'
import { type TestProviders, withProviders } from './providers.js'

/** The URL of a throwaway database server, such as `postgres://…`. If unset, the tests use SQLite. */
const server = process.env['TEST_DATABASE_URL']
export const engine = server ? 'postgres' : 'sqlite'

/** Creates a new store. `url` is the store's `DATABASE_URL`. */
export async function freshStore(): Promise<{
  store: Store
  url: string
  file: string | null
  remove: () => Promise<void>
}> {
  if (!server) {
    const folder = mkdtempSync(join(tmpdir(), 'causeway-test-'))
    const file = join(folder, 'test.db')
    copyFileSync(inject('template'), file)
    const store = await openStore(`file:${file}`, { durable: false })
    return { store, url: `file:${file}`, file, remove: async () => rmSync(folder, { recursive: true, force: true }) }
  }
  const name = `test_${randomText(12).toLowerCase()}`
  const admin = new pg.Client({ connectionString: server })
  await admin.connect()
  await admin.query(`create database ${name} template ${inject('template')} strategy file_copy`)
  const url = Object.assign(new URL(server), { pathname: `/${name}` }).toString()
  const store = await openStore(url)
  return {
    store,
    url,
    file: null,
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
  /** The path of the SQLite file, or null on PostgreSQL. */
  readonly file: string | null
  /** The store's `DATABASE_URL`. */
  readonly url: string
  readonly deps: ReturnType<typeof createApp>['deps']
  readonly app: ReturnType<typeof createApp>
  readonly key: string
  readonly team: string
  /** Starts a second process on the same store: another app with its own jobs. */
  another(): ReturnType<typeof createApp>
  /** All log lines written so far. */
  readonly lines: string[]
  /**
   * Calls the API with the team's key and checks the response against the OpenAPI document. A string body is sent
   * unchanged.
   */
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Reply>
  /** Creates another team with a key. */
  anotherTeam(): Promise<{ key: string; team: string }>
  /** Advances real time. */
  advance(ms: number): void
  /** Advances real time by one second every few milliseconds while `work` is pending. */
  passing<T>(work: Promise<T>): Promise<T>
  /** Runs all of the team's due jobs to completion. */
  settle(): Promise<void>
  /** Simulates a fault in a component for the team, for 30 seconds of real time. */
  fault(target: FaultTarget, mode: FaultMode): Promise<void>
  /** Starts another process on the same store, as if this process had been killed and all its leases had expired. */
  again(options?: TestOptions): Promise<TestService>
  /** Stops the service before its test ends, and rejects if a secret or personal value is in plain text. */
  stop(): Promise<void>
}

export interface TestOptions {
  /**
   * The URL of a connector for all three ports. Defaults to the connector that the tests use, or to the sandbox in this
   * process.
   */
  connector?: string
  environment?: 'sandbox' | 'production'
  ports?: (ports: Ports) => Ports
  /** Providers to use instead of the sandbox, where they serve a method, and the function that reaches them. */
  providers?: TestProviders
  /** The paths of methods that no provider serves. */
  unserved?: readonly string[]
  /** True if the rail pays debts by the payee directory. */
  paysByDirectory?: boolean
  /** By default, the service can call only this machine. */
  outbound?: Outbound
  /** Wraps the store to count statements or inject faults. */
  store?: (store: Store) => Store
  /** Called at the named points in the processing of a payment. */
  reach?: (point: string) => void
  /** True if bodies are random. A match on a random value proves nothing. See leaks/leak-watch.ts. */
  chance?: boolean
  /** The origins to which the frame may redirect phones. Defaults to the sandbox's origins. */
  silentOrigins?: string[]
  /** The contact in `security.txt`. By default, `security.txt` does not exist. */
  securityContact?: string
  /** The name of the company that runs the service. Defaults to `Causeway`. */
  serviceName?: string
  mail?: Mail
  /** Multiplies the contract's rate limits. By default, no rate limits apply. */
  rateLimits?: number
  /** Limits on codes. Defaults to the environment's limits. */
  codeLimits?: CodeLimits
}

/**
 * Starts an app without listeners, which stops at the end of the test or, outside of tests, of the file. The clock does
 * not move until `advance` is called.
 */
export async function testService(options: TestOptions = {}): Promise<TestService> {
  const { store, url, file, remove } = await freshStore()
  const time = { now: Date.parse('2026-03-02T15:00:00.000Z') }
  const environment = options.environment ?? 'sandbox'
  const watch = createWatch({ chance: options.chance ?? false })
  const vault = watch.vault(createVault(masterKey))
  await checkStore(store, vault, environment)
  const keys = await loadKeys(store, vault, masterKey)
  const makeTeam = () =>
    store.write(async tx => {
      const team = await createTeam(tx, vault, 'Northwind Lending', null, time.now)
      return { team: team.id, key: (await createKey(tx, team.id, time.now)).value }
    })
  const first = await makeTeam()
  const state: InstalledState = {
    store,
    file,
    url,
    time,
    environment,
    vault,
    keys,
    makeTeam,
    watch,
    connector: await testConnector(store, options.connector),
    key: first.key,
    team: first.team,
  }
  const service = startProcess(state, options)
  let isStopped = false
  const stop = async () => {
    isStopped = true
    await service.stop()
    const leaks = await watch.leaks(store, file)
    await store.close()
    await remove()
    if (leaks.length > 0) throw new Error(`Secret or personal values are in plain text:\n  ${leaks.join('\n  ')}`)
  }
  stopAtEnd(async () => isStopped || stop())
  return { ...service, stop }
}

export const masterKey = Buffer.alloc(32, 7)

/** State that persists after a process ends. */
interface InstalledState {
  store: Store
  file: string | null
  url: string
  time: { now: number }
  environment: 'sandbox' | 'production'
  vault: Vault
  keys: Keys
  team: string
  key: string
  makeTeam(): Promise<{ key: string; team: string }>
  watch: Watch
  /** Returns the ports of the connector that the tests use, or undefined to use the sandbox in this process. */
  connector: Ports | undefined
}

/** Returns a request's version, either from its header or from its team. */
async function versionOf(state: InstalledState, path: string, headers: Headers): Promise<Version> {
  const header =
    headers.get('service-version') ?? (path.startsWith('/enveloped') ? headers.get('method-version') : null)
  if (header !== null) return isVersion(header) ? header : PINNED_VERSION
  const key = /^Bearer (sk_\S+)$/.exec(headers.get('authorization') ?? '')?.[1]
  const holder = key && (await findKey(state.store.reader, key))
  return holder ? holder.team.version : PINNED_VERSION
}

function startProcess(state: InstalledState, options: TestOptions): TestService {
  const { time, environment, key, team, watch } = state
  const store = options.store?.(state.store) ?? state.store
  const clock = () => time.now
  const lines: string[] = []
  const sleep = async (ms: number) => {
    time.now += ms
  }
  watch.log(lines)
  const log = createLog(line => lines.push(line), clock)
  const metrics = createMetrics()
  const providerUsage = createProviderUsage({ store, log, clock })
  const { ports, routes, statements } = withProviders(state.connector ?? createSandbox({ sleep }), options, {
    store,
    vault: state.vault,
    log,
    metrics,
    providerUsage,
    clock,
    sleep,
  })
  const hasConnector = !options.providers && (state.connector !== undefined || options.paysByDirectory)
  const railProvider = hasConnector ? 'connector' : (routes.get('rail/submit') ?? null)
  const appOptions: AppOptions = {
    environment,
    apiOrigin: 'http://127.0.0.1:4000',
    frameOrigin: 'http://localhost:4100',
    serviceName: options.serviceName ?? 'Causeway',
    silentOrigins: options.silentOrigins ?? [carrier],
    store,
    vault: state.vault,
    keys: state.keys,
    clock,
    log,
    metrics,
    providerUsage,
    connections: () => describeConnections({ providers: options.providers?.list ?? [], connector: null }, routes),
    ports: watch.ports(options.ports?.(ports) ?? ports),
    capabilities: createCapabilities(
      () => routes,
      () => discoveryOf({ routes, providers: options.providers?.list ?? [] }),
    ),
    statements,
    // Host names don't resolve, so no test queries a DNS server.
    outbound: watch.outbound(
      options.outbound ?? createOutbound({ loopback: true, ownPorts: () => [], resolve: async () => [] }),
    ),
    mail: options.mail ?? null,
    reach: options.reach ?? (() => {}),
    sleep,
    assets: noAssets,
    pushes: { keys: connectorKeys, clock: Date.now },
    providers: options.providers?.list,
    hookFetch: options.providers?.fetch,
    payRoutes: () => (options.paysByDirectory ? (['ach', 'check', 'card_push'] as const) : []),
    railProvider,
    rateLimits: options.rateLimits ?? 0,
    codeLimits: options.codeLimits ?? defaultCodeLimits(environment),
    securityContact: options.securityContact,
    trustedProxies: [],
  }
  const app = watch.app(createApp(appOptions))
  return {
    store,
    file: state.file,
    url: state.url,
    deps: app.deps,
    app,
    key,
    team,
    lines,
    another() {
      const other = watch.app(createApp(appOptions))
      stopAtEnd(() => other.deps.jobs.stop())
      return other
    },
    anotherTeam: state.makeTeam,
    advance: ms => {
      time.now += ms
    },
    async passing(work) {
      const timer = setInterval(() => {
        time.now += 1_000
      }, 5)
      return work.finally(() => clearInterval(timer))
    },
    settle: () => app.deps.jobs.drain(team, 20_000, { lanes: true }),
    async fault(target, mode) {
      await store.write(tx =>
        tx
          .insertInto('faults')
          .values({ team_id: team, target, mode, until: time.now + 30_000 })
          .onConflict(conflict =>
            conflict.columns(['team_id', 'target']).doUpdateSet({ mode, until: time.now + 30_000 }),
          )
          .execute(),
      )
      app.deps.faults.forget(team)
    },
    async again(newOptions = {}) {
      await store.write(tx => tx.updateTable('jobs').set({ lease_owner: null, lease_until: null }).execute())
      const next = startProcess(state, newOptions)
      stopAtEnd(next.stop)
      return next
    },
    async call(method, path, body, headers = {}) {
      const init: RequestInit = { method, headers: { authorization: `Bearer ${key}`, ...headers } }
      if (body !== undefined) {
        init.body = typeof body === 'string' ? body : JSON.stringify(body)
        init.headers = { 'content-type': 'application/json', ...init.headers } as Record<string, string>
      }
      const { pathname } = new URL(`http://127.0.0.1:4000${path}`)
      // Reads the version before the call, because the call may change the team's version.
      const version = await versionOf(state, pathname, new Headers(init.headers))
      const response = await app.api.fetch(new Request(`http://127.0.0.1:4000${path}`, init))
      const text = await response.text()
      const isFile = response.headers.has('content-disposition')
      const json = !isFile && /json/.test(response.headers.get('content-type') ?? '')
      const parsed = (json ? JSON.parse(text) : text) as never
      // A replay repeats an earlier response, possibly one to a different request. Encrypted responses can't be
      // checked.
      const isClear = response.headers.get('service-mle') === null
      if (json && isClear && response.headers.get('idem-status') !== 'replayed') {
        checkAnswer({ method, path: pathname, version, status: response.status, body: parsed })
      }
      // Files and other responses have no schema.
      else if (!json && response.status === 200) noteDocument(method, new URL(path, 'http://localhost').pathname)
      return {
        status: response.status,
        text,
        body: parsed,
        headers: response.headers,
      }
    },
    stop: () => app.deps.jobs.stop(),
  }
}
