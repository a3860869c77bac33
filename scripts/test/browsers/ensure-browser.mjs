/**
 * Finds a working browser for the component and end-to-end tests. When run as a script with a browser name (chromium by
 * default, or firefox or webkit), it prints only the path to standard output. It tries these sources in order: the
 * environment, the system, Playwright's Chromium (downloaded if necessary), and the package manager.
 */
import { spawnSync } from 'node:child_process'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { chromium } from '@playwright/test'

/**
 * Executable names and paths for each browser. `packages` lists Debian packages. WebKit runs through its driver, on a
 * virtual screen.
 */
const known = {
  chromium: {
    title: 'Chromium',
    advice: 'Chromium or Chrome',
    variable: 'CHROMIUM_PATH',
    system: [
      '/usr/bin/chromium',
      '/usr/bin/chromium-browser',
      '/usr/bin/google-chrome',
      '/usr/bin/google-chrome-stable',
      '/opt/google/chrome/chrome',
      '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
      '/Applications/Chromium.app/Contents/MacOS/Chromium',
    ],
    packages: ['chromium'],
  },
  firefox: {
    title: 'Firefox',
    advice: 'Firefox',
    variable: 'FIREFOX_PATH',
    system: ['/usr/bin/firefox-esr', '/usr/bin/firefox', '/Applications/Firefox.app/Contents/MacOS/firefox'],
    packages: ['firefox-esr'],
  },
  webkit: {
    title: 'WebKit',
    advice: 'WebKitGTK’s driver (webkit2gtk-driver) and Xvfb (xvfb)',
    variable: 'WEBKIT_DRIVER_PATH',
    system: ['/usr/bin/WebKitWebDriver'],
    packages: ['webkit2gtk-driver', 'xvfb'],
  },
}

export const browsers = Object.keys(known)

const attempt = (path, argument) => spawnSync(path, [argument], { timeout: 20_000, stdio: 'ignore' })

/** True if the browser runs. A downloaded browser can lack libraries, and some distributions install only a stub. */
function starts(name, path) {
  if (!path) return false
  if (name !== 'webkit') return attempt(path, '--version').status === 0
  // The driver has only a `-help` option, which exits with 0 or 1.
  return [path, 'Xvfb'].every(each => !attempt(each, '-help').error)
}

/** Runs a command and sends its output to standard error. */
const run = (command, args, timeout, env = {}) =>
  spawnSync(command, args, { stdio: ['ignore', 2, 2], timeout, env: { ...process.env, ...env } }).status === 0

/**
 * Downloads Playwright's Chromium. Playwright's Firefox and WebKit work only with Playwright, which the tests use only
 * for Chromium.
 */
function download(name) {
  if (name !== 'chromium') return false
  console.error('No Chromium was found. Downloading one with Playwright ...')
  const cli = fileURLToPath(import.meta.resolve('@playwright/test/cli'))
  return run(process.execPath, [cli, 'install', 'chromium'], 240_000, {
    PLAYWRIGHT_DOWNLOAD_CONNECTION_TIMEOUT: '10000',
  })
}

function installPackages({ title, packages }) {
  if (process.platform !== 'linux' || process.getuid() !== 0) return false
  console.error(`No ${title} starts. Asking apt ...`)
  const quiet = { DEBIAN_FRONTEND: 'noninteractive' }
  return (
    run('apt-get', ['update', '-qq'], 120_000) && run('apt-get', ['install', '-y', '-qq', ...packages], 600_000, quiet)
  )
}

/**
 * Returns the path of a browser that starts. If no browser starts, throws an error with instructions. With
 * INSTALL_BROWSERS=no, a missing browser is neither downloaded nor installed.
 */
export function ensureBrowser(name = 'chromium') {
  const { title, advice, variable, system } = known[name]
  const chosen = process.env[variable]
  if (chosen) {
    if (starts(name, chosen)) return chosen
    throw new Error(`${variable} is ${chosen}, which does not start. Point it at ${advice}, or unset it.`)
  }
  const places = name === 'chromium' ? [...system, chromium.executablePath()] : system
  const found = () => places.find(path => starts(name, path))
  const mayInstall = process.env.INSTALL_BROWSERS !== 'no'
  const path = found() ?? (mayInstall && download(name) && found())
  if (path) return path
  if (mayInstall && installPackages(known[name])) {
    const installed = found()
    if (installed) return installed
  }
  throw new Error(`Could not start ${title} on this machine. Install ${advice}, or set ${variable}.`)
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  try {
    console.log(ensureBrowser(process.argv[2]))
  } catch (error) {
    console.error(error.message)
    process.exitCode = 1
  }
}
