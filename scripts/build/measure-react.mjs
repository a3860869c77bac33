import { readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build } from 'vite'

const configFile = fileURLToPath(new URL('../../vite.config.ts', import.meta.url))

const sizeOf = code => gzipSync(code, { level: 9 }).length

/**
 * Measures how much a package adds, after gzip, to a page that already includes React and the kit. `tsc -b`, which runs
 * first, builds the modules. A guard enforces the size budget.
 * @param root the package's folder, which ends in a slash
 * @param name the name of the size in `dist/sizes.json`
 * @param files the names of further sizes, with the files in `dist` that they measure
 */
export async function measureReact(root, name, files = {}) {
  const built = await build({
    root,
    configFile,
    build: {
      write: false,
      lib: { entry: `${root}dist/index.js`, formats: ['es'] },
      rollupOptions: {
        external: [/^react(?:\/|$)/, /^@causeway\/elements(?:\/|$)/],
        // `use client` is for customers' bundlers. This bundle is only measured, so the warning about that directive does
        // not matter.
        onLog: (level, log, say) => log.code !== 'MODULE_LEVEL_DIRECTIVE' && say(level, log),
      },
    },
  })
  const { output } = Array.isArray(built) ? built[0] : built
  const sizes = { [name]: sizeOf(output[0].code) }
  for (const [each, file] of Object.entries(files)) sizes[each] = sizeOf(await readFile(`${root}dist/${file}`))
  for (const [each, size] of Object.entries(sizes)) console.error(`${each}: ${size} bytes after gzip`)
  await writeFile(`${root}dist/sizes.json`, `${JSON.stringify(sizes, null, 2)}\n`)
}
