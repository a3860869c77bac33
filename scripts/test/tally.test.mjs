import { describe, expect, it } from 'vitest'
import { readReport, tally } from './tally.mjs'

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

const sum = (reports, code) => tally(reports.map(readReport), code)

describe('the count of a step', () => {
  it('adds up the reports of its runners; a flaky test counts as failed', () =>
    expect(sum([vitest, playwright, component], 1)).toEqual({ passed: 9, failed: 3, skipped: 3 }))
  it('is one if nothing was counted', () => {
    expect(sum([], 0)).toEqual({ passed: 1, failed: 0, skipped: 0 })
    expect(sum([], 2)).toEqual({ passed: 0, failed: 1, skipped: 0 })
  })
  it('is empty if the whole step was skipped', () =>
    expect(sum([{ passed: 0, failed: 0, skipped: 1 }], 0)).toEqual({ passed: 0, failed: 0, skipped: 1 }))
  it('has a failure if the step failed even though every test passed', () =>
    expect(sum([component], 1)).toEqual({ passed: 2, failed: 1, skipped: 0 }))
  it('counts a test file that did not load', () => {
    const broken = { ...vitest, numFailedTests: 0, testResults: [{ status: 'failed', assertionResults: [] }] }
    expect(sum([broken], 1).failed).toBe(1)
  })
})

describe('the failures of a step', () => {
  it('are listed on one line each, from any test runner', () => {
    const assertionResults = [
      { status: 'passed', fullName: 'a' },
      { status: 'failed', fullName: 'b', failureMessages: ['it was\n  red'] },
    ]
    const results = [{ error: { message: '\u001b[31mnot\u001b[39m there' } }]
    const specs = [
      {
        file: 'c.spec.ts',
        title: 'd',
        tests: [
          { status: 'flaky', results },
          { status: 'expected', results: [{}] },
        ],
      },
    ]
    expect(readReport({ ...vitest, testResults: [{ status: 'failed', assertionResults }] }).failures).toEqual([
      'b: it was red',
    ])
    expect(readReport({ ...playwright, suites: [{ suites: [{ specs }] }] }).failures).toEqual([
      'flaky: c.spec.ts: d: not there',
    ])
    expect(readReport({ ...component, failures: ['e'] }).failures).toEqual(['e'])
  })
})
