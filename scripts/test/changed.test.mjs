import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { baseOf, changedFiles } from './changed.mjs'

const MONDAY = Date.parse('2026-01-05T12:00:00Z')
const HOUR = 60 * 60 * 1000

let root = ''
const git = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim()
const write = (path, text = path) => {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
}
/** Commits everything with a date `hours` hours after noon on a Monday, and returns the commit. */
const commit = (hours, ...paths) => {
  for (const path of paths) write(path, `${path} at ${hours}`)
  git('add', '--all')
  vi.stubEnv('GIT_COMMITTER_DATE', new Date(MONDAY + hours * HOUR).toISOString())
  git('commit', '--quiet', '--allow-empty', '--message', `At ${hours}`)
  return git('rev-parse', 'HEAD')
}

beforeEach(() => {
  for (const name of Object.keys(process.env)) if (name.startsWith('GIT_')) vi.stubEnv(name, undefined)
  vi.stubEnv('CAUSEWAY_BASE', undefined)
  root = mkdtempSync(join(tmpdir(), 'causeway-changed-'))
  git('init', '--quiet', '--initial-branch', 'main')
  git('config', 'user.name', 'Ana')
  git('config', 'user.email', 'ana@example.com')
  git('config', 'commit.gpgsign', 'false')
})
afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(root, { recursive: true, force: true })
})

describe('the changed files', () => {
  it('include committed, staged, unstaged and untracked files since the base, sorted', () => {
    const base = commit(0, 'same.ts', 'edited.ts', 'staged.ts', 'committed.ts')
    commit(1, 'committed.ts', 'b/new.ts')
    write('staged.ts', 'staged')
    git('add', 'staged.ts')
    write('edited.ts', 'edited')
    write('a/untracked.ts')
    expect(changedFiles({ base, root })).toEqual([
      'a/untracked.ts',
      'b/new.ts',
      'committed.ts',
      'edited.ts',
      'staged.ts',
    ])
  })
  it('omit deleted and ignored files, and list a renamed file under its new name', () => {
    const base = commit(0, 'old.ts', 'deleted.ts', 'also-deleted.ts')
    renameSync(join(root, 'old.ts'), join(root, 'new.ts'))
    rmSync(join(root, 'deleted.ts'))
    write('.gitignore', 'ignored.ts\n')
    commit(1)
    rmSync(join(root, 'also-deleted.ts'))
    write('ignored.ts')
    expect(changedFiles({ base, root })).toEqual(['.gitignore', 'new.ts'])
  })
  it('keep spaces and non-ASCII letters in their names', () => {
    const base = commit(0)
    commit(1, 'naïve name.ts')
    write('ünused.ts')
    expect(changedFiles({ base, root })).toEqual(['naïve name.ts', 'ünused.ts'])
  })
  it('are empty if nothing changed', () => {
    const base = commit(0, 'a.ts')
    expect(changedFiles({ base, root })).toEqual([])
  })
  it('include only those on the branch if the base has new commits', () => {
    commit(0, 'a.ts')
    git('checkout', '--quiet', '-b', 'feature')
    commit(1, 'mine.ts')
    git('checkout', '--quiet', 'main')
    commit(2, 'theirs.ts')
    git('checkout', '--quiet', 'feature')
    expect(changedFiles({ base: 'main', root })).toEqual(['mine.ts'])
  })
})

describe('the base', () => {
  it('is CAUSEWAY_BASE unless one is given', () => {
    const first = commit(0)
    const second = commit(1)
    commit(2)
    vi.stubEnv('CAUSEWAY_BASE', second)
    expect(baseOf({ root })).toBe(second)
    expect(baseOf({ base: first, root })).toBe(first)
  })
  it('is the commit where a branch diverged from origin/main or main', () => {
    const first = commit(0)
    git('checkout', '--quiet', '-b', 'feature')
    const second = commit(1)
    commit(2)
    expect(baseOf({ root })).toBe(first)
    git('update-ref', 'refs/remotes/origin/main', second)
    expect(baseOf({ root })).toBe(second)
  })
  it('is the latest commit that is a day older than HEAD in a clone of main', () => {
    commit(0)
    const yesterday = commit(23)
    commit(25)
    const head = commit(48)
    git('update-ref', 'refs/remotes/origin/main', head)
    expect(baseOf({ root })).toBe(yesterday)
    write('edited.ts')
    expect(baseOf({ root })).toBe(yesterday)
  })
  it('is HEAD on a new branch whose work is not committed yet', () => {
    const yesterday = commit(0)
    const head = commit(48)
    git('checkout', '--quiet', '-b', 'feature')
    expect(baseOf({ root })).toBe(yesterday)
    write('edited.ts')
    expect(baseOf({ root })).toBe(head)
    expect(changedFiles({ root })).toEqual(['edited.ts'])
  })
  it('is the empty tree if no commit is a day older, so every file is new', () => {
    commit(0, 'a.ts')
    commit(23, 'b.ts')
    expect(changedFiles({ root })).toEqual(['a.ts', 'b.ts'])
  })
  it('must be a commit of the repository', () => {
    commit(0)
    expect(() => changedFiles({ base: 'nowhere', root })).toThrow(
      'the base must be a commit, branch or tag of this repository: nowhere',
    )
    expect(() => changedFiles({ base: '--all', root })).toThrow('--all')
  })
  it('needs a repository', () => {
    rmSync(join(root, '.git'), { recursive: true })
    expect(() => changedFiles({ root })).toThrow('must be a git repository with a commit')
  })
})
