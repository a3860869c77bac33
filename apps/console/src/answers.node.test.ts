/// <reference types="node" />
import { readFileSync } from 'node:fs'
import type { Delivery, PaymentExplanation, PaymentStats, SessionProgress, Webhook, WebhookStats } from '@causeway/sdk'
import { describe, expect, it } from 'vitest'
import { acceptedRequest, failedRequest, rejectedRequest, replayedRequest } from '../dev/fixtures/developers.js'
import { byStatus, explanations, reversedPostings } from '../dev/fixtures/money.js'
import { session, stuckFlow } from '../dev/fixtures/people.js'
import { Format } from './format.js'
import { answerOf as healthAnswer } from './pages/health/health-answer.js'
import { daysUntil, moneyByStatus } from './pages/overview/overview-numbers.js'
import { answerOf, stopsOf } from './pages/payments/payment-answer.js'
import { curlOf, answerOf as requestAnswer } from './pages/requests/request-answer.js'
import { isStuck, progressAnswer, progressStops } from './pages/sessions/progress-answer.js'
import { outcomesByHour, answerOf as webhookAnswer } from './pages/webhooks/webhook-answer.js'
import { scaleTopOf } from './parts/column-chart.js'
import { words } from './words.js'

const format = new Format('America/Chicago')
const now = () => Date.parse('2026-03-10T14:41:06.000Z')
const refusal = 'amount must be between 100 ($1.00) and 100000000 ($1,000,000.00).'
const states = Object.keys(byStatus) as (keyof typeof byStatus)[]

describe("a payment's summary", () => {
  it.each(states)("is a sentence for %s, with the money's location and the next step", state => {
    const { title, points } = answerOf({ format, session }, byStatus[state], explanations[state], 'Discover')
    expect(title).toMatch(/^[A-Z].*\.$/)
    expect(points.find(([name]) => name === 'Where it is now')?.[1]).toContain('$2,950.60')
    expect(points.find(([name]) => name === 'What to do')?.[1]).toMatch(/\.$/)
  })

  it('shows codes that are unknown to the console', () => {
    const explanation = {
      ...explanations.failed,
      cause: { code: 10_999, side: 'rail' as const },
      consequences: ['new_one' as PaymentExplanation['consequences'][number]],
    }
    const { points } = answerOf({ format, session }, byStatus.failed, explanation, null)
    expect(points[0]).toEqual(['Why', '10999', '10999'])
    expect(points.find(([name]) => name === 'What it means')?.[1]).toBe('')
  })
})

it('says that a failed payment’s money was taken and returned, as its postings do', () => {
  const { points } = answerOf({ format, session }, byStatus.failed, explanations.failed, null)
  const where = points.find(([name]) => name === 'Where it is now')?.[1]
  expect(where).toBe('$2,950.60 was taken from Checking ··\u00a06789 and returned to it.')
  expect(reversedPostings.data.map(each => [each.account, each.amount])).toEqual([
    [explanations.failed.money.account, -295_060],
    ['clearing', 295_060],
    [explanations.failed.money.account, 295_060],
    ['clearing', -295_060],
  ])
  expect(stopsOf({ format, now }, byStatus.failed).map(({ name }) => name)).toEqual([
    'Created',
    'Taken',
    'Failed',
    'Arrived',
  ])
  // A canceled payment has no postings.
  const canceled = answerOf({ format, session }, byStatus.canceled, explanations.canceled, null)
  expect(canceled.points.find(([name]) => name === 'Where it is now')?.[1]).toContain('has not left')
})

