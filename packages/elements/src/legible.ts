/**
 * Keeps the element's own text readable on any surface color that a customer chooses. The frame does the same for its
 * own text.
 */
import type { Theme } from '@causeway/contract/frame'

/** Minimum contrast for text under WCAG 2.2 AA. */
const MIN_TEXT_CONTRAST = 4.5

/** Returns the relative luminance of a `#rgb` or `#rrggbb` color. */
function luminance(color: string): number {
  const hex = color.length < 5 ? color.replace(/\w/g, '$&$&') : color
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map(at => {
    const channel = Number.parseInt(hex.slice(at, at + 2), 16) / 255
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

/** Returns the contrast ratio of two colors, from 1 to 21. */
function contrast(one: string, other: string): number {
  const [a, b] = [luminance(one) + 0.05, luminance(other) + 0.05]
  return a > b ? a / b : b / a
}

/** Returns black or white, whichever contrasts more with the background color. */
const inkOn = (ground: string): string => (luminance(ground) < 0.179 ? '#fff' : '#000')

/**
 * Returns the theme, with its text color set to black or white wherever the contrast with the surface is too low. Adds
 * `ink`, the color of text on the accent color.
 */
export function legibleTheme(theme: Theme): Record<string, unknown> {
  const read: Record<string, unknown> = { ...theme }
  for (const [dark, usualText, usualSurface] of [
    ['', '#12161f', '#fff'],
    ['_dark', '#f2f4f8', '#14181f'],
  ] as const) {
    const ground = theme[`surface${dark}`] ?? usualSurface
    if (contrast(theme[`text${dark}`] ?? usualText, ground) < MIN_TEXT_CONTRAST) read[`text${dark}`] = inkOn(ground)
    const accent = theme[`accent${dark}`] ?? theme.accent
    if (!accent) continue
    read[`accent${dark}`] = accent
    read[`ink${dark}`] = inkOn(accent)
  }
  return read
}
