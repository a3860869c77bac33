/**
 * Builds the app that runs inside the frame into `dist/`: `index.html` is the template in which the service names the
 * origins that may embed it, `hosted.html` that of the page without a host, in which it says whose link it is. `assets/`
 * holds hashed files that may be cached for ever, and `sizes.json` says in gzip bytes what the first screen of each loads
 * in all, in the language whose words are the most, so that the size guard can hold it to its budget.
 */
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build } from 'vite'

const dist = join(import.meta.dirname, 'dist')
const pages = ['index', 'hosted']
for (const made of ['assets', 'sizes.json', ...pages.flatMap(page => [`${page}.html`, `${page}.json`])])
  rmSync(join(dist, made), { recursive: true, force: true })

const gzip = file => gzipSync(readFileSync(join(dist, file)), { level: 9 }).length

/** Each page is built separately: code that two pages share would be a file more for the frame to load. */
async function buildPage(page) {
  await build({
    configFile: join(import.meta.dirname, 'vite.config.ts'),
    build: { manifest: `${page}.json`, rollupOptions: { input: join(import.meta.dirname, `${page}.html`) } },
  })
  const manifest = JSON.parse(readFileSync(join(dist, `${page}.json`), 'utf8'))

  /** The files of a chunk and of all that it imports at once. */
  function closure(key, files = new Set()) {
    const chunk = manifest[key]
    if (files.has(chunk.file)) return files
    files.add(chunk.file)
    for (const css of chunk.css ?? []) files.add(css)
    for (const dependency of chunk.imports ?? []) closure(dependency, files)
    return files
  }

  const html = `${page}.html`
  const first = new Set([html, ...closure(html)])
  const later = Object.keys(manifest).filter(key => key.startsWith('src/screens/'))
  /** The first words of the other languages, one file each: a page loads the one that it needs beside the rest. */
  const words = Object.keys(manifest).filter(key => /^src\/words\/\w+\.ts$/.test(key))
  const locales = Object.fromEntries(words.map(key => [key.split('/')[2].slice(0, -3), gzip(manifest[key].file)]))
  return {
    first_screen: [...first].reduce((sum, file) => sum + gzip(file), 0) + Math.max(0, ...Object.values(locales)),
    locales,
    files: Object.fromEntries([...first].map(file => [file, gzip(file)])),
    later: Object.fromEntries(later.map(key => [key.split('/')[2], gzip(manifest[key].file)])),
  }
}

const frame = await buildPage('index')
const { first_screen: hosted } = await buildPage('hosted')
const sizes = { ...frame, hosted }
writeFileSync(join(dist, 'sizes.json'), JSON.stringify(sizes, null, 2) + '\n')
const kB = size => `${(size / 1000).toFixed(1)} kB gzip`
console.error(`flow: the first screen loads ${kB(sizes.first_screen)}, that of a hosted page ${kB(hosted)}`)
