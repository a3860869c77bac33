import { execFile, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { root } from '../check/guards/repository.mjs'
import { readYaml } from '../check/guards/workflows.mjs'
import { assembleImage, copiedPaths } from './image.mjs'

const KEY = `sk_${'image'.repeat(6)}`
const folder = mkdtempSync(join(tmpdir(), 'causeway-image-'))
const children = []
let env
let service
let demo

/** Starts a program of the image and returns the first line of its output, parsed as JSON. */
function start(program, settings) {
  const child = spawn(process.execPath, [join(folder, program)], {
    cwd: folder,
    env: { PATH: process.env.PATH, ...settings },
  })
  children.push(child)
  let stderr = ''
  child.stderr.on('data', chunk => {
    stderr += chunk
  })
  return new Promise((resolve, reject) => {
    child.once('exit', code => reject(new Error(`${program} exited with ${code}: ${stderr.slice(-2_000)}`)))
    createInterface({ input: child.stdout }).once('line', line => resolve(JSON.parse(line)))
  })
}

/** Fetches a page and every file that it loads from its own origin. */
async function load(url) {
  const response = await fetch(url, { headers: { Accept: 'text/html' } })
  const text = await response.text()
  const files = [...text.matchAll(/(?:src|href)="(\/[^"]+\.(?:js|css))"/g)].map(([, file]) => file)
  const statuses = await Promise.all(files.map(async file => (await fetch(new URL(file, url))).status))
  return { status: response.status, text, files, statuses }
}

beforeAll(async () => {
  assembleImage(root, folder)
  const { value } = readYaml(readFileSync(join(root, 'compose.yaml'), 'utf8'))
  const { API_ORIGIN, FRAME_ORIGIN, CONSOLE_ORIGIN, ...settings } = value.services['api-1'].environment
  env = {
    ...settings,
    // Every listener that compose.yaml opens uses a free port here, and SQLite replaces PostgreSQL.
    ...Object.fromEntries(['PORT', 'FRAME_PORT', 'OPS_PORT'].map(name => [name, '0'])),
    ...(settings.CONSOLE_PORT && { CONSOLE_PORT: '0' }),
    DATABASE_URL: `file:${join(folder, 'data/store.db')}`,
    ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
    BOOTSTRAP_SECRET_KEY: KEY,
    ROLE: 'all',
  }
  service = await start('apps/api/dist/main/server.js', env)
  demo = await start('apps/demo/dist/server.js', {
    CAUSEWAY_API_ORIGIN: service.api_origin,
    CAUSEWAY_FRAME_ORIGIN: service.frame_origin,
    CAUSEWAY_SECRET_KEY: KEY,
    DEMO_PORT: '0',
  })
}, 60_000)

afterAll(() => {
  for (const child of children) child.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

const api = (path, body) =>
  fetch(`${service.api_origin}${path}`, {
    method: body ? 'POST' : 'GET',
    headers: {
      Authorization: `Bearer ${KEY}`,
      'Content-Type': 'application/json',
      'Idempotency-Key': crypto.randomUUID(),
    },
    ...(body && { body: JSON.stringify(body) }),
  }).then(response => response.json())

it('reads the paths of the last stage only', () => {
  expect(copiedPaths('FROM a AS build\nCOPY . .\nFROM a\nCOPY --from=build /app/a /app/b ./\n')).toEqual(['a', 'b'])
})

it('serves the built console from the files of the image, with the settings of compose.yaml', async () => {
  const page = await load(service.console_origin)
  expect(page).toMatchObject({ status: 200, text: expect.stringContaining('<script') })
  expect(page.files.length).toBeGreaterThan(1)
  expect(new Set(page.statuses)).toEqual(new Set([200]))
})

it('prints a sign-in link from the files of the image, and the link signs in', async () => {
  const command = [join(folder, 'apps/api/dist/main/admin.js'), 'console', 'link']
  const settings = { ...env, CONSOLE_ORIGIN: service.console_origin }
  const { stdout } = await promisify(execFile)(process.execPath, command, { cwd: folder, env: settings })
  const { origin, hash } = new URL(JSON.parse(stdout).link)
  const signedIn = await fetch(`${origin}/api/session`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Origin: origin },
    body: JSON.stringify({ link: hash.slice('#link='.length) }),
  })
  expect(signedIn.status).toBe(200)
})

it('serves the kit, a hosted page and the frame with its first screen from the files of the image', async () => {
  const kit = await fetch(`${service.frame_origin}/v1/kit.js`)
  expect([kit.status, kit.headers.get('content-type')]).toEqual([200, 'text/javascript; charset=utf-8'])
  const flow = { mode: 'connect', entity: { type: 'individual', individual: { phone: '+15125550101' } } }
  const framed = (await api('/opal/token', flow)).data
  const linked = (await api('/opal/token', { ...flow, redirect_url: 'http://localhost:3000/done' })).data
  const hosted = await load(linked.hosted_url)
  const frame = await load(`${service.frame_origin}/e/${framed.token.slice('otkn_'.length).slice(0, 16)}`)
  for (const page of [hosted, frame]) {
    expect(page).toMatchObject({ status: 200 })
    expect(page.text).not.toContain('not built')
    expect(page.files.length).toBeGreaterThan(0)
    expect(new Set(page.statuses)).toEqual(new Set([200]))
  }
})

it('serves the demo with its pages and styles from the files of the image', async () => {
  for (const path of ['/', '/operations']) {
    const page = await load(`${demo.origin}${path}`)
    expect(page.status).toBe(200)
    expect(new Set(page.statuses)).toEqual(new Set([200]))
  }
})

it('the composed services trust only the proxy, and not the gateway from which local programs connect', () => {
  const { value } = readYaml(readFileSync(join(root, 'compose.yaml'), 'utf8'))
  const trusted = value.services['api-1'].environment.TRUSTED_PROXIES
  expect(trusted).toBe(value.services.proxy.networks.default.ipv4_address)
})
