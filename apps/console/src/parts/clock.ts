/** Handles the difference between the two clocks. In the sandbox, the team's clock can be ahead of the real time. */
import { html, nothing, type TemplateResult } from 'lit'
import type { Console } from '../page.js'
import type { Session } from '../shapes.js'
import { words } from '../words.js'
import { icon } from './icons.js'

/** If the clocks differ by less than this many seconds, they count as the same. */
const SAME_SECONDS = 60

/** True if the sandbox's clock and the real time differ enough that each time shown must name its clock. */
export const isMoved = ({ clock }: Session): boolean => Math.abs(clock?.ahead_seconds ?? 0) > SAME_SECONDS

/** A note that a page shows the real time, for a sandbox whose clock differs. */
export const clockNote = ({ session, format }: Console, real: string): TemplateResult | typeof nothing =>
  session.clock && isMoved(session)
    ? html`<p class="lead clocks">
        ${icon('clock')}${words.clocks.note(format.text(session.clock.now, 'moment'), real)}
      </p>`
    : nothing
