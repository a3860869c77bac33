/**
 * The flow's colors. Each scheme has its own palette, in `packages/ui/src/palette.css` and `styles/tokens.css`. This
 * module applies the customer's colors and adjusts them until text on them meets WCAG AA. Colors have the format
 * `#rrggbb`.
 */
import type { Appearance, Theme } from '@causeway/contract/frame'

export type Scheme = 'light' | 'dark'
/** The minimum contrast for text under WCAG 2.2 AA. */
export const MIN_TEXT_CONTRAST = 4.5

export type Rgb = readonly [number, number, number]

/** Returns the three channels of `#rgb` or `#rrggbb`, each from 0 to 255; null if the text has neither format. */
export function readColor(text: string | null | undefined): Rgb | null {
  const match = /^#([0-9a-f]{3}|[0-9a-f]{6})$/i.exec(text ?? '')?.[1]
  if (!match) return null
  const hex = match.length === 3 ? [...match].map(c => c + c).join('') : match
  return [0, 2, 4].map(at => Number.parseInt(hex.slice(at, at + 2), 16)) as unknown as Rgb
}

const showColor = (rgb: Rgb) => '#' + rgb.map(channel => Math.round(channel).toString(16).padStart(2, '0')).join('')

function luminance(rgb: Rgb): number {
  const [r, g, b] = rgb.map(channel => {
    const c = channel / 255
    return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4
  }) as unknown as Rgb
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

/** Returns the contrast ratio of two colors, from 1 to 21. */
export function contrast(a: Rgb, b: Rgb): number {
  const [light, dark] = [luminance(a), luminance(b)].sort((x, y) => y - x) as [number, number]
  return (light + 0.05) / (dark + 0.05)
}

/** Mixes two colors. A `share` of 0 returns the first color, and a `share` of 1 returns the second. */
function mix(from: Rgb, to: Rgb, share: number): Rgb {
  return [0, 1, 2].map(i => from[i]! + (to[i]! - from[i]!) * share) as unknown as Rgb
}

const roundChannels = (rgb: Rgb): Rgb => rgb.map(Math.round) as unknown as Rgb

/** Shifts a color toward another in small steps until it has the required contrast with every background. */
function ensureContrast(
  color: Rgb,
  towards: Rgb,
  grounds: (color: Rgb) => readonly Rgb[],
  least = MIN_TEXT_CONTRAST,
): Rgb {
  for (let share = 0; share < 1; share += 0.02) {
    const next = roundChannels(mix(color, towards, share))
    if (grounds(next).every(ground => contrast(next, ground) >= least)) return next
  }
  return towards
}

const WHITE: Rgb = [255, 255, 255]
const BLACK: Rgb = [0, 0, 0]
const base = {
  light: { surface: '#ffffff', canvas: '#f5f6f9', ink: '#10151d', accent: '#1d4ed8', onLight: '#0b1220', tint: 0.08 },
  dark: { surface: '#151a21', canvas: '#0e1217', ink: '#eef1f6', accent: '#84a9ff', onLight: '#0b1220', tint: 0.14 },
} as const

/**
 * Returns the custom properties that override a scheme's palette, based on the customer's color and the host page's
 * tokens.
 */
export function paletteOf(scheme: Scheme, accent: string | null, theme: Theme): Record<string, string> {
  const dark = scheme === 'dark'
  const own = base[scheme]
  const out: Record<string, string> = {}
  const away = dark ? WHITE : BLACK

  let surface = readColor(own.surface)!
  let canvas = readColor(own.canvas)!
  const wantedSurface = readColor(dark ? theme.surface_dark : theme.surface)
  const wantedInk = readColor(dark ? theme.text_dark : theme.text)
  const ink = wantedInk ?? readColor(own.ink)!
  const wanted = wantedSurface ?? surface
  // Reject both of the host page's colors if text would be unreadable, because using only one of them would be worse.
  // Also reject a dark surface in the light scheme and a light surface in the dark scheme, because colored messages
  // would be unreadable on them.
  const fits = dark ? luminance(wanted) <= 0.04 : luminance(wanted) >= 0.75
  if ((wantedSurface || wantedInk) && fits && contrast(wanted, ink) >= 7) {
    surface = wanted
    canvas = roundChannels(mix(surface, ink, 0.045))
    const readable = (share: number) =>
      ensureContrast(roundChannels(mix(ink, surface, share)), ink, () => [surface, canvas])
    out['--surface'] = showColor(surface)
    out['--canvas'] = showColor(canvas)
    out['--ink'] = showColor(ink)
    out['--soft'] = showColor(readable(0.34))
    out['--line'] = showColor(mix(surface, ink, 0.12))
    out['--field'] = showColor(ensureContrast(roundChannels(mix(surface, ink, 0.4)), ink, () => [surface], 3))
  }

  const chosen = readColor(dark ? (theme.accent_dark ?? theme.accent) : theme.accent) ?? readColor(accent)
  const color = chosen ?? readColor(own.accent)!
  const tinted = (accentColor: Rgb) => roundChannels(mix(surface, accentColor, own.tint))
  // Accent-colored text and lines use the customer's color, adjusted for contrast.
  const text = ensureContrast(color, away, at => [surface, canvas, tinted(at)])
  // Buttons are filled with the customer's color. A pale color stays unchanged and gets dark text. A medium color is
  // darkened for white text.
  const pale = contrast(color, WHITE) < 2.6
  const onLight = readColor(own.onLight)!
  const fill = dark ? text : pale ? color : ensureContrast(color, BLACK, () => [WHITE])
  const onFill = contrast(fill, WHITE) >= MIN_TEXT_CONTRAST ? WHITE : onLight
  out['--accent'] = showColor(fill)
  out['--on-accent'] = showColor(onFill)
  out['--accent-text'] = showColor(text)
  out['--accent-soft'] = showColor(tinted(text))
  if (theme.radius !== undefined) out['--r'] = `${theme.radius}px`
  return out
}

export interface ThemeOptions {
  appearance: Appearance
  accent: string | null
  theme: Theme
}

/**
 * Applies the palette to the document through the CSSOM, because the page's Content Security Policy blocks style
 * attributes.
 */
export function applyTheme(root: HTMLElement, dress: ThemeOptions, systemDark: boolean): void {
  const scheme: Scheme = dress.appearance === 'system' ? (systemDark ? 'dark' : 'light') : dress.appearance
  root.dataset['scheme'] = scheme
  const wanted = paletteOf(scheme, dress.accent, dress.theme)
  for (const name of [...root.style]) if (name.startsWith('--') && !(name in wanted)) root.style.removeProperty(name)
  for (const [name, value] of Object.entries(wanted)) root.style.setProperty(name, value)
}
