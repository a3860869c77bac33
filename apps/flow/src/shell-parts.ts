/** The parts of the shell that the first screen does not need. */
import type { FlowApp } from './app.js'
import { BackButton } from './back-button.js'
import { Milestones } from './milestones.js'
import { StickyBars } from './sticky-bars.js'

/** Starts these parts for the current screen and all later ones. */
export function startShellParts(app: FlowApp): [StickyBars, Milestones] {
  if (app.tab) new BackButton(app.tab, app)
  app.addEventListener('page-turn', async ({ target, fromTop }) => {
    // The page determines whether the header has a Back button.
    app.requestUpdate()
    const screen = target as FlowApp
    await screen.updateComplete
    if (!fromTop) return
    screen.querySelector('.body')?.scrollTo({ top: 0 })
    app.begin(screen)
  })
  return [new StickyBars(app), new Milestones()]
}
