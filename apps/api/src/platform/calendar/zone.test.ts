import { HOUR_MS } from '@causeway/contract/time'
import { expect, it } from 'vitest'
import { offsetOf, startOf } from './zone.js'

const at = Date.parse

it.each([
  ['UTC', '2026-03-08', '2026-03-08T00:00:00.000Z'],
  ['America/Chicago', '2026-03-08', '2026-03-08T06:00:00.000Z'],
  ['America/Chicago', '2026-03-09', '2026-03-09T05:00:00.000Z'],
  ['America/Chicago', '2026-11-01', '2026-11-01T05:00:00.000Z'],
  ['America/Chicago', '2026-11-02', '2026-11-02T06:00:00.000Z'],
])('a day in %s, %s, starts at %s, even next to a clock change', (zone, day, begins) => {
  expect(startOf(at(`${day}T00:00:00.000Z`), zone)).toBe(at(begins))
})

it('the offset of a time zone is positive east of UTC', () => {
  expect(offsetOf(at('2026-01-15T12:00:00.500Z'), 'America/Chicago')).toBe(-6 * HOUR_MS)
  expect(offsetOf(at('2026-07-15T12:00:00.000Z'), 'UTC')).toBe(0)
})
