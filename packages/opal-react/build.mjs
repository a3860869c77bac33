/**
 * Measures how much the package adds, after gzip, to a page that already includes React and the kit. `tsc -b`, which
 * runs first, builds the modules. A guard enforces the size budget.
 */
import { writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build } from 'vite'

const root = fileURLToPath(new URL('.', import.meta.url))
const { output } = await build({
  root,
  configFile: `${root}../../vite.config.ts`,
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
}).then(all => (Array.isArray(all) ? all[0] : all))
const opal_react = gzipSync(output[0].code, { level: 9 }).length
console.error(`opal-react: ${opal_react} bytes after gzip`)
await writeFile(`${root}dist/sizes.json`, `${JSON.stringify({ opal_react }, null, 2)}\n`)
