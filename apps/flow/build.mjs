/**
 * Builds the frame's app into `dist/`. `index.html` is the template for the frame's page; the service adds the origins
 * that may embed the page. `hosted.html` is the template for the hosted page; the service adds the details of the
 * page's link. `assets/` holds files that can be cached forever, because their names contain a hash. `sizes.json` lists
 * the total gzip size of each page's first screen, in the language with the largest text file. The size guard checks
 * these sizes against the budget.
 */
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'vite'
import { compress, sheets } from '../../scripts/build/bundle-plugins.mjs'
import { gzipSizes, readBundle } from '../../scripts/build/read-bundle.mjs'

const dist = join(import.meta.dirname, 'dist')
const pages = ['index', 'hosted']
for (const made of [
  'assets',
  'server',
  'early.js',
  'sizes.json',
  ...pages.flatMap(page => [`${page}.html`, `${page}.json`]),
])
  rmSync(join(dist, made), { recursive: true, force: true })

const gzip = gzipSizes(dist)

/**
 * Builds one page. Pages are built separately because a shared build would move their common code into an extra file.
 */
async function buildPage(page) {
  await build({
    configFile: join(import.meta.dirname, 'vite.config.ts'),
    plugins: [compress, sheets],
    build: { manifest: `${page}.json`, rollupOptions: { input: join(import.meta.dirname, `${page}.html`) } },
  })
  const { manifest, closure } = readBundle(dist, `${page}.json`)
  const html = `${page}.html`
  const first = new Set([html, ...closure(html)])
  const later = Object.keys(manifest).filter(key => key.startsWith('src/screens/'))
  /**
   * The first screen's text in languages other than English, one file per language. A page loads at most one of these
   * files.
   */
  const words = Object.keys(manifest).filter(key => /^src\/words\/[a-z]{2}\.ts$/.test(key))
  const locales = Object.fromEntries(words.map(key => [key.split('/')[2].slice(0, -3), gzip(manifest[key].file)]))
  return {
    first_screen: [...first].reduce((sum, file) => sum + gzip(file), 0) + Math.max(0, ...Object.values(locales)),
    locales,
    files: Object.fromEntries([...first].map(file => [file, gzip(file)])),
    later: Object.fromEntries(later.map(key => [key.split('/')[2], gzip(manifest[key].file)])),
  }
}

/** Builds a module as a single file: the script embedded in the page, or the renderer that the service loads. */
async function buildModule(file, output, { ssr = false } = {}) {
  await build({
    configFile: join(import.meta.dirname, 'vite.config.ts'),
    build: {
      ...(ssr ? { ssr: true, target: 'node20' } : {}),
      modulePreload: false,
      rollupOptions: {
        input: join(import.meta.dirname, file),
        output: { entryFileNames: output, format: ssr ? 'es' : 'iife', codeSplitting: false },
      },
    },
  })
}
await buildModule('src/early/early.ts', 'early.js')
await buildModule('src/early/first-screen.ts', 'server/first-screen.js', { ssr: true })

const frame = await buildPage('index')
frame.files['early.js'] = gzip('early.js')
frame.first_screen += frame.files['early.js']
const { first_screen: hosted } = await buildPage('hosted')
const sizes = { ...frame, hosted }
writeFileSync(join(dist, 'sizes.json'), JSON.stringify(sizes, null, 2) + '\n')
const kB = size => `${(size / 1000).toFixed(1)} kB gzip`
console.error(
  `flow: the first screen loads ${kB(sizes.first_screen)}, and the first screen of a hosted page loads ${kB(hosted)}`,
)
