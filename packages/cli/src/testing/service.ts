/** For tests only. Runs the built service in a separate process, along with a webhook receiver and the command. */
import { spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { run } from '../cli.js'

const root = fileURLToPath(new URL('../../../../', import.meta.url))
const server = join(root, 'apps/api/dist/main/server.js')
const tsc = join(root, 'node_modules/typescript/bin/tsc')

export interface Service {
  url: string
  key: string
  stop(): Promise<void>
}

/** Starts the service with an empty store and permission to send requests to this machine. */
export async function startService(): Promise<Service> {
  if (!existsSync(server)) spawnSync(process.execPath, [tsc, '-b', 'apps/api'], { cwd: root, stdio: 'inherit' })
  const folder = mkdtempSync(join(tmpdir(), 'causeway-cli-'))
  const key = `sk_${randomBytes(24).toString('hex')}`
  const child = spawn(process.execPath, [server], {
    env: {
      PATH: process.env['PATH'],
      PORT: '0',
      FRAME_PORT: '0',
      OPS_PORT: '0',
      DATABASE_URL: `file:${join(folder, 'test.db')}`,
      BOOTSTRAP_SECRET_KEY: key,
      ENCRYPTION_KEY: randomBytes(32).toString('base64'),
      OUTBOUND_LOOPBACK: 'allow',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const said: string[] = []
  createInterface({ input: child.stderr }).on('line', line => said.push(line))
  const ended = new Promise<void>(resolve => child.once('close', () => resolve()))
  const url = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).once('line', line => resolve(JSON.parse(line).api_origin))
    ended.then(() => reject(new Error(`The service ended:\n${said.slice(-5).join('\n')}`)))
  })
  return {
    url,
    key,
    async stop() {
      child.kill('SIGTERM')
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

interface Call {
  headers: IncomingHttpHeaders
  body: string
}

/** Starts a webhook receiver that responds with the status that `answer` returns, which is 200 by default. */
export async function startReceiver(answer: () => number = () => 200) {
  const calls: Call[] = []
  const listener = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', part => parts.push(part))
    request.on('end', () => {
      calls.push({ headers: request.headers, body: Buffer.concat(parts).toString() })
      response.writeHead(answer()).end()
    })
  })
  await new Promise<void>(resolve => listener.listen(0, '127.0.0.1', resolve))
  return {
    calls,
    url: `http://127.0.0.1:${(listener.address() as AddressInfo).port}/hooks`,
    stop: () => new Promise(resolve => listener.close(resolve)),
  }
}

/** Runs a command. Returns the output so far and a promise for the exit code. */
export function command(args: readonly string[], env: Record<string, string> = {}) {
  const out: string[] = []
  const err: string[] = []
  const stop = new AbortController()
  const io = { out: (line: string) => out.push(line), err: (line: string) => err.push(line), env, signal: stop.signal }
  const code = run(args, io)
  return {
    out,
    err,
    code,
    /** Stops the command the way Ctrl-C does. @returns the exit code */
    stop: () => {
      stop.abort()
      return code
    },
  }
}