describe('a payment that the source’s bank took back', () => {
  const say = (state: (typeof states)[number]) => {
    const { title, points } = answerOf({ format, session }, byStatus[state], explanations[state], 'Discover')
    return [title, ...points.map(([, text]) => text)].join(' ')
  }

  it('is not described as returned or payable again', () => {
    const text = say('taken_back')
    expect(text).toContain('The source’s bank took this money back.')
    expect(text).toContain('$2,950.60 stays in Discover it ··\u00a02835. Checking ··\u00a06789 will be debited again.')
    expect(text).toContain('Don’t pay again: the destination is paid.')
    expect(text).not.toMatch(/Discover returned this|returns to|then create a new payment/i)
    expect(stopsOf({ format, now }, byStatus.taken_back, true).map(({ name }) => name)).toContain('Taken back')
  })

  it('needs no action once the source has been debited again', () => {
    const text = say('debited_again')
    expect(text).toContain('The source was debited again')
    expect(text).toContain('Nothing.')
  })

  it('is debited from a bank account that received it', () => {
    const { discover } = { discover: byStatus.taken_back.destination as { id: string } }
    const explanation = {
      ...explanations.taken_back,
      money: { ...explanations.taken_back.money, account: discover.id },
    }
    const { points } = answerOf({ format, session }, byStatus.taken_back, explanation, null)
    expect(points.find(([name]) => name === 'Where it is now')?.[1]).toContain('which will be debited')
    expect(points.find(([name]) => name === 'What to do')?.[1]).toContain('The destination is then debited')
  })

  it('states that a reversal failed, and the amount that remains', () => {
    expect(say('reversal_failed')).toContain('The reversal of this payment failed.')
    expect(say('reversal_failed')).toContain('Settle the amount with the account holder.')
  })
})

describe("a payment's path", () => {
  it.each(states)('is at exactly one stop when %s', state => {
    const stops = stopsOf({ format, now }, byStatus[state])
    expect(stops.filter(each => each.state === 'here')).toHaveLength(1)
    const order = stops.map(each => ['done', 'here', 'ahead'].indexOf(each.state))
    expect(order).toEqual([...order].sort())
  })
})

it('states that the debit settles on a future date', () => {
  const note = (settles: string) =>
    stopsOf({ format, now }, { ...byStatus.taken, source_settlement_date: settles }).find(
      ({ name }) => name === 'Taken',
    )?.note
  expect([note('2026-03-12'), note('2026-03-09')]).toEqual(['settles Mar 12', 'Mar 9'])
})

it('has not arrived if only the planned dates are known', () => {
  const planned = { source_settlement_date: '2026-03-03', destination_settlement_date: '2026-03-06' }
  const names = (payment: (typeof byStatus)['came_back']) => stopsOf({ format, now }, payment).map(({ name }) => name)
  expect(
    names({ ...byStatus.came_back, ...planned, destination_posted_date: null, destination_status: 'failed' }),
  ).not.toContain('Arrived')
})

it("shows the response of a webhook's server, or the reason that no call reached it", () => {
  const stats = { failing_since: '2026-03-10T12:00:00.000Z', switch_off_at: '2026-03-13T12:00:00.000Z' } as WebhookStats
  const title = (delivery: object) =>
    webhookAnswer({ format }, { status: 'requires_attention', error: null } as Webhook, stats, [
      { status: 'pending', attempts: 2, response_status: null, failure: null, ...delivery } as Delivery,
    ])?.title
  expect(title({ response_status: 503 })).toContain('since Mar 10, 7:00 AM. It last returned 503.')
  expect(title({ failure: 'refused' })).toContain('since Mar 10, 7:00 AM: connection refused.')
})

