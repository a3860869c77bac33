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
import { build } from 'vite'
import { compress, sheets } from '../../scripts/build/bundle-plugins.mjs'

const root = fileURLToPath(new URL('.', import.meta.url))
const dist = `${root}dist/`

/**
 * Removes whitespace from the stylesheet. The minifier keeps the whitespace because it treats the stylesheet as a
 * string.
 */
const tighten = {
  name: 'tighten',
  transform: (code, id) =>
    id.endsWith('/styles.ts')
      ? {
          code: code
            .replace(/(?<=css`[^`]*)\s+/g, ' ')
            .replace(/(?<=css`[^`]*)(?: (?=[{}>])|(?<=[{};:,`>]) |;(?= ?}))/g, ''),
          map: null,
        }
      : null,
}

/** Escapes all non-ASCII characters, because a browser could misread them on a page that declares no encoding. */
const ascii = {
  name: 'ascii',
  generateBundle: (_options, bundle) => {
    for (const chunk of Object.values(bundle))
      if (chunk.type === 'chunk')
        chunk.code = chunk.code.replace(/[^\0-\x7f]/g, unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
  },
}

/**
 * The elements use only Lit's reactive base class. Lit's template modules record their version when they are imported.
 * This side effect would prevent tree shaking.
 */
const unused = /\/(?:lit-html|lit-element)\//

/** Bundles one entry point into one file. */
const bundle = (entry, format, fileName) =>
  build({
    root,
    configFile: `${root}../../vite.config.ts`,
    plugins: [tighten, sheets, ascii, compress],
    build: {
      sourcemap: true,
      outDir: dist,
      rollupOptions: { treeshake: { moduleSideEffects: id => !unused.test(id) } },
      lib: { entry: `${root}src/${entry}`, formats: [format], name: 'Causeway', fileName: () => fileName },
    },
  })

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
