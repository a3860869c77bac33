/** Scenes for the list of people and for a single person. */
import type { SessionProgress } from '@causeway/sdk'
import type { LinkedInstitutions } from '../../src/shapes.js'
import { failure, listed, type Replies, reply } from '../fake.js'
import { paymentList } from '../fixtures/money.js'
import {
  capital,
  connectSession,
  erasedPerson,
  opal,
  people,
  personMoments,
  REAL_NOW,
  repairs,
  stuckFlow,
  stuckSession,
  tamsin,
  upstart,
  userOf,
} from '../fixtures/people.js'
import type { Scene } from '../mount.js'

const replies: Replies = {
  'GET /entities/:id': reply(tamsin),
  'GET /accounts': listed([capital, upstart]),
  'GET /opal/sessions': listed([stuckSession, connectSession]),
  'GET /opal/sessions/:id/progress': reply(stuckFlow),
  'GET /payments': listed([]),
  'GET /entities/:id/institutions': reply({ institutions: [], checked_at: null }),
  'GET /timeline': reply({ data: personMoments, missing: [], next_cursor: null }),
  'POST /entities/:id/reveal': reply({
    values: { phone: '(555) 010-0108' },
    until: new Date(REAL_NOW + 30_000).toISOString(),
  }),
  'GET /team': reply({ allowed_origins: ['https://www.northwind.example'] }),
  'POST /opal/token': reply({ data: { token: 'none', hosted_url: 'https://flow.example/h/4kZ' } }),
}

const person = (over: Replies = {}, rest: Partial<Scene> = {}): Scene => ({
  at: `/people/${tamsin.id}`,
  replies: { ...replies, ...over },
  ...rest,
})

const done: SessionProgress = {
  ...stuckFlow,
  step: 'done',
  waits_for: 'release',
  can_skip: false,
  last_code: null,
  tries_left: null,
  tries_used: null,
  account: null,
  since: '2026-03-10T13:00:00.000Z',
}

const list_ = (reply: Replies[string], rest: Partial<Scene> = {}): Scene => ({
  at: '/people',
  replies: { 'GET /entities': reply },
  ...rest,
})

const linkedInstitutions: LinkedInstitutions = {
  institutions: [
    { name: 'Harbor Credit Union', status: 'ok', accounts: [capital.id] },
    { name: 'Lakeside Loans', status: 'repair', accounts: [upstart.id, capital.id] },
    { name: 'Summit Card Services', status: 'name_mismatch', accounts: [capital.id] },
  ],
  checked_at: '2026-03-10T12:40:00.000Z',
}

const needed = (answer: Replies[string], rest: Partial<Scene> = {}): Scene => ({
  at: '/people/repairs',
  replies: { 'GET /institutions/repairs': answer },
  ...rest,
})

const atPhone = {
  ...stuckFlow,
  step: 'phone',
  tries_left: null,
  tries_used: null,
  account: null,
  can_skip: false,
} as const

export const peopleScenes: Record<string, Record<string, Scene>> = {
  person: {
    stuck: person(),
    finished: person({
      'GET /opal/sessions': listed([
        opal('osess_4kYx7RfM2hWpS', {
          bt: { ...stuckSession.bt, completed: true } as never,
        }),
      ]),
      'GET /opal/sessions/:id/progress': reply(done),
      'GET /payments': listed(paymentList.slice(7, 9)),
    }),
    no_session: person({
      'GET /opal/sessions': listed([]),
      'GET /accounts': listed([]),
      'GET /timeline': reply({ data: [], missing: [], next_cursor: null }),
    }),
    known_phone: person({
      'GET /opal/sessions/:id/progress': reply({ ...atPhone, steps: stuckFlow.steps.slice(0, 2) }),
    }),
    locked: person({
      'GET /opal/sessions/:id/progress': reply({
        ...{ ...atPhone, step: 'blocked', waits_for: 'nothing', last_code: 'identity_failed' },
        retry_at: '2026-03-11T14:00:00.000Z',
      }),
    }),
    none_paid: person({
      'GET /opal/sessions': listed([
        opal('osess_4kYx7RfM2hWpS', {
          bt: {
            ...{ ...stuckSession.bt, completed: true, payout_status: 'released' },
            ...{ allocations: { [capital.id]: 120_000 }, unpaid: [capital.id], none_paid: true },
          } as never,
        }),
      ]),
      'GET /opal/sessions/:id/progress': reply({ ...done, waits_for: 'nothing' }),
    }),
    revealing: person({}, { press: ['.head .btn'] }),
    erased: person({ 'GET /entities/:id': reply(erasedPerson), 'GET /accounts': listed([]) }),
    disabled: person({ 'GET /entities/:id': reply(people[5]) }),
    viewer: person({}, { session: { user: userOf('Ines Farrow', 'viewer') } }),
    partial: person({
      'GET /accounts': failure(503),
      'GET /timeline': reply({
        data: personMoments.filter(({ kind }) => kind !== 'request'),
        missing: ['request'],
        next_cursor: null,
      }),
    }),
    loading: person(
      { 'GET /accounts': 'never', 'GET /timeline': 'never', 'GET /opal/sessions/:id/progress': 'never' },
      { slow: true },
    ),
    linked: person({ 'GET /entities/:id/institutions': reply(linkedInstitutions) }),
    unlinked: person({ 'GET /entities/:id/institutions': failure(503) }),
    missing: person({ 'GET /entities/:id': failure(404, 'NOT_FOUND') }),
    forbidden: person({ 'GET /entities/:id': failure(403, 'FORBIDDEN') }),
  },
  repairs: {
    plain: needed(reply(repairs)),
    more: needed(reply({ ...repairs, next_cursor: 'ent_4kYa1ZbT5mXcV' })),
    empty: needed(reply({ data: [], next_cursor: null })),
    loading: needed('never', { slow: true }),
    stale: needed([reply(repairs), failure(503)] as Replies[string], { again: true }),
    failing: needed(failure(500)),
  },
  // Once the account has loaded, its page redirects to the holder's page.
  account: {
    loading: { at: '/accounts/acc_4kYa1ZbT5mXcV', replies: { 'GET /accounts/:id': 'never' }, slow: true },
    missing: { at: '/accounts/acc_4kYa1ZbT5mXcV', replies: { 'GET /accounts/:id': failure(404, 'NOT_FOUND') } },
  },
  people: {
    plain: list_(listed(people, { next: 'c_older' })),
    filtered: list_(listed(people.slice(5, 6)), { at: '/people?status=disabled' }),
    empty: list_(listed([])),
    no_match: list_(listed([]), { at: '/people?status=incomplete' }),
    loading: list_('never', { slow: true }),
    failing: list_(failure(500)),
    forbidden: list_(failure(403, 'FORBIDDEN')),
    stale: list_([listed(people), failure(503)], { again: true }),
  },
}
