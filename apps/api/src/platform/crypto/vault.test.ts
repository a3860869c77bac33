import { expect, it } from 'vitest'
import { createVault } from './vault.js'

const vault = createVault(Buffer.alloc(32, 7))
const wrapped = vault.createTeamKey('team_a')
const place = { id: 'acc_a', field: 'number' }
const { seal, open } = vault.sealer('team_a', wrapped)

it('decrypts a value only for its own team, row and field', () => {
  const sealed = seal(place, 'secret value')
  expect(open(place, sealed)).toBe('secret value')
  expect(() => open({ ...place, id: 'acc_b' }, sealed)).toThrow()
  expect(() => open({ ...place, field: 'details' }, sealed)).toThrow()
  const other = vault.sealer('team_b', vault.createTeamKey('team_b'))
  expect(() => other.open(place, sealed)).toThrow()
  expect(() => vault.sealer('team_b', wrapped).open(place, sealed)).toThrow()
})

it("opens a team's data key only for that team and with the right ENCRYPTION_KEY", () => {
  expect(() => createVault(Buffer.alloc(32, 7)).sealer('team_a', wrapped)).not.toThrow()
  expect(() => createVault(Buffer.alloc(32, 7)).sealer('team_b', wrapped)).toThrow()
  expect(() => createVault(Buffer.alloc(32, 9)).sealer('team_a', wrapped)).toThrow()
})

it('rejects an encrypted value if any part of it was changed', () => {
  const sealed = seal(place, 'secret value')
  const raw = Buffer.from(sealed.slice(3), 'base64')
  for (let at = 0; at < raw.length; at += 1) {
    const changed = Buffer.from(raw)
    changed[at]! ^= 1
    expect(() => open(place, `v1.${changed.toString('base64')}`)).toThrow()
  }
  expect(() => open(place, sealed.replace('v1.', 'v2.'))).toThrow()
})

// kills: whole-authentication-tag
it('rejects an encrypted value with a truncated authentication tag', () => {
  const raw = Buffer.from(seal(place, '').slice(3), 'base64')
  for (const length of [4, 8, 12, 15])
    expect(() => open(place, `v1.${raw.subarray(0, 12 + length).toString('base64')}`)).toThrow()
})

it('compresses values of any length, and reads them only with the same dictionary', () => {
  const { pack, unpack } = vault.sealer('team_a', wrapped)
  const dictionary = Buffer.from('{"status":"pending"}')
  for (const value of [
    '',
    'é',
    'x'.repeat(4_095),
    'é'.repeat(4_096),
    JSON.stringify({ status: 'pending' }).repeat(10_000),
  ]) {
    expect(unpack(place, pack(place, value))).toBe(value)
    expect(unpack(place, pack(place, value, dictionary), dictionary)).toBe(value)
    expect(() => unpack({ ...place, id: 'acc_b' }, pack(place, value))).toThrow()
  }
  const short = JSON.stringify({ status: 'pending' })
  expect(pack(place, short, dictionary).length).toBeLessThan(pack(place, short).length)
  expect(() => unpack(place, pack(place, short, dictionary))).toThrow()
})

it('encrypts equal values differently each time', () =>
  expect(new Set(Array.from({ length: 100 }, () => seal(place, 'secret value'))).size).toBe(100))
