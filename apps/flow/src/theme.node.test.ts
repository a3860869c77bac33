import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { contrast, MIN_TEXT_CONTRAST, paletteOf, readColor, type Scheme } from './theme.js'

const hex = fc.integer({ min: 0, max: 0xffffff }).map(n => `#${n.toString(16).padStart(6, '0')}`)
const scheme = fc.constantFrom<Scheme>('light', 'dark')
const ground = { light: ['#ffffff', '#f5f6f9'], dark: ['#151a21', '#1c222b'] }
const of = (text: string | undefined) => readColor(text)!

describe("the customer's color", () => {
  test('whatever it is, text on it and text in it pass AA', () => {
    fc.assert(
      fc.property(hex, scheme, (accent, s) => {
        const out = paletteOf(s, accent, {})
        expect(contrast(of(out['--on-accent']), of(out['--accent']))).toBeGreaterThanOrEqual(MIN_TEXT_CONTRAST)
        for (const under of [...ground[s], out['--accent-soft']])
          expect(contrast(of(out['--accent-text']), of(under))).toBeGreaterThanOrEqual(MIN_TEXT_CONTRAST)
      }),
      { numRuns: 300 },
    )
  })

  test('is unchanged if it already passes', () => {
    expect(paletteOf('light', '#1d4ed8', {})['--accent']).toBe('#1d4ed8')
  })

  test('is unchanged and gets dark text if it is pale', () => {
    const out = paletteOf('light', '#ffd400', {})
    expect(out['--accent']).toBe('#ffd400')
    expect(out['--on-accent']).toBe('#0b1220')
  })
})

describe("a host page's tokens", () => {
  test("rejects text that can't be read on its surface and keeps our palette", () => {
    expect(paletteOf('light', null, { surface: '#ffffff', text: '#cccccc' })['--ink']).toBeUndefined()
  })

  test('a dark surface in the light scheme is refused', () => {
    expect(paletteOf('light', null, { surface: '#000000', text: '#ffffff' })['--surface']).toBeUndefined()
    expect(paletteOf('dark', null, { surface_dark: '#000000', text_dark: '#ffffff' })['--surface']).toBe('#000000')
  })

  test('accepts a readable pair, and secondary text on it still passes AA', () => {
    const part = (least: number, most: number) =>
      fc.integer({ min: least, max: most }).map(n => n.toString(16).padStart(2, '0'))
    const color = (least: number, most: number) =>
      fc.tuple(part(least, most), part(least, most), part(least, most)).map(parts => `#${parts.join('')}`)
    fc.assert(
      fc.property(color(230, 255), color(0, 60), (surface, text) => {
        const out = paletteOf('light', null, { surface, text })
        expect(out['--surface']).toBe(surface)
        expect(contrast(of(out['--soft']), of(out['--surface']))).toBeGreaterThanOrEqual(MIN_TEXT_CONTRAST)
        expect(contrast(of(out['--accent-text']), of(out['--surface']))).toBeGreaterThanOrEqual(MIN_TEXT_CONTRAST)
      }),
      { numRuns: 200 },
    )
  })

  test('ignores a value that is not a color', () => expect(readColor('red; }')).toBeNull())
})
