import type { SessionProgress } from '@causeway/sdk'
import { describe, expect, it } from 'vitest'
import { stuckFlow, stuckSession } from '../../../dev/fixtures/people.js'
import { Format } from '../../format.js'
import { words } from '../../words.js'
import { isContinuable, progressAnswer, sessionStatus } from './progress-answer.js'

const format = new Format('America/Chicago')
const now = () => Date.parse('2026-03-10T14:41:06.000Z')

describe("the help for a person's step", () => {
  it('never contradicts itself: what helps, what to do and the link fit together at every step', () => {
    const values = ['person', 'network', 'release', 'nothing'] as const
    for (const step of Object.keys(words.steps) as SessionProgress['step'][])
      for (const waits_for of values) {
        const progress: SessionProgress = { ...stuckFlow, step, waits_for }
        const { points } = progressAnswer({ format, now }, progress)
        const textOf = (label: string) => points.find(([name]) => name === label)?.[1] ?? ''
        const [helps, todo] = [textOf('What helps'), textOf('What to do')]
        const hasLink = isContinuable(stuckSession, progress)
        const context = `${step} ${waits_for}: ${helps} / ${todo}`
        expect(points.filter(([name]) => name === 'What to do').length, context).toBe(1)
        expect(/link/.test(todo), context).toBe(hasLink)
        // The user has nothing to do only if nothing but time, or nothing at all, helps.
        if (/^Nothing/.test(todo)) expect(helps, context).toMatch(/^$|finishes/)
        if (/new session/.test(helps)) expect([todo, hasLink], context).toEqual([words.todo.restart, false])
        if (/same session/.test(helps)) expect(hasLink, context).toBe(true)
        expect(helps, context).not.toMatch(/^Nothing/)
      }
  })

  it('offers no link for a session that ended, and one for a session that was left or opened by someone else', () => {
    const bt = stuckSession.bt!
    const continuable = (session: Partial<typeof stuckSession>, progress: SessionProgress | null = stuckFlow) =>
      isContinuable({ ...stuckSession, ...session }, progress)
    expect(continuable({}, null)).toBe(true)
    expect(continuable({ exited_at: stuckFlow.since })).toBe(true)
    expect(continuable({ not_me_at: stuckFlow.since })).toBe(true)
    expect(continuable({ bt: null, completed_at: stuckFlow.since })).toBe(false)
    expect(continuable({ bt: { ...bt, completed: true } })).toBe(false)
    expect(continuable({ bt: { ...bt, completed: true, payout_status: 'released' } })).toBe(false)
  })
})

it('calls a release partly paid until every account is paid, and never green before that', () => {
  const bt = { ...stuckSession.bt!, completed: true, payout_status: 'released' as const }
  expect(sessionStatus({ ...stuckSession, bt: { ...bt, unpaid: ['acc_4kYs1NwB5eVqC'] } })).toBe('partly_paid')
  expect(sessionStatus({ ...stuckSession, bt })).toBe('released')
})
