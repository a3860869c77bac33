import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { root as repository } from './repository.mjs'
import * as unused from './unused.mjs'

describe('unused code', () => {
  /**
   * Checks files in a temporary folder using the repository's `knip.jsonc`.
   * @param absent scripts that do not exist in the folder
   */
  async function problems(sources, absent = []) {
    const root = mkdtempSync(join(tmpdir(), 'unused-'))
    try {
      const all = { 'package.json': '{ "name": "causeway", "private": true }', ...sources }
      for (const [path, text] of Object.entries(all)) {
        mkdirSync(dirname(join(root, path)), { recursive: true })
        writeFileSync(join(root, path), text)
      }
      copyFileSync(join(repository, 'knip.jsonc'), join(root, 'knip.jsonc'))
      const files = [...Object.keys(all), ...absent].map(path => ({ path, text: all[path] ?? '' }))
      return await unused.check(files, { root, partial: true })
    } finally {
      rmSync(root, { recursive: true })
    }
  }
  const manifest = dependencies => JSON.stringify({ name: '@causeway/api', private: true, dependencies })
  const service = (files, dependencies = {}) => ({
    'apps/api/package.json': manifest(dependencies),
    'apps/api/src/main/server.ts': "import { a } from './a.js'\nconsole.log(a)\n",
    'apps/api/src/main/a.ts': 'export const a = 1\n',
    ...files,
  })

  it('passes if everything is used', async () => expect(await problems(service({}))).toEqual([]))
  it('is found in a file', async () =>
    expect(await problems(service({ 'apps/api/src/money/b.ts': 'export const b = 1\n' }))).toEqual([
      expect.stringMatching(/^apps.api.src.money.b\.ts is not used by any file/),
    ]))
  it.each([
    ['a value', 'export const a = 1\nexport const b = a\n', 'b'],
    ['a type', 'export const a = 1\nexport type B = typeof a\n', 'B'],
  ])('is found in an export: %s', async (_what, text, name) =>
    expect(await problems(service({ 'apps/api/src/main/a.ts': text }))).toEqual([
      expect.stringMatching(new RegExp(`^apps.api.src.main.a\\.ts:2 ${name} is exported, but no other file uses it`)),
    ]),
  )
  it('is found in an export of the contract, which other packages import', async () => {
    const contract = {
      name: '@causeway/contract',
      exports: { './*': { source: './src/*.ts', default: './dist/*.js' } },
    }
    const files = service(
      {
        'packages/contract/package.json': JSON.stringify(contract),
        'packages/contract/src/c.ts': 'export const c = 1\nexport const d = 1\n',
        'apps/api/src/main/a.ts': "import { c } from '@causeway/contract/c'\nexport const a = c\n",
      },
      { '@causeway/contract': 'workspace:*' },
    )
    expect(await problems(files)).toEqual([expect.stringMatching(/^packages.contract.src.c\.ts:2 d is exported/)])
  })
  it('is found in a dependency', async () =>
    expect(await problems(service({}, { hono: '4.0.0' }))).toEqual([
      expect.stringMatching(/^apps.api.package\.json hono is a dependency that no file uses/),
    ]))
  it('is not missed in a script that knip did not read', async () =>
    expect(await problems(service({}), ['tools/a.mjs'])).toEqual([expect.stringMatching(/^tools.a\.mjs was not read/)]))
})
