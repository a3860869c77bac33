import type { ServiceError } from '@causeway/contract/errors'

/**
 * One piece of work of a key at a time in this process, so that those that wait hold no connection.
 * @param wait how long one waits for those before it, in ms; @param busy the error that it gets then
 * @returns runs work, and passes it whether it waited
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

/** Waits for work to end, however it ends, for at most `ms`. */
export async function within(work: Promise<unknown>, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const over = new Promise<void>(resolve => {
    timer = setTimeout(resolve, Math.max(1, ms))
  })
  await Promise.race([work.catch(() => {}), over])
  clearTimeout(timer)
}
