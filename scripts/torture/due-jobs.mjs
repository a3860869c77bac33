/** The time after which due jobs count as stuck if the oldest one does not end, in ms. */
const STUCK_MS = 120_000
/** The time limit for all due jobs to end, in ms. */
const FINISH_MS = 30 * 60_000

const pause = ms => new Promise(resolve => setTimeout(resolve, ms))

/**
 * Waits until no job is due, or until the job that has been due for the longest time stays the same for too long. Their
 * number can grow meanwhile, because the bank's webhooks queue more jobs.
 * @returns the number of jobs that are due
 */
export async function finishDueJobs(store) {
  const last = performance.now() + FINISH_MS
  let oldest = null
  for (let until = performance.now() + STUCK_MS; ; await pause(250)) {
    const [due] = await store.query(
      `select count(*) as count, min(run_at) as oldest from jobs where lane is null and state = 'ready' and run_at <= ${Date.now()}`,
    )
    if (Number(due.count) === 0 || performance.now() > Math.min(until, last)) return Number(due.count)
    if (due.oldest !== oldest) until = performance.now() + STUCK_MS
    oldest = due.oldest
  }
}
