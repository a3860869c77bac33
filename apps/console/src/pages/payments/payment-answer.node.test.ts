import { expect, it } from 'vitest'
import { byStatus, explanations } from '../../../dev/fixtures/money.js'
import { session, userOf } from '../../../dev/fixtures/people.js'
import { Format } from '../../format.js'
import { answerOf } from './payment-answer.js'

const format = new Format('America/Chicago')

it.each([
  [10_001, 'source', 'Checking'],
  [10_002, 'source', 'Checking'],
  [10_003, 'source', 'Checking'],
  [10_004, 'source', 'Checking'],
  [10_005, 'source', 'Checking'],
  [10_006, 'destination', 'Discover it'],
  [10_007, 'source', 'Checking'],
  [10_008, 'destination', 'Discover it'],
  [10_009, 'destination', 'Discover it'],
  [10_010, 'destination', 'Discover it'],
] as const)('names the account that caused error %i', (code, side, account) => {
  const explanation = { ...explanations.failed, cause: { code, side } }
  const { points } = answerOf({ format, session }, byStatus.failed, explanation, null)
  expect(points[0]?.[1]).toContain(account)
  const todo = points.find(([name]) => name === 'What to do')?.[1] ?? ''
  expect(todo).toMatch(/^[A-Z].*\.$/)
  if (code === 10_003) expect(todo).toContain('Check the routing and account number of Checking')
})

it.each([
  ['account_disabled', 'choose another account'],
  ['source_disabled', 'another source account'],
] as const)('advises no payment between accounts that were disabled since: %s', (consequence, advice) => {
  const explanation = {
    ...explanations.failed,
    cause: { code: 10_001, side: 'source' as const },
    consequences: [...explanations.failed.consequences, consequence],
  }
  const { points } = answerOf({ format, session }, byStatus.failed, explanation, null)
  expect(points.find(([name]) => name === 'What to do')?.[1]).toContain(advice)
})

it('names who can approve a reversal, for a user who cannot', () => {
  const support = { format, session: { ...session, user: userOf('Ines Farrow', 'support') } }
  for (const state of ['came_back', 'taken_back'] as const) {
    const { title, points } = answerOf(support, byStatus[state], explanations[state], 'Discover')
    expect(title).toMatch(/Waiting for an admin or finance user to approve/)
    expect(points.at(-1)?.[1]).toMatch(/^Ask an admin or finance user to approve the reversal\. T/)
    const yours = answerOf({ format, session }, byStatus[state], explanations[state], 'Discover')
    expect(yours.points.at(-1)?.[1]).toMatch(/^Approve the reversal\. T/)
  }
})
