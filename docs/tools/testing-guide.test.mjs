/** Runs the testing guide's Playwright tests against the quick start's page, as readers would. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ensureBrowser } from '../../scripts/test/browsers/ensure-browser.mjs'
import { freePort } from '../../scripts/test/free-port.mjs'
import { readBlocks } from './blocks.mjs'
import { blocks, root } from './pages.mjs'
import { firstLine } from './service.mjs'
import { finish } from './shell.mjs'

const folder = fileURLToPath(new URL('tried-guide', import.meta.url))
const playwright = fileURLToPath(import.meta.resolve('@playwright/test/cli'))
const key = 'sk_runsTheTestsOfTheGuide00000000'

/** The blocks that form the test module. The first block begins with the imports, and each block contains one test. */
const parts = blocks
  .filter(({ page, lang, text }) => /guides\/testing\.md$/.test(page) && lang === 'ts' && text.includes('{ page }'))
  .map(({ text }) => text)
const imports = parts[0].slice(0, parts[0].indexOf('test('))
const site = readBlocks(join(root, 'docs/guides/quick-start.md')).filter(({ file }) => file)

const children = []
const start = (command, cwd, env) => {
  const child = spawn(process.execPath, command, { cwd, env: { PATH: process.env.PATH, ...env } })
  children.push(child)
  return child
}

/** Serves a copy of the quick start's page on a free port. Each copy is for a different person. */
async function startSite(name, { api_origin, frame_origin }) {
  const port = await freePort()
  const here = text =>
    text
      .replaceAll('http://127.0.0.1:4000', api_origin)
      .replaceAll('http://localhost:4100', frame_origin)
      .replaceAll('4300', port)
  const at = join(folder, name)
  mkdirSync(at)
  for (const { file, text } of site) writeFileSync(join(at, file), text)
  const [CAUSEWAY_PORT, FRAME_PORT] = [api_origin, frame_origin].map(origin => new URL(origin).port)
  start(['server.mjs'], at, { CAUSEWAY_KEY: key, CAUSEWAY_PORT, FRAME_PORT, SITE_PORT: String(port) })
  await expect
    .poll(() =>
      fetch(`http://127.0.0.1:${port}`).then(
        ({ ok }) => ok,
        () => false,
      ),
    )
    .toBe(true)
  return here
}

let service
beforeAll(async () => {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder)
  const env = {
    ...{ PORT: '0', FRAME_PORT: '0', OPS_PORT: '0', CONSOLE_PORT: '0' },
    DATABASE_URL: `file:${join(folder, 'causeway.db')}`,
    BOOTSTRAP_SECRET_KEY: key,
  }
  service = await firstLine(start([join(root, 'apps/api/dist/main/server.js')], folder, env))
  const launchOptions = {
    executablePath: ensureBrowser(),
    args: ['--disable-gpu', ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])],
  }
  const config = {
    testDir: '.',
    outputDir: 'results',
    reporter: 'line',
    fullyParallel: true,
    timeout: 90_000,
    use: { locale: 'en-US', launchOptions },
  }
  writeFileSync(join(folder, 'playwright.config.mjs'), `export default ${JSON.stringify(config)}\n`)
}, 60_000)
afterAll(async () => {
  for (const child of children) {
    if (child.exitCode !== null) continue
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
  rmSync(folder, { recursive: true, force: true })
})

test('the tests in the guide pass', { timeout: 240_000 }, async () => {
  for (const [index, text] of parts.entries()) {
    const here = await startSite(`site-${index}`, service)
    writeFileSync(join(folder, `guide-${index}.spec.ts`), here(index === 0 ? text : `${imports}${text}`))
  }
  const env = { CAUSEWAY_URL: service.api_origin, CAUSEWAY_KEY: key, HOME: process.env.HOME }
  const { code, said } = await finish(start([playwright, 'test'], folder, env))
  expect(said).toContain(`${parts.length} passed`)
  expect(code).toBe(0)
})
