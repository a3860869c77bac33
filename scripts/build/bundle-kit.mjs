/** Bundles the kit into a file that a page loads without a bundler. */
import { fileURLToPath } from 'node:url'
import { build } from 'vite'
import { compress, sheets } from './bundle-plugins.mjs'

const configFile = fileURLToPath(new URL('../../vite.config.ts', import.meta.url))

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

/**
 * Bundles one entry point, from source, into one file in the package's `dist`.
 * @param root the package's folder, which ends in a slash
 * @param entry the entry point in it
 * @param format `iife` for a script tag, `es` for a module
 * @param external the modules that the page provides
 */
export const bundleKit = ({ root, entry, format, fileName, external = [] }) =>
  build({
    root,
    configFile,
    plugins: [tighten, sheets, ascii, compress],
    build: {
      sourcemap: true,
      outDir: `${root}dist/`,
      rollupOptions: {
        external,
        // In modules, Vite would keep the whitespace.
        output: { minify: true },
        treeshake: { moduleSideEffects: id => !unused.test(id) },
        // `use client` is for customers' bundlers.
        onLog: (level, log, say) => log.code !== 'MODULE_LEVEL_DIRECTIVE' && say(level, log),
      },
      lib: { entry: `${root}${entry}`, formats: [format], name: 'Causeway', fileName: () => fileName },
    },
  })
