import { setTimeout as wait } from 'node:timers/promises'
import { type Causeway, CausewayError, type Event } from '@causeway/sdk'

/** Events that began earlier can be committed later; so far back a look goes that finds them, ms. */
const OVERLAP = 60_000
const NEVER = Number.NEGATIVE_INFINITY

export interface Watch {
  causeway: Causeway
  /** Only these; empty: all. */
  types: ReadonlySet<string>
  /** Between two looks, ms. */
  interval: number
  signal: AbortSignal
  /** Called once everything from now on will be seen. */
  ready: () => void
  /** Called where a look failed for now; the next one finds what it missed. */
  trouble: (error: CausewayError) => void
}

/** Every event from now on, oldest first, each once. Ends when the signal is aborted. */
export async function* watch({ causeway, types, interval, signal, ready, trouble }: Watch): AsyncGenerator<Event> {
  const seen = new Map<string, number>()
  let newest = NEVER
  const look = async (): Promise<Event[]> => {
    const found: Event[] = []
    let first = newest
    for await (const event of causeway.events.list({}, { signal })) {
      const at = Date.parse(event.created_at)
      first = Math.max(first, at)
      if (at < (newest === NEVER ? first : newest) - OVERLAP) break
      if (!seen.has(event.id)) found.push(event)
    }
    newest = first
    for (const { id, created_at } of found) seen.set(id, Date.parse(created_at))
    for (const [id, at] of seen) if (at < newest - OVERLAP) seen.delete(id)
    return found.reverse()
  }

  await look()
  ready()
  while (!signal.aborted) {
    await wait(interval, undefined, { signal })
    const found = await look().catch(error => {
      if (signal.aborted || !isPassing(error)) throw error
      trouble(error)
      return []
    })
    for (const event of found) if (types.size === 0 || types.has(event.type)) yield event
  }
}

/** True if it may be over after a while: the service was not reached, or could not answer. */
const isPassing = (error: unknown): error is CausewayError =>
  error instanceof CausewayError && (error.code === 0 || error.code === 429 || error.code >= 500)
