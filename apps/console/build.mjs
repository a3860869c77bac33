/**
 * Builds the console into `dist/`: `index.html`, hashed files in `assets/` that can be cached forever, and
 * `sizes.json`, which lists the gzipped sizes of the first load and the largest page. The size guard checks these sizes
 * against the limits.
 */
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'vite'
import { compress } from '../../scripts/build/bundle-plugins.mjs'
import { gzipSizes, readBundle } from '../../scripts/build/read-bundle.mjs'

const dist = join(import.meta.dirname, 'dist')
for (const made of ['assets', 'sizes.json', 'index.html', 'index.json'])
  rmSync(join(dist, made), { recursive: true, force: true })

await build({
  configFile: join(import.meta.dirname, 'vite.config.ts'),
  plugins: [compress],
  build: { manifest: 'index.json', rollupOptions: { input: join(import.meta.dirname, 'index.html') } },
})
const { manifest, closure } = readBundle(dist, 'index.json')
const gzip = gzipSizes(dist)

const first = new Set(['index.html', ...closure('index.html')])
const sum = files => [...files].reduce((total, file) => total + gzip(file), 0)
/** The files that each page loads beyond the first load, including chunks shared between pages. */
const pages = Object.fromEntries(
  Object.keys(manifest)
    .filter(key => key.startsWith('src/pages/') && manifest[key].isDynamicEntry)
    .map(key => [
      key.slice('src/pages/'.length, -'.ts'.length),
      sum([...closure(key)].filter(file => !first.has(file))),
    ]),
)
const sizes = {
  first_load: sum(first),
  page: Math.max(...Object.values(pages)),
  pages,
  files: Object.fromEntries([...first].map(file => [file, gzip(file)])),
}
writeFileSync(join(dist, 'sizes.json'), JSON.stringify(sizes, null, 2) + '\n')
const kB = size => `${(size / 1000).toFixed(1)} kB gzip`
console.error(`console: the first load is ${kB(sizes.first_load)}, the largest page ${kB(sizes.page)}`)
