/**
 * Builds the files that a page loads without a bundler: `dist/kit.js` (for a script tag, with Lit included),
 * `dist/loader.js`, and `dist/init.js` (the kit with the interface of Elements). Also writes
 * `integrity.json` (the version and the hashes of both scripts) and `sizes.json` (the gzip sizes, which a guard checks).
 * Reads only source files.
 */
import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { bundleKit } from '../../scripts/build/bundle-kit.mjs'

const root = fileURLToPath(new URL('.', import.meta.url))
const dist = `${root}dist/`

const bundle = (entry, format, fileName) => bundleKit({ root, entry: `src/${entry}`, format, fileName })

await bundle('script.ts', 'iife', 'kit.js')
await bundle('loader.ts', 'es', 'loader.js')
await bundle('method-script.ts', 'iife', 'init.js')

const sizes = {}
for (const name of ['kit', 'loader', 'init']) {
  sizes[name] = gzipSync(await readFile(`${dist}${name}.js`), { level: 9 }).length
  console.error(`${name}.js: ${sizes[name]} bytes after gzip`)
}
const hashOf = async name => {
  const hash = createHash('sha384').update(await readFile(dist + name))
  return `sha384-${hash.digest('base64')}`
}
await writeFile(`${dist}sizes.json`, `${JSON.stringify(sizes, null, 2)}\n`)
const { version } = JSON.parse(await readFile(`${root}package.json`, 'utf8'))
const hashes = { version, 'kit.js': await hashOf('kit.js'), 'init.js': await hashOf('init.js') }
await writeFile(`${dist}integrity.json`, `${JSON.stringify(hashes, null, 2)}\n`)
