/** The parts of the shell that the first screen does not need. */
import type { LitElement } from 'lit'
import { BackButton, type BackButtonApp } from './back-button.js'
import { Milestones } from './milestones.js'
import { StickyBars } from './sticky-bars.js'

/** The part of the app that these parts need. */
interface ShellApp {
  readonly tab: Window | null
  begin(screen: HTMLElement): void
}

/** Starts these parts for the current screen and all later ones. */
export function startShellParts(app: LitElement & BackButtonApp & ShellApp): [StickyBars, Milestones] {
  if (app.tab) new BackButton(app.tab, app)
  app.addEventListener('page-turn', async ({ target, fromTop }) => {
    // The page determines whether the header has a Back button.
    app.requestUpdate()
    const screen = target as LitElement
    await screen.updateComplete
    if (!fromTop) return
    screen.querySelector('.body')?.scrollTo({ top: 0 })
    app.begin(screen)
  })
  return [new StickyBars(app), new Milestones()]
}
