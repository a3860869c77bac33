import { expect, it } from 'vitest'
import { byStatus, explanations } from '../../../dev/fixtures/money.js'
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
  const { points } = answerOf({ format }, byStatus.failed, explanation, null)
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
  const { points } = answerOf({ format }, byStatus.failed, explanation, null)
  expect(points.find(([name]) => name === 'What to do')?.[1]).toContain(advice)
})
