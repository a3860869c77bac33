import { expect, it } from 'vitest'
import { readOptions, usage } from './options.mjs'

it('the usage of the fault tests lists every option', () => {
  const options = Object.keys(readOptions([])).filter(name => name !== 'atOnce')
  for (const name of [...options, 'only', 'at-once', 'database-url']) expect(usage).toContain(`  --${name} `)
})

it('--help is an option, alone or with others', () => {
  expect(readOptions(['--help']).help).toBe(true)
  expect(readOptions(['--quick', '--help', '--only', 'kills'])).toMatchObject({
    help: true,
    quick: true,
    only: 'kills',
  })
})

it('fault tests run four at once in the short form, and one at a time in the long form and on a cluster', () => {
  const atOnce = (...args) => readOptions(args).atOnce
  expect([atOnce(), atOnce('--quick'), atOnce('--quick', '--ha'), atOnce('--at-once', '3')]).toEqual([1, 4, 1, 3])
})

it.each([
  [['--engine', 'mysql'], '--engine must be sqlite, postgres or both'],
  [['--at-once', '0'], '--at-once must be a whole number, 1 or greater'],
  [['--at-once', 'two'], '--at-once must be a whole number, 1 or greater'],
  [['--unknown'], "Unknown option '--unknown'"],
])('%j is rejected with a sentence', (args, sentence) => {
  expect(() => readOptions(args)).toThrow(sentence)
})
