import { describe, expect, it } from 'vitest'
import { findMutants, killsOf } from './mutants.mjs'
import { mutated } from './operations.mjs'

const change = text => mutated('a.ts', text, 'x')

describe('a marker', () => {
  it.each([
    ['remove', 'a statement', '// mutant: x (remove)\nif (a) throw b\nc()', 'if (a) throw b', ';'],
    [
      'remove',
      'a call in a chain',
      "q\n  // mutant: x (remove)\n  .where('a')\n  .all()",
      "\n  // mutant: x (remove)\n  .where('a')",
      '',
    ],
    ['remove', 'a property', 'f({ /* mutant: x (remove) */ a: 1, b })', 'a: 1, ', ''],
    ['remove', 'the last element', '[a, /* mutant: x (remove) */ b]', ', /* mutant: x (remove) */ b', ''],
    ['remove', 'the only argument', 'f(/* mutant: x (remove) */ a)', '*/ a', '*/ '],
    ['remove', 'an operand', 'a && /* mutant: x (remove) */ b && c', 'a && /* mutant: x (remove) */ b', 'a'],
    ['true', 'the condition of an if', '// mutant: x (true)\nif (a > b) c()', 'a > b', 'true'],
    [
      'false',
      'a returned condition',
      'function f() {\n  // mutant: x (false)\n  return a ? b : c\n}',
      'a ?',
      'false ?',
    ],
    ['not', 'an assigned value', '// mutant: x (not)\nconst a = b || c', 'b || c', '!(b || c)'],
    ['drop 1', 'the first operand', '// mutant: x (drop 1)\nif (!(a && b && c)) d()', 'a && b', 'b'],
    ['drop 3', 'the last operand', '// mutant: x (drop 3)\nreturned = a || b || c', 'b || c', 'b'],
    [
      'argument 2',
      'the call that has it',
      '// mutant: x (argument 2)\nconst a = await s(b).seal({ c }, d)',
      's(b).seal({ c }, d)',
      'd',
    ],
    ['= null', 'a value', '// mutant: x (= null)\nconst a = b && c()', 'b && c()', 'null'],
    ['= []', 'a property', "f({\n  // mutant: x (= [])\n  a: 'b',\n})", "'b'", '[]'],
  ])('(%s) changes %s', (_operation, _what, text, from, to) => {
    expect(change(text)).toBe(text.replace(from, to))
  })

  it('may be one of several before the same code', () => {
    const text = '// mutant: x (drop 1)\n// mutant: y (drop 2)\nif (a || b) c()'
    expect(mutated('a.ts', text, 'x')).toContain('if (b) c()')
    expect(mutated('a.ts', text, 'y')).toContain('if (a) c()')
  })

  it.each([
    ['(argument 3)', 'f(a)'],
    ['(drop 2)', 'f(a)'],
    ['(remove)', 'const a = b'],
    ['(= other)', 'const a = b'],
    ['(swap)', 'f(a)'],
  ])('is rejected if %s does not apply to the code, %s', (operation, code) => {
    expect(() => change(`// mutant: x ${operation}\n${code}`)).toThrow('does not apply')
  })

  it('is rejected in another form', () => {
    expect(() => change('// mutant: x\nf(a)')).toThrow('the form of a marker is')
  })
})

describe('a test that kills', () => {
  it('is found by its title, within its groups', () => {
    const text = `import 'a'
describe('a key (or %s)', () => {
  // kills: x
  it.each([1])('is kept for %i h', () => {})
  // kills on PostgreSQL: y, z
  it(\`never \${name}\`, () => {})
})`
    expect(killsOf('a.test.ts', text)).toEqual([
      { name: 'x', engine: undefined, title: 'a key \\(or .*\\) is kept for .* h', line: 3 },
      { name: 'y', engine: 'postgres', title: 'a key \\(or .*\\) never .*', line: 5 },
      { name: 'z', engine: 'postgres', title: 'a key \\(or .*\\) never .*', line: 5 },
    ])
  })

  it('is any test of the file if the comment is before the imports', () => {
    expect(killsOf('a.test.ts', "// kills: x\nimport 'a'\n")).toEqual([
      { name: 'x', engine: undefined, title: undefined, line: 1 },
    ])
  })
})

describe('the mutants of a repository', () => {
  const source = { path: 'src/a.ts', text: '// mutant: x (remove)\nf()' }
  const test = { path: 'src/a.test.ts', text: "// kills: x\nimport 'a'\n" }

  it('pair each marker with its test', () => {
    expect(findMutants([source, test])).toEqual({
      mutants: [
        {
          name: 'x',
          operation: 'remove',
          file: 'src/a.ts',
          line: 1,
          test: 'src/a.test.ts',
          title: undefined,
          engine: undefined,
        },
      ],
      problems: [],
    })
  })

  it.each([
    ['no test', [source], 'no test has the comment "kills: x"'],
    ['no marker', [test], 'no source has the comment "mutant: x (…)"'],
    ['two markers', [source, { ...source, path: 'src/b.ts' }, test], '"mutant: x" is also at src/a.ts:1'],
    ['two tests', [source, test, { ...test, path: 'src/b.test.ts' }], '"kills: x" is also at src/a.test.ts:1'],
    ['nothing to change', [{ path: 'src/a.ts', text: '// mutant: x (drop 2)\nf()' }, test], 'does not apply'],
    ['no change', [{ path: 'src/a.ts', text: '// mutant: x (true)\nif (true) f()' }, test], 'changes nothing'],
    ['no place', [source, { path: 'src/a.test.ts', text: "import 'a'\n// kills: x\nf()" }], 'must be before a test'],
  ])('are reported if there is %s', (_case, files, problem) => {
    expect(findMutants(files).problems).toContainEqual(expect.stringContaining(problem))
  })
})
