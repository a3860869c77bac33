// kills: answer-matches-signature
import { expect, it } from 'vitest'
import { readSharedKeys, sign, verify } from './signature.js'

const key = (fill: number) => Buffer.alloc(32, fill).toString('base64')
const keys = readSharedKeys(key(1))!
const now = Date.parse('2026-03-02T15:00:00.000Z')
const claims = { from: 'causeway', about: 'rail/submit', id: 'snd_1' } as const
const body = '{"amount":100}'
const bytes = Buffer.from(body)

it('verifies its body, sender and path, and returns the id of its call', async () => {
  const signature = await sign(keys, body, claims, now)
  expect(await verify(keys, signature, bytes, claims, now)).toBe('snd_1')
})

it.each<[string, Parameters<typeof verify>[2], Partial<typeof claims> | { from: 'connector' }, number]>([
  ['another body', Buffer.from('{"amount":101}'), {}, now],
  ['the other sender', bytes, { from: 'connector' }, now],
  ['another path', bytes, { about: 'rail/cancel' } as never, now],
  ['a time more than two minutes later', bytes, {}, now + 121_000],
  ['a time more than two minutes earlier', bytes, {}, now - 121_000],
])('is invalid for %s', async (_what, given, other, at) => {
  expect(await verify(keys, await sign(keys, body, claims, now), given, { ...claims, ...other }, at)).toBeUndefined()
})

it('is valid with any shared key during a rotation, and with no other key', async () => {
  const old = await sign(keys, body, claims, now)
  expect(await verify(readSharedKeys(`${key(2)}, ${key(1)}`)!, old, bytes, claims, now)).toBe('snd_1')
  expect(await verify(readSharedKeys(key(2))!, old, bytes, claims, now)).toBeUndefined()
})

it('is invalid if it is missing or not a JWS', async () => {
  for (const text of [null, '', 'x', 'a.b.c', 'eyJhbGciOiJub25lIn0.e30.'])
    expect(await verify(keys, text, bytes, claims, now)).toBeUndefined()
})

it('keys are at least 32 bytes', () => {
  expect(readSharedKeys('')).toBeUndefined()
  expect(readSharedKeys(Buffer.alloc(31).toString('base64'))).toBeUndefined()
  expect(readSharedKeys(`${key(1)},short`)).toBeUndefined()
})
