import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, posix } from 'node:path'
import { describe, expect, it } from 'vitest'
import * as commands from './commands.mjs'
import * as exportPaths from './exports.mjs'
import * as fixtures from './fixtures.mjs'
import * as imports from './imports.mjs'
import * as machines from './machines.mjs'
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

describe('imports', () => {
  const manifest = name => `{"name":"${name}","type":"module","exports":{".":"./src/index.ts","./*":"./src/*.ts"}}`

  /** Checks files in a temporary repository with packages. @param absent listed files that do not exist there */
  async function problems(sources, absent = []) {
    const root = mkdtempSync(join(tmpdir(), 'imports-'))
    const write = (path, text) => {
      mkdirSync(dirname(join(root, path)), { recursive: true })
      writeFileSync(join(root, path), text)
    }
    try {
      for (const name of ['zod', 'lit', 'react', 'react-dom', 'jose', 'hono', 'kysely', '@playwright/test']) {
        write(`node_modules/${name}/package.json`, `{"name":"${name}","main":"index.js"}`)
        write(`node_modules/${name}/index.js`, '')
      }
      mkdirSync(join(root, 'node_modules/@causeway'))
      for (const name of ['contract', 'elements', 'react', 'sdk', 'testing']) {
        write(`packages/${name}/package.json`, manifest(`@causeway/${name}`))
        symlinkSync(join(root, 'packages', name), join(root, 'node_modules/@causeway', name))
      }
      for (const [path, text] of Object.entries(sources)) write(path, text)
      const files = Object.entries(sources).map(([path, text]) => ({ path, text }))
      return await imports.check([...files, ...absent.map(path => ({ path, text: '' }))], { root })
    } finally {
      rmSync(root, { recursive: true })
    }
  }

  /** Returns the files of a list of `[path, import]`, with an empty file for each import from the repository. */
  function filesWith(pairs) {
    const files = {}
    for (const [path, from] of pairs) files[path] = `${files[path] ?? ''}import { a } from '${from}'\n`
    for (const [path, from] of pairs) {
      const file = from.startsWith('.')
        ? posix.join(posix.dirname(path), from).replace(/\.js$/, '.ts')
        : from.replace(/^@causeway\/(\w+)\/?(.*)$/, (_, name, rest) => `packages/${name}/src/${rest || 'index'}.ts`)
      if (file !== from) files[file] ??= 'export const a = 1\n'
    }
    return files
  }
  const S = 'apps/api/src'
  const rejected = [
    ['packages/elements/src/a.ts', '@causeway/contract/errors'],
    ['packages/elements/src/b.ts', '@causeway/sdk'],
    ['packages/elements/src/c.ts', 'node:fs'],
    ['packages/elements/src/d.ts', '../../contract/src/frame.js'],
    ['packages/contract/src/frame.ts', 'zod'],
    ['packages/contract/src/money.ts', './errors.js'],
    ['packages/contract/src/errors.ts', 'node:crypto'],
    ['packages/react/src/a.ts', '@causeway/contract/frame'],
    ['packages/react/src/b.ts', 'react-dom'],
    ['packages/sdk/src/a.ts', '@causeway/contract/errors'],
    ['packages/sdk/src/b.ts', 'node:crypto'],
    ['packages/testing/src/a.ts', '@causeway/contract/frame'],
    ['packages/testing/src/b.ts', '@causeway/elements'],
    ['packages/testing/src/c.ts', 'node:fs'],
    ['packages/cli/src/a.ts', '@causeway/elements'],
    ['packages/cli/src/b.ts', 'jose'],
    ['apps/flow/src/a.ts', '@causeway/contract/resources/opal'],
    [`${S}/main/a.ts`, '@causeway/sdk'],
    ['apps/demo/src/a.ts', '@causeway/contract/errors'],
    ['e2e/a.spec.ts', '@causeway/sdk'],
    ['e2e/b.spec.ts', '../apps/api/src/main/app.js'],
    [`${S}/flow/b.ts`, '../sandbox/a.js'],
    [`${S}/sandbox/b.ts`, '../main/a.js'],
    [`${S}/main/b.ts`, '../testing/a.js'],
    [`${S}/money/payments/payment.ts`, '../../platform/db/store.js'],
    [`${S}/money/payments/payments.ts`, 'hono'],
    [`${S}/money/payments/limits-rules.ts`, 'kysely'],
    [`${S}/forwarding/forwarding.ts`, './store.js'],
    [`${S}/platform/calendar/calendar.ts`, '../db/store.js'],
    [`${S}/flow/session/store.ts`, '../../money/payments/routes.js'],
    [`${S}/people/subscriptions/store.ts`, '../products/object-routes.js'],
    [`${S}/money/payments/store.ts`, '../../people/accounts/change.js'],
    [`${S}/main/c.ts`, '../money/payments/routes.js'],
    [`${S}/people/holders/entity.ts`, './store.js'],
  ]
  const accepted = [
    ['packages/elements/src/e.ts', '@causeway/contract/frame'],
    ['packages/elements/src/e.ts', 'lit'],
    ['packages/react/src/c.ts', '@causeway/elements/define'],
    ['packages/react/src/c.ts', 'react'],
    ['packages/contract/src/allocations.ts', './session.js'],
    ['packages/sdk/src/a.test.ts', '@causeway/contract/errors'],
    ['packages/testing/src/d.ts', '@playwright/test'],
    ['packages/testing/src/a.test.ts', '@causeway/elements'],
    ['e2e/c.spec.ts', '@causeway/testing/playwright'],
    ['packages/cli/src/c.ts', '@causeway/sdk'],
    ['apps/demo/src/b.ts', '@causeway/sdk'],
    ['apps/flow/src/b.ts', './machine.js'],
    [`${S}/money/b.ts`, '../people/deps.js'],
    [`${S}/platform/b.test.ts`, '../people/a.js'],
    [`${S}/people/holders/account.ts`, '@causeway/contract/money'],
    [`${S}/money/ledger/ledger.ts`, '../../people/holders/account.js'],
    [`${S}/money/reports/report.ts`, '../../platform/calendar/calendar.js'],
    [`${S}/flow/transfer/opal-routes.ts`, '../../money/payments/store.js'],
    [`${S}/flow/transfer/opal-routes.ts`, './routes-release.js'],
    [`${S}/main/app.ts`, '../money/module.js'],
    [`${S}/people/entities/entities.test.ts`, '../../flow/session/routes.js'],
  ]

  it('are rejected between packages, modules and rules, and nowhere else', async () => {
    const found = await problems(filesWith([...rejected, ...accepted]))
    expect([...new Set(found.map(line => line.split(' ')[0]))].toSorted()).toEqual(
      rejected.map(([path]) => path).toSorted(),
    )
  }, 60_000)

  it.each([
    "import type { A } from '../people/holders/a.js'\nexport type B = A",
    "export { a } from '../people/holders/a.js'",
    "export const b = () => import('../people/holders/a.js')",
    "export type B = import('../people/holders/a.js').A",
  ])('are found in every syntax: %s', async text =>
    expect(
      await problems({
        [`${S}/network/b.ts`]: text,
        [`${S}/people/holders/a.ts`]: 'export const a = 1\nexport interface A {}\n',
      }),
    ).toEqual([`${S}/network/b.ts imports ${S}/people/holders/a.ts: network may not import a later module`]),
  )

  it('of types bring no schema into the frame', async () =>
    expect(
      await problems({
        'apps/flow/src/a.ts': "import type { A } from '@causeway/contract/resources/opal'\nexport type B = A",
        'packages/contract/src/resources/opal.ts': 'export interface A {}',
      }),
    ).toEqual([]))

  it('have no cycles, even of types', async () => {
    const next = name => `import { a } from './${name}.js'\nexport const b = a`
    const circle = { [`${S}/people/a.ts`]: next('b'), [`${S}/people/b.ts`]: next('c'), [`${S}/people/c.ts`]: next('a') }
    const types = "import type { A } from './d.js'\nexport type B = A\nexport const b = 1"
    const value = "import { b } from './e.js'\nexport const c = b\nexport interface A {}"
    const pair = { [`${S}/people/d.ts`]: value, [`${S}/people/e.ts`]: types }
    for (const files of [circle, pair]) {
      const [line] = await problems(files)
      for (const path of Object.keys(files)) expect(line).toContain(path)
      expect(line).toMatch(/^imports form a cycle/)
    }
  })

  it('go in one direction between folders', async () => {
    const from = path => `import { a } from '${path}'\nexport const b = a\n`
    const a = 'export const a = 1\n'
    const files = {
      [`${S}/money/payments/a.ts`]: a,
      [`${S}/money/payments/b.ts`]: from('../reports/a.js'),
      [`${S}/money/reports/a.ts`]: a,
    }
    expect(await problems(files)).toEqual([])
    const [line] = await problems({ ...files, [`${S}/money/reports/b.ts`]: from('../payments/a.js') })
    expect(line).toBe(`${S}/money/payments and ${S}/money/reports import each other, so neither can be read alone`)
  })

  it('are unknown if a file was not read or is in no module', async () => {
    const a = 'export const a = 1\n'
    expect(await problems({ [`${S}/people/a.ts`]: a }, [`${S}/people/b.ts`])).toEqual([`${S}/people/b.ts was not read`])
    expect(await problems({ [`${S}/utils/a.ts`]: a })).toEqual([expect.stringMatching(/is not in any module/)])
  })

  it('are not enough: rules take the time as an argument', async () =>
    expect(await problems({ [`${S}/money/payments/payment.ts`]: 'export const now = () => Date.now()' })).toEqual([
      expect.stringContaining('must take the time and random values as arguments'),
    ]))
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
    'apps/api/src/sandbox/tables/people.ts',
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
    expect(sizes.check([], { disk: disk({ kit: 10_400, loader: 1_536, init: 12_800 }) })).toEqual([])
    expect(sizes.check([], { disk: disk({ kit: 10_401, loader: 1_536, init: 12_800 }) })).toEqual([
      'packages/elements: kit is 10401 bytes after gzip, 1 over its 10400',
    ])
  })
  it('require a build unless noBuild is set', () => {
    expect(sizes.check([], { disk: disk(null) })).toHaveLength(1)
    expect(sizes.check([], { disk: disk(null), noBuild: true })).toEqual([])
  })
})
