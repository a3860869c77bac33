import { expect, it } from 'vitest'
import { z } from 'zod'
import { FoundIds, redactAnswer, redactRequest } from './redact.js'

const id = (letter: string) => `ent_${letter.repeat(13)}`

it('finds ids in outer fields first, also in parts that are not stored', () => {
  const found = new FoundIds()
  const answer = z.object({ inner: z.object({ holder: z.string() }), outer: z.string(), list: z.array(z.string()) })
  redactAnswer(
    answer,
    {
      inner: { holder: id('i') },
      outer: id('o'),
      list: [...Array.from({ length: 20 }, () => 'Ana'), id('l')],
      unknown: { [id('k')]: { deep: id('d') } },
    },
    found,
  )
  redactRequest(z.object({ entity: z.string() }), { entity: id('e') }, found)
  expect(found.first(3)).toEqual(['o', 'k', 'e'].map(id))
  expect(found.first(20)).toEqual(['o', 'k', 'e', 'i', 'l', 'd'].map(id))
})

it('does not take a text for an id because of its length', () => {
  const found = new FoundIds()
  const name = z.object({ name: z.string() })
  for (const text of [
    `ent_${'x'.repeat(12)}`,
    `otkn_${'x'.repeat(13)}`,
    `ent_${'x'.repeat(21)}`,
    'Ana Reyes de la Cruz',
  ])
    expect(redactRequest(name, { name: text }, found)).toEqual({ name: '[redacted]' })
  for (const text of [id('x'), `macc_txn_${'x'.repeat(20)}`])
    expect(redactRequest(name, { name: text }, found)).toEqual({ name: text })
  expect(found.first(20)).toEqual([id('x'), `macc_txn_${'x'.repeat(20)}`])
})
