/** Scenes for the pages of the console's users. */
import type { Key, Team } from '@causeway/sdk'
import type { AuditEntry } from '../../src/shapes.js'
import { failure, listed, type Replies, reply } from '../fake.js'
import { operatingSource, sources } from '../fixtures/money.js'
import { oldSession, userOf } from '../fixtures/people.js'
import type { Scene } from '../mount.js'

const me = 'cusr_4kYi8ZbT1mXcV'
const user = (id: string, email: string, name: string | null, over: object = {}) => ({
  id,
  email,
  name,
  role: 'support',
  operator: false,
  status: name ? 'active' : 'invited',
  current: id === me,
  sessions: name ? 1 : 0,
  signed_in_at: name ? '2026-03-03T14:20:00.000Z' : null,
  created_at: '2026-02-20T16:00:00.000Z',
  ...over,
})
const users = [
  user(me, 'juno@northwind.example', 'Juno Whitlock', { role: 'admin' }),
  user('cusr_4kYi8ZbT1mXcW', 'ines.farrow@northwind.example', 'Ines Farrow', { role: 'finance' }),
  user('cusr_4kYi8ZbT1mXcX', 'otto.brandt@northwind.example', null),
  user('cusr_4kYi8ZbT1mXcY', 'mara.lindqvist@northwind.example', 'Mara Lindqvist', { status: 'disabled', sessions: 0 }),
]
const session = (id: string, user_id: string, name: string) => ({
  id,
  key_id: null,
  user_id,
  name,
  role: null,
  operator: false,
  current: user_id === me,
  created_at: '2026-03-03T14:20:00.000Z',
  last_used_at: '2026-03-03T14:38:00.000Z',
  expires_at: '2026-03-03T22:20:00.000Z',
})
const sessions = reply({
  data: [session('csess_1', me, 'Juno Whitlock'), session('csess_2', 'cusr_4kYi8ZbT1mXcW', 'Ines Farrow')],
})
const passkey = (id: string, name: string, synced: boolean) => ({
  id,
  name,
  synced,
  last_used_at: '2026-03-03T14:20:00.000Z',
  created_at: '2026-02-20T16:10:00.000Z',
})
const account = (...passkeys: object[]) => reply({ email: 'juno@northwind.example', name: 'Juno Whitlock', passkeys })
const invited = reply({
  user: user('cusr_4kYi8ZbT1mXcX', 'otto.brandt@northwind.example', null),
  invitation: {
    link: 'https://console.northwind.example/sign-in#invitation=cinv_example',
    expires_at: '2026-03-10T14:41:06.000Z',
  },
})

const page = (over: Replies = {}, rest: Partial<Scene> = {}): Scene => ({
  at: '/users',
  replies: {
    'GET /console/users': reply({ data: users }),
    'GET /console/sessions': sessions,
    'POST /console/users': invited,
    'POST /console/users/:id': reply({ user: users[1] }),
    'POST /console/users/:id/invitation': invited,
    'POST /console/sessions/:id/end': reply({ ended: ['csess_2'] }),
    ...over,
  },
  ...rest,
})
const own = (over: Replies = {}, rest: Partial<Scene> = {}): Scene => ({
  at: '/account',
  replies: {
    'GET /console/account': account(passkey('cpk_1', 'Phone', true), passkey('cpk_2', 'Security key', false)),
    'GET /console/sessions': sessions,
    'POST /console/account/passkeys/:id/remove': reply({ id: 'cpk_2' }),
    'POST /console/sessions/:id/end': reply({ ended: ['csess_1'] }),
    ...over,
  },
  ...rest,
})

const key = (id: string, last4: string, over: Partial<Key> = {}): Key => ({
  id,
  last4,
  scopes: ['read', 'write', 'payments', 'sensitive', 'admin'],
  created_by: null,
  created_at: '2026-02-02T17:00:00.000Z',
  last_used_at: '2026-03-10T14:40:00.000Z',
  ...over,
})

