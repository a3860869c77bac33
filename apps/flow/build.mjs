/**
 * Builds the app that runs inside the frame into `dist/`: `index.html` is the template that the service fills in at
 * request time, `assets/` holds hashed files that may be cached for ever, and `sizes.json` says in gzip bytes what the
 * first screen loads in all, in the language whose words are the most, so that the size guard can hold it to its budget.
 */
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build } from 'vite'

const dist = join(import.meta.dirname, 'dist')
for (const made of ['assets', 'index.html', 'manifest.json', 'sizes.json'])
  rmSync(join(dist, made), { recursive: true, force: true })
await build({ configFile: join(import.meta.dirname, 'vite.config.mjs'), logLevel: 'warn' })

const manifest = JSON.parse(readFileSync(join(dist, 'manifest.json'), 'utf8'))
const gzip = file => gzipSync(readFileSync(join(dist, file)), { level: 9 }).length

/** The files of a chunk and of all that it imports at once. */
function closure(key, files = new Set()) {
  const chunk = manifest[key]
  if (files.has(chunk.file)) return files
  files.add(chunk.file)
  for (const css of chunk.css ?? []) files.add(css)
  for (const dependency of chunk.imports ?? []) closure(dependency, files)
  return files
}

const first = new Set(['index.html', ...closure('index.html'), ...closure('src/screens/consent/consent.ts')])
const later = Object.keys(manifest).filter(key => key.startsWith('src/screens/') && !key.includes('/consent/'))
/** The first words of the other languages, one file each: whoever needs one loads it beside the rest. */
const words = Object.keys(manifest).filter(key => /^src\/words\/\w+\.ts$/.test(key))
const locales = Object.fromEntries(words.map(key => [key.split('/')[2].slice(0, -3), gzip(manifest[key].file)]))
const sizes = {
  first_screen: [...first].reduce((sum, file) => sum + gzip(file), 0) + Math.max(0, ...Object.values(locales)),
  locales,
  files: Object.fromEntries([...first].map(file => [file, gzip(file)])),
  later: Object.fromEntries(later.map(key => [key.split('/')[2], gzip(manifest[key].file)])),
}
writeFileSync(join(dist, 'sizes.json'), JSON.stringify(sizes, null, 2) + '\n')
console.error(`flow: the first screen loads ${(sizes.first_screen / 1000).toFixed(1)} kB gzip`)
