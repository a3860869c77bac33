import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** Lists the files of a path, which may be a file or a folder, in a stable order. Lists nothing if it doesn't exist. */
export function filesOf(path) {
  const stats = statSync(path, { throwIfNoEntry: false })
  if (!stats) return []
  if (!stats.isDirectory()) return [path]
  return readdirSync(path)
    .sort()
    .flatMap(name => filesOf(join(path, name)))
}

/** Hashes the names and the contents of all files in the paths that `select` accepts. */
export function contentHash(paths, select = () => true) {
  const hash = createHash('sha256')
  for (const file of paths.flatMap(filesOf).filter(select)) {
    const content = readFileSync(file)
    hash.update(`${file}\0${content.length}\0`).update(content)
  }
  return hash.digest('hex')
}
