/**
 * Builds the CommonJS modules in `dist/cjs`, which `require` loads. `tsc -b` must run first, to build the ES modules,
 * which `import` loads.
 */
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const folder = fileURLToPath(new URL('.', import.meta.url))
const typescript = dirname(createRequire(`${folder}../../package.json`).resolve('typescript/package.json'))
const { status } = spawnSync(process.execPath, [join(typescript, 'bin/tsc'), '-p', `${folder}tsconfig.cjs.json`], {
  stdio: 'inherit',
})
if (status === 0) writeFileSync(`${folder}dist/cjs/package.json`, '{ "type": "commonjs" }\n')
process.exitCode = status ?? 1
