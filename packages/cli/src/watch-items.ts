import { setTimeout as wait } from 'node:timers/promises'
import { CausewayError } from '@causeway/sdk'

/**
 * The overlap between checks, in milliseconds. Each check rereads the items created within this period before the
 * latest one, because items are not always committed in the order of their creation times.
 */
const OVERLAP_MS = 60_000
const NEVER = Number.NEGATIVE_INFINITY

interface Item {
  id: string
  created_at: string
}

export interface Watch<T extends Item> {
  /** Lists all items, newest first. */
  list: (signal: AbortSignal) => AsyncIterable<T>
  wants: (item: T) => boolean
  /** The wait between checks, in milliseconds. */
  interval: number
  signal: AbortSignal
  /** Called when the watch has started. Every item created after this call will be found. */
  ready: () => void
  /** Called when a check fails with a temporary error. The next check finds the items that the failed check missed. */
  trouble: (error: CausewayError) => void
}

/** Yields every new item once, oldest first. Ends when the signal is aborted. */
export async function* watch<T extends Item>({
  list,
  wants,
  interval,
  signal,
  ready,
  trouble,
}: Watch<T>): AsyncGenerator<T> {
  const seen = new Map<string, number>()
  let newest = NEVER
  const look = async (): Promise<T[]> => {
    const found: T[] = []
    let first = newest
    for await (const item of list(signal)) {
      const at = Date.parse(item.created_at)
      first = Math.max(first, at)
      if (at < (newest === NEVER ? first : newest) - OVERLAP_MS) break
      if (!seen.has(item.id)) found.push(item)
    }
    newest = first
    for (const { id, created_at } of found) seen.set(id, Date.parse(created_at))
    for (const [id, at] of seen) if (at < newest - OVERLAP_MS) seen.delete(id)
    return found.reverse()
  }

  await look()
  ready()
  while (!signal.aborted) {
    await wait(interval, undefined, { signal })
    const found = await look().catch(error => {
      if (signal.aborted || !isTransient(error)) throw error
      trouble(error)
      return []
    })
    for (const item of found) if (wants(item)) yield item
  }
}

/** True for an error that may be temporary: the service was unreachable, it failed, or it rate-limited the request. */
const isTransient = (error: unknown): error is CausewayError =>
  error instanceof CausewayError && (error.code === 0 || error.code === 429 || error.code >= 500)
