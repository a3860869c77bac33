/**
 * Lists the files that have changed since an earlier commit, so that a local run can skip checks that the changes do
 * not affect.
 *   node scripts/test/changed.mjs [BASE]    one path per line, from the root of the repository
 * BASE is a commit, branch or tag; see `baseOf` for the default.
 */
import { execFileSync } from 'node:child_process'
import { fileURLToPath, pathToFileURL } from 'node:url'

const repository = fileURLToPath(new URL('../..', import.meta.url))
const DAY = 24 * 60 * 60

/** Returns a git command's output, or undefined if the command failed. */
function git(root, ...args) {
  try {
    const options = { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'], maxBuffer: 1 << 28 }
    return execFileSync('git', args, options).trimEnd()
  } catch {
    return undefined
  }
}

/**
 * Returns the id of the empty tree, which git recognizes even though it is not stored. Compared with the empty tree,
 * every file is new.
 */
const emptyTree = root => git(root, 'hash-object', '-t', 'tree', '--stdin')

const mergeBase = (root, branch) => git(root, 'merge-base', branch, 'HEAD')

/** Returns the id of the current commit, or undefined if there is none. */
export const headOf = root => git(root, 'rev-parse', '--verify', 'HEAD')

/**
 * Returns the commit to compare with. If a base is given, either as an argument or in `CAUSEWAY_BASE`, this is the
 * commit where HEAD branched off from the base, as in a pull request. Otherwise, it is the first of these that exists:
 *
 * 1. The commit where HEAD branched off `origin/main` or `main`, unless that is HEAD itself.
 * 2. HEAD, if the work on a new branch is not committed yet.
 * 3. The latest commit that is at least a day older than HEAD, for a clone whose only branch is `main`.
 * 4. The empty tree, if the clone is shallow or the repository is less than a day old. Every file then counts as
 *    changed.
 */
export function baseOf({ base = process.env.CAUSEWAY_BASE, root = repository } = {}) {
  const head = headOf(root)
  if (head === undefined)
    throw new Error(`${root} must be a git repository with a commit: without one, nothing can be compared`)
  if (base) {
    const commit = git(root, 'rev-parse', '--verify', '--quiet', '--end-of-options', `${base}^{commit}`)
    if (commit === undefined) throw new Error(`the base must be a commit, branch or tag of this repository: ${base}`)
    return mergeBase(root, commit) ?? commit
  }
  const left = ['origin/main', 'main'].map(branch => mergeBase(root, branch)).filter(Boolean)
  const earlier = left.find(commit => commit !== head)
  if (earlier) return earlier
  const branch = git(root, 'symbolic-ref', '--quiet', '--short', 'HEAD')
  if (left.length > 0 && branch && branch !== 'main' && git(root, 'status', '--porcelain')) return head
  const before = Number(git(root, 'log', '-1', '--format=%ct', head)) - DAY
  return git(root, 'rev-list', '-1', `--before=${before}`, head) || emptyTree(root)
}

/**
 * Returns the sorted paths, relative to the repository root, of every file that differs from `base`, including
 * committed, staged, unstaged and untracked changes. Excludes files that git ignores and files that no longer exist. A
 * renamed file is listed under its new name. `since` is an earlier result of `baseOf`.
 */
export function changedFiles({ base, root = repository, since = baseOf({ base, root }) } = {}) {
  const differs = git(root, 'diff', '--name-only', '--no-renames', '--no-relative', '--diff-filter=d', '-z', since)
  const untracked = git(root, 'ls-files', '--others', '--exclude-standard', '--full-name', '-z')
  if (differs === undefined || untracked === undefined) throw new Error(`git could not compare ${root} with ${since}`)
  return [...new Set(`${differs}\0${untracked}`.split('\0').filter(Boolean))].sort()
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const files = changedFiles({ base: process.argv[2] })
  if (files.length > 0) console.log(files.join('\n'))
}
