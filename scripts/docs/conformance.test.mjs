import { expect, it } from 'vitest'
import { page, readTests } from './conformance.mjs'

const tests = text => readTests([{ path: 'a.test.ts', text }])
const titlesOf = (text, id) =>
  tests(text)
    .proofs.get(id)
    .map(({ title }) => title)

it('a test proves the row at the start of its title', () =>
  expect(titlesOf("it('4.2.6 a released session is unchanged', () => {})", '4.2.6')).toHaveLength(1))

it('a row with a longer number is not mistaken for the shorter one', () => {
  const text = "it('4.2.10 the default source pays', () => {})"
  expect(titlesOf(text, '4.2.1')).toEqual([])
  expect(titlesOf(text, '4.2.10')).toHaveLength(1)
})

it('titles in tables, templates and wrappers count', () => {
  expect(
    titlesOf("it.each([['7 BT_NO_ALLOCATIONS before confirming', 1]])('%s', () => {})", '7 BT_NO_ALLOCATIONS'),
  ).toHaveLength(1)
  expect(titlesOf('everyVersion(`8 Idempotency-Key of 256 characters`, f)', '8 idempotency key')).toHaveLength(1)
})

it('a skipped test proves nothing', () => {
  expect(titlesOf("it.skip('4.2.6 later', () => {})", '4.2.6')).toEqual([])
  expect(titlesOf("it.todo('4.2.6 later')", '4.2.6')).toEqual([])
})

it('a tag without a row is reported', () => {
  expect(tests("it('4.2.99 nothing', () => {})").strays).toHaveLength(1)
  expect(tests("expect(version).toBe('4.2')").strays).toEqual([])
})

it('the page lists every test next to its row', () => {
  const { proofs } = tests("it('4.10.1 pings | pongs', () => {})")
  expect(page(proofs)).toContain('| pings \\| pongs (`a.test.ts`) |')
  expect(page(proofs)).toContain('| none yet |')
})