/** The page of secret keys. */
const keys = (over: Replies = {}, rest: Partial<Scene> = {}): Scene => ({
  at: '/keys',
  replies: {
    'GET /team/keys': listed([
      key('key_4kYq8ZbT1mXd7', 'p0Qe', { scopes: ['read'], created_by: users[0]!.id, last_used_at: null }),
      key('key_4kYq8ZbT1mXd6', 'Zk81', { scopes: ['read', 'write'], created_by: 'key_4kYq8ZbT1mXd5' }),
      key('key_4kYq8ZbT1mXd5', '7Hs2'),
    ]),
    'GET /console/users': reply({ data: users }),
    'GET /console/approval_settings': reply({ approve_above: null }),
    'POST /team/keys': reply({ ...key('key_4kYq8ZbT1mXd8', 'aaaa'), value: 'sk_x' }),
    'DELETE /team/keys/:id': reply(null),
    ...over,
  },
  ...rest,
})

const entry = (id: string, action: string, resource_id: string | null, over: Partial<AuditEntry> = {}): AuditEntry => ({
  id,
  actor: me,
  actor_name: 'Juno Whitlock',
  session_id: 'csess_1',
  action,
  resource_id,
  resource_name: null,
  reason: null,
  changes: [],
  at: '2026-03-03T14:20:00.000Z',
  ...over,
})

/** The page of the audit log. */
const auditLog = (data: readonly AuditEntry[], rest: Partial<Scene> = {}): Scene => ({
  at: '/audit',
  replies: { 'GET /console/audit': reply({ data, next_cursor: data.length > 1 ? '1.a' : null }) },
  ...rest,
})
const changed = (name: string, before: string | null, after: string | null) => ({ name, before, after })
/** Entries that changed something. */
const changes = [
  entry('aud_9', 'team.update', 'team_4kYq8ZbT1mXd5', {
    changes: [
      changed('brand.name', 'Northwind', 'Northwind Lending'),
      changed('allowed_origins', null, 'https://www.northwind.example, https://apply.northwind.example'),
      changed('limits.payment_amount_max', '2500000', null),
      changed('ein', null, null),
    ],
  }),
  entry('aud_8', 'approval.settings', 'team_4kYq8ZbT1mXd5', { changes: [changed('approve_above', '100000', '50000')] }),
  entry('aud_7', 'console.user_change', 'cusr_4kYi8ZbT1mXcY', {
    ...{ actor: 'operator', actor_name: null, session_id: null, resource_name: 'Mara Lindqvist' },
    changes: [changed('status', 'active', 'disabled')],
  }),
  entry('aud_6', 'console.user_invite', 'cusr_4kYi8ZbT1mXcX', { changes: [changed('role', null, 'support')] }),
  entry('aud_5', 'search.phone', null),
  entry('aud_4', 'payments.stop', null, { actor: 'operator', actor_name: null, session_id: null }),
  entry('aud_3', 'payment.create', 'pmt_4kXb2NfWq7ZsC', { reason: 'The account was closed by mistake' }),
]
const entries = [
  entry('aud_4', 'entity.reveal', 'ent_4kYi8ZbT1mXcV', { reason: 'The caller confirms the birth date' }),
  entry('aud_3', 'key.create', 'key_4kYq8ZbT1mXd7'),
  entry('aud_2', 'webhook.update', 'whk_4kXb2NfWq7ZsC', { actor: 'key_4kYq8ZbT1mXd5', actor_name: null }),
  entry('aud_1', 'console.sign_in', 'csess_1'),
]

