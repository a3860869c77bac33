import { describe, expect, test } from 'vitest'
import { readColor } from '../../theme.js'
import { ACCOUNT_HUES, huesBeside } from './hues.js'

describe("the meter's colors", () => {
  test("skip those that are close to the customer's", () => {
    expect(huesBeside('light', readColor('#0e8074')!)).not.toContain('#0e8074')
    expect(huesBeside('light', readColor('#1d4ed8')!)).toContain('#0e8074')
  })

  test.each(['light', 'dark'] as const)('are enough for every account beside any color (%s)', scheme => {
    for (let blue = 0; blue < 256; blue += 15)
      for (let red = 0; red < 256; red += 15)
        for (let green = 0; green < 256; green += 15)
          expect(new Set(huesBeside(scheme, [red, green, blue])).size).toBe(ACCOUNT_HUES - 1)
  })
})
