/** Bundles the React page of the migration guide with the alias that the guide installs, and runs it in a browser. */
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launch, load } from '../../docs/tools/browser.mjs'
import { blocks } from '../../docs/tools/pages.mjs'

const TIMEOUT_MS = 180_000
const folder = fileURLToPath(new URL('..', import.meta.url))
const sample = blocks.find(({ page, lang }) => page === 'docs/guides/migrate.md' && lang === 'tsx')

/** Returns the script of a page that renders the sample. */
async function bundle() {
  const modules = {
    [join(folder, 'sample.tsx')]: sample.text,
    [join(folder, 'main.tsx')]: `import { createRoot } from 'react-dom/client'
      import { Page } from './sample.tsx'
      createRoot(document.querySelector('#app')).render(<Page onLinked={() => undefined} />)`,
  }
  const virtual = {
    name: 'virtual',
    resolveId: id => Object.keys(modules).find(path => path === id || path === join(folder, id)) ?? null,
    load: id => modules[id] ?? null,
  }
  const [{ output }] = [
    await build({
      root: folder,
      configFile: fileURLToPath(new URL('../../vite.config.ts', import.meta.url)),
      logLevel: 'error',
      define: { 'process.env.NODE_ENV': '"production"' },
      plugins: [virtual],
      // The package and the page must use the same copy of React.
      resolve: { alias: [{ find: /^react(-dom)?(?=\/|$)/, replacement: `${folder}node_modules/react$1` }] },
      build: {
        write: false,
        minify: false,
        rollupOptions: { input: join(folder, 'main.tsx'), output: { format: 'es', codeSplitting: false } },
      },
    }),
  ].flat()
  return output.find(({ type }) => type === 'chunk').code
}

let browser
beforeAll(async () => {
  browser = await launch()
}, TIMEOUT_MS)
afterAll(() => browser?.close())

test('the React page of the migration guide opens the flow', { timeout: TIMEOUT_MS }, async () => {
  const html = `<!doctype html><title>Yours</title>
    <meta name="causeway-frame-origin" content="https://frame.example.com">
    <div id="app"></div><script type="module" src="/main.js"></script>`
  const { page, faults, opened } = await load(browser, html, { files: { '/main.js': await bundle() } })
  await page.getByRole('button', { name: 'Link your accounts' }).click()
  expect(await opened()).toBe(`https://frame.example.com/e/${'h'.repeat(16)}`)
  expect(faults).toEqual([])
  await page.close()
})
