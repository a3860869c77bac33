import type { ServiceError } from '@causeway/contract/errors'

/**
 * Runs one task at a time for each key in this process, so that waiting requests don't hold database connections.
 * @param wait the maximum wait for earlier tasks, in ms
 * @param busy creates the error to throw after that time
 * @returns a function that runs a task and passes it a flag that is true if the task had to wait. If the task is part of
 *   a request that has a slot, `away` releases the slot during the wait
 */
export function createQueue(
  wait: number,
  busy: () => ServiceError,
): <T>(
  key: string,
  work: (waited: boolean) => Promise<T>,
  away?: (wait: () => Promise<void>) => Promise<void>,
) => Promise<T> {
  const running = new Map<string, Promise<unknown>>()
  return async (key, work, away = wait => wait()) => {
    const deadline = performance.now() + wait
    const waited = running.has(key)
    for (let ahead = running.get(key); ahead; ahead = running.get(key)) {
      const left = deadline - performance.now()
      if (left <= 0) throw busy()
      const earlier = ahead
      await away(() => within(earlier, left))
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

/** Waits at most `ms` for a task to succeed or fail. */
export async function within(work: Promise<unknown>, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const over = new Promise<void>(resolve => {
    timer = setTimeout(resolve, Math.max(1, ms))
  })
  await Promise.race([work.catch(() => {}), over])
  clearTimeout(timer)
}
