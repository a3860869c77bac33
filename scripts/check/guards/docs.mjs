/**
 * Compares each generated page with its source. Without this check, a page would become outdated whenever its script
 * was not run.
 */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { availableParallelism } from 'node:os'
import { pathToFileURL } from 'node:url'
import { root } from './repository.mjs'

export const sentence = 'Written pages are in step with their source'

const writers = [
  'scripts/docs/conformance.mjs',
  'scripts/docs/docs-sandbox.ts',
  'scripts/docs/docs-endpoints.ts',
  'scripts/docs/docs-migrate.ts',
  'scripts/docs/docs-versions.ts',
  'scripts/docs/docs-connectors.ts',
  'scripts/docs/docs-providers.ts',
  'scripts/docs/docs-errors.ts',
  'scripts/docs/docs-consent.ts',
  'packages/elements/manifest.mjs',
]

/** Runs a script. Resolves to its exit code and output. */
const run = args =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { cwd: root })
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', text => {
        output += text
      })
    child.on('error', reject)
    child.on('close', code => resolve({ code, output }))
  })

export async function check() {
  const tsx = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href
  const found = []
  const queue = writers.filter(path => existsSync(root + path))
  const worker = async () => {
    for (let script = queue.shift(); script; script = queue.shift()) {
      const loader = script.endsWith('.ts') ? ['--conditions=source', '--import', tsx] : []
      const { code, output } = await run([...loader, script, '--check'])
      if (code !== 0) found.push(`${script} --check says:\n${output}`)
      else if (output) console.log(`   ${output.split('\n')[0]}`)
    }
  }
  await Promise.all(Array.from({ length: availableParallelism() }, worker))
  return found
}