describe("a person's progress", () => {
  it('is stuck after an hour at a step that waits for the person', () => {
    const since = Date.parse(stuckFlow.since)
    expect(isStuck(stuckFlow, since + 3_600_001)).toBe(true)
    expect(isStuck(stuckFlow, since + 60_000)).toBe(false)
    expect(isStuck({ ...stuckFlow, step: 'done' }, since + 1e9)).toBe(false)
    expect(isStuck({ ...stuckFlow, waits_for: 'nothing' }, since + 1e9)).toBe(false)
  })

  it('has all steps completed at the end', () => {
    expect(progressStops(format, { ...stuckFlow, step: 'done' }).every(each => each.state === 'done')).toBe(true)
  })

  it('waits for a release only if there is a loan', () => {
    const done = { ...stuckFlow, step: 'done', tries_left: null, tries_used: null, account: null } as const
    expect(progressAnswer({ format, now, session }, { ...done, waits_for: 'release' }).title).toContain(
      'is waiting for your release',
    )
    const finished = progressAnswer({ format, now, session }, { ...done, waits_for: 'nothing' })
    expect([finished.tone, finished.title]).toEqual(['good', 'They finished this session.'])
  })

  it('states that a link has not been opened yet, instead of showing a session step', () => {
    const unopened: SessionProgress = { ...stuckFlow, step: 'consent', steps: [], tries_left: null, tries_used: null }
    expect(progressAnswer({ format, now, session }, unopened).title).toBe('They haven’t opened the latest link yet.')
  })

  it('shows the reason that the flow is blocked', () => {
    const blocked = { ...stuckFlow, step: 'blocked', waits_for: 'nothing', last_code: 'no_accounts' } as const
    expect(progressAnswer({ format, now, session }, blocked).points[0]).toEqual([
      'Why',
      'No accounts were found.',
      'no_accounts',
    ])
  })

  it('marks the current step with the number of times it was shown', () => {
    expect(progressStops(format, stuckFlow).filter(each => each.state === 'here')).toEqual([
      { name: 'Number', note: 'shown 3 times', state: 'here', tone: 'amber' },
    ])
    expect(
      progressAnswer({ format, now, session }, stuckFlow)
        .points.map(([, text]) => text)
        .join(' '),
    ).toContain('2 attempts are left.')
  })
})

describe("the description of a person's screen", () => {
  const catalogs = ['en', 'en.rest'].map(name => readFileSync(`apps/flow/src/words/${name}.ts`, 'utf8')).join('')
  const texts = [...Object.values(words.sees).map(each => each('ACCOUNT')), ...Object.values(words.seesWrong)]
  const quotes = texts.flatMap(text => [...text.matchAll(/“([^”]*)”/g)].map(([, quote]) => quote as string))

  it.each(quotes)('matches the screens: %s', quote => {
    for (const part of quote.split('ACCOUNT')) expect(catalogs).toContain(part)
  })

  it('states since when the person is stuck', () => {
    const { points } = progressAnswer({ format, now, session }, stuckFlow)
    expect(points.find(([name]) => name === 'Since')?.[1]).toBe('Mar 9, 7:41 AM CT (26 h ago)')
    const unopened: SessionProgress = { ...stuckFlow, step: 'consent', steps: [], tries_left: null, tries_used: null }
    expect(progressAnswer({ format, now, session }, unopened).points.map(([name]) => name)).not.toContain('Since')
  })

  it('names the account and the number of wrong attempts', () => {
    const { points } = progressAnswer({ format, now, session }, stuckFlow, { account: 'Discover it' })
    expect(points.find(([name]) => name === 'What they see')?.[1]).toBe(
      '“What’s the number of your Discover it?” After 3 wrong attempts: Their lender “didn’t recognize that number.” 2 attempts are left.',
    )
  })
})

describe('a request', () => {
  it("states the reason for a rejection in the service's words", () => {
    const { tone, title, points } = requestAnswer(format, rejectedRequest)
    expect([tone, title]).toEqual(['warn', 'It was rejected with 400.'])
    expect(points[0]).toEqual(['Why', refusal, 'INVALID_AMOUNT'])
  })

  it('states that it can be repeated after a service failure', () => {
    const { tone, points } = requestAnswer(format, failedRequest)
    expect(tone).toBe('bad')
    expect(points.at(-1)?.[1]).toContain('same Idempotency-Key')
  })

  it('states that its response was a stored one', () => {
    expect(requestAnswer(format, replayedRequest).points[0]?.[1]).toContain('stored response')
    expect(requestAnswer(format, acceptedRequest).points).toEqual([])
  })

  it('becomes a terminal command that includes the ids but not the key', () => {
    expect(curlOf(acceptedRequest)).toBe(
      [
        'curl -X POST "$CAUSEWAY_URL/opal/sessions/osess_4kYx7RfM2hWpS"',
        '-H "Authorization: Bearer $CAUSEWAY_KEY"',
        '-H "Service-Version: 2026-03-30"',
        '-H "Content-Type: application/json"',
        `-d '{"action":"release_payments"}'`,
      ].join(' \\\n  '),
    )
  })

  it('quotes a body for the shell', () => {
    expect(curlOf({ ...acceptedRequest, request: { name: "it's" } })).toContain(`-d '{"name":"it'\\''s"}'`)
  })
})

