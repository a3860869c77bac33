/**
 * Runs, in parallel, the builds that `tsc -b` does not cover: the browser bundles and the SDK's CommonJS modules. Each
 * package has its own `build.mjs`. `tsc -b` must run first.
 */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { recordBuilt } from './prepare.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))
const bundles = [
  'packages/elements',
  'packages/react',
  'packages/opal-react',
  'packages/sdk',
  'packages/testing',
  'packages/cli',
  'apps/flow',
  'apps/console',
]

const build = folder =>
  new Promise((resolve, reject) => {
    if (!existsSync(join(root, folder, 'build.mjs'))) {
      console.log(`${folder}: no build.mjs, so there is nothing to bundle`)
      return resolve(true)
    }
    const started = performance.now()
    const child = spawn(process.execPath, ['build.mjs'], { cwd: join(root, folder), stdio: 'inherit' })
    child.on('error', reject)
    child.on('exit', code => {
      const seconds = ((performance.now() - started) / 1000).toFixed(1)
      console.log(code === 0 ? `${folder}: bundled in ${seconds} s` : `${folder}: the bundle FAILED`)
      resolve(code === 0)
    })
  })

const results = await Promise.all(bundles.map(build))
if (results.every(Boolean)) recordBuilt()
else process.exitCode = 1
