/**
 * Packs every package that customers install, as the registry would serve it.
 *   node scripts/release/release-pack.mjs FOLDER                 writes a .tgz file for each package to FOLDER
 *     --tag v0.2.0         fails unless the packages have this version
 *     --repository URL     adds the repository to each package's manifest, because npm checks the provenance against it
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { problems, publishable, withRepository } from './packages.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))
const { values, positionals } = parseArgs({
  options: { tag: { type: 'string' }, repository: { type: 'string' } },
  allowPositionals: true,
})
if (positionals.length !== 1) {
  console.error('Usage: node scripts/release/release-pack.mjs FOLDER [--tag v0.2.0] [--repository URL]')
  process.exit(2)
}
const out = resolve(positionals[0])
const packages = publishable(root)
const found = problems(packages, values.tag)
if (found.length > 0) {
  for (const line of found) console.error(line)
  process.exit(1)
}

mkdirSync(out, { recursive: true })
for (const { folder, manifest } of packages) {
  const file = join(folder, 'package.json')
  const before = readFileSync(file, 'utf8')
  try {
    if (values.repository) {
      const path = folder.slice(root.length).replaceAll('\\', '/')
      writeFileSync(file, `${JSON.stringify(withRepository(manifest, values.repository, path), null, 2)}\n`)
    }
    execFileSync('pnpm', ['pack', '--pack-destination', out], { cwd: dirname(file), stdio: ['ignore', 2, 2] })
  } finally {
    writeFileSync(file, before)
  }
  console.log(`${manifest.name} ${manifest.version}`)
}
