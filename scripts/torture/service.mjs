/** The built service as an operator runs it, in a separate process that can be started, killed and restarted. */
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

/** This checkout's server program. */
export const builtServer = fileURLToPath(new URL('../../apps/api/dist/main/server.js', import.meta.url))
/** Protects against a hang on a machine that starts many processes at the same time. */
const START_WITHIN = 300_000

export const secretKey = `sk_${randomBytes(24).toString('hex')}`
export const masterKey = randomBytes(32).toString('base64')

const alive = new Set()
process.on('exit', () => {
  for (const child of alive) child.kill('SIGKILL')
})

/** Returns a process's environment, either for the service on a store or for the operator's commands on that store. */
export const environment = (store, env = {}) => ({
  PATH: process.env.PATH,
  PORT: '0',
  FRAME_PORT: '0',
  OPS_PORT: '0',
  RATE_LIMITS: '0',
  DATABASE_URL: store.url,
  BOOTSTRAP_SECRET_KEY: secretKey,
  ENCRYPTION_KEY: masterKey,
  ...env,
})

/**
 * Starts a service on a store. Rejects with the service's output if the service did not start. `env` may contain
 * CRASH_AT and ROLE.
 * @param server the server program, from this checkout or from an earlier version
 */
export function start(store, env = {}, server = builtServer) {
  const began = performance.now()
  const child = spawn(process.execPath, [server], {
    env: environment(store, env),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  alive.add(child)
  const errors = []
  const lines = []
  const said = []
  createInterface({ input: child.stderr }).on('line', line => {
    lines.push(line)
    if (line.includes('"level":"error"')) errors.push(line)
    else if (!line.startsWith('{')) said.push(line)
  })
  const ended = new Promise(resolve => {
    child.once('close', (code, signal) => {
      alive.delete(child)
      resolve({ code, signal })
    })
  })
  const service = {
    pid: child.pid,
    /** Lines that were logged as errors. Each one counts as a violation. */
    errors,
    /** All lines of the log, which is written to standard error. */
    lines,
    ended,
    kill: (signal = 'SIGKILL') => {
      child.kill(signal)
      return signal === 'SIGKILL' || signal === 'SIGTERM' ? ended : undefined
    },
    stop: () => service.kill('SIGTERM'),
  }
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => {
      child.kill('SIGKILL')
      reject(new Error('The service did not start in time.'))
    }, START_WITHIN)
    createInterface({ input: child.stdout }).once('line', line => {
      clearTimeout(late)
      const { api_origin, frame_origin, ops_origin, console_origin } = JSON.parse(line)
      const ms = performance.now() - began
      // The frame's host name resolves to two addresses, but the process listens on only one.
      const frame = frame_origin.replace('localhost', '127.0.0.1')
      const origins = { api: api_origin, frame, frameOrigin: frame_origin, ops: ops_origin, console: console_origin }
      resolve(Object.assign(service, { ...origins, ms }))
    })
    ended.then(({ code, signal }) => {
      clearTimeout(late)
      const ms = performance.now() - began
      reject(Object.assign(new Error(said.join('\n') || `ended with ${signal ?? code}`), { code, signal, ms }))
    })
  })
}
