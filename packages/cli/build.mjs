/**
 * Bundles the command and the SDK into a single file, `dist/causeway.js`, which can be installed and run without other
 * packages.
 */
import { chmod } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'

const root = fileURLToPath(new URL('.', import.meta.url))

await build({
  root,
  configFile: `${root}../../vite.config.ts`,
  build: {
    ssr: 'src/main.ts',
    target: 'node20',
    outDir: 'dist',
    rollupOptions: { output: { entryFileNames: 'causeway.js' } },
  },
})
await chmod(`${root}dist/causeway.js`, 0o755)
