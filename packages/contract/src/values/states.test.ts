import { expect, it } from 'vitest'
import { isState, stateOfZip, states } from './states.js'

it.each([
  ['78701', 'TX'],
  ['73301', 'TX'],
  ['73101', 'OK'],
  ['00501', 'NY'],
  ['00801', 'VI'],
  ['00601', 'PR'],
  ['00926', 'PR'],
  ['02108', 'MA'],
  ['05501', 'MA'],
  ['05602', 'VT'],
  ['20001', 'DC'],
  ['20147', 'VA'],
  ['39901', 'GA'],
  ['96813', 'HI'],
  ['96799', 'AS'],
  ['96910', 'GU'],
  ['96950', 'MP'],
  ['34022', 'AA'],
  ['09005', 'AE'],
  ['09899', 'AE'],
  ['96349', 'AP'],
  ['96601-1234', 'AP'],
  ['99501-1234', 'AK'],
  ['995011234', 'AK'],
])('the ZIP code %s is in %s', (zip, state) => {
  expect(stateOfZip(zip)).toBe(state)
})

it.each(['', '7870', '787011', '00000', '09999', '71501', 'abcde', '78701-', '٧٨٧٠١'])(
  '“%s” is not in any state',
  zip => {
    expect(stateOfZip(zip)).toBeNull()
  },
)

it('has a ZIP code for every state', () => {
  const found = new Set<string>()
  for (let zip = 0; zip < 100_000; zip += 1) {
    const state = stateOfZip(String(zip).padStart(5, '0'))
    if (state) found.add(state)
  }
  expect([...found].sort()).toEqual(Object.keys(states).sort())
  expect(found.size).toBe(50 + 9)
})

it('knows states in capital and small letters, and nothing else', () => {
  for (const text of ['TX', 'tx', 'AE', 'MP']) expect(isState(text)).toBe(true)
  for (const text of ['ZZ', '', 'T', 'Texas', '__proto__', 'PW']) expect(isState(text)).toBe(false)
})
