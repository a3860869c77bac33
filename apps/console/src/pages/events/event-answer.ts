/** Lists an event's changes. Pure functions. */
import type { Event as CausewayEvent } from '@causeway/sdk'

interface Change {
  name: string
  before: string
  after: string
}

const written = (value: unknown): string =>
  value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value)

/** Returns the changed fields, or an empty list for a new or deleted resource. */
export function changesOf({ diff: { before, after } }: Pick<CausewayEvent, 'diff'>): Change[] {
  if (!before || !after) return []
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].map(name => ({
    name,
    before: written(before[name]),
    after: written(after[name]),
  }))
}
