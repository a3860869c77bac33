/**
 * Compiles the guides' Vue, Svelte and Angular blocks with their own compilers, bundles them, and runs them in a
 * browser.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launch, load } from '../../docs/tools/browser.mjs'
import { byKind, createCompiler } from '../../docs/tools/compile.mjs'
import { blocks } from '../../docs/tools/pages.mjs'
import { bundle } from './bundle.mjs'
import { folder, frameworks } from './compile.mjs'

const COMPILE_TIMEOUT_MS = 180_000
const own = byKind(blocks.filter(({ illustration, file, in: within }) => !(illustration || file || within)))
const compile = createCompiler(frameworks, folder)
const kinds = Object.keys(frameworks)

test.each(kinds)('%s compiles', { timeout: COMPILE_TIMEOUT_MS }, async kind =>
  expect(await compile(kind, own.get(kind))).toBe(''),
)

let browser
beforeAll(async () => {
  browser = await launch()
}, COMPILE_TIMEOUT_MS)
afterAll(() => browser?.close())

test.each(kinds)('the %s component opens the element', { timeout: COMPILE_TIMEOUT_MS }, async kind => {
  const files = { '/main.js': await bundle(kind) }
  const html = `<!doctype html><title>Yours</title><div id="app"></div><app-link-accounts></app-link-accounts>
    <script type="module" src="/main.js"></script>`
  const { page, faults, opened } = await load(browser, html, { files })
  await page.getByRole('button', { name: 'Link your accounts' }).click()
  expect(await opened()).toBe(`https://frame.example.com/e/${'h'.repeat(16)}`)
  expect(faults).toEqual([])
  await page.close()
})
