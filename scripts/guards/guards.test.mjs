import { describe, expect, it } from 'vitest'
import * as environment from './environment.mjs'
import * as exportPaths from './exports.mjs'
import * as fixtures from './fixtures.mjs'
import * as layers from './layers.mjs'
import * as length from './length.mjs'
import * as machines from './machines.mjs'
import * as packages from './packages.mjs'
import { importsOf } from './repository.mjs'
import * as sizes from './sizes.mjs'

const found = (guard, path, text, options) => guard.check([{ path, text }], options)
const importing = (...from) => from.map(each => `import { a } from '${each}'`).join('\n')

describe('imports are seen', () => {
  it('in every way of writing them, with their line', () => {
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
  it('as types where they are erased', () => {
    const types = ["import type { A } from 'a'", "import { type B, type C } from 'b'", "export type { D } from 'd'"]
    expect(importsOf(types.join('\n')).every(({ type }) => type)).toBe(true)
    expect(importsOf("import { type A, b } from 'a'")[0].type).toBe(false)
    expect(importsOf("import A, { type B } from 'a'")[0].type).toBe(false)
  })
  it('not in comments, nor where a constant is exported', () => {
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
    ['packages/sdk/src/a.ts', '@causeway/api/app'],
    ['packages/sdk/src/a.ts', '@causeway/contract/errors'],
    ['packages/sdk/src/a.ts', 'node:crypto'],
    ['packages/cli/src/a.ts', '@causeway/contract/errors'],
    ['packages/cli/src/a.ts', 'jose'],
    ['apps/flow/src/a.ts', '@causeway/contract/resources/opal'],
    ['apps/api/src/a.ts', '@causeway/sdk'],
    ['apps/demo/src/a.ts', '@causeway/contract/errors'],
    ['e2e/a.spec.ts', '@causeway/sdk'],
    ['e2e/a.spec.ts', '../apps/api/src/app.js'],
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
    ['packages/cli/src/a.ts', '@causeway/sdk'],
    ['apps/demo/src/a.ts', '@causeway/sdk'],
    ['apps/flow/src/a.ts', './machine.js'],
  ])('%s may import %s', (path, from) => expect(found(packages, path, importing(from))).toEqual([]))

  it('the frame may import the types of a schema', () =>
    expect(found(packages, 'apps/flow/src/a.ts', "import type { A } from '@causeway/contract/resources/opal'")).toEqual(
      [],
    ))
})

describe('layers', () => {
  it.each([
    ['apps/api/src/http/auth.ts', '../payments/store.js'],
    ['apps/api/src/db/engine.ts', '../payments/payment.js'],
    ['apps/api/src/payments/payment.ts', '../db/store.js'],
    ['apps/api/src/payments/payment.ts', 'hono'],
    ['apps/api/src/payments/limits-rules.ts', 'kysely'],
    ['apps/api/src/entities/entity.ts', './store.js'],
    ['apps/api/src/opal/store.ts', '../payments/routes.js'],
    ['apps/api/src/opal/routes.ts', '../sandbox/people.js'],
    ['apps/api/src/jobs/run.ts', '../sandbox/clock.js'],
  ])('%s may not import %s', (path, from) => expect(found(layers, path, importing(from))).toHaveLength(1))

  it.each([
    ['apps/api/src/http/auth.ts', '../db/store.js'],
    ['apps/api/src/payments/payment.ts', '@causeway/contract/money'],
    ['apps/api/src/payments/payment.ts', '../accounts/account.js'],
    ['apps/api/src/opal/routes.ts', '../payments/store.js'],
    ['apps/api/src/opal/routes.ts', './routes-release.js'],
    ['apps/api/src/server.ts', './sandbox/people.js'],
    ['apps/api/src/sandbox/routes.ts', './people.js'],
    ['apps/api/src/sandbox/routes.test.ts', '../opal/routes.js'],
  ])('%s may import %s', (path, from) => expect(found(layers, path, importing(from))).toEqual([]))

  it('rules take the time as an argument', () =>
    expect(found(layers, 'apps/api/src/payments/payment.ts', 'export const now = () => Date.now()')).toHaveLength(1))
})

it('only the edges read the environment', () => {
  const text = 'const port = process.env.PORT'
  expect(found(environment, 'apps/api/src/http/auth.ts', text)).toHaveLength(1)
  expect(found(environment, 'apps/api/src/server.ts', text)).toEqual([])
  expect(found(environment, 'apps/api/src/http/auth.ts', ' * never process.env')).toEqual([])
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
      '@causeway/kit: . (source) leads to ./src/index.ts, which is not there',
    ])
  })
  it('must be there for every import', () => {
    const user = { path: 'apps/x/src/x.ts', text: importing('@causeway/kit/a', '@causeway/kit/b', '@causeway/none') }
    expect(exportPaths.check([manifest({ './*': { source: './src/*.ts' } }), source, user], { exists })).toEqual([
      'apps/x/src/x.ts:2 @causeway/kit/b leads nowhere',
      'apps/x/src/x.ts:3 @causeway/none leads nowhere',
    ])
  })
})

