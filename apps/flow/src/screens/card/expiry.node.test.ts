import { describe, expect, it } from 'vitest'
import { readExpiry } from './expiry.js'

const now = new Date('2026-03-15T12:00:00')

describe("a card's expiration date", () => {
  it.each(['03/28', '3/28', '03 / 28', '03/2028', '0328', '032028', '03-28', '03 28', '０３/２８'])(
    'is read from %s',
    text => {
      expect(readExpiry(text, now)).toEqual({ state: 'fine', month: '03', year: '2028' })
    },
  )

  it.each(['', '3', '13/28', '00/28', '3/8', '03/228', 'March 28', '328'])('is not found in %j', text => {
    expect(readExpiry(text, now).state).toBe('bad')
  })

  it('is past starting with the following month', () => {
    expect(readExpiry('03/26', now).state).toBe('fine')
    expect(readExpiry('02/26', now).state).toBe('past')
  })
})
