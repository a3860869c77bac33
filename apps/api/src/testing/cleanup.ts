/** Stops what the tests start, so that no test has to: a test's own at its end, and anything else when its file ends. */
import { TestRunner } from 'vitest'

interface Started {
  stop: () => Promise<unknown>
  /** True if a test or its `beforeEach` started it. False if the file did, before its tests. */
  inTest: boolean
}
const started: Started[] = []

/** Calls `stop` when the current test ends or, outside of tests, when the file ends. If it rejects, the test fails. */
export function stopAtEnd(stop: () => Promise<unknown>): void {
  started.push({ stop, inTest: TestRunner.getCurrentTest() !== undefined })
}

/** Stops what the test that ends has started, or everything, the latest first. */
export async function stopStarted(which: 'test' | 'all'): Promise<void> {
  const ending = started.filter(({ inTest }) => inTest || which === 'all').reverse()
  for (const each of ending) started.splice(started.indexOf(each), 1)
  const failures: unknown[] = []
  for (const { stop } of ending) await stop().catch(error => failures.push(error))
  if (failures.length > 0) throw failures[0]
}
