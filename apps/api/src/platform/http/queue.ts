import type { ServiceError } from '@causeway/contract/errors'

/**
 * Runs one piece of work per key at a time in this process, so that waiting requests hold no connection.
 * @param wait the longest wait for earlier work, in ms; @param busy creates the error thrown after that
 * @returns a function that runs work and passes it whether it waited
 */
export function createQueue(
  wait: number,
  busy: () => ServiceError,
): <T>(key: string, work: (waited: boolean) => Promise<T>) => Promise<T> {
  const running = new Map<string, Promise<unknown>>()
  return async (key, work) => {
    const deadline = performance.now() + wait
    const waited = running.has(key)
    for (let ahead = running.get(key); ahead; ahead = running.get(key)) {
      const left = deadline - performance.now()
      if (left <= 0) throw busy()
      await within(ahead, left)
    }
    const mine = work(waited)
    running.set(key, mine)
    try {
      return await mine
    } finally {
      running.delete(key)
    }
  }
}

/** Waits at most `ms` for work to end, whether it succeeds or fails. */
export async function within(work: Promise<unknown>, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const over = new Promise<void>(resolve => {
    timer = setTimeout(resolve, Math.max(1, ms))
  })
  await Promise.race([work.catch(() => {}), over])
  clearTimeout(timer)
}
