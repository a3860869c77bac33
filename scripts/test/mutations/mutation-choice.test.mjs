import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { changedMutants, chooseMutants, readArguments } from './mutation-choice.mjs'

const [a, b, c] = ['a', 'b', 'c'].map(letter => ({
  name: `mutant-${letter}`,
  file: `src/${letter}.ts`,
  test: `src/${letter}.test.ts`,
}))

let root = ''
let base = ''
const git = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim()
const write = (path, text) => {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
}
const changed = most => changedMutants([a, b, c], { base, most, root })

beforeEach(() => {
  for (const name of Object.keys(process.env)) if (name.startsWith('GIT_')) vi.stubEnv(name, undefined)
  root = mkdtempSync(join(tmpdir(), 'causeway-choice-'))
  git('init', '--quiet', '--initial-branch', 'main')
  git('config', 'user.name', 'Ana')
  git('config', 'user.email', 'ana@example.com')
  git('config', 'commit.gpgsign', 'false')
  for (const { file, test } of [a, b, c]) for (const path of [file, test]) write(path, path)
  git('add', '--all')
  git('commit', '--quiet', '--message', 'Base')
  base = git('rev-parse', 'HEAD')
})
afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(root, { recursive: true, force: true })
})

describe('the mutants of a change', () => {
  it('are empty if no file or test changed', () => {
    write('src/other.ts', '')
    expect(changed()).toEqual([])
  })
  it('include those whose file or test changed, committed or not', () => {
    write(a.file, 'changed')
    git('commit', '--quiet', '--all', '--message', 'Change')
    write(c.test, 'changed')
    expect(changed()).toEqual([a, c])
  })
  it('are limited to the number given, the most directly affected first', () => {
    write(a.test, 'changed')
    write(c.file, 'changed')
    expect(changed(1)).toEqual([c])
    expect(changed(2)).toEqual([a, c])
  })
  it('include all if the repository is less than a day old', () => {
    vi.stubEnv('CAUSEWAY_BASE', undefined)
    base = undefined
    expect(changed()).toEqual([a, b, c])
  })
})

describe('the arguments', () => {
  it('select all, changed ones, or those whose name, file or test contains a text', () => {
    expect(readArguments([])).toEqual({ all: true })
    expect(readArguments(['--all'])).toEqual({ all: true })
    expect(readArguments(['--changed'])).toEqual({ changed: true, base: undefined })
    expect(readArguments(['--changed', 'v1'])).toEqual({ changed: true, base: 'v1' })
    expect(readArguments(['--changed', '--most', '60'])).toEqual({ changed: true, base: undefined, most: 60 })
    expect(readArguments(['--changed', 'v1', '--most', '2'])).toEqual({ changed: true, base: 'v1', most: 2 })
    expect(chooseMutants([a, b, c], readArguments(['--all']))).toEqual([a, b, c])
    expect(chooseMutants([a, b, c], readArguments(['Mutant-B']))).toEqual([b])
    expect(chooseMutants([a, b, c], readArguments(['c.ts']))).toEqual([c])
    expect(chooseMutants([a, b, c], readArguments(['a.test']))).toEqual([a])
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
