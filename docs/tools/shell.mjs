/** The commands of the guides, run against a service that one of them starts. */
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { root } from './pages.mjs'

const start = (command, env) =>
  spawn('bash', ['-c', `set -e; ${command}`], { cwd: root, env: { ...process.env, ...env }, detached: true })

export const firstLine = child =>
  new Promise((resolve, reject) => {
    let complaint = ''
    child.stderr.on('data', chunk => {
      complaint += chunk
    })
    createInterface({ input: child.stdout }).once('line', line => resolve(JSON.parse(line)))
    child.once('exit', () => reject(new Error(complaint)))
  })

/** The output of a command, and its exit status. */
export function finish(child) {
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', chunk => {
      said += chunk
    })
  return new Promise(resolve => child.once('exit', code => resolve({ code, said })))
}

/** Runs the one that starts the service, then the others with `CAUSEWAY_URL` and `CAUSEWAY_KEY`. @returns what failed */
export async function runCommands(commands) {
  const serves = commands.filter(command => command.includes('server.js'))
  if (serves.length !== 1) return [`${serves.length} commands start a service`]
  const data = mkdtempSync(join(tmpdir(), 'guides-'))
  const ports = { PORT: '0', FRAME_PORT: '0', OPS_PORT: '0', DATABASE_URL: `file:${join(data, 'causeway.db')}` }
  const service = start(serves[0], ports)
  try {
    const { api_origin, frame_origin } = await firstLine(service)
    if (!serves[0].includes(`FRAME_ORIGIN=${frame_origin}`)) return [`the service announces ${frame_origin}`]
    const env = {
      CAUSEWAY_URL: api_origin,
      CAUSEWAY_KEY: readFileSync(join(data, 'bootstrap.key'), 'utf8').trim(),
    }
    const failed = []
    for (const command of commands.filter(each => !serves.includes(each))) {
      const { code, said } = await finish(start(command, env))
      if (code !== 0 || said.includes('"error":{')) failed.push(`${command}\n${said}`)
    }
    return failed
  } finally {
    process.kill(-service.pid, 'SIGTERM')
    rmSync(data, { recursive: true, force: true })
  }
}
