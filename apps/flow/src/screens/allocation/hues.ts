/** The colors of the accounts in the meter. The first is the customer's color, and the others differ from it. */
import type { ReactiveController, ReactiveControllerHost } from 'lit'
import { type Rgb, readColor, type Scheme } from '../../theme.js'

export const ACCOUNT_HUES = 6

/** The colors available for accounts after the first. */
const series: Record<Scheme, readonly string[]> = {
  light: ['#0e8074', '#b45309', '#7c3aed', '#be185d', '#15803d', '#1d4ed8', '#475569'],
  dark: ['#4fd1c5', '#f0a860', '#c4a5ff', '#ff9ec4', '#7fdc9a', '#84a9ff', '#a7b0bf'],
}

function hue([r, g, b]: Rgb): number {
  const max = Math.max(r, g, b)
  const span = max - Math.min(r, g, b)
  if (span < 12) return -1
  const turn = max === r ? ((g - b) / span + 6) % 6 : max === g ? (b - r) / span + 2 : (r - g) / span + 4
  return turn * 60
}

const near = (a: Rgb, b: Rgb): boolean => {
  const [x, y] = [hue(a), hue(b)]
  if (x < 0 || y < 0) return x < 0 && y < 0
  const gap = Math.abs(x - y)
  return Math.min(gap, 360 - gap) < 25
}

/** Returns the colors to use alongside the customer's color, with colors similar to it last. */
export function huesBeside(scheme: Scheme, accent: Rgb): string[] {
  const isClose = (other: string) => near(readColor(other)!, accent)
  const all = series[scheme]
  return [...all.filter(other => !isClose(other)), ...all.filter(isClose)].slice(0, ACCOUNT_HUES - 1)
}

/** Returns the color of the account at a position in the list. */
export const hueOf = (index: number): string => `var(--s${(index % ACCOUNT_HUES) + 1})`

/** Keeps the custom properties that {@link hueOf} refers to in sync with the page's colors. */
export class Hues implements ReactiveController {
  private readonly screen: ReactiveControllerHost & HTMLElement
  private readonly observer = new MutationObserver(() => this.hostConnected())

  constructor(screen: ReactiveControllerHost & HTMLElement) {
    this.screen = screen
    screen.addController(this)
  }

  hostConnected(): void {
    const root = this.screen.ownerDocument.documentElement
    this.observer.observe(root, { attributeFilter: ['style', 'data-scheme'] })
    const accent = getComputedStyle(root).getPropertyValue('--accent-text').trim()
    const { style } = this.screen
    style.setProperty('--s1', accent)
    huesBeside(root.dataset['scheme'] as Scheme, readColor(accent)!).forEach((hue, i) => {
      style.setProperty(`--s${i + 2}`, hue)
    })
  }

  hostDisconnected(): void {
    this.observer.disconnect()
  }
}
