import { describe, expect, it } from 'vitest'
import { identityMethods, sessionMethods } from '../fields/names.js'
import { accountMethods } from './of-accounts.js'
import { entityMethods } from './of-entities.js'

describe('declarations of verification methods', () => {
  it('of accounts share no name', () => {
    const names = accountMethods.map(({ name }) => name)
    expect(names).toEqual([...new Set(names)])
  })

  it('of entities have exactly the names of the methods that the API offers', () => {
    expect(entityMethods.map(({ name }) => name).sort()).toEqual([...sessionMethods].sort())
    expect(identityMethods).toEqual(expect.arrayContaining([...sessionMethods]))
  })

  it.each([...accountMethods, ...entityMethods])('of $name have an example that is valid', declared => {
    const { block, answer, example } = declared
    expect(block.parse(example.block)).toEqual(example.block)
    if (answer) expect(answer.parse(example.answer)).toEqual(example.answer)
  })

  it.each(entityMethods)('of $name have an example that starts a session', ({ start, example }) => {
    if (start) expect(start.parse(example.start)).toEqual(example.start)
    else expect(example.start).toEqual({})
  })
})
