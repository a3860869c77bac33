import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')
const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
const read = (pattern: RegExp) =>
  files.filter(file => pattern.test(file)).map(file => readFileSync(join(root, file), 'utf8'))

/** Classes that only a script or a test looks up, and the prefix of a class whose name ends with a number. */
const withoutRule = new Set(['papers-title', 'whole', 'h'])

/** An attribute's value: a quoted string that can contain expressions, or a single expression. */
const ATTRIBUTE = /class(?:Name)? ?= ?(?:"((?:\$\{[^}]*\}|[^"$])*)"|'([^']*)'|(\$\{[^}]*\}))/g

/** Returns the classes in an attribute's value: those in its plain text, and those that its expressions can select. */
function classesIn(value: string): string[] {
  const own = value.replace(/\$\{[^}]*\}/g, ' ')
  const chosen = [...value.matchAll(/\$\{([^}]*)\}/g)].flatMap(([, code]) =>
    [...code!.matchAll(/[?:] '([^']*)'/g)].map(([, text]) => text!),
  )
  return [own, ...chosen].flatMap(text => text.split(/\s+/)).filter(name => name !== '')
}

test('every class in a template has a rule', () => {
  const sources = read(/(?<!\.test)\.ts$/).join('\n')
  const used = new Set(
    [...sources.matchAll(ATTRIBUTE)].flatMap(([, quoted, named, bare]) => classesIn((quoted ?? named ?? bare)!)),
  )
  const shared = readFileSync(join(root, '../../../packages/ui/src/reset.css'), 'utf8')
  const rules = [...read(/\.css$/), shared].join('\n').replace(/\/\*[\s\S]*?\*\//g, '')
  const styled = new Set([...rules.matchAll(/\.([a-z][\w-]*)/g)].map(([, name]) => name!))
  for (const name of ['caution', 'idle', 'ask', 'fields', 'over']) expect(used).toContain(name)
  expect([...used].filter(name => !styled.has(name) && !withoutRule.has(name))).toEqual([])
})
