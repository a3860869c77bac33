/** The real service and the real demo lender, as built: each a process on free ports of this machine, with a store of its own. */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))
const KEY = 'sk_endToEndTestsOfTheWholeService0'

interface Started {
  child: ChildProcess
  /** The first line on standard output. */
  said: Record<string, string>
}

/** Starts a built server and waits for its first line. What it wrote to standard error is in the failure, and nowhere else. */
function start(file: string, env: Record<string, string>): Promise<Started> {
  const child = spawn(process.execPath, [join(root, file)], {
    cwd: root,
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let complaints = ''
  child.stderr.on('data', (chunk: Buffer) => {
    complaints = (complaints + chunk.toString()).slice(-4_000)
  })
  return new Promise((resolve, reject) => {
    child.once('exit', code => reject(new Error(`${file} ended with ${code} before it was ready.\n${complaints}`)))
    createInterface({ input: child.stdout }).once('line', line => resolve({ child, said: JSON.parse(line) }))
  })
}

const ended = (child: ChildProcess) =>
  new Promise<void>(resolve => {
    if (child.exitCode !== null || child.signalCode !== null) resolve()
    else child.once('exit', () => resolve())
  })

/** A service that can be killed and started again on the same store and the same ports. */
export class Service {
  readonly key = KEY
  apiOrigin = ''
  frameOrigin = ''
  #folder = ''
  #child: ChildProcess | undefined

  async start(): Promise<void> {
    if (!this.#folder) this.#folder = await mkdtemp(join(tmpdir(), 'causeway-e2e-'))
    const port = (origin: string) => (origin ? new URL(origin).port : '0')
    const { child, said } = await start('apps/api/dist/server.js', {
      PORT: port(this.apiOrigin),
      FRAME_PORT: port(this.frameOrigin),
      OPS_PORT: '0',
      DATABASE_URL: `file:${join(this.#folder, 'store.db')}`,
      BOOTSTRAP_SECRET_KEY: KEY,
      OUTBOUND_LOOPBACK: 'allow',
    })
    this.#child = child
    this.apiOrigin = said['api_origin']!
    this.frameOrigin = said['frame_origin']!
  }

  /** As a power cut would: nothing is drained, nothing is said. */
  async kill(): Promise<void> {
    this.#child?.kill('SIGKILL')
    if (this.#child) await ended(this.#child)
  }

  async remove(): Promise<void> {
    await this.kill()
    if (this.#folder) await rm(this.#folder, { recursive: true, force: true })
  }
}

/** The demo lender beside a service. */
export async function startDemo(service: Service): Promise<{ origin: string; stop: () => Promise<void> }> {
  const { child, said } = await start('apps/demo/dist/server.js', {
    CAUSEWAY_API_ORIGIN: service.apiOrigin,
    CAUSEWAY_FRAME_ORIGIN: service.frameOrigin,
    CAUSEWAY_SECRET_KEY: service.key,
    DEMO_PORT: '0',
  })
  return {
    origin: said['origin']!,
    async stop() {
      child.kill('SIGKILL')
      await ended(child)
    },
  }
}
