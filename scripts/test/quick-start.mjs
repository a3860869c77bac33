/**
 * Follows docs/guides/quick-start.md exactly, in an empty folder: runs its commands, creates its files, clicks its
 * button, and checks the data that the reader's server receives. Fails if the page needs more than three commands or
 * thirty lines.
 *   node scripts/test/quick-start.mjs               as on the page, including the build
 *   node scripts/test/quick-start.mjs --no-build    starts the service from an existing build, without installing or building
 * The only differences from what happens on a reader's machine:
 * - the `causeway` folder contains the SDK as packed by `pnpm pack` and its own data folder; the service runs from this
 *   checkout
 * - if one of the page's ports is in use on this machine, the variables that the page names set a free port instead
 */
import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { chromium, expect } from '@playwright/test'
import { readBlocks } from '../../docs/tools/blocks.mjs'
import { ensureBrowser } from './browsers/ensure-browser.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))
const most = { commands: 3, lines: 30 }
const blocks = readBlocks(join(root, 'docs/guides/quick-start.md'))
const commands = blocks.flatMap(({ lang, in: folder, text }) =>
  lang === 'sh' && folder
    ? text
        .trim()
        .split('\n')
        .map(command => ({ command, folder }))
    : [],
)
const files = blocks.filter(({ file }) => file)
/** The account that the person does not choose, because it has no balance. */
const leftOut = 'American Express'
const children = []

/** Runs one of the page's commands until it ends, or until `ready` returns true for a line of its output. */
function run({ command, folder }, cwd, env = {}, ready = null) {
  console.log(`${folder}$ ${command}`)
  const child = spawn('bash', ['-c', command], {
    cwd,
    env: { ...process.env, ...env },
    // Runs in a separate process group so that its child processes end with it.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  children.push(child)
  let said = ''
  child.stderr.on('data', chunk => {
    said = (said + chunk).slice(-4_000)
  })
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', code =>
      code === 0 && !ready ? resolve() : reject(new Error(`It ended with ${code}.\n${said}`)),
    )
    createInterface({ input: child.stdout }).on('line', line => {
      said = `${said}${line}\n`.slice(-4_000)
      if (ready?.(line)) resolve()
    })
  })
}

const listening = (port, host) =>
  new Promise(resolve => {
    const probe = createServer()
    probe.once('error', () => resolve(null))
    probe.listen(port, host, () => {
      const found = probe.address().port
      probe.close(() => resolve(found))
    })
  })

/** Maps each of the page's ports to a free port. */
async function choosePorts() {
  const ports = {}
  for (const port of [4000, 4100, 4200, 4300, 4400])
    ports[port] = (await listening(port, '127.0.0.1')) ?? (await listening(0, '127.0.0.1'))
  const moved = Object.entries(ports).filter(([from, to]) => Number(from) !== to)
  for (const [from, to] of moved) console.log(`Port ${from} is in use on this machine; using ${to} instead.`)
  return ports
}

const packSdk = folder => {
  execFileSync('pnpm', ['pack', '--pack-destination', folder], { cwd: join(root, 'packages/sdk'), stdio: 'pipe' })
  const [archive] = readdirSync(folder).filter(name => name.endsWith('.tgz'))
  const into = join(folder, 'causeway/packages/sdk')
  mkdirSync(into, { recursive: true })
  execFileSync('tar', ['-xzf', join(folder, archive), '-C', into, '--strip-components=1'])
}

/**
 * Acts as the person in the frame: agrees, requests a code, enters it, and chooses every account with a balance.
 * @returns the number of chosen accounts
 */
async function link(page) {
  const frame = page.frameLocator('iframe')
  const press = name => frame.getByRole('button', { name }).click()
  await page.getByRole('button', { name: 'Link your accounts' }).click()
  await press('Agree and continue')
  await frame.getByLabel('Six-digit code').fill('123456')
  await press('Select all')
  await expect(frame.getByRole('checkbox', { name: new RegExp(leftOut), checked: false })).toHaveCount(1)
  const next = frame.getByRole('button', { name: /^Continue with/ })
  const [chosen] = /\d+/.exec(await next.textContent())
  await next.click()
  await press('Done')
  return Number(chosen)
}

async function follow(folder) {
  const lines = files.flatMap(({ text }) => text.split('\n').filter(line => line.trim() !== ''))
  console.log(`${commands.length} commands, ${lines.length} lines that the reader writes`)
  if (commands.length > most.commands) throw new Error(`A quick start must have at most ${most.commands} commands.`)
  if (lines.length > most.lines)
    throw new Error(`A quick start must have at most ${most.lines} lines that the reader writes.`)

  const ports = await choosePorts()
  const [serve, install, start] = commands
  packSdk(folder)
  const serveHere = {
    ...serve,
    command: process.argv.includes('--no-build') ? 'node apps/api/dist/main/server.js' : serve.command,
  }
  await run(
    serveHere,
    root,
    {
      PORT: ports[4000],
      FRAME_PORT: ports[4100],
      OPS_PORT: ports[4200],
      CONSOLE_PORT: ports[4400],
      DATABASE_URL: `file:${join(folder, 'causeway/data/causeway.db')}`,
    },
    line => line.includes('"ready":true'),
  )

  const site = join(folder, install.folder)
  mkdirSync(site)
  await run(install, site)
  for (const { file, text } of files) writeFileSync(join(site, file), text)
  const server = run(
    start,
    site,
    { CAUSEWAY_PORT: ports[4000], FRAME_PORT: ports[4100], SITE_PORT: ports[4300] },
    () => false,
  )
  server.catch(() => {})

  const browser = await chromium.launch({
    executablePath: ensureBrowser(),
    args: ['--disable-gpu', ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])],
  })
  try {
    // A phone, where a page without a viewport tag would be laid out 980 px wide.
    const phone = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true }
    const page = await browser.newPage({ locale: 'en-US', ...phone })
    const warnings = []
    page.on('console', message => message.type() === 'warning' && warnings.push(message.text()))
    const at = `http://127.0.0.1:${ports[4300]}`
    const loaded = () =>
      page.goto(at).then(
        answer => answer.ok(),
        () => false,
      )
    await Promise.race([expect.poll(loaded, { timeout: 20_000 }).toBe(true), server])
    const layout = () => page.evaluate(() => [innerWidth, document.documentElement.lang])
    expect(await layout()).toEqual([phone.viewport.width, 'en'])
    const chosen = await link(page)
    expect(chosen).toBe(4)
    expect(warnings).toEqual([])
    await expect(page.getByRole('status')).toContainText('Chase')
    await expect(page.getByRole('status')).not.toContainText(leftOut)
    console.log(`The page shows: ${await page.getByRole('status').textContent()}`)
    const { data } = await (await fetch(`${at}/linked`)).json()
    if (data.length !== chosen) throw new Error(`The reader's server received ${data.length} accounts, not ${chosen}.`)
    console.log(`The reader's server received ${data.length} linked accounts.`)
  } finally {
    await browser.close()
  }
}

const folder = mkdtempSync(join(tmpdir(), 'quick-start-'))
try {
  await follow(folder)
} catch (error) {
  console.error(`The quick start does not work as written: ${error.message}`)
  process.exitCode = 1
} finally {
  for (const { pid, exitCode, signalCode } of children)
    if (exitCode === null && signalCode === null) process.kill(-pid, 'SIGTERM')
  rmSync(folder, { recursive: true, force: true })
}
