import { expect, it } from 'vitest'
import { testsOf } from './test-changed.mjs'

const file = (path, ...imports) => ({ path, text: imports.map(from => `import { a } from '${from}'`).join('\n') })
const repository = [
  file('apps/api/src/money/payments/limits.test.ts', './limits.js'),
  file('apps/api/src/money/ledger/check.test.ts', '../payments/store.js'),
  file('apps/api/src/team/teams/teams.test.ts', './routes.js'),
  file('apps/flow/src/screens/code/screen.test.ts', './screen.js'),
  file('apps/flow/src/loop.node.test.ts', './loop.js'),
  file('docs/tools/site.test.mjs', './serve.mjs'),
]

it('selects the tests next to a changed file and those that import it', () =>
  expect(testsOf(['apps/api/src/money/payments/store.ts'], repository)).toEqual({
    node: ['apps/api/src/money/payments/limits.test.ts', 'apps/api/src/money/ledger/check.test.ts'],
    browser: [],
  }))

it('selects a changed test', () =>
  expect(testsOf(['apps/api/src/team/teams/teams.test.ts'], repository).node).toEqual([
    'apps/api/src/team/teams/teams.test.ts',
  ]))

it('separates component tests, which run in a browser', () =>
  expect(testsOf(['apps/flow/src/screens/code/screen.ts', 'apps/flow/src/loop.ts'], repository)).toEqual({
    node: ['apps/flow/src/loop.node.test.ts'],
    browser: ['apps/flow/src/screens/code/screen.test.ts'],
  }))

it('omits files without tests and the docs, which a full check covers', () =>
  expect(testsOf(['README.md', 'docs/tools/serve.mjs'], repository)).toEqual({ node: [], browser: [] }))
