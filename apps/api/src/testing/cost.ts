/** Measures the processor time of a call, for tests that bound the cost of input. */

/** Longer than any measurement that other work in this process could disturb, in ms. */
export const MAX_CPU_MS = 50

/**
 * Returns the least processor time, in ms, of up to three calls. Other work on the machine doesn't count, and other work
 * in this process rarely coincides with all three.
 */
export async function measureCpuMs(call: () => unknown): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (let run = 0; run < 3 && least > MAX_CPU_MS; run += 1) {
    const before = process.cpuUsage()
    await call()
    const { user, system } = process.cpuUsage(before)
    least = Math.min(least, (user + system) / 1_000)
  }
  return least
}
