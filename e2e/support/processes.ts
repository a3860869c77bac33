/** The built service and demo lender, each in a process with its own store, on free local ports. */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { phones } from './people.js'
import { startUpstream, type Upstream } from './upstream.js'

const root = fileURLToPath(new URL('../..', import.meta.url))
const KEY = 'sk_endToEndTestsOfTheWholeService0'

interface Started {
  child: ChildProcess
  /** The first line of standard output, parsed as JSON. */
  said: Record<string, string>
}

/**
 * Starts a built server and waits for the first line of its output. If the server exits before that, the error includes
 * the end of its standard error output. `log` receives all of that output.
 */
function start(file: string, env: Record<string, string>, log: (text: string) => void = () => {}): Promise<Started> {
  const child = spawn(process.execPath, [join(root, file)], {
    cwd: root,
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let complaints = ''
  child.stderr.on('data', (chunk: Buffer) => {
    complaints = (complaints + chunk.toString()).slice(-4_000)
    log(chunk.toString())
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

/** Starts the service that another one has as its upstream. */
async function startLower(env: Record<string, string>): Promise<{ origin: string; end: () => Promise<void> }> {
  const { child, said } = await start('apps/api/dist/main/server.js', {
    ...{ PORT: '0', FRAME_PORT: '0', OPS_PORT: '0' },
    ...env,
  })
  return {
    origin: said['api_origin']!,
    async end() {
      child.kill('SIGKILL')
      await ended(child)
    },
  }
}

/** A service that can be killed and restarted with the same store and ports. */
export class Service {
  readonly key = KEY
  apiOrigin = ''
  frameOrigin = ''
  consoleOrigin = ''
  #folder = ''
  #child: ChildProcess | undefined
  #upstream: Upstream | undefined
  #log = ''
  readonly #urls: string[] = []
  readonly #env: Readonly<Record<string, string>>
  readonly #seen: string[] = []

  /** @param env more variables of the service */
  constructor(env: Readonly<Record<string, string>> = {}) {
    this.#env = env
  }

  /** Records data that was sent over HTTP. When the service is removed, a scan checks that none of it leaked. */
  saw(url: string, ...texts: (string | null | undefined)[]): void {
    this.#urls.push(url)
    for (const text of texts) if (text) this.#seen.push(text.replace(/\n/g, ' '))
  }

  async start(): Promise<void> {
    if (!this.#folder) this.#folder = await mkdtemp(join(tmpdir(), 'causeway-e2e-'))
    const isFirst = !this.apiOrigin
    if (isFirst && process.env['E2E_UPSTREAM']) this.#upstream = await startUpstream(startLower)
    const port = (origin: string) => (origin ? new URL(origin).port : '0')
    const env = {
      PORT: port(this.apiOrigin),
      FRAME_PORT: port(this.frameOrigin),
      CONSOLE_PORT: port(this.consoleOrigin),
      OPS_PORT: '0',
      DATABASE_URL: this.#store,
      BOOTSTRAP_SECRET_KEY: KEY,
      OUTBOUND_LOOPBACK: 'allow',
      ...this.#upstream?.env,
      ...this.#env,
    }
    const { child, said } = await start('apps/api/dist/main/server.js', env, text => {
      this.#log += text
    })
    this.#child = child
    this.apiOrigin = said['api_origin']!
    this.frameOrigin = said['frame_origin']!
    this.consoleOrigin = said['console_origin']!
    if (isFirst) await this.#upstream?.follow(this)
  }

  get #store(): string {
    return `file:${join(this.#folder, 'store.db')}`
  }

  /** Runs an admin command, and returns what it prints. */
  async admin(...args: string[]): Promise<unknown> {
    const env = { DATABASE_URL: this.#store, CONSOLE_ORIGIN: this.consoleOrigin, ...this.#env }
    const command = [join(root, 'apps/api/dist/main/admin.js'), ...args]
    const { stdout } = await promisify(execFile)(process.execPath, command, {
      env: { PATH: process.env['PATH'], ...env },
    })
    return JSON.parse(stdout)
  }

  /** Runs the admin command that creates an operator's sign-in link for the console. */
  async consoleLink(team: string): Promise<string> {
    return ((await this.admin('console', 'link', team)) as { link: string }).link
  }

  /** Kills the service without draining or shutting it down, as a power failure would. */
  async kill(): Promise<void> {
    this.#child?.kill('SIGKILL')
    if (this.#child) await ended(this.#child)
  }

  async remove(): Promise<void> {
    await this.kill()
    await this.#upstream?.stop()
    if (!this.#folder) return
    const leaks = await this.#leaks()
    await rm(this.#folder, { recursive: true, force: true })
    if (leaks) throw new Error(`Secret or personal values are in plain text:\n${leaks}`)
  }

  /** Returns what `scripts/test/canary.mjs` finds in the log, the URLs and the store; empty if it finds nothing. */
  async #leaks(): Promise<string> {
    const file = (name: string, text: string) => writeFile(join(this.#folder, name), text)
    const known = [{ token: KEY }, ...Object.values(phones).map(phone => ({ phone }))]
    await file('seen', [JSON.stringify(known), ...this.#seen].join('\n'))
    await Promise.all([file('log', this.#log), file('urls', this.#urls.join('\n'))])
    const scan = spawn(process.execPath, [join(root, 'scripts/test/canary.mjs'), this.#folder], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let said = ''
    scan.stdout.on('data', (chunk: Buffer) => {
      said += chunk.toString()
    })
    await new Promise(resolve => scan.once('close', resolve))
    return scan.exitCode === 0 ? '' : said || 'canary.mjs could not look for it'
  }
}

/** Starts the demo lender, connected to a given service. */
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
