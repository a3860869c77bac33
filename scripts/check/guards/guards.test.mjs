import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import * as commands from './commands.mjs'
import * as exportPaths from './exports.mjs'
import * as fixtures from './fixtures.mjs'
import * as layers from './layers.mjs'
import * as machines from './machines.mjs'
import * as modules from './modules.mjs'
import * as packages from './packages.mjs'
import { importsOf } from './repository.mjs'
import * as sizes from './sizes.mjs'

const found = (guard, path, text, options) => guard.check([{ path, text }], options)
const importing = (...from) => from.map(each => `import { a } from '${each}'`).join('\n')

describe('the import parser', () => {
  it('finds imports in every syntax, with their line', () => {
    const text = [
      "import a from 'a'",
      'import {',
      '  b,',
      "} from 'b'",
      "import 'c'",
      "export * from 'd'",
      "const e = await import('e')",
    ].join('\n')
    expect(importsOf(text).map(({ from, line }) => `${from}${line}`)).toEqual(['a1', 'b2', 'c5', 'd6', 'e7'])
  })
  it('marks type imports, which are erased', () => {
    const types = ["import type { A } from 'a'", "import { type B, type C } from 'b'", "export type { D } from 'd'"]
    expect(importsOf(types.join('\n')).every(({ type }) => type)).toBe(true)
    expect(importsOf("import { type A, b } from 'a'")[0].type).toBe(false)
    expect(importsOf("import A, { type B } from 'a'")[0].type).toBe(false)
  })
  it('ignores comments and exported constants', () => {
    expect(importsOf("/**\n * @example\n * import { a } from 'a'\n */\n// import 'b'\n")).toEqual([])
    expect(importsOf("export const a = 'b'\nexport function f(x = 'c') {}\nexport class D { e = 'f' }\n")).toEqual([])
  })
})

describe('packages', () => {
  it.each([
    ['packages/elements/src/a.ts', '@causeway/contract/errors'],
    ['packages/elements/src/a.ts', '@causeway/sdk'],
    ['packages/elements/src/a.ts', 'node:fs'],
    ['packages/elements/src/a.ts', '../../contract/src/frame.js'],
    ['packages/contract/src/frame.ts', 'zod'],
    ['packages/contract/src/frame.ts', './errors.js'],
    ['packages/contract/src/errors.ts', 'node:crypto'],
    ['packages/react/src/a.ts', '@causeway/contract/frame'],
    ['packages/react/src/a.ts', 'react-dom'],
    ['packages/sdk/src/a.ts', '@causeway/api/main/app'],
    ['packages/sdk/src/a.ts', '@causeway/contract/errors'],
    ['packages/sdk/src/a.ts', 'node:crypto'],
    ['packages/testing/src/a.ts', '@causeway/contract/frame'],
    ['packages/testing/src/a.ts', '@causeway/elements'],
    ['packages/testing/src/a.ts', 'node:fs'],
    ['packages/cli/src/a.ts', '@causeway/contract/errors'],
    ['packages/cli/src/a.ts', 'jose'],
    ['apps/flow/src/a.ts', '@causeway/contract/resources/opal'],
    ['apps/api/src/a.ts', '@causeway/sdk'],
    ['apps/demo/src/a.ts', '@causeway/contract/errors'],
    ['e2e/a.spec.ts', '@causeway/sdk'],
    ['e2e/a.spec.ts', '../apps/api/src/main/app.js'],
  ])('%s may not import %s', (path, from) => expect(found(packages, path, importing(from))).toHaveLength(1))

  it.each([
    ['packages/elements/src/a.ts', '@causeway/contract/frame'],
    ['packages/elements/src/a.ts', 'lit'],
    ['packages/elements/src/a.test.ts', '@open-wc/testing'],
    ['packages/react/src/a.ts', '@causeway/elements/define'],
    ['packages/react/src/a.ts', 'react'],
    ['packages/contract/src/frame.ts', './session.js'],
    ['apps/api/src/a.test.ts', '@causeway/sdk'],
    ['packages/sdk/src/a.test.ts', '@causeway/contract/errors'],
    ['packages/testing/src/a.ts', '@playwright/test'],
    ['packages/testing/src/a.test.ts', '@causeway/elements'],
    ['e2e/a.spec.ts', '@causeway/testing/playwright'],
    ['packages/cli/src/a.ts', '@causeway/sdk'],
    ['apps/demo/src/a.ts', '@causeway/sdk'],
    ['apps/flow/src/a.ts', './machine.js'],
  ])('%s may import %s', (path, from) => expect(found(packages, path, importing(from))).toEqual([]))

  it('the frame may import the types of a schema', () =>
    expect(found(packages, 'apps/flow/src/a.ts', "import type { A } from '@causeway/contract/resources/opal'")).toEqual(
      [],
    ))
})

