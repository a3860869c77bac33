/** Runs the commands and requests in the guides against a service that one of the commands starts. */
import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createFixture } from './fixture.mjs'
import { root } from './pages.mjs'
import { startService } from './service.mjs'

/** Node scripts run in this folder, where they can import the SDK. */
const scripts = fileURLToPath(new URL('tried/requests', import.meta.url))

export const hasPython = spawnSync('python3', ['--version']).status === 0

/** Returns the command that runs a block. */
function commandOf({ lang, text }, index) {
  if (lang === 'sh') return ['bash', '-c', `set -e; ${text}`]
  const [command, file] = lang === 'js' ? [process.execPath, `${index}.mjs`] : ['python3', `${index}.py`]
  mkdirSync(scripts, { recursive: true })
  writeFileSync(join(scripts, file), text)
  return [command, join(scripts, file)]
}

/** Returns a command's output and exit status. */
export function finish(child) {
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', chunk => {
      said += chunk
    })
  return new Promise(resolve => child.once('exit', code => resolve({ code, said })))
}

const run = ([command, ...args], env) =>
  finish(spawn(command, args, { cwd: root, env: { ...process.env, ...env }, detached: true }))

/**
 * Runs the block that starts the service, and then runs the other blocks in order, with `CAUSEWAY_URL`, `CAUSEWAY_KEY`
 * and the ids that the pages use. Python blocks are skipped if Python is not installed.
 * @returns the output of each block that failed
 */
export async function runBlocks(blocks) {
  const serves = blocks.filter(({ text }) => text.includes('server.js'))
  if (serves.length !== 1) return [`${serves.length} commands start a service`]
  const { api_origin, frame_origin, key, stop } = await startService(serves[0].text)
  try {
    if (!serves[0].text.includes(`FRAME_ORIGIN=${frame_origin}`)) return [`the service announces ${frame_origin}`]
    const env = { CAUSEWAY_URL: api_origin, CAUSEWAY_KEY: key, ...(await createFixture(api_origin, key)) }
    const failed = []
    for (const [index, block] of blocks.entries()) {
      if (serves.includes(block) || (block.lang === 'python' && !hasPython)) continue
      const { code, said } = await run(commandOf(block, index), env)
      if (code !== 0 || said.includes('"error":{')) failed.push(`${block.page}:${block.line}\n${block.text}\n${said}`)
    }
    return failed
  } finally {
    stop()
  }
}
