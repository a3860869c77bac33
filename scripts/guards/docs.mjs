/**
 * A page that a script can write is a page that drifts when nobody runs the script. Each of these compares the page
 * with what it is made from.
 */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import { root } from './repository.mjs'

export const sentence = 'Written pages are in step with their source'

const writers = [
  'scripts/conformance.mjs',
  'scripts/docs-sandbox.ts',
  'scripts/docs-endpoints.ts',
  'scripts/docs-versions.ts',
  'scripts/sdk-types.ts',
  'scripts/docs-connectors.ts',
  'scripts/docs-errors.ts',
  'packages/elements/manifest.mjs',
]

export function check() {
  const tsx = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href
  const found = []
  for (const script of writers.filter(path => existsSync(root + path))) {
    const loader = script.endsWith('.ts') ? ['--conditions=source', '--import', tsx] : []
    const ran = spawnSync(process.execPath, [...loader, script, '--check'], { cwd: root, encoding: 'utf8' })
    if (ran.status !== 0) found.push(`${script} --check says:\n${ran.stdout}${ran.stderr}`)
    else if (ran.stdout) console.log(`   ${ran.stdout.split('\n')[0]}`)
  }
  return found
}
