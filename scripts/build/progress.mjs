/** The interval, in milliseconds, at which a task that is still running is mentioned. */
const INTERVAL_MS = 4_000

/**
 * Returns a function that runs a task. It names the task when it starts, and again at an interval until it ends, so
 * that a reader knows that it is still running.
 */
export const createProgress =
  (say, intervalMs = INTERVAL_MS) =>
  async (text, task) => {
    const started = performance.now()
    say(`${text} …`)
    const timer = setInterval(() => {
      say(`  … ${Math.round((performance.now() - started) / 1000)} s`)
    }, intervalMs)
    try {
      return await task()
    } finally {
      clearInterval(timer)
    }
  }
