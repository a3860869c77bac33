/**
 * Runs the Node tests on SQLite with the latest version of Node.js, even if another version runs this script. The
 * binary comes from the npm package `node`.
 *   node scripts/test/latest-node.mjs [VERSION]    such as 26; default: the latest
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const [version = 'latest'] = process.argv.slice(2)
const folder = mkdtempSync(join(tmpdir(), 'causeway-node-'))
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
// npm runs the package's install script, which links the binary for this platform.
execFileSync('npm', ['install', '--prefix', folder, '--no-audit', '--no-fund', '--loglevel=error', `node@${version}`], {
  stdio: ['ignore', 2, 2],
})
const binary = join(folder, 'node_modules', 'node', 'bin', 'node')
console.log(`Node.js ${execFileSync(binary, ['--version'], { encoding: 'utf8' }).trim()}`)
const unit = fileURLToPath(new URL('unit.mjs', import.meta.url))
const path = `${join(folder, 'node_modules', 'node', 'bin')}:${process.env.PATH}`
process.exitCode =
  spawnSync(binary, [unit, 'sqlite'], { stdio: 'inherit', env: { ...process.env, PATH: path } }).status ?? 1
