/** For tests alone: the example connector in a process of its own, as an operator would have one. */
import { type ChildProcess, spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { connectTo } from '../connectors/connect.js'
import { readKeys } from '../connectors/signature.js'
import type { Store } from '../db/store.js'
import { createLog } from '../log.js'
import type { Ports } from '../ports.js'

export const connectorKey = Buffer.alloc(32, 9).toString('base64')
export const connectorKeys = readKeys(connectorKey)!
/** What a test waits for an answer of a connector that says nothing. */
const TIMEOUT = 1_000

export interface RunningConnector {
  url: string
  stop(): Promise<void>
}

/** Starts `connector.ts` with these flags, on a free port. */
export async function startConnector(...flags: string[]): Promise<RunningConnector> {
  const tsx = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href
  const script = fileURLToPath(new URL('../connector.ts', import.meta.url))
  const child: ChildProcess = spawn(
    process.execPath,
    ['--conditions=source', '--import', tsx, script, '--port', '0', '--hurry', ...flags],
    { env: { ...process.env, CONNECTOR_KEY: connectorKey }, stdio: ['ignore', 'pipe', 'inherit'] },
  )
  const line = await new Promise<string>((resolve, reject) => {
    child.once('exit', code => reject(new Error(`The connector ended with ${code}.`)))
    child.stdout!.once('data', (part: Buffer) => resolve(part.toString()))
  })
  const over = new Promise<void>(resolve => child.once('exit', () => resolve()))
  return {
    url: (JSON.parse(line) as { url: string }).url,
    async stop() {
      child.kill()
      await over
    },
  }
}

/** The ports of a connector, kept in a test's store. */
export async function portsOf(url: string, store: Store): Promise<Ports> {
  const { ports, tables } = await connectTo(
    { url, keys: connectorKeys, timeout: TIMEOUT, network: true },
    { store, log: createLog(() => {}, Date.now), clock: Date.now, sleep: ms => sleep(ms), fetch },
  )
  tables.stop()
  return ports
}

/** The ports that the tests run with, where `TEST_CONNECTOR` asks for a connector: see connector-setup.ts. */
export async function testConnector(store: Store, url = process.env['TEST_CONNECTOR_URL']): Promise<Ports | undefined> {
  return url ? portsOf(url, store) : undefined
}