/** The settings of the team, without those that the console does not show. */
export const team = {
  id: 'team_4kYq8ZbT1mXd5',
  version: '2026-03-30',
  brand: {
    name: 'Northwind Lending',
    logo: null,
    primary_color: '#1a7f5a',
    support_url: 'https://northwind.example/help',
    privacy_url: null,
  },
  appearance: 'system',
  allowed_origins: ['https://www.northwind.example'],
  payment_description: 'PAYOFF',
  default_source_account: operatingSource.id,
  limits: { payment_amount_max: 2_500_000, payments_per_month: null, sensitive_reads_per_day: null },
  webhook_schedule: 'standard',
} as Team

const settings = (over: Replies = {}, rest: Partial<Scene> = {}): Scene => ({
  at: '/settings',
  replies: {
    'GET /team': reply(team),
    'PATCH /team': reply(team),
    'GET /console/approval_settings': reply({ approve_above: 100_000 }),
    'POST /console/approval_settings': reply({ approve_above: 50_000 }),
    'GET /console/sources': reply(sources),
    ...over,
  },
  ...rest,
})

export const userScenes: Record<string, Record<string, Scene>> = {
  users: {
    plain: page(),
    inviting: page({}, { press: ['.head .btn.go'] }),
    changing: page({}, { press: ['tbody tr:nth-child(2) button'] }),
    empty: page({ 'GET /console/users': reply({ data: [] }) }),
    loading: page({ 'GET /console/users': 'never', 'GET /console/sessions': 'never' }, { slow: true }),
    error: page({ 'GET /console/users': failure(503) }),
    forbidden: page(
      { 'GET /console/users': failure(403, 'FORBIDDEN') },
      { session: { user: userOf('Ines Farrow', 'support') } },
    ),
  },
  keys: {
    plain: keys(),
    creating: keys({}, { press: ['.head .btn.go'] }),
    creating_later: keys({}, { session: oldSession(true), press: ['.head .btn.go'] }),
    creating_after_sign_in: keys({}, { session: oldSession(false), press: ['.head .btn.go'] }),
    link: keys({}, { session: { user: { ...userOf('Operator', 'admin'), account_id: null } } }),
    second_person: keys(
      { 'GET /console/approval_settings': reply({ approve_above: 1_000_000 }) },
      { press: ['.head .btn.go'] },
    ),
    revoking: keys({}, { press: ['tbody tr:nth-child(2) button'] }),
    viewer: keys({}, { session: { user: userOf('Ines Farrow', 'viewer') } }),
    error: keys({ 'GET /team/keys': failure(503) }),
  },
  settings: {
    plain: settings(),
    dark_brand: settings({
      'GET /team': reply({ ...team, appearance: 'dark', brand: { ...team.brand, primary_color: null } }),
    }),
    no_source: settings({
      'GET /team': reply({ ...team, default_source_account: null }),
      'GET /console/sources': reply({ data: [], more: false }),
    }),
    no_sources_answer: settings({ 'GET /console/sources': failure(503) }),
    no_second_person: settings({ 'GET /console/approval_settings': reply({ approve_above: null }) }),
    viewer: settings({}, { session: { user: userOf('Ines Farrow', 'viewer') } }),
    loading: settings({ 'GET /team': 'never' }, { slow: true }),
    error: settings({ 'GET /team': failure(503) }),
  },
  audit: {
    plain: auditLog(entries),
    changes: auditLog(changes),
    narrowed: auditLog(entries.slice(1, 2), { at: '/audit?actor=cusr_4kYi8ZbT1mXcV&from=2026-03-01' }),
    empty: auditLog([]),
  },
  own_account: {
    plain: own(),
    one_passkey: own({ 'GET /console/account': account(passkey('cpk_1', 'Phone', true)) }),
    link: own({}, { session: { user: { ...userOf('Ines Farrow', 'admin'), account_id: null } } }),
    link_like_key: own({}, { session: { user: { ...userOf('key_holder', 'admin'), account_id: null } } }),
    key: own(
      {},
      { session: { user: { ...userOf('key_4kYi8ZbT1mXcV', 'admin'), account_id: null, key_id: 'key_4kYi8ZbT1mXcV' } } },
    ),
  },
}
