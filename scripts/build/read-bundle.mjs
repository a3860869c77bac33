import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'

/**
 * Reads what a build wrote, to measure what a page loads.
 * @param manifestFile the name of Vite's manifest in the folder `dist`
 */
export function readBundle(dist, manifestFile) {
  const manifest = JSON.parse(readFileSync(join(dist, manifestFile), 'utf8'))

  /** Returns the files of a chunk and of all its static imports. */
  function closure(key, files = new Set()) {
    const chunk = manifest[key]
    if (files.has(chunk.file)) return files
    files.add(chunk.file)
    for (const css of chunk.css ?? []) files.add(css)
    for (const dependency of chunk.imports ?? []) closure(dependency, files)
    return files
  }
  return { manifest, closure }
}

/** Returns a function that measures a file in a folder, in bytes after gzip compression. */
export const gzipSizes = dist => file => gzipSync(readFileSync(join(dist, file)), { level: 9 }).length