describe('the health summary', () => {
  const well = {
    jobs: { ready: 1, dead: 0, missing: 0, lag_seconds: 0 },
    requests: { running: 1, waiting: 0 },
    lanes_paused: 0,
    ledger: null,
    payments_stopped: null,
    teams_stopped: 0,
    payments_start: { needs: 'nothing' as const, operators: [], command: 'pnpm admin payments start all' },
  }

  it('is positive if nothing is wrong', () => {
    expect(healthAnswer({ format }, well)).toEqual({
      tone: 'good',
      title: 'Everything is running normally.',
      points: [],
    })
  })

  it('mentions money that will be debited again, even though the ledger agrees', () => {
    const receivable = { payments: 1, cents: 295_060 }
    const checked = {
      at: '2026-03-10T14:02:00.000Z',
      ok: true,
      complete: true,
      payments: 9,
      unanswered: 0,
      faulty: 0,
      faults: [],
    }
    const answer = healthAnswer({ format }, { ...well, ledger: { ...checked, receivable } })
    expect([answer.tone, answer.title]).toEqual(['warn', 'One thing needs your attention.'])
    expect(answer.points).toEqual([
      [
        'Receivable',
        expect.stringContaining('The payer’s bank took back one payment after the money arrived. $2,950.60'),
      ],
    ])
    expect(
      healthAnswer({ format }, { ...well, ledger: { ...checked, receivable: { payments: 0, cents: 0 } } }).tone,
    ).toBe('good')
  })

  it('lists each problem that needs an operator, and is negative if a job is dead', () => {
    const { tone, title, points } = healthAnswer(
      { format },
      {
        ...well,
        jobs: { ready: 1, dead: 2, missing: 0, lag_seconds: 120 },
        payments_stopped: '2026-03-10T14:02:00.000Z',
      },
    )
    expect([tone, title]).toEqual(['bad', '3 things need your attention.'])
    expect(points.map(([name]) => name)).toEqual(['Payments', 'Dead jobs', 'Lag'])
  })
})

describe("a webhook's chart", () => {
  it('covers the last 24 hours, with zeros where nothing was delivered', () => {
    const bucket = { at: '2026-03-10T12:00:00.000Z', delivered: 3, failed: 1, canceled: 0, p50_ms: 1, p95_ms: 2 }
    const hours = outcomesByHour({ buckets: [bucket] } as never, Date.parse('2026-03-10T14:41:06.000Z'))
    expect([hours.length, hours[0]?.at, hours.at(-1)?.at]).toEqual([
      24,
      '2026-03-09T15:00:00.000Z',
      '2026-03-10T14:00:00.000Z',
    ])
    expect(hours.filter(each => each.delivered > 0)).toEqual([{ at: bucket.at, delivered: 3, failed: 1, canceled: 0 }])
  })
})

describe('the money by location', () => {
  it('combines the statuses of a location, and omits locations without money', () => {
    const row = (day: string, status: PaymentStats['data'][number]['status'], cents: number) => ({
      day,
      status,
      count: 1,
      cents,
    })
    const data = [
      row('2026-03-03', 'settled', 500),
      row('2026-03-01', 'posted', 300),
      row('2026-03-01', 'canceled', 900),
      row('2026-02-01', 'posted', 900),
    ]
    const days = daysUntil(Date.parse('2026-03-03T23:00:00.000Z'), 3)
    expect(daysUntil(Date.parse('2026-03-04T03:00:00.000Z'), 3).at(-1)).toBe('2026-03-04')
    expect(days).toEqual(['2026-03-01', '2026-03-02', '2026-03-03'])
    expect(moneyByStatus({ data }, days).map(({ name, cents, values }) => [name, cents, values])).toEqual([
      ['Arrived', 800, [3, 0, 5]],
    ])
  })
})

describe('a chart', () => {
  it.each([
    [0, 1],
    [7, 8],
    [78, 80],
    [81, 100],
    [1234, 2000],
  ])('with a maximum of %i has a scale of %i', (most, top) => {
    expect(scaleTopOf(most)).toBe(top)
  })
})
