// biome-ignore-all lint/style/noExcessiveLinesPerFile: it lists every state.
/**
 * A view for each state of every screen, used by the gallery, the fake service and the tests. The clock is fixed at
 * {@link NOW}, and all people are fictional.
 */
import { suggestAllocations, type Terms } from '@causeway/contract/allocations'
import {
  type AccountView,
  type BlockedReason,
  type DocumentId,
  documentVersions,
  type LinkedInstitution,
  type Recipients,
  type SessionView,
  type SharedData,
  type Step,
  type StepData,
  steps,
  type ViewOf,
} from '@causeway/contract/session'

export const NOW = Date.parse('2026-11-23T14:41:00.000Z')
const at = (seconds: number) => new Date(NOW + seconds * 1000).toISOString()

const order: readonly Step[] = steps.filter(step => step !== 'blocked')

const recipients: Recipients = { service: 'Causeway', bureau: null }

/** Builds a complete view from a step's data. */
function view<S extends Step>(step: S, data: StepData[S], over: Partial<ViewOf<S>> = {}): ViewOf<S> {
  return {
    session_id: 'osess_4Rt8Lk2Wq9Zx',
    entity_id: 'ent_7Yb3Nc5Vd1Qs',
    mode: 'balance_transfer',
    revision: 1,
    progress: { index: order.indexOf(step) + 1 || 7, total: order.length },
    can_go_back: ['phone', 'code', 'questions', 'number', 'card', 'allocation', 'review'].includes(step),
    brand: {
      name: 'Northwind Lending',
      logo: null,
      primary_color: null,
      support_url: 'https://northwind.example/help',
      privacy_url: 'https://northwind.example/privacy',
    },
    recipients,
    appearance: 'system',
    errors: [],
    events: [],
    accounts: [],
    result: null,
    now: at(0),
    expires_at: at(900),
    step,
    data,
    ...over,
  } as unknown as ViewOf<S>
}

const account = (over: Partial<AccountView>): AccountView => ({
  id: 'acc_A',
  name: 'Chase Sapphire Reserve',
  institution: 'Chase',
  logo: null,
  card: null,
  mask: '1580',
  type: 'credit_card',
  balance: 521_240,
  balance_as_of: at(-60),
  apr: 27.5,
  status: 'ready',
  reason: null,
  selected: false,
  ...over,
})

/** A drawing used in place of an institution's trademarked logo. */
const logo = `data:image/svg+xml,${encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 96 96"><rect width="96" height="96" fill="#2e6b4f"/><path d="M20 66 48 28l28 38z" fill="#fff"/></svg>')}`

/** A drawing used in place of a card's art. */
const cardArt = `data:image/svg+xml,${encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 320 202"><rect width="320" height="202" rx="14" fill="#1d4f91"/><circle cx="300" cy="190" r="150" fill="#fff" fill-opacity=".2"/><rect x="28" y="78" width="52" height="40" rx="8" fill="#e2cd8b"/></svg>')}`

export const chase = account({ card: cardArt })
export const capital = account({
  id: 'acc_B',
  name: 'Capital One Venture',
  institution: 'Capital One',
  mask: '0342',
  balance: 350_000,
  apr: 24.9,
  status: 'needs_number',
})
const upstart = account({
  id: 'acc_C',
  name: 'Upstart personal loan',
  institution: 'Upstart',
  logo,
  mask: '7719',
  type: 'personal_loan',
  balance: 189_011,
  apr: 19.2,
})
const student = account({
  id: 'acc_D',
  name: 'FedLoan student loan',
  institution: 'FedLoan',
  mask: '4410',
  type: 'student_loan',
  balance: 1_402_000,
  apr: 5.05,
  status: 'ineligible',
  reason: 'no_payment_rail',
})
const amex = account({
  id: 'acc_E',
  name: 'American Express Gold',
  institution: 'American Express',
  mask: '1007',
  balance: 0,
  apr: null,
  status: 'ineligible',
  reason: 'nothing_owed',
})
const checking = account({
  id: 'acc_F',
  name: '',
  institution: '',
  mask: '6789',
  type: 'checking',
  balance: null,
  balance_as_of: null,
  apr: null,
  status: 'needs_deposits',
})
const five = [chase, capital, upstart, student, amex]
const named = ({ id, name, institution, logo, card, mask, type }: AccountView) => ({
  id,
  name,
  institution,
  logo,
  card,
  mask,
  type,
})
const pick = (accounts: AccountView[], ...ids: string[]) =>
  accounts.map(item => ({ ...item, selected: ids.includes(item.id) }))

