import { describe, expect, it } from 'vitest'
import { tally } from './tally.mjs'

const vitest = {
  numTotalTests: 5,
  numPassedTests: 3,
  numFailedTests: 1,
  numPendingTests: 1,
  numTodoTests: 0,
  testResults: [],
}
const playwright = { stats: { expected: 4, unexpected: 1, flaky: 1, skipped: 2 } }
const component = { passed: 2, failed: 0, skipped: 0 }

describe('the count of a step', () => {
  it('adds up what its runners report; a flaky test has failed', () =>
    expect(tally([vitest, playwright, component], 1)).toEqual({ passed: 9, failed: 3, skipped: 3 }))
  it('is one where nothing was counted', () => {
    expect(tally([], 0)).toEqual({ passed: 1, failed: 0, skipped: 0 })
    expect(tally([], 2)).toEqual({ passed: 0, failed: 1, skipped: 0 })
  })
  it('is none where the whole step was skipped', () =>
    expect(tally([{ passed: 0, failed: 0, skipped: 1 }], 0)).toEqual({ passed: 0, failed: 0, skipped: 1 }))
  it('has a failure where the step failed though every test passed', () =>
    expect(tally([component], 1)).toEqual({ passed: 2, failed: 1, skipped: 0 }))
  it('counts a test file that did not load', () => {
    const broken = { ...vitest, numFailedTests: 0, testResults: [{ status: 'failed', assertionResults: [] }] }
    expect(tally([broken], 1).failed).toBe(1)
  })
})
