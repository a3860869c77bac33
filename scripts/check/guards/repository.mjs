/**
 * Provides the input for the guards: the repository's text files, whether tracked or not yet added, and their imports.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { posix } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../../..', import.meta.url))

const binary = /\.(?:png|jpe?g|gif|webp|ico|woff2?|pdf|zip|gz|db)$/

/** Returns `[{ path, text }]`. Each path is relative to the root and uses forward slashes. */
export function readRepository() {
  const list = execFileSync('git', ['ls-files', '-coz', '--exclude-standard'], { cwd: root, encoding: 'utf8' })
  return [...new Set(list.split('\0'))]
    .filter(path => path && !binary.test(path) && existsSync(root + path) && statSync(root + path).isFile())
    .map(path => ({ path, text: readFileSync(root + path, 'utf8') }))
}

export const isScript = path => /\.(?:ts|tsx|mts|mjs|js)$/.test(path)
/** True for tests and test-only code. The `testing` package is a product, so it does not count as test code. */
export const isTest = path =>
  /\.test\.(?:ts|mjs)$|(?:^|\/)(?:test|testing|tests|e2e)\//.test(path.replace(/^packages\/testing\//, ''))
export const isSandbox = path => /(?:^|\/)sandbox\//.test(path)

const statement = /^[ \t]*(?:import|export)\b(?<what>[^'"`;]*?)(?:\bfrom\s*)?['"](?<from>[^'"]+)['"]/gm
const dynamic = /\bimport\(\s*['"](?<from>[^'"]+)['"]\s*\)/g

/**
 * Returns every import in a module, as `{ from, type, line }`. `type` is true if compilation removes the import.
 * Ignores examples in comments.
 */
export function importsOf(text) {
  const code = text
    .replace(/^[ \t]*\/\*[\s\S]*?\*\//gm, comment => comment.replace(/[^\n]/g, ' '))
    .replace(/^[ \t]*\/\/.*$/gm, '')
  const found = []
  for (const match of [...code.matchAll(statement), ...code.matchAll(dynamic)]) {
    const what = match.groups.what ?? ''
    if (/^\s*(?:default|const|function|class|interface|async)\b/.test(what) || what.includes('=')) continue
    const names = /\{([^}]*)\}/
      .exec(what)?.[1]
      .split(',')
      .filter(name => name.trim())
    const onlyTypes = Boolean(names?.length) && /^\s*\{/.test(what) && names.every(name => /^\s*type\s/.test(name))
    const type = /^\s*type\b/.test(what) || onlyTypes
    found.push({ from: match.groups.from, type, line: code.slice(0, match.index).split('\n').length })
  }
  return found
}

/** Returns the path of a relative import without its extension, or null for a package import. */
export function target(path, from) {
  return from.startsWith('.') ? posix.join(posix.dirname(path), from).replace(/\.(?:js|ts|mjs)$/, '') : null
}

/**
 * Returns the workspace folder that contains a path, such as `packages/sdk`, or null for the rest of the repository.
 */
export const workspaceOf = path => /^(?:(?:packages|apps)\/[^/]+|e2e)(?=\/)/.exec(path)?.[0] ?? null
