import { expect, it } from 'vitest'
import { legibleTheme } from './legible.js'

it('readable text keeps its color', () => {
  for (const theme of [
    {},
    { text: '#333' },
    { surface: '#102030', text: '#ffffff' },
    { surface: '#fff', text: '#767676' },
  ])
    expect(legibleTheme(theme)).toEqual(theme)
})

it('text below AA contrast becomes black or white, whichever has more contrast', () => {
  expect(legibleTheme({ surface: '#fff', text: '#777777' })).toEqual({ surface: '#fff', text: '#000' })
  expect(legibleTheme({ text: '#fff' })).toEqual({ text: '#000' })
  expect(legibleTheme({ surface: '#123' })).toEqual({ surface: '#123', text: '#fff' })
  expect(legibleTheme({ surface_dark: '#eeeeee' })).toEqual({ surface_dark: '#eeeeee', text_dark: '#000' })
})

it('text on an accent is black or white, in both color schemes', () => {
  const dark = { accent: '#123', ink: '#fff', accent_dark: '#123', ink_dark: '#fff' }
  expect(legibleTheme({ accent: '#123' })).toEqual(dark)
  expect(legibleTheme({ accent: '#123', accent_dark: '#eee' })).toEqual({
    ...dark,
    accent_dark: '#eee',
    ink_dark: '#000',
  })
})
