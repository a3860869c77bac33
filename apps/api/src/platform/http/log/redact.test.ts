import { expect, it } from 'vitest'
import { z } from 'zod'
import { FoundIds, redactAnswer, redactRequest } from './redact.js'

const id = (letter: string) => `ent_${letter.repeat(13)}`

it('finds ids in outer fields first, including those in parts that are not stored', () => {
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

it('does not mistake a string for an id because of its length', () => {
  const found = new FoundIds()
  const name = z.object({ name: z.string() })
  for (const text of [
    `ent_${'x'.repeat(12)}`,
    `otkn_${'x'.repeat(13)}`,
    `ent_${'x'.repeat(21)}`,
    'Ana Reyes de la Cruz',
  ])
    expect(JSON.parse(redactRequest(name, { name: text }, found))).toEqual({ name: '[redacted]' })
  for (const text of [id('x'), `macc_txn_${'x'.repeat(20)}`])
    expect(JSON.parse(redactRequest(name, { name: text }, found))).toEqual({ name: text })
  expect(found.first(20)).toEqual([id('x'), `macc_txn_${'x'.repeat(20)}`])
})

it('writes JSON for every kind of value', () => {
  const schema = z.object({
    flag: z.boolean(),
    none: z.null(),
    count: z.number(),
    listed: z.enum(['say "hi"']),
    at: z.string(),
    some: z.array(z.object({ a: z.number() })),
    empty: z.object({}),
  })
  const body = {
    flag: true,
    none: null,
    count: -1.5e30,
    listed: 'say "hi"',
    at: '2026-03-02T15:00:00.000Z',
    some: [{ a: 1 }, {}],
    empty: {},
  }
  expect(JSON.parse(redactRequest(schema, body, new FoundIds()))).toEqual(body)
  expect(JSON.parse(redactRequest(schema, { count: Number.POSITIVE_INFINITY }, new FoundIds()))).toEqual({
    count: null,
  })
  expect(JSON.parse(redactRequest(undefined, { text: 'a', 'Ana "R"': 1 }, new FoundIds()))).toEqual({
    text: '[redacted]',
  })
})
