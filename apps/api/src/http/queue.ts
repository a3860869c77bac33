import { ServiceError } from '@causeway/contract/errors'

/** How long one waits for those before it, in ms. */
const WAIT = 5_000

/** One piece of work of a key at a time in this process, so that those that wait hold no connection. */
export function createQueue(): <T>(key: string, work: () => Promise<T>) => Promise<T> {
  const running = new Map<string, Promise<unknown>>()
  return async (key, work) => {
    const deadline = performance.now() + WAIT
    for (let ahead = running.get(key); ahead; ahead = running.get(key)) {
      const left = deadline - performance.now()
      if (left <= 0) throw new ServiceError('IDEMPOTENCY_KEY_IN_USE', undefined, { 'Retry-After': '1' })
      await within(ahead, left)
    }
    const mine = work()
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