export const terms: Terms = {
  loan_amount: 1_000_000,
  minimum_payment: 5_000,
  maximum_payment: 1_000_000,
  residual_amount_max: 150_000,
  allow_over_balance: false,
}

/** Every kind of data, in the order of the service. */
const everything: SharedData[] = [
  'accounts',
  'balance',
  'statement',
  'payoff',
  'number',
  'card',
  'usage',
  'purchases',
  'payments',
  'credit_score',
  'credit_profile',
  'vehicles',
  'identity',
]
const paper = (id: DocumentId) => ({ id, version: documentVersions[id][0] as string })
const documentsOf = (...ids: DocumentId[]): StepData['consent'] => ({
  documents: ids.map(paper),
  shares: everything,
  carried: [],
})
const carriedOf = (...ids: DocumentId[]) => ids.map(id => ({ ...paper(id), shares: everything, at: at(-86_400) }))
const every = ['esign', 'account_data', 'credit_report', 'text_messages', 'privacy'] as const
const consent: StepData['consent'] = documentsOf('esign', 'credit_report', 'account_data', 'payments')
const code: StepData['code'] = {
  last4: '1113',
  editable: true,
  silent: null,
  resend_at: at(24),
  sends_left: 2,
  tries_left: 5,
  expires_at: at(600),
}
const details: StepData['details'] = { fields: ['name', 'dob', 'address', 'ssn_4'], values: {} }
const questions: StepData['questions'] = {
  questions: [
    {
      id: 'q_1',
      text: 'Which of these streets have you lived on?',
      answers: ['Maple Ridge Drive', 'Old Harbor Road', 'Cypress Street', 'Kingfisher Lane', 'None of these'].map(
        (text, i) => ({ id: `a_1${i}`, text }),
      ),
    },
    {
      id: 'q_2',
      text: 'In which year did you open your auto loan with Harbor Federal?',
      answers: ['2019', '2020', '2021', '2022', 'None of these'].map((text, i) => ({ id: `a_2${i}`, text })),
    },
  ],
  tries_left: 2,
}
const institutions: LinkedInstitution[] = [
  { id: 'i1', name: 'Harbor Credit Union', status: 'ok' },
  { id: 'i2', name: 'Summit Card Services', status: 'ok' },
  { id: 'i3', name: 'Lakeside Loans', status: 'repair' },
]
const link: StepData['link'] = {
  provider: 'Plaid',
  url: 'https://link.provider.example/hosted/link-1',
  expires_at: at(1_800),
  repairs: null,
  waiting: false,
  ending: null,
  institutions: [],
  name: 'Kevin Doyle',
}
const discovering: StepData['discovering'] = {
  asking: ['bureau'],
  started_at: at(-2),
  slow: false,
  waiting: true,
}
const selection: StepData['selection'] = {
  kind: 'multiple',
  accounts: five,
  sharing: 'chosen',
  terms,
  checked_at: at(-60),
  future_accounts: null,
  shortfall: 0,
}
const chooseToShare: StepData['selection'] = { ...selection, terms: null, future_accounts: false }
const number: StepData['number'] = {
  account: { ...capital, selected: true },
  formats: ['#### #### #### ####'],
  tries_left: 3,
  index: 1,
  count: 1,
  skippable: true,
}
const deposits: StepData['deposits'] = {
  account: { ...checking, selected: true },
  state: 'offer',
  sent_at: null,
  arrive_by: null,
  tries_left: 5,
}
const sent = { ...deposits, state: 'sent', sent_at: at(0), arrive_by: at(172_800) } as const
const amounts = { ...sent, state: 'amounts', sent_at: at(-172_800), arrive_by: at(0) } as const
const card: StepData['card'] = {
  issuers: [],
  account: { ...chase, status: 'needs_card', selected: true },
  fields: ['number', 'exp_month', 'exp_year', 'cvv', 'billing_zip_code'],
  zip: null,
  tries_left: 5,
  index: 1,
  count: 2,
  skippable: true,
}
const placed = [chase, { ...capital, status: 'ready' as const }]
const split = suggestAllocations(placed, terms, 'highest_rate')
const allocation: StepData['allocation'] = {
  terms,
  accounts: placed,
  dropped: [],
  allocations: split,
  suggestion: split,
  strategy: 'highest_rate',
  loan_apr: null,
  shortfall: 0,
}
const review: StepData['review'] = {
  terms,
  accounts: placed,
  allocations: split,
  authorization: paper('payments'),
}
const done: StepData['done'] = {
  accounts: placed,
  terms,
  allocations: split,
  payout_status: 'pending_release',
  released_at: null,
  completed_at: at(-60),
  agreed: [
    { ...paper('esign'), locale: 'es-US', shares: everything, at: at(-600) },
    { id: 'payments', version: '2026-11-01', locale: 'en-US', shares: everything, at: at(-30) },
  ],
  payments: {},
  editable: true,
  continues: false,
}
const manage: StepData['manage'] = {
  person: {
    data: ['accounts', 'credit_score', 'identity', 'credit_profile'],
    updated: ['credit_score'],
    since: at(-7_776_000),
  },
  future_since: at(-7_776_000),
  accounts: [
    {
      ...named(chase),
      data: ['balance', 'statement', 'card', 'number', 'purchases', 'payments'],
      updated: ['statement', 'purchases'],
      since: at(-7_776_000),
    },
    { ...named(upstart), data: ['balance', 'statement', 'payoff', 'payments'], updated: [], since: at(-7_776_000) },
    { ...named(checking), data: ['payments'], updated: [], since: at(-86_400) },
  ],
  hidden: [],
  institutions: [],
  withdrawn: [],
  receipts: [
    { ...paper('future_accounts'), locale: 'en-US', shares: everything, at: at(-7_776_000), recipients },
    { id: 'account_data', version: '2026-11-01', locale: 'es-US', shares: everything, at: at(-7_776_060), recipients },
    { id: 'esign', version: '2026-11-01', locale: 'es-US', shares: everything, at: at(-7_776_060), recipients },
  ],
}
const managing = { mode: 'manage' as const, can_go_back: false }
const nothingPaid = { terms: null, allocations: {}, payout_status: null, editable: false } as const
const blocked: StepData['blocked'] = {
  reason: 'no_accounts',
  retry_at: null,
  can_retry: false,
  shortfall: 0,
  least: 0,
  feasible: 0,
  requested: null,
  bureau: null,
  can_add_card: false,
}
const infeasible: StepData['blocked'] = {
  ...blocked,
  reason: 'infeasible_terms',
  shortfall: 76_760,
  least: 850_000,
  feasible: 923_240,
}
const entry: StepData['card'] = {
  ...card,
  account: null,
  issuers: [
    { id: 'issuer_1', name: 'Capital One' },
    { id: 'issuer_2', name: 'Chase' },
    { id: 'issuer_3', name: 'Citi' },
  ],
  count: 1,
  skippable: false,
}
const connect = { mode: 'connect' as const }
const cards = { mode: 'card_connect' as const }
const verifying = { mode: 'account_verification' as const }
const all = pick(five, 'acc_A', 'acc_B', 'acc_C')
const error = (code: string, field: string | null, values: Record<string, number | string> = {}) => ({
  errors: [{ code, field, values }],
})