describe('fixtures', () => {
  const phone = `const phone = '+1${'5125550100'}'`
  it.each(['apps/api/src/opal/opal.ts', 'apps/flow/src/words.ts', 'scripts/start.mjs'])('are refused in %s', path =>
    expect(found(fixtures, path, `\n${phone}`)).toEqual([`${path}:2 names a sandbox phone number`]),
  )
  it.each(['apps/api/src/sandbox/people.ts', 'apps/api/src/opal/opal.test.ts', 'docs/sandbox.md', 'README.md'])(
    'are taken in %s',
    path => expect(found(fixtures, path, phone)).toEqual([]),
  )
  it('may be an example in a comment', () =>
    expect(found(fixtures, 'a.ts', `/** As in ${phone} */\n// ${phone}`)).toEqual([]))
  it('are merchants and account numbers too, and no id prefix', () => {
    expect(found(fixtures, 'a.ts', "const merchant = 'mch_302086'")).toHaveLength(1)
    expect(found(fixtures, 'a.ts', "const merchant = 'mch_'")).toEqual([])
    expect(found(fixtures, 'a.ts', `const number = '49364944${'62408721'}'`)).toHaveLength(1)
  })
})

it('a path or registry of one machine is refused, a folder of ours is not', () => {
  const home = `cd /${'work'}/main`
  expect(found(machines, 'a.sh', home)).toHaveLength(1)
  expect(found(machines, 'a.sh', `dir="/${'tmp'}/x"`)).toHaveLength(1)
  expect(found(machines, 'pnpm-lock.yaml', `resolution: {tarball: ${'https'}://host/a.tgz}`)).toHaveLength(1)
  expect(found(machines, 'a.ts', "import a from './work/a.js'; const b = 'https://example.com/work/b'")).toEqual([])
})

describe('length', () => {
  it('over 350 lines must be explained', () => {
    const lines = count => 'const a = 1\n'.repeat(count)
    expect(found(length, 'a.ts', lines(350))).toEqual([])
    expect(found(length, 'a.ts', lines(351))).toHaveLength(1)
    expect(found(length, 'a.ts', `/** Long because one table is read as a whole. */\n${lines(400)}`)).toEqual([])
    expect(found(length, 'docs/a.md', lines(400))).toEqual([])
  })
})

describe('budgets', () => {
  const disk = sizes => ({ buildable: folder => folder === 'packages/elements', sizes: () => sizes })
  it('are inclusive', () => {
    expect(sizes.check([], { disk: disk({ kit: 10_240, loader: 1_536 }) })).toEqual([])
    expect(sizes.check([], { disk: disk({ kit: 10_241, loader: 1_536 }) })).toEqual([
      'packages/elements: kit is 10241 bytes after gzip, 1 over its 10240',
    ])
  })
  it('need a build unless told otherwise', () => {
    expect(sizes.check([], { disk: disk(null) })).toHaveLength(1)
    expect(sizes.check([], { disk: disk(null), noBuild: true })).toEqual([])
  })
})
