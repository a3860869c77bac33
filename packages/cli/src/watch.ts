import { setTimeout as wait } from 'node:timers/promises'
import type { Causeway, Event } from '@causeway/sdk'

/** Events that began earlier can be committed later; so far back a look goes that finds them, ms. */
const OVERLAP = 60_000

export interface Watch {
  causeway: Causeway
  /** Only these; empty: all. */
  types: ReadonlySet<string>
  /** Between two looks, ms. */
  interval: number
  signal: AbortSignal
  /** Called once everything from now on will be seen. */
  ready?: () => void
}

/** Every event from now on, oldest first, each once. Ends when the signal is aborted. */
export async function* watch({ causeway, types, interval, signal, ready }: Watch): AsyncGenerator<Event> {
  const seen = new Map<string, number>()
  let newest = Number.NEGATIVE_INFINITY
  const look = async (): Promise<Event[]> => {
    const found: Event[] = []
    const horizon = newest - OVERLAP
    let first = newest
    for await (const event of causeway.events.list({}, { signal })) {
      const at = Date.parse(event.created_at)
      first = Math.max(first, at)
      if (at < (Number.isFinite(newest) ? horizon : first - OVERLAP)) break
      if (!seen.has(event.id)) found.push(event)
      seen.set(event.id, at)
    }
    newest = first
    for (const [id, at] of seen) if (at < newest - OVERLAP) seen.delete(id)
    return found.reverse()
  }

  await look()
  ready?.()
  while (!signal.aborted) {
    await wait(interval, undefined, { signal })
    for (const event of await look()) if (types.size === 0 || types.has(event.type)) yield event
  }
}