describe('modules', () => {
  /** Checks service files in a temporary folder. @param absent listed files that do not exist in the folder */
  async function problems(sources, absent = []) {
    const root = mkdtempSync(join(tmpdir(), 'modules-'))
    try {
      const files = Object.entries(sources).map(([name, text]) => ({ path: `apps/api/src/${name}`, text }))
      for (const { path, text } of files) {
        mkdirSync(dirname(join(root, path)), { recursive: true })
        writeFileSync(join(root, path), text)
      }
      return await modules.check([...files, ...absent.map(name => ({ path: `apps/api/src/${name}`, text: '' }))], {
        root,
      })
    } finally {
      rmSync(root, { recursive: true })
    }
  }
  const a = 'export const a = 1\nexport interface A {}\n'

  it.each([
    ["import { a } from '../people/a.js'\nexport const b = a"],
    ["import type { A } from '../people/a.js'\nexport type B = A"],
    ["export { a } from '../people/a.js'"],
    ["export const b = () => import('../people/a.js')"],
    ["export type B = import('../people/a.js').A"],
  ])('may not import a later one: %s', async text =>
    expect(await problems({ 'network/b.ts': text, 'people/a.ts': a })).toEqual([
      expect.stringMatching(
        /^apps.api.src.network.b\.ts imports apps.api.src.people.a\.ts: network may not import people/,
      ),
    ]),
  )
  it.each([
    ['flow/b.ts', 'sandbox/a.ts'],
    ['sandbox/b.ts', 'main/a.ts'],
    ['main/b.ts', 'testing/a.ts'],
  ])('%s may not import %s', async (from, to) =>
    expect(await problems({ [from]: `export * from '../${to.replace('.ts', '.js')}'`, [to]: a })).toHaveLength(1),
  )
  it('may import earlier ones, and tests may import all', async () => {
    const later = "import { a } from '../people/a.js'\nexport const b = a"
    const allowed = { 'people/a.ts': a, 'money/b.ts': later, 'platform/b.test.ts': later, 'testing/b.ts': later }
    expect(await problems(allowed)).toEqual([])
  })
  it('have no cycles at run time', async () => {
    const next = name => `import { a } from './${name}.js'\nexport const b = a`
    expect(await problems({ 'people/a.ts': next('b'), 'people/b.ts': next('c'), 'people/c.ts': next('a') })).toEqual([
      'imports form a cycle: apps/api/src/people/a.ts -> apps/api/src/people/b.ts -> apps/api/src/people/c.ts -> apps/api/src/people/a.ts',
    ])
  })
  it('may have cycles of types', async () => {
    const types = "import type { A } from './a.js'\nexport type B = A"
    const value = "import { b } from './b.js'\nexport const c = b\nexport interface A {}"
    expect(await problems({ 'people/a.ts': value, 'people/b.ts': `${types}\nexport const b = 1` })).toEqual([])
  })
  it('fail if a tracked file was not read', async () =>
    expect(await problems({ 'people/a.ts': a }, ['people/b.ts'])).toEqual([
      'apps/api/src/people/b.ts was not read, so its imports are unknown',
    ]))
  it('contain every file', async () =>
    expect(await problems({ 'utils/a.ts': a, 'a.ts': a })).toEqual([
      expect.stringMatching(/utils.a\.ts is not in any module/),
      expect.stringMatching(/src.a\.ts is not in any module/),
    ]))
})

describe('layers', () => {
  it.each([
    ['apps/api/src/money/payments/payment.ts', '../../platform/db/store.js'],
    ['apps/api/src/money/payments/payment.ts', 'hono'],
    ['apps/api/src/money/payments/limits-rules.ts', 'kysely'],
    ['apps/api/src/people/entities/entity.ts', './store.js'],
    ['apps/api/src/forwarding/forwarding.ts', './store.js'],
    ['apps/api/src/platform/calendar/calendar.ts', '../db/store.js'],
    ['apps/api/src/flow/session/store.ts', '../../money/payments/routes.js'],
    ['apps/api/src/people/subscriptions/store.ts', '../products/object-routes.js'],
  ])('%s may not import %s', (path, from) => expect(found(layers, path, importing(from))).toHaveLength(1))

  it.each([
    ['apps/api/src/money/payments/payment.ts', '@causeway/contract/money'],
    ['apps/api/src/money/payments/payment.ts', '../../people/accounts/account.js'],
    ['apps/api/src/money/reports/report.ts', '../../platform/calendar/calendar.js'],
    ['apps/api/src/flow/transfer/opal-routes.ts', '../../money/payments/store.js'],
    ['apps/api/src/flow/transfer/opal-routes.ts', './routes-release.js'],
    ['apps/api/src/main/app.ts', '../money/payments/routes.js'],
    ['apps/api/src/people/entities/entities.test.ts', '../../flow/session/routes.js'],
  ])('%s may import %s', (path, from) => expect(found(layers, path, importing(from))).toEqual([]))

  it('rules take the time as an argument', () =>
    expect(found(layers, 'apps/api/src/money/payments/payment.ts', 'export const now = () => Date.now()')).toHaveLength(
      1,
    ))
})

