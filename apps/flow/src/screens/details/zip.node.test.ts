import { expect, it } from 'vitest'
import { states } from './states.js'
import { stateOfZip } from './zip.js'

it.each([
  ['78701', 'TX'],
  ['73301', 'TX'],
  ['73101', 'OK'],
  ['00501', 'NY'],
  ['00801', 'VI'],
  ['00926', 'PR'],
  ['02108', 'MA'],
  ['05501', 'MA'],
  ['05602', 'VT'],
  ['20001', 'DC'],
  ['20147', 'VA'],
  ['39901', 'GA'],
  ['96813', 'HI'],
  ['99501-1234', 'AK'],
  ['995011234', 'AK'],
])('the ZIP code %s is in %s', (zip, state) => {
  expect(stateOfZip(zip)).toBe(state)
})

it.each(['', '7870', '787011', '00000', '09001', '34001', '96201', 'abcde'])('“%s” is not in any state', zip => {
  expect(stateOfZip(zip)).toBeNull()
})

it('has a ZIP code for every state', () => {
  const found = new Set<string>()
  for (let prefix = 0; prefix < 1000; prefix++) {
    const state = stateOfZip(`${String(prefix).padStart(3, '0')}01`)
    if (state) found.add(state)
  }
  expect([...found].sort()).toEqual(Object.keys(states).sort())
})
