/**
 * Unused files, exports and dependencies are extra work for everyone who reads or updates them. knip finds them, and
 * `knip.jsonc` lists the entry points. knip does not report the files that it skips, so this guard checks that knip
 * read every script in the repository.
 */
import { createOptions, createSession } from 'knip/session'
import { root as here, isScript } from './repository.mjs'

export const sentence = 'Every file, export and dependency is used'

const exported = 'is exported, but no other file uses it: remove it, or its `export`'
const depended = 'is a dependency that no file uses: remove it'
const missing = 'is used but is not a dependency of this package: add it'
const problems = {
  files: 'is not used by any file: delete it, or add it to the entries of knip.jsonc',
  exports: exported,
  nsExports: exported,
  types: exported,
  nsTypes: exported,
  dependencies: depended,
  devDependencies: depended,
  unlisted: missing,
  binaries: missing,
  unresolved: 'is imported but does not exist',
}

/** True for hints about patterns in `knip.jsonc` that match no file. */
const isEmpty = ({ type }) => type.endsWith('-empty')

/**
 * @param root the folder that contains `knip.jsonc`
 * @param partial true if most of the files in `knip.jsonc` are missing, as in a test
 */
export async function check(files, { root = here, partial = false } = {}) {
  const session = await createSession(await createOptions({ cwd: root, isSession: true, isShowProgress: false }))
  const { issues, counters, configurationHints } = session.getResults()
  const found = []
  for (const [kind, problem] of Object.entries(problems))
    for (const [path, each] of Object.entries(issues[kind]))
      for (const { symbol, line } of Object.values(each))
        found.push(kind === 'files' ? `${path} ${problem}` : `${path}${line ? `:${line}` : ''} ${symbol} ${problem}`)
  const scripts = files.map(({ path }) => path).filter(isScript)
  if (counters.total < scripts.length)
    for (const path of scripts)
      if (!issues.files[path] && !session.describeFile(path))
        found.push(`${path} was not read, so what it uses is unknown: add it to a \`project\` of knip.jsonc`)
  if (!partial)
    for (const { identifier, workspaceName } of configurationHints.filter(isEmpty))
      found.push(`knip.jsonc: ${identifier} of ${workspaceName} matches no file`)
  return found
}
