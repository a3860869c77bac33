import type { OpalSession } from '@causeway/sdk'
import { describe, expect, it } from 'vitest'
import { sessionToShow } from './pages/sessions/progress-answer.js'

describe("the session that a person's page is about", () => {
  const session = (id: string, more: object, mode = 'balance_transfer') =>
    ({ id, mode, completed_at: null, exited_at: null, not_me_at: null, bt: null, ...more }) as unknown as OpalSession
  const left = { exited_at: '2026-03-01T10:00:00.000Z' }
  const completed = { completed_at: '2026-03-02T10:00:00.000Z' }
  const released = { bt: { payout_status: 'released', unpaid: 0, completed: true } }
  const partly = { bt: { payout_status: 'released', unpaid: 1, completed: true } }
  it.each([
    ['a finished one that replaced an abandoned one', [session('new', released), session('old', left)], 'new'],
    ['an abandoned one of another mode', [session('new', completed, 'connect'), session('old', left)], 'old'],
    ['the latest of two abandoned ones', [session('new', left), session('old', {})], 'new'],
    ['one that was paid in part, before any other', [session('new', left), session('old', partly)], 'old'],
    ['the latest finished one', [session('new', completed), session('old', released)], 'new'],
  ])('is %s', (_, sessions, id) => {
    expect(sessionToShow(sessions)?.id).toBe(id)
  })

  it('is none for a person without sessions', () => {
    expect(sessionToShow([])).toBeNull()
  })
})
