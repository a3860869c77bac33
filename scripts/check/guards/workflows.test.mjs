import { expect, it } from 'vitest'
import { readRepository } from './repository.mjs'
import { check } from './workflows.mjs'

const manifest = { path: 'package.json', text: '{ "scripts": { "build": "tsc -b" } }' }
const script = { path: 'scripts/a.mjs', text: '' }
const found = (text, path = '.github/workflows/a.yml') => check([manifest, script, { path, text }])

const workflow = (run, { head = 'permissions: { contents: read }', job = 'timeout-minutes: 5', uses = null } = {}) => `
name: A
${head}
jobs:
  a:
    ${job}
    steps:
      - run: ${JSON.stringify(run)}
${uses ? `      - uses: ${uses}` : ''}
`

it('accepts the workflows of this repository, and reads all of them', () => {
  const files = readRepository()
  expect(check(files)).toEqual([])
  expect(files.filter(({ path }) => path.startsWith('.github/workflows/')).length).toBeGreaterThan(3)
})

it('accepts commands that exist', () => {
  expect(found(workflow('pnpm build && node scripts/a.mjs x; pnpm install --frozen-lockfile'))).toEqual([])
  for (const uses of [`a/b/c@${'0f'.repeat(20)}`, `a/b@${'0f'.repeat(20)}`])
    expect(found(workflow('pnpm build', { uses }))).toEqual([])
})

it.each([
  [workflow('pnpm bild'), 'runs `pnpm bild`, which is not a script in package.json'],
  [workflow('true; pnpm bild'), 'runs `pnpm bild`'],
  [workflow('node scripts/b.mjs'), 'runs scripts/b.mjs, which does not exist'],
  [workflow('.ci/run verify'), 'runs .ci/run, which does not exist'],
  [workflow('true', { uses: 'a/b@main' }), 'uses a/b@main: name a full commit'],
  [workflow('true', { uses: 'a/b@v3' }), 'name a full commit, because a tag can be moved'],
  ...['pnpm build', 'node scripts/a.mjs'].map(run => [
    workflow(run, { job: 'timeout-minutes: 5\n    permissions: { id-token: write }' }),
    'may publish, so it must not check out or run',
  ]),
  [workflow('true', { uses: 'a/b@0f0f0f0' }), 'name a full commit'],
  [workflow('true', { job: 'name: B' }), 'a has no timeout-minutes'],
  [workflow('true', { head: '' }), 'must begin with `permissions: contents: read`'],
  [workflow(`echo ${'$'}{{ github.head_ref }}`), 'puts an expression into a command'],
  ['jobs: { a: { uses: ./.github/workflows/b.yml } }', 'a uses ./.github/workflows/b.yml, which does not exist'],
  ['a: 1\na: 2', 'Map keys must be unique'],
  ['a: [1', 'Flow sequence'],
])('rejects a broken workflow %#', (text, problem) => expect(found(text).join('\n')).toContain(problem))

it('also parses the other files, and reports owned paths that do not exist', () => {
  expect(found('a: [1', '.github/ISSUE_TEMPLATE/a.yml')).toHaveLength(1)
  const owners = '* @a/b\n/scripts/ @a/b\n/scripts/a.mjs @a/b\n/apps/ @a/b\n'
  expect(found(owners, '.github/CODEOWNERS')).toEqual(['.github/CODEOWNERS names /apps/, which does not exist'])
})
