import type { OpalSession, SessionProgress } from '@causeway/sdk'
import { describe, expect, it } from 'vitest'
import { session as admin, stuckFlow, stuckSession, userOf } from '../../../dev/fixtures/people.js'
import { Format } from '../../format.js'
import { words } from '../../words.js'
import { isContinuable, type PersonFacts, progressAnswer, sessionAnswer, sessionStatus } from './progress-answer.js'

const format = new Format('America/Chicago')
const now = () => Date.parse('2026-03-10T14:41:06.000Z')

describe("the help for a person's step", () => {
  it('never contradicts itself: what helps, what to do and the link fit together at every step', () => {
    const values = ['person', 'network', 'release', 'nothing'] as const
    const retries = [null, '2026-03-11T14:00:00.000Z']
    const cases = (Object.keys(words.steps) as SessionProgress['step'][]).flatMap(step =>
      values.flatMap(waits_for =>
        retries.flatMap(retry_at => [true, false].map(hasPhone => ({ step, waits_for, retry_at, hasPhone }))),
      ),
    )
    for (const { hasPhone, ...position } of cases) {
      const { step, waits_for } = position
      if (position.retry_at !== null && (step !== 'blocked' || waits_for === 'person')) continue
      const progress: SessionProgress = { ...stuckFlow, ...position }
      const { points } = progressAnswer({ format, now, session: admin }, progress, { hasPhone })
      const textOf = (label: string) => points.find(([name]) => name === label)?.[1] ?? ''
      const [helps, todo] = [textOf('What helps'), textOf('What to do')]
      const hasLink = isContinuable(stuckSession, progress, { hasPhone })
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

it('calls a release failed if nothing was paid, partly paid until every account is paid, and never green before that', () => {
  const bt = { ...stuckSession.bt!, completed: true, payout_status: 'released' as const }
  expect(sessionStatus({ ...stuckSession, bt: { ...bt, unpaid: ['acc_4kYs1NwB5eVqC'] } })).toBe('partly_paid')
  const unpaid = ['acc_4kYs1NwB5eVqC']
  expect(sessionStatus({ ...stuckSession, bt: { ...bt, unpaid, none_paid: true } })).toBe('failed')
  expect(sessionStatus({ ...stuckSession, bt })).toBe('released')
})

const loan = stuckSession.bt!
const at = (step: SessionProgress['step'], over: Partial<SessionProgress> = {}): SessionProgress => ({
  ...stuckFlow,
  ...{ step, tries_left: null, tries_used: null, account: null },
  ...over,
})
const done = at('done', { waits_for: 'nothing' })
const blocked = (last_code: string, over: Partial<SessionProgress> = {}) =>
  at('blocked', { waits_for: 'nothing', last_code, ...over })
const link = words.todo.link

it.each<
  [string, Partial<OpalSession>, SessionProgress, PersonFacts, { title: RegExp; todo: string; hasLink: boolean }]
>([
  [
    'the link was not opened',
    {},
    at('consent', { steps: [] }),
    {},
    { title: /haven’t opened/, todo: link, hasLink: true },
  ],
  [
    'no number is known',
    {},
    at('phone'),
    { hasPhone: false },
    { title: /haven’t entered a phone/, todo: words.todo.page, hasLink: false },
  ],
  [
    'the lender supplied the number',
    {},
    at('phone'),
    { hasPhone: true },
    { title: /haven’t asked for a code/, todo: link, hasLink: true },
  ],
  [
    'a code was sent',
    {},
    at('code', { tries_left: 5, tries_used: 0 }),
    { hasPhone: true },
    { title: /correct code/, todo: link, hasLink: true },
  ],
  [
    'a wrong code was entered',
    {},
    at('code', { tries_left: 4, tries_used: 1 }),
    { hasPhone: true },
    { title: /correct code/, todo: link, hasLink: true },
  ],
  [
    'the attempts are used up',
    {},
    blocked('identity_failed', { retry_at: '2026-03-11T14:00:00.000Z' }),
    {},
    { title: /can’t continue/, todo: words.todo.later, hasLink: false },
  ],
  [
    'the identity failed for good',
    {},
    blocked('identity_failed'),
    {},
    { title: /can’t continue/, todo: words.todo.restart, hasLink: false },
  ],
  [
    'the network did not respond',
    {},
    blocked('unavailable', { waits_for: 'person' }),
    {},
    { title: /can’t continue/, todo: link, hasLink: true },
  ],
  [
    'the phone is verified',
    {},
    at('details'),
    { hasPhone: true },
    { title: /details don’t match/, todo: link, hasLink: true },
  ],
  [
    'the accounts are chosen',
    {},
    at('allocation'),
    {},
    { title: /haven’t set the amounts/, todo: link, hasLink: true },
  ],
  [
    'the person left',
    { exited_at: stuckFlow.since },
    at('review'),
    {},
    { title: /haven’t confirmed/, todo: link, hasLink: true },
  ],
  [
    'someone else opened it',
    { not_me_at: stuckFlow.since },
    blocked('not_me'),
    {},
    { title: /Someone else/, todo: words.session.todo.notThem, hasLink: true },
  ],
  [
    'the loan is confirmed',
    { bt: { ...loan, completed: true } },
    at('done', { waits_for: 'release' }),
    {},
    { title: /waiting for your release/, todo: words.todo.release, hasLink: false },
  ],
  [
    'the loan is released',
    { bt: { ...loan, completed: true, payout_status: 'released' } },
    done,
    {},
    { title: /^Released\. /, todo: words.session.todo.done, hasLink: false },
  ],
  [
    'an account is unpaid',
    {
      bt: {
        ...loan,
        completed: true,
        payout_status: 'released',
        allocations: { acc_a: 500 },
        unpaid: ['acc_a'],
        none_paid: true,
      },
    },
    done,
    {},
    { title: /no account was paid/, todo: words.session.todo.errors(true), hasLink: false },
  ],
  [
    'the rest was paid',
    { bt: { ...loan, completed: true, payout_status: 'released', rest_payment_ids: { acc_a: 'pmt_a' } } },
    done,
    {},
    { title: /rest was paid later/, todo: words.session.todo.done, hasLink: false },
  ],
  [
    'accounts are linked',
    { mode: 'connect', bt: null, completed_at: stuckFlow.since },
    done,
    {},
    { title: /finished/, todo: words.session.todo.done, hasLink: false },
  ],
])('says what to do when %s', (_, session, progress, facts, { title, todo, hasLink }) => {
  const value = { ...stuckSession, ...session }
  const answer = sessionAnswer({ format, now, session: admin }, value, progress, facts)
  expect(answer.title).toMatch(title)
  expect(answer.points.find(([name]) => name === 'What to do')?.[1]).toBe(todo)
  expect(isContinuable(value, progress, facts)).toBe(hasLink)
})

it('names the time from which more attempts are available', () => {
  const { points } = progressAnswer(
    { format, now, session: admin },
    blocked('identity_failed', { retry_at: '2026-03-11T14:00:00.000Z' }),
  )
  expect(points.find(([name]) => name === 'What helps')?.[1]).toBe(
    'More attempts, which are available from Mar 11, 9:00 AM CT.',
  )
})

it('names who can act, for a user who cannot', () => {
  const support = { ...admin, user: userOf('Ines Farrow', 'support') }
  const answerFor = (bt: Partial<NonNullable<OpalSession['bt']>>) =>
    sessionAnswer({ format, now, session: support }, { ...stuckSession, bt: { ...loan, completed: true, ...bt } }, null)
  const waiting = answerFor({})
  expect(waiting.title).toBe('They finished. Waiting for an admin or finance user to release the loan.')
  expect(waiting.points.at(-1)).toEqual(['What to do', words.todo.askRelease])
  const unpaid = answerFor({ payout_status: 'released', allocations: { acc_a: 500, acc_b: 500 }, unpaid: ['acc_a'] })
  expect(unpaid.points.at(-1)?.[1]).toMatch(/^Ask an admin or finance user to fix/)
})

it('advises to skip an account only if the service says that the person can', () => {
  const advice = (can_skip: boolean) =>
    progressAnswer({ format, now, session: admin }, { ...stuckFlow, can_skip }).points.find(([name]) => name === 'Or')
  expect(advice(true)?.[1]).toBe(words.skippable)
  expect(advice(false)?.[1]).toBe('')
})
