/** Adds the first screen's markup to the frame's page, so that the person sees it before the app has loaded. */
import { createHash } from 'node:crypto'
import { PROTOCOL, readInit } from '@causeway/contract/frame'
import { elementOf, type FirstScreen, type SessionView } from '@causeway/contract/session'
import { describeFault, type Log } from '../../platform/log.js'
import type { Assets } from './assets.js'
import { escaped } from './escaped.js'
import type { Inline } from './headers.js'

/** The maximum number of rendered screens to cache. */
const MAX_SCREENS = 200
/** The maximum length of the element's settings, in characters. */
const MAX_SETTINGS = 1_000

const APP = '<causeway-flow></causeway-flow>'
/** Hides the app until it replaces the markup. */
const HIDE_APP = '#early:not([hidden])~causeway-flow{display:none}'
/** A placeholder for the logo's path, which differs for each token. */
const LOGO = '/logo/-'

const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

/**
 * Parses the element's settings from a frame's URL, as if the element had sent them. Returns null if there are no valid
 * settings.
 */
function readSettings(text: string | undefined) {
  if (!text || text.length > MAX_SETTINGS) return null
  try {
    return readInit({ ...(JSON.parse(text) as object), causeway: 'init', v: PROTOCOL, n: '' })
  } catch {
    return null
  }
}

interface Page {
  html: string
  inline: Inline | null
}

/**
 * @param settings the element's settings, from the frame's URL
 * @param languages the person's languages, most preferred first
 */
export type AddFirstScreen = (
  page: string,
  view: SessionView | null,
  settings: string | undefined,
  languages: readonly string[],
) => Promise<Page>

/**
 * If the service can't render the screen, it serves the page without the screen, and the app draws the screen instead.
 */
export function createEarly({ early }: Assets, log: Log): AddFirstScreen {
  const screens = new Map<string, FirstScreen>()
  const scriptHash = early && hashOf(early.script)

  return async (page, view, settings, languages) => {
    const init = readSettings(settings)
    // A prepared frame is hidden, so its app has time to load.
    if (!early || !view || !init || init.hidden) return { html: page, inline: null }
    if (init.mode !== null && elementOf(view.mode) !== init.mode) return { html: page, inline: null }
    const { locale, appearance, theme, display } = init
    const { logo } = view.brand
    // The screen does not depend on the session or the time, so the cache key leaves them out.
    const general = { ...view, revision: 0, now: '', expires_at: '', brand: { ...view.brand, logo: logo && LOGO } }
    const preferences = [locale, ...languages]
    const key = JSON.stringify([general, appearance, theme, preferences])
    const draw = () =>
      early.draw(general, { appearance, theme }, preferences).catch(error => {
        log('error', 'first_screen_failed', describeFault(error))
        return null
      })
    const screen = screens.get(key) ?? (await draw())
    if (!screen) return { html: page, inline: null }
    screens.delete(key)
    screens.set(key, screen)
    if (screens.size > MAX_SCREENS) screens.delete(screens.keys().next().value!)
    const { title, lang, dir, scheme, css } = screen
    const style = `${css}${HIDE_APP}`
    const root = `<html lang="${lang}" dir="${dir}" data-display="${display}"${scheme ? ` data-scheme="${scheme}"` : ''}>`
    const drawn = `<div id="early" hidden>${screen.html.replace(LOGO, () => logo!)}</div>`
    const html = page
      .replace(/<html[^<>]*>/, () => root)
      .replace(/<title>[^<]*/, () => `<title>${escaped(title)}`)
      // The script loads the app after the screen has been drawn.
      .replace(
        /<script type="module" crossorigin src=("[^"<>]*")><\/script>/,
        (_, path) => `<link rel="modulepreload" crossorigin href=${path}>`,
      )
      .replace('</head>', () => `<style>${style}</style></head>`)
      .replace(APP, () => `${drawn}${APP}<script>${early.script}</script>`)
    return { html, inline: { script: scriptHash!, style: hashOf(style) } }
  }
}