/** All views, by screen and state. The first state listed for a screen is its default. */
export const gallery: Record<Step, Record<string, SessionView>> = {
  consent: {
    plain: view('consent', consent),
    named: view('consent', consent, {
      recipients: { service: 'Harbor Data Services', bureau: 'Sandbox Credit Bureau' },
    }),
    /** The longest names without a space: 60 characters from a connector, and 40 from the operator. */
    long: view('consent', consent, {
      recipients: { service: 'Harbor'.repeat(7).slice(0, 40), bureau: 'Sandbox'.repeat(9).slice(0, 60) },
    }),
    connect: view('consent', consent, connect),
    linked: view(
      'consent',
      {
        ...documentsOf('esign', 'account_data', 'text_messages', 'privacy'),
        shares: ['accounts', 'balance', 'statement', 'number', 'payments', 'identity'],
      },
      { ...connect, recipients: { service: 'Causeway', aggregator: 'Plaid' } },
    ),
    /** A token that asks only for balances. */
    balance: view('consent', { ...consent, shares: ['accounts', 'balance'] }, connect),
    cards: view('consent', consent, cards),
    identity: view(
      'consent',
      { ...documentsOf('esign', 'text_messages', 'privacy'), shares: ['identity'] },
      { mode: 'identity_verification' },
    ),
    account: view(
      'consent',
      { ...documentsOf('esign', 'account_data', 'text_messages', 'privacy'), shares: everything.slice(0, 9) },
      { mode: 'account_verification' },
    ),
    transactions: view('consent', documentsOf('esign', 'account_data', 'transactions', 'credit_report', 'privacy'), {
      mode: 'transactions',
    }),
    partly: view(
      'consent',
      { ...documentsOf('transactions'), shares: ['purchases'], carried: carriedOf(...every) },
      { mode: 'transactions' },
    ),
  },
  phone: {
    plain: view('phone', { last4: '1113', editable: true }),
    fixed: view('phone', { last4: '1113', editable: false }),
    empty: view('phone', { last4: null, editable: true }),
    error: view('phone', { last4: null, editable: true }, error('invalid', 'phone')),
    unsent: view('phone', { last4: '1113', editable: false }, error('not_sent', null)),
    limited: view('phone', { last4: '1113', editable: true }, error('too_many_codes', null, { retry_at: at(2_532) })),
  },
  code: {
    plain: view('code', code),
    resend: view('code', { ...code, resend_at: at(-5) }),
    silent: view('code', {
      ...code,
      silent: ['https://sna.carrier.example/sna/evf_1/a', 'https://sna.carrier.example/sna/evf_1/b'],
    }),
    fixed: view('code', { ...code, editable: false }, { can_go_back: false }),
    error: view('code', { ...code, tries_left: 3 }, error('incorrect', 'code', { tries_left: 3 })),
    unsent: view('code', code, error('not_sent_yet', null)),
    limited: view('code', { ...code, sends_left: 0, resend_at: at(2_532) }),
  },
  details: {
    plain: view('details', details),
    short: view('details', { fields: ['name', 'dob'], values: { first_name: 'Kevin', last_name: 'Doyle' } }),
    address: view('details', { ...details, fields: ['address'] }),
    one_name: view(
      'details',
      { fields: ['name', 'dob'], values: { first_name: 'Suharto', last_name: '' } },
      error('too_long', 'first_name'),
    ),
    error: view('details', details, error('no_match', null)),
  },
  questions: {
    plain: view('questions', questions),
    error: view('questions', { ...questions, tries_left: 1 }, error('incorrect', null, { tries_left: 1 })),
  },
  link: {
    plain: view('link', link),
    unnamed: view('link', { ...link, provider: null }),
    waiting: view('link', { ...link, waiting: true }),
    closed: view('link', { ...link, ending: 'closed' }),
    failed: view('link', { ...link, ending: 'failed' }, error('link_unavailable', null)),
    linked: view('link', { ...link, institutions: institutions.slice(0, 2) }),
    adding: view('link', { ...link, waiting: true, institutions: institutions.slice(0, 1) }),
    mismatch: view('link', {
      ...link,
      institutions: [{ ...institutions[0]!, status: 'name_mismatch' }, institutions[1]!],
    }),
    repair: view('link', { ...link, repairs: 'i3', institutions }),
    broken: view('link', { ...link, institutions }),
  },
  discovering: {
    plain: view('discovering', discovering),
    asking: view('discovering', { ...discovering, asking: ['Chase', 'Capital One'] }),
    slow: view('discovering', { ...discovering, asking: ['Capital One'], started_at: at(-14), slow: true }),
  },
  selection: {
    plain: view('selection', { ...selection, accounts: pick(five, 'acc_A', 'acc_B') }),
    empty: view('selection', selection),
    short: view('selection', { ...selection, accounts: pick(five, 'acc_C') }),
    infeasible: view('selection', { ...selection, accounts: [upstart, student, amex], shortfall: 660_989 }),
    connect: view('selection', { ...chooseToShare, accounts: pick(five, 'acc_A', 'acc_B') }, connect),
    future: view('selection', { ...chooseToShare, accounts: pick(five, 'acc_A'), future_accounts: true }, connect),
    many: view(
      'selection',
      { ...chooseToShare, accounts: five.map(item => ({ ...item, status: 'ready', reason: null })) },
      connect,
    ),
    seen: view('selection', { ...chooseToShare, sharing: 'all', accounts: pick(five, 'acc_A') }, connect),
    single: view('selection', { ...chooseToShare, kind: 'single', accounts: pick(five, 'acc_A') }, connect),
    all: view('selection', { ...chooseToShare, kind: 'all', accounts: all }, connect),
    unknown: view('selection', {
      ...selection,
      accounts: pick([chase, { ...capital, balance: null, mask: null, apr: null }], 'acc_B'),
    }),
  },
  number: {
    plain: view('number', number),
    error: view('number', { ...number, tries_left: 2 }, error('incorrect', 'number', { tries_left: 2 })),
    loan: view('number', {
      account: { ...upstart, status: 'needs_number' },
      formats: ['##########'],
      tries_left: 3,
      index: 2,
      count: 3,
      skippable: true,
    }),
    only: view('number', { ...number, skippable: false }, { mode: 'account_verification' }),
  },
  deposits: {
    offer: view('deposits', deposits, verifying),
    sent: view('deposits', sent, verifying),
    sending: view('deposits', { ...sent, sent_at: null }, verifying),
    amounts: view('deposits', amounts, verifying),
    savings: view('deposits', { ...amounts, account: { ...checking, type: 'savings' } }, verifying),
    error: view(
      'deposits',
      { ...amounts, tries_left: 4 },
      { ...verifying, ...error('incorrect', 'amounts', { tries_left: 4 }) },
    ),
  },
  card: {
    plain: view('card', card, cards),
    code: view('card', { ...card, fields: ['cvv'] }, cards),
    entry: view('card', entry, connect),
    entry_error: view(
      'card',
      { ...entry, tries_left: 4 },
      { ...connect, ...error('incorrect', 'number', { tries_left: 4 }) },
    ),
    error: view(
      'card',
      { ...card, fields: ['cvv'], tries_left: 4 },
      { ...cards, ...error('incorrect', 'cvv', { tries_left: 4 }) },
    ),
    only: view('card', { ...card, count: 1, skippable: false }, { mode: 'account_verification' }),
  },
  allocation: {
    plain: view('allocation', allocation),
    three: view('allocation', {
      ...allocation,
      accounts: [...placed, upstart],
      allocations: suggestAllocations([...placed, upstart], terms, 'highest_rate'),
      suggestion: suggestAllocations([...placed, upstart], terms, 'highest_rate'),
    }),
    saving: view('allocation', { ...allocation, loan_apr: 11.99 }),
    over: view('allocation', { ...allocation, allocations: { acc_A: 521_240, acc_B: 390_000 } }),
    dropped: view('allocation', {
      ...allocation,
      accounts: [chase],
      terms: { ...terms, residual_amount_max: 1_000_000 },
      allocations: { acc_A: 521_240 },
      suggestion: { acc_A: 521_240 },
      dropped: [{ ...capital, status: 'ineligible', reason: 'number_refused' }],
    }),
    infeasible: view('allocation', {
      ...allocation,
      accounts: [chase],
      allocations: { acc_A: 521_240 },
      suggestion: { acc_A: 521_240 },
      shortfall: 328_760,
    }),
  },
  review: {
    plain: view('review', review),
    part: view('review', { ...review, allocations: { acc_A: 521_240, acc_B: 328_760 } }),
  },
  done: {
    plain: view('done', done, { can_go_back: false }),
    released: view('done', {
      ...done,
      payout_status: 'released',
      released_at: at(-86_400),
      payments: { acc_A: 'processing', acc_B: null },
      editable: false,
    }),
    connect: view('done', { ...done, ...nothingPaid, accounts: [chase, upstart] }, connect),
    cards: view('done', { ...done, ...nothingPaid, accounts: [chase] }, cards),
    identity: view('done', { ...done, ...nothingPaid, accounts: [] }, { mode: 'identity_verification' }),
    account: view('done', { ...done, ...nothingPaid, accounts: [chase] }, { mode: 'account_verification' }),
    bank: view('done', { ...done, ...nothingPaid, accounts: [checking] }, verifying),
    transactions: view('done', { ...done, ...nothingPaid, accounts: [chase] }, { mode: 'transactions' }),
    withdrawn: view('done', { ...done, ...nothingPaid, accounts: [], agreed: [] }, managing),
  },
  manage: {
    plain: view('manage', manage, managing),
    one: view('manage', { ...manage, accounts: manage.accounts.slice(0, 1), future_since: null }, managing),
    empty: view(
      'manage',
      {
        person: { data: [], updated: [], since: at(-3_600) },
        future_since: null,
        accounts: [],
        hidden: [],
        institutions: [],
        withdrawn: [],
        receipts: [],
      },
      managing,
    ),
    many: view(
      'manage',
      { ...manage, accounts: five.map(each => ({ ...manage.accounts[1]!, ...named(each) })) },
      managing,
    ),
    withdrawn: view(
      'manage',
      { ...manage, accounts: manage.accounts.slice(1), withdrawn: [{ id: 'acc_A', at: at(-60) }] },
      managing,
    ),
    hidden: view('manage', { ...manage, accounts: manage.accounts.slice(1), hidden: [named(chase)] }, managing),
    linked: view(
      'manage',
      {
        ...manage,
        institutions: [
          { id: '1f0c6a9e2b', name: 'Harbor Credit Union', status: 'ok' },
          { id: '7be1d25c40', name: 'Lakeside Loans', status: 'repair' },
        ],
      },
      managing,
    ),
    failed: view('manage', manage, { ...managing, ...error('payment_in_progress', null) }),
  },
  blocked: {
    no_accounts: view('blocked', blocked),
    add_card: view('blocked', { ...blocked, can_add_card: true }),
    none_eligible: view('blocked', { ...blocked, reason: 'none_eligible' }),
    thin_file: view('blocked', { ...blocked, reason: 'thin_file' }),
    credit_freeze: view('blocked', {
      ...blocked,
      reason: 'credit_freeze',
      can_retry: true,
      bureau: { name: 'Example Bureau', phone: '+18005550199', url: 'https://bureau.example/freeze' },
    }),
    freeze_unnamed: view('blocked', { ...blocked, reason: 'credit_freeze', can_retry: true }),
    too_many_codes: view('blocked', {
      ...blocked,
      reason: 'too_many_codes',
      retry_at: at(2_532),
      can_retry: true,
    }),
    too_many_attempts: view('blocked', { ...blocked, reason: 'too_many_attempts', retry_at: at(86_400) }),
    identity_failed: view('blocked', { ...blocked, reason: 'identity_failed', retry_at: at(86_400) }),
    not_me: view('blocked', { ...blocked, reason: 'not_me' }),
    infeasible_terms: view('blocked', infeasible),
    loan_requested: view('blocked', { ...infeasible, requested: infeasible.feasible }),
    none_feasible: view('blocked', { ...infeasible, shortfall: 850_000, feasible: 0 }),
    account_unverified: view('blocked', { ...blocked, reason: 'account_unverified' }, { mode: 'account_verification' }),
    deposits_locked: view('blocked', { ...blocked, reason: 'deposits_locked' }, verifying),
    deposits_returned: view('blocked', { ...blocked, reason: 'deposits_returned' }, verifying),
    disabled: view('blocked', { ...blocked, reason: 'disabled' }),
    unavailable: view('blocked', { ...blocked, reason: 'unavailable', can_retry: true, retry_at: at(-1) }),
  } satisfies Record<BlockedReason, SessionView> & Record<string, SessionView>,
}