describe('export paths', () => {
  const manifest = exports => ({
    path: 'packages/kit/package.json',
    text: JSON.stringify({ name: '@causeway/kit', exports }),
  })
  const source = { path: 'packages/kit/src/a.ts', text: '' }
  const exists = () => false

  it('must lead to a file', () => {
    const files = [manifest({ '.': { source: './src/index.ts' }, './*': { source: './src/*.ts' } }), source]
    expect(exportPaths.check(files, { exists })).toEqual([
      '@causeway/kit: . (source) leads to ./src/index.ts, which does not exist',
    ])
  })
  it('must exist for every import', () => {
    const user = { path: 'apps/x/src/x.ts', text: importing('@causeway/kit/a', '@causeway/kit/b', '@causeway/none') }
    expect(exportPaths.check([manifest({ './*': { source: './src/*.ts' } }), source, user], { exists })).toEqual([
      'apps/x/src/x.ts:2 @causeway/kit/b does not lead to a file',
      'apps/x/src/x.ts:3 @causeway/none does not lead to a file',
    ])
  })
})

describe('test data', () => {
  const phone = `const phone = '+1${'5125550100'}'`
  it.each(['apps/api/src/flow/session/opal.ts', 'apps/flow/src/words.ts', 'scripts/build/start.mjs'])(
    'is rejected in %s',
    path => expect(found(fixtures, path, `\n${phone}`)).toEqual([`${path}:2 names a sandbox phone number`]),
  )
  it.each([
    'apps/api/src/sandbox/people.ts',
    'apps/api/src/flow/session/opal.test.ts',
    'docs/sandbox.md',
    'README.md',
  ])('is accepted in %s', path => expect(found(fixtures, path, phone)).toEqual([]))
  it('may be an example in a comment', () =>
    expect(found(fixtures, 'a.ts', `/** As in ${phone} */\n// ${phone}`)).toEqual([]))
  it('includes merchants and account numbers, but no id prefix', () => {
    expect(found(fixtures, 'a.ts', "const merchant = 'mch_302086'")).toHaveLength(1)
    expect(found(fixtures, 'a.ts', "const merchant = 'mch_'")).toEqual([])
    expect(found(fixtures, 'a.ts', `const number = '49364944${'62408721'}'`)).toHaveLength(1)
  })
})

it('rejects a path or registry of one machine, but not a folder of the repository', () => {
  const home = `cd /${'work'}/main`
  expect(found(machines, 'a.sh', home)).toHaveLength(1)
  expect(found(machines, 'a.sh', `dir="/${'tmp'}/x"`)).toHaveLength(1)
  expect(found(machines, 'pnpm-lock.yaml', `resolution: {tarball: ${'https'}://host/a.tgz}`)).toHaveLength(1)
  expect(found(machines, 'a.ts', "import a from './work/a.js'; const b = 'https://example.com/work/b'")).toEqual([])
})

describe('commands on a page', () => {
  const block = text => `\`\`\`\n${text}\n\`\`\`\n`
  it('must be on separate lines', () => {
    expect(found(commands, 'a.md', block('pnpm a   # runs everything\npnpm b'))).toEqual([])
    expect(found(commands, 'a.md', block('pnpm a && pnpm b   # runs both, as `pnpm c` does'))).toEqual([])
    expect(found(commands, 'a.md', block('pnpm a # runs everything pnpm b # runs a part'))).toHaveLength(1)
    expect(found(commands, 'a.md', 'pnpm a # runs everything pnpm b')).toEqual([])
  })

  it('run pnpm in one way, which the first pages explain', () => {
    const manifest = { path: 'package.json', text: '{"packageManager":"pnpm@1.2.3"}' }
    const on = (path, text) => commands.check([manifest, { path, text }])
    const install = 'npm install --global pnpm@1.2.3'
    for (const text of [
      'npx -y pnpm@1.2.3 start',
      'npx pnpm start',
      '`npx --yes pnpm`',
      'corepack enable',
      'yarn add a',
    ])
      expect(on('docs/a.md', text)).toHaveLength(1)
    for (const text of ['pnpm start', 'npx tsc', install, `\`${install}\`.`]) expect(on('docs/a.md', text)).toEqual([])
    expect(on('docs/a.md', 'npm install --global pnpm@1.2.4')).toEqual([
      'docs/a.md installs pnpm 1.2.4: package.json names 1.2.3',
    ])
    expect(on('README.md', '`pnpm start`')).toHaveLength(1)
    expect(on('README.md', `${install}\n\n    pnpm start`)).toEqual([])
  })
})

describe('size budgets', () => {
  const disk = sizes => ({ buildable: folder => folder === 'packages/elements', sizes: () => sizes })
  it('include their limit', () => {
    expect(sizes.check([], { disk: disk({ kit: 10_400, loader: 1_536 }) })).toEqual([])
    expect(sizes.check([], { disk: disk({ kit: 10_401, loader: 1_536 }) })).toEqual([
      'packages/elements: kit is 10401 bytes after gzip, 1 over its 10400',
    ])
  })
  it('require a build unless noBuild is set', () => {
    expect(sizes.check([], { disk: disk(null) })).toHaveLength(1)
    expect(sizes.check([], { disk: disk(null), noBuild: true })).toEqual([])
  })
})
