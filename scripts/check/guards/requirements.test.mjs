import { describe, expect, it } from 'vitest'
import { check, pages } from './requirements.mjs'

const path = 'docs/security/asvs.md'
const states = ['tested', 'command', 'design', 'not applicable', 'open']
const good = [
  '| 1.1.1 | 2 | Decodes once | tested | `platform/http/request/body.test.ts` |',
  '| 1.2.1 | 1 | Escapes output | command | `pnpm e2e` |',
  '| 1.2.10 | 1 | Has no such thing | not applicable | none is used |',
]
/** Creates a page with the given rows and counts. By default, the counts are correct. */
function pageOf(rows, counts = {}) {
  const of = (state, level) =>
    rows.filter(row => row.includes(` | ${state} | `) && row.split(' | ')[1] === level).length
  const line = (name, [first, second]) => `| ${name} | ${first} | ${second} | ${first + second} |`
  const lines = states.map(state => line(state, counts[state] ?? [of(state, '1'), of(state, '2')]))
  const all = ['1', '2'].map(level => rows.filter(row => row.split(' | ')[1] === level).length)
  return [...lines, line('all', counts.all ?? all), ...rows].join('\n')
}
const found = (text, totals = { 1: 2, 2: 1 }) =>
  check(
    [
      { path, text },
      { path: 'apps/api/src/platform/http/request/body.test.ts', text: '' },
      { path: 'e2e/a.spec.ts', text: '' },
    ],
    { requirements: [{ ...pages[0], published: totals }] },
  )
const changed = (index, from, to) => pageOf(good.map((row, at) => (at === index ? row.replace(from, to) : row)))

it('accepts a complete page whose tests exist', () => {
  expect(found(pageOf(good))).toEqual([])
  expect(found(changed(0, 'platform/http/request/body.test.ts', 'e2e/a.spec.ts'))).toEqual([])
})

it('rejects a test that does not exist, in a row of any state', () => {
  expect(found(changed(0, 'platform/http/request/body.test.ts', 'http/gone.test.ts'))).toEqual([
    `${path}:7 1.1.1 names http/gone.test.ts, which does not exist`,
  ])
  expect(found(changed(2, 'none is used', '`http/gone.test.ts`'))).toHaveLength(1)
})

it('rejects a tested row without a test file, and a command row without a command', () => {
  expect(found(changed(0, '`platform/http/request/body.test.ts`', 'somewhere'))).toEqual([
    `${path}:7 1.1.1 is tested but names no test file`,
  ])
  expect(found(changed(1, '`pnpm e2e`', 'by hand'))).toEqual([`${path}:8 1.2.1 is checked by a command but names none`])
})

it('rejects a row with an unknown state, without evidence, out of order or duplicated', () => {
  expect(found(changed(0, 'tested', 'fine')).join('\n')).toContain(`${path}:7 must be: id, level, words, one of tested`)
  expect(found(changed(0, '`platform/http/request/body.test.ts`', '')).join('\n')).toContain(`${path}:7 must be`)
  expect(found(pageOf([good[1], good[0], good[2]]))).toEqual([`${path}:8 1.1.1 is out of order or duplicated`])
  expect(found(pageOf([...good, good[2]]), { 1: 3, 2: 1 })).toEqual([`${path}:10 1.2.10 is out of order or duplicated`])
})

it('rejects counts that do not agree with the rows', () => {
  expect(found(pageOf(good, { open: [1, 0] }))).toEqual([`${path}: the counts of "open" must be 0, 0, 0, not 1,0,1`])
  expect(found(pageOf(good).replace(/^\| all.*\n/m, ''))).toEqual([
    `${path}: the counts of "all" must be 2, 1, 3, not missing`,
  ])
})

it('rejects a page with missing requirements, and a missing page', () => {
  expect(found(pageOf(good.slice(0, 2)))).toEqual([`${path} has 1 rows of level 1; ASVS has 2`])
  expect(check([])).toEqual([`${path} does not exist`, 'docs/accessibility.md does not exist'])
})

describe('the accessibility page', () => {
  const page = { ...pages[1], published: { A: 2, AA: 0 } }
  const test = { path: 'e2e/a.spec.ts', text: "test('gives the focus back', () => {})" }
  const of = (first, second) =>
    check(
      [
        test,
        {
          path: page.path,
          text: [
            '| supports | 2 | 0 | 2 |',
            ...['partially supports', 'does not support', 'not applicable'].map(state => `| ${state} | 0 | 0 | 0 |`),
            '| all | 2 | 0 | 2 |',
            `| 1.1.1 | A | Images | supports | They are marked | ${first} |`,
            `| 2.1.1 | A | Keyboard | supports | It works | ${second} |`,
            '',
            '### M1: Tab through it',
          ].join('\n'),
        },
      ],
      { requirements: [page] },
    )

  it('may name test titles and manual checks', () => {
    expect(of('`e2e/a.spec.ts` "gives the focus", "focus back"', 'M1')).toEqual([])
  })

  it('is rejected if a title is not in the file, a check is not described, or there is no evidence', () => {
    expect(of('`e2e/a.spec.ts` "gives the focus", "takes it"', 'M1')).toEqual([
      `${page.path}:6 1.1.1 names "takes it", which is not in e2e/a.spec.ts`,
    ])
    expect(of('M1', 'M2')).toEqual([`${page.path}:7 2.1.1 names M2, which is not described`])
    expect(of('M1', 'It is seen')).toEqual([`${page.path}:7 2.1.1 names neither a test nor a manual check`])
  })
})
