import { setImmediate as nextTurn } from 'node:timers/promises'

/**
 * The maximum time in ms that work may take in one turn of the event loop. Node.js accepts one connection per listener
 * and turn, so long turns would keep new clients waiting.
 */
export const SLICE_MS = 8
/** The maximum number of turns in a row that only accept connections. Work continues after them. */
const MAX_ACCEPTING_TURNS = 64

let acceptedConnections = 0
let hasAcceptedInTurn = false

/** Records that a listener accepted a connection in this turn. More connections may be waiting. */
export function countConnection(): void {
  acceptedConnections += 1
  if (hasAcceptedInTurn) return
  hasAcceptedInTurn = true
  setImmediate(() => {
    hasAcceptedInTurn = false
  })
}

/** Yields to the event loop for one turn, and for more turns as long as each of them accepts a connection. */
export async function yieldToConnections(): Promise<void> {
  for (let turns = 0; turns < MAX_ACCEPTING_TURNS; turns += 1) {
    const before = acceptedConnections
    await nextTurn()
    if (acceptedConnections === before) return
  }
}

/** Divides work into slices, so that each turn of the event loop stays short. */
export interface Slices {
  /** Returns true if more work may start in this turn. */
  hasTime(): boolean
  /** Resolves at the beginning of the next slice, after waiting connections have been accepted. */
  next(): Promise<void>
}

export function createSlices(elapsed: () => number): Slices {
  let startedAt: number | undefined
  let renewal: Promise<void> | undefined

  function startSlice(): number {
    setImmediate(() => {
      startedAt = undefined
    })
    startedAt = elapsed()
    return startedAt
  }

  async function renew(): Promise<void> {
    await yieldToConnections()
    renewal = undefined
    // Work continues even if this turn, too, accepted a connection. Otherwise, it would stop while clients keep
    // connecting.
    startSlice()
  }

  return {
    hasTime() {
      if (renewal) return false
      if (startedAt === undefined && hasAcceptedInTurn) return false
      return elapsed() - (startedAt ?? startSlice()) < SLICE_MS
    },
    next: () => (renewal ??= renew()),
  }
}
