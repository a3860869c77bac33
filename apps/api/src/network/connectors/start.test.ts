import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { connectorKey, type RunningConnector, startConnector } from '../../testing/connector/connector-process.js'

const key = `sk_${randomBytes(16).toString('hex')}`
const master = randomBytes(32).toString('base64')
let folder: string
let connector: RunningConnector
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'causeway-start-'))
  connector = await startConnector()
})
afterAll(async () => {
  await connector.stop()
  rmSync(folder, { recursive: true, force: true })
})

/** Starts the service in production mode on free ports. @returns the origin of its operations listener */
async function start(url: string): Promise<{ ops: string; stop(): Promise<void> }> {
  const child: ChildProcess = spawn(
    process.execPath,
    [
      '--conditions=source',
      '--import',
      pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href,
      fileURLToPath(new URL('../../main/server.ts', import.meta.url)),
    ],
    {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'ignore'],
      env: {
        PATH: process.env['PATH'],
        ENVIRONMENT: 'production',
        API_ORIGIN: 'https://api.example.com',
        FRAME_ORIGIN: 'https://frame.example.com',
        ENCRYPTION_KEY: master,
        TRUSTED_PROXIES: 'none',
        BOOTSTRAP_SECRET_KEY: key,
        CONNECTOR_URL: url,
        CONNECTOR_KEY: connectorKey,
        PORT: '0',
        FRAME_PORT: '0',
        OPS_PORT: '0',
      },
    },
  )
  const [line] = (await once(child.stdout!, 'data')) as [Buffer]
  const { ops_origin, environment } = JSON.parse(line.toString()) as { ops_origin: string; environment: string }
  expect(environment).toBe('production')
  return {
    ops: ops_origin,
    async stop() {
      child.kill()
      if (child.exitCode === null) await once(child, 'exit')
    },
  }
}
const ready = async (ops: string) => (await fetch(`${ops}/readyz`)).status

it('production starts without its connector, becomes ready once the connector returns its tables, and stays ready', async () => {
  const nowhere = 'http://127.0.0.1:9'
  const early = await start(nowhere)
  expect(await ready(early.ops)).toBe(503)
  await early.stop()
  const service = await start(connector.url)
  expect(await ready(service.ops)).toBe(200)
  await service.stop()
  const later = await start(nowhere)
  expect(await ready(later.ops)).toBe(200)
  await later.stop()
}, 180_000)
