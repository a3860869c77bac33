/** Checks that the threat model lists every table in the store and every action in the audit log. */
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { AUDIT_AREAS } from '@causeway/contract/fields/audit-areas'
import { expect, it } from 'vitest'

const folder = fileURLToPath(new URL('..', import.meta.url))
const page = readFileSync(new URL('../../../../docs/security/threat-model.md', import.meta.url), 'utf8')
const source = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter(name => name.endsWith('.ts') && !name.endsWith('.test.ts') && !/(?:^|[\\/])testing[\\/]/.test(name))
  .map(name => readFileSync(folder + name, 'utf8'))

/** Returns the names in backticks in the first column of the table under a heading. */
function named(heading: string): string[] {
  const section = page.split(`## ${heading}\n`)[1]!.split('\n## ')[0]!
  const cells = section.split('\n').flatMap(line => /^\| (`.*?) \|/.exec(line)?.[1] ?? [])
  return cells.flatMap(cell => [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name!)).sort()
}

it('lists every table in the store once in its retention section', () => {
  const tables = readFileSync(`${folder}platform/db/tables.ts`, 'utf8')
  const names = [...tables.matchAll(/^ {2}(\w+): \{/gm)].map(([, name]) => name!)
  expect(names).toContain('idempotency')
  expect(named('Retention')).toEqual(names.sort())
})

it('lists every audit log action once', () => {
  const written = source.flatMap(text =>
    [
      ...text.matchAll(
        /\b(?:audit|auditConsole|recordActions|recordOperatorAction|auditReads|auditOperator)\(([^;]*?)\)\n/g,
      ),
      ...text.matchAll(/^ {2}\['([\w.]+)', (?:true|false)\],$/gm),
      ...text.matchAll(/\b(?:action|change)\w*[^;\n]*?'(service_key\.\w+)'/g),
    ].flatMap(([whole]) => [...whole.matchAll(/'((?:[a-z_]+\.)+[a-z_]+)'/g)].map(([, name]) => name!)),
  )
  const actions = new Set(written)
  expect(actions).toContain('key.revoke')
  const listed = named('Audit and logs')
  expect([...actions].filter(name => !listed.includes(name))).toEqual([])
  const all = source.join('\n')
  // The code may compose an action's name, such as entity.consent.grant.
  const isWritten = (name: string) => all.includes(`'${name}'`) || all.includes(`\`${name.replace(/\.\w+$/, '')}.`)
  expect(listed.filter(name => !isWritten(name))).toEqual([])
  expect(new Set(listed).size).toBe(listed.length)
  expect(Object.values(AUDIT_AREAS).flat().sort()).toEqual(listed)
})
