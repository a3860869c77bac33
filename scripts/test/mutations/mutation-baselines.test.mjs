import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { readBaselines, verdict } from './mutation-baselines.mjs'

const test = 'src/a.test.ts'
const result = (status, ...titles) => ({ status, ancestorTitles: titles.slice(0, -1), title: titles.at(-1) })
const sqlite = {
  testResults: [
    {
      name: `/srv/causeway/${test}`,
      assertionResults: [
        result('passed', 'a token', 'works once'),
        result('failed', 'a key'),
        result('skipped', 'a row'),
      ],
    },
  ],
}

function folderWith(reports) {
  const folder = mkdtempSync(join(tmpdir(), 'causeway-baselines-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  for (const [name, report] of Object.entries(reports)) writeFileSync(join(folder, name), JSON.stringify(report))
  return folder
}

it('determines from the Node test reports whether a test passes, by file, title and engine', () => {
  const baselineOf = readBaselines(folderWith({ 'unit-sqlite.json': sqlite }))
  expect(baselineOf({ test, title: 'token works' })).toBe('passed')
  expect(baselineOf({ test, title: 'a key' })).toBe('failed')
  expect(baselineOf({ test })).toBe('failed')
  for (const entry of [
    { test, title: 'a row' },
    { test, title: 'nothing' },
    { test: 'a.test.ts2' },
    { test, title: 'token works', engine: 'postgres' },
  ])
    expect(baselineOf(entry)).toBeUndefined()
})

it('finds nothing without a folder or reports, so the tests run', () => {
  expect(readBaselines(undefined)({ test })).toBeUndefined()
  expect(readBaselines(folderWith({}))({ test })).toBeUndefined()
})

it('reports failed if one test failed, and passed only if one passed', () => {
  expect(verdict({ passed: 3, failed: 1 })).toBe('failed')
  expect(verdict({ passed: 3, failed: 0 })).toBe('passed')
  expect(verdict({ passed: 0, failed: 0 })).toBe('none')
})
