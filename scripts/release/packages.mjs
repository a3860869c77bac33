/** The packages that customers install from a registry. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Returns `[{ folder, manifest }]` for every package that is not private. */
export function publishable(root) {
  return readdirSync(join(root, 'packages'))
    .map(name => join(root, 'packages', name))
    .filter(folder => existsSync(join(folder, 'package.json')))
    .map(folder => ({ folder, manifest: JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) }))
    .filter(({ manifest }) => manifest.private !== true)
}

/**
 * Returns the problems that prevent these packages from being published.
 * @param tag such as `v0.2.0`. Without a tag, any version is accepted
 */
export function problems(packages, tag) {
  const found = []
  for (const { folder, manifest } of packages) {
    const wanted = tag?.replace(/^v/, '') ?? packages[0].manifest.version
    if (manifest.version !== wanted)
      found.push(`${manifest.name} is version ${manifest.version}, not ${wanted}: run \`pnpm changeset version\``)
    for (const file of ['LICENSE', 'README.md'])
      if (!existsSync(join(folder, file))) found.push(`${manifest.name} has no ${file}`)
    if (manifest.license !== 'MIT') found.push(`${manifest.name} must name its license, MIT`)
    if (!manifest.files) found.push(`${manifest.name} must list its files`)
  }
  return found
}

/** Adds the `repository` field to a manifest. npm rejects a provenance statement that names a different repository. */
export const withRepository = (manifest, url, directory) => ({
  ...manifest,
  repository: { type: 'git', url: `git+${url}.git`, directory },
})
