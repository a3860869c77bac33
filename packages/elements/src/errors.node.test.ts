import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { kitErrors } from './errors.js'

it('every kit error is documented, including its recoverability', () => {
  const text = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
  const rows = [...text.matchAll(/^\| `([A-Z_]+)` \| (yes|no) \|/gm)].map(([, name, yes]) => [name, yes === 'yes'])
  expect(rows).toEqual(Object.entries(kitErrors).map(([name, { recoverable }]) => [name, recoverable]))
})
