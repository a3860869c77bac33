/** Runs the app with the real window, network and clock, for a given host. */

import type { ToFrame } from '@causeway/contract/frame'
import { type ElementMode, elementOf, type SessionView } from '@causeway/contract/session'
import './app.js'
import { createFrameClient, type FrameClient } from './frame-client.js'
import type { Host, HostDeps } from './host.js'
import { createLoop } from './loop.js'
import { applyTheme, type ThemeOptions } from './theme.js'
import { browserLocales, completeLanguage, isComplete, loadLanguage } from './words/language.js'

/**
 * Starts the app.
 * @param connect creates the app's host
 * @param wrap wraps the app's calls
 */
export function runApp(connect: (deps: HostDeps) => Host, wrap = (calls: FrameClient) => calls): void {
  const app = document.querySelector('causeway-flow')!
  const systemDark = matchMedia('(prefers-color-scheme: dark)')
  const chosen: Pick<ThemeOptions, 'theme'> & { appearance: ThemeOptions['appearance'] | null } = {
    theme: {},
    appearance: null,
  }

  function applyAppearance(): void {
    const view = loop.state().view
    const appearance = chosen.appearance ?? view?.appearance ?? 'system'
    const accent = view?.brand.primary_color ?? null
    applyTheme(document.documentElement, { appearance, accent, theme: chosen.theme }, systemDark.matches)
  }

  /**
   * Sets the app's language to the host page's, or to the browser's if the host page specifies none. Only the latest
   * request takes effect.
   */
  let requests = 0
  function loadLanguageFor(locale: string | null): void {
    const request = ++requests
    app.speaking = (async () => {
      const first = await loadLanguage([locale, ...browserLocales(navigator)])
      // After the first screen, the app needs the text of all screens.
      const language = isComplete(app.language) ? await completeLanguage(first).catch(() => app.language) : first
      if (request !== requests) return
      app.language = language
      app.speaking = null
      // The language can be the one that the app already had.
      app.requestUpdate('language')
    })()
  }

  const host = connect({
    onInit: init => {
      chosen.theme = init.theme
      chosen.appearance = init.appearance
      app.display = init.display
      loadLanguageFor(init.locale)
      const { mode, hidden } = init
      loop.dispatch({ type: 'opened', origin: host.origin, mode, view: readView(mode), hidden })
    },
    onMessage: receive,
  })

  /** The service's clock minus this device's clock, in milliseconds. */
  let ahead = 0

  const calls = wrap(createFrameClient({ fetch: (...args) => fetch(...args), online: () => navigator.onLine }))
  const loop = createLoop({
    calls,
    tell: message => host.send(message),
    draw: state => {
      const before = app.state.view?.brand.primary_color
      const isThemed = document.documentElement.dataset['scheme'] !== undefined
      if (state.view && state.view !== app.state.view) ahead = Date.parse(state.view.now) - Date.now()
      app.state = state
      if (!isThemed || state.view?.brand.primary_color !== before) applyAppearance()
    },
    setTimeout: (run, ms) => window.setTimeout(run, ms),
    clearTimeout: timer => window.clearTimeout(timer),
    visible: () => document.visibilityState === 'visible',
  })

  function receive(message: ToFrame): void {
    switch (message.type) {
      case 'auth.token':
        loop.dispatch({ type: 'token', token: message.token, exchange_id: newExchangeId() })
        return
      case 'set':
        if (message.theme) chosen.theme = message.theme
        if (message.appearance !== undefined) chosen.appearance = message.appearance
        if (message.locale !== undefined) loadLanguageFor(message.locale)
        applyAppearance()
        return
      case 'leave':
        app.close()
        return
      case 'open':
      case 'close':
        loop.dispatch({ type: message.type })
    }
  }

  const refresh = () => document.visibilityState === 'visible' && loop.dispatch({ type: 'refresh' })
  document.addEventListener('visibilitychange', refresh)
  window.addEventListener('online', () => loop.dispatch({ type: 'online' }))
  // The host page sends no message when it unloads or removes the element.
  window.addEventListener('pagehide', () => loop.dispatch({ type: 'leave' }))
  systemDark.addEventListener('change', applyAppearance)
  // This module loads after the first screen. The module's observers report the screen's height as soon as they start.
  void import('./report-height.js').then(
    ({ reportHeight }) => reportHeight(app, height => host.send({ type: 'resize', height })),
    () => undefined,
  )
  void import('./watch-translation.js').then(
    ({ watchTranslation }) => watchTranslation(document.body),
    () => undefined,
  )
  app.addEventListener('totals-change', event => host.send({ type: 'allocations.change', ...event.totals }))
  app.addEventListener('download-request', async ({ done }) => {
    const outcome = await calls.download(loop.state().bearer ?? '')
    // If the session has ended, refreshing makes the app request a new token.
    if (!outcome.ok) loop.dispatch({ type: 'refresh' })
    done(outcome)
  })
  // Key events go only to the focused document, so the host page's dialog never receives this key press.
  document.addEventListener('keydown', event => {
    if (event.key === 'Escape' && !event.defaultPrevented && app.display === 'modal') app.close()
  })
  app.addEventListener('exit-request', () => app.exit())
  app.dispatch = loop.dispatch
  app.now = () => Date.now() + ahead
  app.refused = host.refused
  if (host.refused) {
    loadLanguageFor(null)
    loop.dispatch({ type: 'refused' })
  } else host.open()
}

/**
 * Returns the first view, which the service embeds in the page of an unopened session; null if there is none for this
 * mode.
 */
function readView(mode: ElementMode | null): SessionView | null {
  const text = document.querySelector<HTMLMetaElement>('meta[name="causeway-view"]')?.content
  const view = text ? (JSON.parse(text) as SessionView) : null
  return view && (mode === null || elementOf(view.mode) === mode) ? view : null
}

export const newExchangeId = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), byte => byte.toString(16).padStart(2, '0')).join('')
