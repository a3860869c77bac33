/**
 * Handles the difference between the sandbox's clock and real time. In the sandbox, the team's clock can be ahead of
 * real time.
 */
import { html, nothing, type TemplateResult } from 'lit'
import type { Console } from '../page.js'
import type { Session } from '../shapes.js'
import { words } from '../words.js'
import { icon } from './icons.js'

/** Clocks that differ by less than this many seconds count as the same. */
const MAX_CLOCK_DIFFERENCE_SECONDS = 60

/** Returns true if the sandbox's clock and real time differ so much that pages must say which of the two they show. */
export const isClockAhead = ({ clock }: Session): boolean =>
  Math.abs(clock?.ahead_seconds ?? 0) > MAX_CLOCK_DIFFERENCE_SECONDS

/** If the sandbox's clock differs from real time, renders a note that says which times are real. */
export const clockNote = ({ session, format }: Console, real: string): TemplateResult | typeof nothing =>
  session.clock && isClockAhead(session)
    ? html`<p class="lead clocks">
        ${icon('clock')}${words.clocks.note(format.text(session.clock.now, 'moment'), real)}
      </p>`
    : nothing
