/** Bundles the service for the simulation, so that each seed loads one file instead of a thousand. */
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'

const root = fileURLToPath(new URL('../..', import.meta.url))
const simulatedSqlite = new URL('sqlite.mjs', import.meta.url).href

/** Gives the service the simulated SQLite instead of the real one. */
const simulateSqlite = {
  name: 'simulated-sqlite',
  enforce: 'pre',
  resolveId: source =>
    source === '@photostructure/sqlite' ? { id: simulatedSqlite, external: 'absolute' } : undefined,
}

/** Replaces the texts of source files. @param texts by absolute path */
const replaceTexts = texts => ({
  name: 'removed-protection',
  enforce: 'pre',
  transform: (_code, id) => (texts.has(id) ? { code: texts.get(id), map: null } : undefined),
})

/**
 * Bundles the service.
 * @param folder the folder of the bundle
 * @param texts the texts of changed source files, by path from the root; used to remove a protection
 * @returns the path of the bundle
 */
export async function bundleProduct(folder, texts = new Map()) {
  await build({
    root,
    configFile: join(root, 'vite.config.ts'),
    logLevel: 'error',
    plugins: [simulateSqlite, replaceTexts(new Map([...texts].map(([path, text]) => [join(root, path), text])))],
    build: {
      ssr: fileURLToPath(new URL('product-exports.mjs', import.meta.url)),
      outDir: folder,
      emptyOutDir: false,
      minify: false,
      sourcemap: true,
      rolldownOptions: { output: { entryFileNames: 'product.mjs', codeSplitting: false } },
    },
    ssr: { noExternal: true, external: ['pg-native'] },
  })
  return join(folder, 'product.mjs')
}
