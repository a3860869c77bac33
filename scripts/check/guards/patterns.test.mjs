import { describe, expect, it } from 'vitest'
import { check, isSimple, patternsOf } from './patterns.mjs'

const path = 'apps/api/src/a.ts'
const report = text => check([{ path, text }])

describe('patterns', () => {
  it.each([
    ['a type with three optional spaces', String.raw`/^application\/json\s*(?:;\s*charset="?utf-8"?\s*)?;?\s*$/i`],
    ['an email whose domain may hold dots anywhere', String.raw`/^[^\s@]+@[^\s@]+\.[^\s@]+$/`],
    ['an email without an anchor', String.raw`/[^\s"<>]+@[^\s"<>]+\.[^\s"<>]+/g`],
    ['an end that may fail to follow', '/=+$/'],
    ['a repeated group', '/^(?:a+)+$/'],
    ['a constructed expression', 'RegExp("^.*=.*x$")'],
    ['a constructed expression with inserted text', `new RegExp(\`^\${a}\\\\s*b?\\\\s*$\`)`],
    ['a pattern of a schema', `({ pattern: '^[ -~]*[0-9][ -~]*$' })`],
  ])('reports %s', async (_, code) => {
    expect(await report(`const a = 1\nexport const b = ${code}\n`)).toEqual([
      expect.stringMatching(/^apps\/api\/src\/a\.ts:2: .* takes .* time, for example on/),
    ])
  })

  it.each([
    ['parts that exclude what follows them', String.raw`/^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+$/`],
    ['one repetition after the beginning', '/^a*b/'],
    ['a maximum', '/a{1,9}b/'],
  ])('accepts %s', async (_, code) => {
    expect(await report(`export const b = ${code}\n`)).toEqual([])
  })

  it('reads only the product, and each expression with its line', async () => {
    const text = 'const a = /=+$/\n'
    expect(await check(['apps/api/src/a.test.ts', 'e2e/a.ts', 'scripts/a.mjs'].map(path => ({ path, text })))).toEqual(
      [],
    )
    expect(patternsOf('a.ts', `const a: string = b / c\nconst d = /x/gi`)).toEqual([
      { source: 'x', flags: 'gi', line: 2 },
    ])
  })

  it('knows only forms that are linear as simple', () => {
    const simple = source => isSimple({ source, flags: '' })
    expect(['^a*b', '^[*+]$', 'a{2,3}', String.raw`\*\+`].map(simple)).toEqual([true, true, true, true])
    expect(['a*b', '^a*|b', '^(?:a*){3}b', '^a*b*', '(?:a?){9}'].map(simple)).toEqual([
      false,
      false,
      false,
      false,
      false,
    ])
    expect(isSimple({ source: '^a*b', flags: 'm' })).toBe(false)
  })
})
