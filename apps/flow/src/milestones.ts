/**
 * The two milestones of the flow, halfway and almost done. Each is announced once. The app does not announce other
 * progress, because it already announces each new screen.
 */
import type { Words } from './words/en.js'

export class Milestones {
  private last: 'half' | 'nearly' | null = null

  /**
   * Returns the announcement for the milestone that a percentage reaches; an empty string if it reaches none or if the
   * milestone was already announced.
   */
  reach(percent: number, { progress }: Words): string {
    const next = percent === 100 ? null : percent >= 85 ? 'nearly' : percent >= 50 ? 'half' : null
    if (!next || this.last === next || this.last === 'nearly') return ''
    this.last = next
    return progress[next]
  }
}
