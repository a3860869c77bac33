/**
 * Installs the frameworks that customers use, for the tests that compile and run our packages with them. The frameworks
 * are in a separate workspace because they are as large as all of the repository's other dependencies combined. Vitest
 * calls `setup` before the `frameworks` project, and the component tests call `installFrameworks` before they load the
 * first React page.
 * node frameworks/install.mjs    installs them unless the installation matches the lockfile
 */
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const frameworks = fileURLToPath(new URL('.', import.meta.url))
const stamp = `${frameworks}node_modules/.installed`

const wanted = () => {
  const hash = createHash('sha256')
  for (const name of ['package.json', 'pnpm-lock.yaml', 'pnpm-workspace.yaml'])
    hash.update(readFileSync(frameworks + name))
  return hash.digest('hex')
}

const run = () =>
  new Promise((resolve, reject) => {
    const args = ['install', '--frozen-lockfile', '--prefer-offline', '--reporter=append-only']
    const child = spawn('pnpm', args, { cwd: frameworks, stdio: ['ignore', 'ignore', 'inherit'] })
    child.once('error', () => reject(new Error('pnpm was not found on PATH. Run this command through pnpm.')))
    child.once('exit', code =>
      code === 0
        ? resolve()
        : reject(new Error('The frameworks were not installed. Run `pnpm install` in frameworks/.')),
    )
  })

let installing

/** Resolves once the frameworks in the lockfile are installed. */
export function installFrameworks() {
  installing ??= (async () => {
    const hash = wanted()
    if (existsSync(stamp) && readFileSync(stamp, 'utf8') === hash) return
    await run()
    writeFileSync(stamp, hash)
  })()
  return installing
}

export const setup = installFrameworks

if (process.argv[1] === fileURLToPath(import.meta.url)) await installFrameworks()
