import { expect, it } from 'vitest'
import { removals } from './removal-list.mjs'
import { textsWithout } from './removals.mjs'

it.each(Object.keys(removals))('the removal %s applies to the source', name => {
  expect(textsWithout(name).size).toBeGreaterThan(0)
})

it('rejects a name that is neither a removal nor a mutant', () => {
  expect(() => textsWithout('no-such-name')).toThrow('There is no removal and no mutant with the name no-such-name.')
})
