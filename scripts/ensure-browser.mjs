/**
 * A Chromium that starts, for the component and end-to-end tests. Run as a script it prints the path and nothing else
 * on standard output. In order: CHROMIUM_PATH, the system's, Playwright's (downloaded if need be), the package manager's.
 */
import { spawnSync } from 'node:child_process'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { chromium } from '@playwright/test'

const system = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/opt/google/chrome/chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
]

/** Whether it runs at all: a download can lack libraries, and some distributions install a stub. */
const starts = path => Boolean(path) && spawnSync(path, ['--version'], { timeout: 20_000 }).status === 0

/** Runs a command with its output on standard error. */
const run = (command, args, timeout, env = {}) =>
  spawnSync(command, args, { stdio: ['ignore', 2, 2], timeout, env: { ...process.env, ...env } }).status === 0

function download() {
  console.error('No Chromium was found. Asking Playwright for one ...')
  const cli = fileURLToPath(import.meta.resolve('@playwright/test/cli'))
  return run(process.execPath, [cli, 'install', 'chromium'], 240_000, {
    PLAYWRIGHT_DOWNLOAD_CONNECTION_TIMEOUT: '10000',
  })
}

function installPackage() {
  if (process.platform !== 'linux' || process.getuid() !== 0) return false
  console.error('That did not give one that starts. Asking apt ...')
  const quiet = { DEBIAN_FRONTEND: 'noninteractive' }
  return (
    run('apt-get', ['update', '-qq'], 120_000) && run('apt-get', ['install', '-y', '-qq', 'chromium'], 600_000, quiet)
  )
}

/** The path of a Chromium that starts. Throws a sentence that says what to do where there is none. */
export function ensureBrowser() {
  const chosen = process.env.CHROMIUM_PATH
  if (chosen) {
    if (starts(chosen)) return chosen
    throw new Error(`CHROMIUM_PATH is ${chosen}, which does not start. Point it at a Chromium or Chrome, or unset it.`)
  }
  const found = () => [...system, chromium.executablePath()].find(starts)
  const path = found() ?? (download() && found()) ?? null
  if (path) return path
  if (installPackage()) {
    const installed = found()
    if (installed) return installed
  }
  throw new Error('No Chromium starts on this machine. Install Chromium or Chrome, or set CHROMIUM_PATH to one.')
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  try {
    console.log(ensureBrowser())
  } catch (error) {
    console.error(error.message)
    process.exitCode = 1
  }
}
