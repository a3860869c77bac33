/**
 * Installs the packages, as a registry would serve them, into empty projects outside the repository. Compiles and runs
 * a small example in each project, and checks that no package adds zod to a page. Requires a build, Chromium and the
 * npm registry.
 *   node scripts/test/packs.mjs [PROJECT ...] [--keep]    default: every project in scripts/test/packs/projects.mjs
 * `--keep` keeps the projects and prints their folder.
 */
import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { dirname, extname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { chromium, expect } from '@playwright/test'
import { ensureBrowser } from './browsers/ensure-browser.mjs'
import { freePort } from './free-port.mjs'
import { packedElsewhere, projects, versions } from './packs/projects.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))
const given = process.argv.slice(2)
const wanted = given.filter(arg => arg !== '--keep')
const chosen = projects.filter(({ name }) => wanted.length === 0 || wanted.includes(name))
const key = 'sk_usesThePackedPackages0000000000'
const place = mkdtempSync(join(tmpdir(), 'causeway-packs-'))
const children = []

const environment = {
  PATH: process.env.PATH,
  HOME: process.env.HOME,
  NEXT_TELEMETRY_DISABLED: '1',
  CAUSEWAY_KEY: key,
}

/**
 * Runs a project's command with access to the programs that the project has installed. If the command fails, throws an
 * error with its output.
 */
function run(folder, command, env = {}) {
  try {
    return execFileSync('bash', ['-c', command], {
      cwd: folder,
      encoding: 'utf8',
      env: { ...environment, ...env, PATH: `${join(folder, 'node_modules/.bin')}:${process.env.PATH}` },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
  } catch ({ stdout, stderr }) {
    throw new Error(`${command}\n${stdout}${stderr}`)
  }
}

/** Starts a program that runs until it is stopped. If the program exits early, the error contains its output. */
function start(folder, command, env = {}) {
  const child = spawn('bash', ['-c', command], {
    cwd: folder,
    env: { ...environment, ...env, PATH: `${join(folder, 'node_modules/.bin')}:${process.env.PATH}` },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  children.push(child)
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', chunk => {
      said = (said + chunk).slice(-4_000)
    })
  const ended = new Promise((_, reject) => child.once('exit', () => reject(new Error(`${command} ended.\n${said}`))))
  ended.catch(() => undefined)
  return { child, ended }
}

/** Waits until a URL returns 200, and resolves with the response text. */
async function load(url, { ended }) {
  let text = ''
  const answers = async () => {
    const response = await fetch(url).catch(() => null)
    text = (await response?.text()) ?? ''
    return response?.status
  }
  await Promise.race([expect.poll(answers, { timeout: 60_000 }).toBe(200), ended])
  return text
}

function install(folder, { name, type, packages, aliases = {}, dependencies, files }, tarballs) {
  mkdirSync(folder)
  const manifest = {
    name,
    version: '1.0.0',
    private: true,
    ...(type ? { type } : {}),
    dependencies: {
      ...Object.fromEntries(packages.map(each => [aliases[each] ?? `@causeway/${each}`, `file:${tarballs[each]}`])),
      ...Object.fromEntries(dependencies.map(each => [each, versions[each]])),
    },
  }
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest, null, 2))
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  run(folder, 'npm install --no-audit --no-fund --prefer-offline --ignore-scripts --loglevel=error')
}

/** Returns the name of every package in a project's dependency tree. */
function treeOf(folder) {
  const found = new Set()
  const visit = ({ dependencies = {} }) => {
    for (const [name, each] of Object.entries(dependencies)) {
      found.add(name)
      visit(each)
    }
  }
  visit(JSON.parse(run(folder, 'npm ls --all --json')))
  return found
}

const types = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' }

/** Opens a built page in Chromium. The page's button must open the element, and the element's frame must then load. */
async function open(browser, folder) {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url, 'http://page.test')
    const path = join(folder, pathname === '/' ? 'index.html' : pathname)
    readFile(path).then(
      body => response.writeHead(200, { 'content-type': types[extname(path)] ?? 'text/plain' }).end(body),
      () => response.writeHead(404).end(),
    )
  })
  await new Promise(resolve => server.listen(0, '127.0.0.1', resolve))
  const page = await browser.newPage()
  const faults = []
  page.on('pageerror', error => faults.push(error.message))
  await page.route('https://frame.example.com/**', route => route.fulfill({ contentType: 'text/html', body: '' }))
  const element_token = `pk_elem_${'h'.repeat(16)}${'s'.repeat(33)}`
  await page.route('**/token', route => route.fulfill({ json: { element_token } }))
  try {
    await page.goto(`http://127.0.0.1:${server.address().port}/`)
    const frame = page.waitForRequest(request => request.url().startsWith('https://frame.example.com/e/'))
    await page.getByRole('button', { name: 'Link your accounts' }).click()
    await frame
    expect(faults).toEqual([])
  } finally {
    await page.close()
    server.close()
  }
}

