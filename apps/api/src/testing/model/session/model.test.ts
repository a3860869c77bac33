import { describe, expect, it } from 'vitest'
import { explore, showViolation } from '../explore.js'
import { sessionModel } from './model.js'
import { productRules as product, type Rules } from './state.js'

const TIMEOUT_MS = 120_000

it('every reachable state of a session keeps its promises, and from each one the session can be released', {
  timeout: TIMEOUT_MS,
}, () => {
  const { states, violation } = explore(sessionModel())
  expect(violation && showViolation(violation)).toBeNull()
  expect(states).toBeGreaterThan(10_000)
})

const broken: [what: string, change: Partial<Rules>, sentence: string][] = [
  ['a token can be redeemed twice', { redeemsOnce: false, checksExchange: false }, 'two tabs redeemed the same token'],
  ['an exchange is not compared', { checksExchange: false }, 'two tabs redeemed the same token'],
  [
    'a step is accepted from an old view',
    { checksRevision: false },
    'the person confirms amounts that the page did not show',
  ],
  ['a release does not lock the session', { locksSession: false }, 'the payments differ from the confirmed amounts'],
  [
    'a released session is released again',
    { releaseState: row => product.releaseState({ ...row, payout_status: 'pending_release' }, { any: 1 }) },
    'the session is released twice',
  ],
  [
    'an unconfirmed session is released',
    { releaseState: row => (row.payout_status === 'released' ? 'released' : 'confirmed') },
    'a session is released that the person did not confirm',
  ],
  [
    'a released session can still be edited',
    {
      position(facts) {
        const session = { ...facts.session, released_at: null }
        return product.position({ ...facts, session })
      },
    },
    'the payments differ from the confirmed amounts',
  ],
]

describe('a violation is found if', () => {
  it.each(broken)('%s', { timeout: TIMEOUT_MS }, (_what, change, sentence) => {
    const { violation } = explore(sessionModel({ ...product, ...change }))
    expect(violation?.sentence, violation ? showViolation(violation) : '').toBe(sentence)
  })
})

it('prints the shortest trace, in which the person edits the amounts while a release that takes no lock pays', {
  timeout: TIMEOUT_MS,
}, () => {
  const { violation } = explore(sessionModel({ ...product, locksSession: false }))
  expect(violation?.trace.map(({ name }) => name)).toEqual([
    'start',
    'X redeems the first token',
    'X submits 1 in allocation',
    'X submits confirm in review',
    'X submits edit in done',
    'X submits 2 in allocation',
    'request A to release begins',
    'request A reads the session',
    'X submits confirm in review',
    'request A pays what it read',
  ])
})
