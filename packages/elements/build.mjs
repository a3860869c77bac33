/**
 * Builds the files that a page loads without a bundler (see `bundle.mjs`), and completes the npm modules, which
 * `tsc -b` built before: fills `dist/contract` with copies of the contract modules that they import.
 */
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import './bundle.mjs'

const root = fileURLToPath(new URL('.', import.meta.url))
const dist = `${root}dist/`

/**
 * Copies the kit's contract modules to a folder beside the kit's own modules, and redirects imports to the copies. That
 * way, the published package depends only on Lit, and not on zod, which the contract's other modules require.
 */
const imported = /(['"])@causeway\/contract\/(\w+)\1/g
const copied = ['frame', 'session', 'allocations']
await mkdir(`${dist}contract`, { recursive: true })
for (const name of copied)
  for (const ending of ['.js', '.d.ts']) {
    const text = await readFile(`${root}../contract/dist/${name}${ending}`, 'utf8')
    await writeFile(`${dist}contract/${name}${ending}`, text.replace(/^\/\/# sourceMappingURL=.*\n?/m, ''))
  }
for (const name of await readdir(dist)) {
  if (!/\.(?:js|d\.ts)$/.test(name) || ['kit.js', 'loader.js', 'init.js'].includes(name)) continue
  const text = await readFile(`${dist}${name}`, 'utf8')
  const other = [...text.matchAll(imported)].find(([, , module]) => !copied.includes(module))
  if (other) throw new Error(`${name} imports ${other[0]}, which build.mjs does not copy`)
  await writeFile(`${dist}${name}`, text.replace(imported, '$1./contract/$2.js$1'))
}
