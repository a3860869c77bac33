import { describe, expect, it } from 'vitest'
import * as prose from './prose.mjs'

const found = (path, text, options = {}) => prose.check([{ path, text }], { except: [], ...options })
/** Checks a sentence as a comment. Adds a first word so that the phrase does not start the comment. */
const inComment = text => found('a.ts', `// Here ${text}\n`)

describe('the prose guard', () => {
  it.each([
    ['whoever calls is counted', 'every caller is counted'],
    ['for whomever it is', 'for the caller'],
    ['nobody waits for it', 'no client waits for it'],
    ['no one reads it', 'it is not read'],
    ['somebody took it', 'another process took it'],
    ['it is for the one who asked', 'it is for the person who asked'],
    ['it ends by itself', 'it ends automatically'],
    ['says nothing of itself', 'says nothing about the cause'],
    ['strangers are refused', 'unauthenticated clients are rejected'],
    ['asks the outside', 'calls external services'],
    ['the customer is told', 'the customer is notified'],
    ['each change is told twice', 'each change is delivered twice'],
    ['the page hears an event', 'the page receives an event'],
    ['it puts down the key', 'it stores the key'],
    ['it lets go of the lock', 'it releases the lock'],
    ['the file is put away, it puts away all', 'the file is deleted'],
    ['the flow goes on', 'the flow continues'],
    ['until it is mended', 'until it is repaired'],
    ['it is handed over', 'it is submitted'],
    ['the money comes back', 'the money is returned'],
    ['a payment that came back', 'a payment that was returned'],
    ['counts a try', 'counts an attempt'],
    ['it stands in the log', 'it is in the log'],
    ['stored in clear', 'stored in plain text'],
    ['for the newest version', 'for the latest version'],
    ['so many at once', 'that many at once'],
    ['null where it is none', 'null if it is invalid'],
    ['that is no oversight', 'that is by design'],
    ['it has yet to end', 'it has not ended yet'],
    ['others are in the way of it', 'others block it'],
    ['the rules of the house', 'the rules of the codebase'],
    ['a deliberate mistake is found', 'a mutation is found'],
    ['nothing is learnt', 'nothing is learned'],
    ['its behaviour and colours', 'its behavior and colors'],
    ['it is normalised', 'it is normalized'],
    ['a cancelled payment', 'a canceled payment'],
    ['it it is stored', 'it is stored'],
  ])('rejects "%s", and accepts "%s"', (bad, good) => {
    expect(inComment(bad)).not.toEqual([])
    expect(inComment(good)).toEqual([])
  })

  it.each([
    ['what', 'What the rail answered.', 'Returns the answer of the rail.'],
    ['whether', 'Whether it is over.', 'True if it is over.'],
    ['where', 'Where the page ends.', 'The end of the page.'],
    ['whoever', 'Whoever calls.', 'The caller.'],
    ['of', 'Of the delivery.', 'Identifies the delivery.'],
    ['that', 'That one.', 'The same page.'],
    ['how', 'How long it takes.', 'The time that it takes.'],
  ])('rejects a comment that opens with "%s"', (_, bad, good) => {
    expect(found('a.ts', `/** ${bad} */\n`)).toHaveLength(bad.startsWith('Whoever') ? 2 : 1)
    expect(found('a.ts', `/** ${good} */\n`)).toEqual([])
    expect(found('a.md', `# ${bad.replace('Whoever', 'Who')}\n`)).toEqual([])
  })

  it('reports the file, the line, the phrase and what to write', () =>
    expect(found('a.ts', "const a = 1\n/**\n * Stores it.\n * The flow goes\n * on.\n */\nconst b = 'c'\n")).toEqual([
      'a.ts:4 "goes on" (comment): write "continues", "proceeds"',
    ]))

  it.each([
    ['a single-line comment', 'a.ts', '// Then nobody does.'],
    ['a comment after code', 'a.ts', 'const a = /"/ // Then nobody does.'],
    ['consecutive comment lines', 'a.ts', '// The flow goes\n// on.'],
    ['a comment in a style sheet', 'a.css', 'a { color: red } /* Then nobody does. */'],
    ['a comment in HTML', 'a.html', '<!-- Then nobody does. -->'],
    ['a comment in a workflow', 'a.yaml', 'a: b\n# Then nobody does.\nc: d'],
    ['a comment in settings', 'knip.jsonc', '{\n  // Then nobody does.\n  "a": 1\n}'],
    ['a page', 'a.md', 'Then nobody does.'],
    ['text of a web page', 'a.html', '<p>Then <b>nobody</b> does.</p>'],
    ['a title', 'a.test.ts', "it('is for nobody', () => {})"],
    ['a title after a table', 'a.test.ts', "it.each([[1], [(2)]])('is for nobody: %i', () => {})"],
    ['a title under a condition', 'a.test.ts', "describe.skipIf(a(b))('for nobody', () => {})"],
    ['a template as a title', 'a.test.ts', 'it(`is for nobody: #{a[`b`]}`, () => {})'],
    ['an error message', 'a.ts', "throw new Error('nobody may do that')"],
    ['a template', 'a.ts', "log(`#{a} is for nobody, #{b({ c: 'd' })}`)"],
    ['the end of a template', 'a.ts', 'log(`#{a({ b: `#{c}` })} is for nobody`)'],
  ])('reads %s', (_, path, text) => expect(found(path, text.replaceAll('#{', '${'))).toHaveLength(1))

  it.each([
    ['code in a comment', 'a.ts', '// Reads `nobody` of https://example.com/nobody here.'],
    ['an example in a comment', 'a.ts', '/**\n * Reads.\n * @example\n * nobody.does(it)\n */'],
    ['code blocks', 'a.md', '```ts\nnobody()\n```\n\nAnd [this](docs/nobody.md).'],
    ['scripts of a page', 'a.html', '<script>nobody()</script><a href="/nobody">All</a>'],
    ['code that opens a comment', 'a.ts', '/** `share` of the way. */'],
    ['names', 'a.ts', 'const nobody = nobody_else.nobody'],
    ['test data', 'a.test.ts', "expect(a).toBe('this is for nobody')"],
    ['single words', 'a.ts', "const a = 'nobody'"],
    ['text that only looks like a comment', 'a.ts', "const a = '// nobody', b = /[/] nobody/, c = 1 / d // All."],
    ['generated files', 'a.gen.ts', '// Then nobody does.'],
  ])('does not read %s', (_, path, text) => expect(found(path, text)).toEqual([]))

  it('accepts exceptions, and reports unused ones', () => {
    const except = [{ path: 'a.ts', words: 'nobody', reason: 'a name' }]
    expect(found('a.ts', '// Then nobody does.', { except })).toEqual([])
    expect(found('a.ts', '// Then all do.', { except })).toEqual([
      'scripts/check/guards/phrases.mjs: a.ts no longer has "nobody": remove the exception',
    ])
  })
})
