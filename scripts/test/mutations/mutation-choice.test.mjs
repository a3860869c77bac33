import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { changedMutations, chooseMutations, readArguments } from './mutation-choice.mjs'

const entry = (letter, more) => ({
  promise: `Promise ${letter}`,
  file: `src/${letter}.ts`,
  find: letter,
  replace: '',
  test: `src/${letter}.test.ts`,
  ...more,
})
const [a, b, c] = ['a', 'b', 'c'].map(letter => entry(letter))

let root = ''
let base = ''
const git = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim()
const write = (path, text) => {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
}
/** Writes the entries to two files, as in the repository. */
const writeEntries = ([first, ...rest]) => {
  write(
    'scripts/test/mutations/mutations.mjs',
    `import { others } from './mutations-other.mjs'\nexport const mutations = [${JSON.stringify(first)}, ...others]\n`,
  )
  write('scripts/test/mutations/mutations-other.mjs', `export const others = ${JSON.stringify(rest)}\n`)
}
const promises = async mutations => (await changedMutations(mutations, { base, root })).map(({ promise }) => promise)

beforeEach(() => {
  for (const name of Object.keys(process.env)) if (name.startsWith('GIT_')) vi.stubEnv(name, undefined)
  root = mkdtempSync(join(tmpdir(), 'causeway-choice-'))
  git('init', '--quiet', '--initial-branch', 'main')
  git('config', 'user.name', 'Ana')
  git('config', 'user.email', 'ana@example.com')
  git('config', 'commit.gpgsign', 'false')
  for (const { file, test } of [a, b, c]) for (const path of [file, test]) write(path, path)
  writeEntries([a, b, c])
  git('add', '--all')
  git('commit', '--quiet', '--message', 'Base')
  base = git('rev-parse', 'HEAD')
})
afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(root, { recursive: true, force: true })
})

describe('the mutations of a change', () => {
  it('are empty if no file, test or entry changed', async () => {
    write('src/other.ts', '')
    expect(await promises([a, b, c])).toEqual([])
  })
  it('include those whose file or test changed, committed or not', async () => {
    write(a.file, 'changed')
    git('commit', '--quiet', '--all', '--message', 'Change')
    write(c.test, 'changed')
    expect(await promises([a, b, c])).toEqual([a.promise, c.promise])
  })
  it('include those whose file was deleted, so that the outdated entry is found', async () => {
    rmSync(join(root, b.file))
    expect(await promises([a, b, c])).toEqual([b.promise])
  })
  it('include added and changed ones, but not reworded ones', async () => {
    const added = entry('a', { promise: 'A new promise', find: 'other' })
    const now = [{ ...a, promise: 'The same promise in other words' }, { ...b, name: 'narrower' }, c, added]
    writeEntries(now)
    expect(await promises(now)).toEqual([b.promise, added.promise])
  })
  it('are limited to the number given, the most directly affected first', async () => {
    const added = entry('b', { promise: 'A new promise', find: 'other' })
    const now = [a, b, c, added]
    writeEntries(now)
    write(a.test, 'changed')
    write(c.file, 'changed')
    const limited = async most => (await changedMutations(now, { base, most, root })).map(({ promise }) => promise)
    expect(await limited(1)).toEqual([added.promise])
    expect(await limited(2)).toEqual([added.promise, c.promise])
    expect((await limited(3)).toSorted()).toEqual([a.promise, c.promise, added.promise].toSorted())
  })
  it('include all if the base has no mutations or the repository is less than a day old', async () => {
    git('rm', '--quiet', '--cached', 'scripts/test/mutations/mutations.mjs')
    git('commit', '--quiet', '--message', 'Without')
    base = git('rev-parse', 'HEAD')
    expect(await promises([a, b, c])).toEqual([a.promise, b.promise, c.promise])
    vi.stubEnv('CAUSEWAY_BASE', undefined)
    base = undefined
    expect(await promises([a, b, c])).toEqual([a.promise, b.promise, c.promise])
  })
})

describe('the arguments', () => {
  it('select all, changed ones, or those whose promise or file contains a text', async () => {
    expect(readArguments([])).toEqual({ all: true })
    expect(readArguments(['--all'])).toEqual({ all: true })
    expect(readArguments(['--changed'])).toEqual({ changed: true, base: undefined })
    expect(readArguments(['--changed', 'v1'])).toEqual({ changed: true, base: 'v1' })
    expect(readArguments(['--changed', '--most', '60'])).toEqual({ changed: true, base: undefined, most: 60 })
    expect(readArguments(['--changed', 'v1', '--most', '2'])).toEqual({ changed: true, base: 'v1', most: 2 })
    expect(await chooseMutations([a, b, c], readArguments(['--all']))).toEqual([a, b, c])
    expect(await chooseMutations([a, b, c], readArguments(['promise', 'B']))).toEqual([b])
    expect(await chooseMutations([a, b, c], readArguments(['c.ts']))).toEqual([c])
  })
  it('are rejected if they are anything else', () => {
    for (const args of [
      ['--al'],
      ['--all', 'text'],
      ['--changed', 'a', 'b'],
      ['--changed', '--most'],
      ['--changed', '--most', 'x'],
      ['text', '--all'],
    ])
      expect(() => readArguments(args)).toThrow('usage: pnpm mutate')
  })
})