/** Starts the built server and reads the page that it renders. */
async function serve(folder, command) {
  const port = await freePort()
  const html = await load(`http://127.0.0.1:${port}/`, start(folder, `${command} --port ${port}`))
  for (const tag of ['<connect-element', '<opal-balance-transfer-element'])
    if (!html.includes(tag)) throw new Error(`The page that the server renders has no ${tag}>.`)
}

/** Runs the project's tests against a sandbox, using the quick start's page and the packed SDK. */
async function test(folder, command, browserPath) {
  const env = {
    ...{ PORT: '0', FRAME_PORT: '0', OPS_PORT: '0', CONSOLE_PORT: '0' },
    DATABASE_URL: `file:${join(folder, 'causeway.db')}`,
    BOOTSTRAP_SECRET_KEY: key,
  }
  const service = start(root, `exec '${process.execPath}' apps/api/dist/main/server.js`, env)
  const line = new Promise(resolve => createInterface({ input: service.child.stdout }).once('line', resolve))
  const { api_origin, frame_origin } = JSON.parse(await Promise.race([line, service.ended]))
  const port = await freePort()
  for (const name of ['server.mjs', 'index.html', 'link.spec.ts']) {
    const text = await readFile(join(folder, name), 'utf8')
    const here = text.replaceAll('http://127.0.0.1:4000', api_origin).replaceAll('http://localhost:4100', frame_origin)
    writeFileSync(join(folder, name), here.replaceAll('4300', port))
  }
  await load(`http://127.0.0.1:${port}/`, start(folder, 'exec node server.mjs'))
  const launchOptions = { executablePath: browserPath, args: process.getuid?.() === 0 ? ['--no-sandbox'] : [] }
  const config = { reporter: 'line', timeout: 90_000, use: { locale: 'en-US', launchOptions } }
  writeFileSync(join(folder, 'playwright.config.ts'), `export default ${JSON.stringify(config)}\n`)
  const said = run(folder, command, { CAUSEWAY_URL: api_origin })
  if (!said.includes('1 passed')) throw new Error(said)
}

async function use(project, tarballs, browser) {
  const folder = join(place, project.name)
  install(folder, project, tarballs)
  if (treeOf(folder).has('zod') !== (project.zod ?? false)) throw new Error(run(folder, 'npm ls zod'))
  for (const command of project.commands) run(folder, command)
  for (const [file, text] of Object.entries(project.wrong ?? {})) {
    writeFileSync(join(folder, file), text)
    expect(() => run(folder, project.commands[0]), `${file} has a mistake`).toThrow(new RegExp(`${file}[^]*popup`))
  }
  if (project.opens) await open(browser, join(folder, project.opens))
  if (project.serves) await serve(folder, project.serves)
  if (project.tests) await test(folder, project.tests, ensureBrowser())
}

function pack() {
  const folder = join(place, 'tarballs')
  execFileSync(process.execPath, [join(root, 'scripts/release/release-pack.mjs'), folder], { stdio: 'pipe' })
  const files = readdirSync(folder).map(file => [/^causeway-(.+)-\d/.exec(file)[1], join(folder, file)])
  return Object.fromEntries(files)
}

async function main() {
  const unknown = wanted.filter(name => !projects.some(project => project.name === name))
  if (unknown.length > 0) throw new Error(`scripts/test/packs/projects.mjs has no project named ${unknown.join(', ')}.`)
  const tarballs = pack()
  const used = new Set([...projects.flatMap(({ packages }) => packages), ...Object.keys(packedElsewhere)])
  const unused = Object.keys(tarballs).filter(name => !used.has(name))
  if (unused.length > 0) throw new Error(`No project in scripts/test/packs/projects.mjs installs ${unused.join(', ')}.`)
  const browser = await chromium.launch({
    executablePath: ensureBrowser(),
    args: ['--disable-gpu', ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])],
  })
  for (const project of chosen) {
    const started = performance.now()
    try {
      await use(project, tarballs, browser)
      console.log(`${project.name}: works, ${Math.round((performance.now() - started) / 1_000)} s`)
    } catch (error) {
      console.error(`${project.name}: FAILED\n${error.message}`)
      process.exitCode = 1
    }
  }
  await browser.close()
}

try {
  await main()
} catch (error) {
  console.error(error.message)
  process.exitCode = 1
} finally {
  for (const { pid, exitCode, signalCode } of children)
    if (exitCode === null && signalCode === null) process.kill(-pid, 'SIGKILL')
  if (given.includes('--keep')) console.log(place)
  else rmSync(place, { recursive: true, force: true, maxRetries: 10 })
}
