import { type Allocations, type Suggestion, shortfall, suggest, total } from '@causeway/contract/allocations'
import type { FlowEvent, Mode, SessionView, Step, StepData, StepError } from '@causeway/contract/session'
import { openFields } from '../../people/accounts/card-methods.js'
import { methods, type SessionData } from '../../people/accounts/methods.js'
import { openVerification, triesLeft, verificationData } from '../../people/accounts/verification.js'
import { sendsLeft } from '../../people/entities/codes.js'
import { detailsOf, typedOf } from '../../people/entities/entity.js'
import { dataOf, requestOf, SESSION_LIFE } from '../../people/entities/sessions.js'
import { readDetails } from '../../people/entities/show.js'
import { addBusinessDays, pullDate } from '../../platform/calendar/calendar.js'
import { randomText } from '../../platform/crypto/random.js'
import type { Scope } from '../../platform/scope.js'
import { showTime } from '../../platform/show.js'
import type { Team } from '../../platform/team.js'
import {
  askedFields,
  asksFuture,
  chosen,
  due,
  eligible,
  type Facts,
  isTyped,
  type Position,
  payable,
  showFound,
  waiting,
} from './facts.js'
import { logoPath } from './logo.js'
import { authorization, modeRules } from './modes.js'
import { paymentStatuses } from './outcomes.js'
import { readAllocations } from './session.js'
import type { TokenRow } from './store.js'

/** The wait in ms before a person can request another code. */
const RESEND_AFTER = 30_000
const CODE_TRIES = 5
const SLOW = 6_000

type At = Exclude<Position, { auto: string }>

const strategyOf = ({ config }: Facts): Suggestion => config.terms?.suggestion ?? 'highest_rate'

const suggested = (facts: Facts): Allocations =>
  suggest(chosen(facts).map(payable), facts.config.terms!, strategyOf(facts))

/** The amounts that the allocation step starts with. */
function currentAllocations(facts: Facts): Allocations {
  const accounts = chosen(facts).map(payable)
  const kept = facts.progress.draft ?? (facts.session.completed_at === null ? null : readAllocations(facts.session))
  const start = kept ?? suggested(facts)
  return Object.fromEntries(accounts.map(account => [account.id, start[account.id] ?? 0]))
}

const builders: { [S in Step]: (scope: Scope, facts: Facts, at: At) => Promise<StepData[S]> | StepData[S] } = {
  consent: (_scope, { session }) => ({ documents: modeRules[session.mode].documents }),
  phone: (scope, { entity }) => {
    const { phone } = readDetails(scope, entity)
    return { last4: phone?.slice(-4) ?? null, editable: phone === null || isTyped(entity, 'phone') }
  },
  async code(scope, { entity, phoneSession }) {
    const phone = readDetails(scope, entity).phone ?? ''
    const sends = await sendsLeft(scope, entity, phone)
    const row = phoneSession!
    const again = row.created_at + RESEND_AFTER
    return {
      last4: phone.slice(-4),
      editable: isTyped(entity, 'phone'),
      silent: requestOf(row).method === 'sna' ? (dataOf(row).urls ?? []) : null,
      resend_at: showTime(sends.left > 0 ? again : Math.max(again, sends.freeAt)),
      sends_left: sends.left,
      tries_left: Math.max(0, CODE_TRIES - dataOf(row).tries),
      expires_at: showTime(row.created_at + SESSION_LIFE),
    }
  },
  details(scope, facts) {
    const details = readDetails(scope, facts.entity)
    const known: Record<string, unknown> = { ...details, ...details.address }
    const fields = (['name', 'dob', 'address'] as const).filter(field => facts.progress.typed.includes(field))
    const typed = typedOf(facts.entity)
    const names = fields.flatMap(field => detailsOf[field]).filter(name => typed.has(name) && known[name] !== null)
    const values = Object.fromEntries(names.map(name => [name, known[name]]))
    return { fields: askedFields(facts), values: values as StepData['details']['values'] }
  },
  questions: (_scope, { identitySession, attempts }) => ({
    questions: dataOf(identitySession!).questions ?? [],
    tries_left: attempts.questions.left,
  }),
  discovering(scope, { connect, accounts }) {
    const started = connect?.created_at ?? scope.now
    const asking = connect?.status === 'completed' ? [...new Set(accounts.map(found => found.institution))] : ['bureau']
    return { asking, started_at: showTime(started), slow: scope.now - started > SLOW }
  },
  selection(scope, facts) {
    const { config } = facts
    return {
      kind: config.kind,
      accounts: facts.accounts.map(found => showFound(facts, found)).sort(inOrder),
      terms: config.terms,
      checked_at:
        facts.accounts
          .map(found => found.asOf ?? '')
          .sort()
          .at(-1) || showTime(scope.now),
      future_accounts: asksFuture(facts) ? facts.progress.future : null,
      shortfall: config.terms ? shortfall(eligible(facts).map(payable), config.terms) : 0,
    }
  },
  async number(scope, facts) {
    const { formats } = waiting(facts)[0]!
    const { data: _, ...shared } = await turn(scope, facts, 'standard')
    return { ...shared, formats }
  },
  deposits(scope, facts) {
    const found = waiting(facts)[0]!
    const open = found.deposits?.status === 'failed' ? null : found.deposits
    const data = open ? verificationData(scope, open) : { tries: 0 }
    // Before they are sent there is nothing that could have arrived.
    const isAwaited = open?.status === 'pending' || open?.id === facts.progress.awaited
    return {
      account: showFound(facts, found),
      state: !open ? 'offer' : isAwaited ? 'sent' : 'amounts',
      sent_at: open?.status === 'in_progress' ? showTime(open.created_at) : null,
      arrive_by: open && arrival(open.created_at),
      tries_left: methods['micro_deposits']!.tries - data.tries,
    }
  },
  async card(scope, facts) {
    const { data, ...shared } = await turn(scope, facts, 'network')
    return { ...shared, fields: openFields(data) }
  },
  allocation(_scope, facts) {
    const terms = facts.config.terms!
    const accounts = chosen(facts)
    const gone = facts.accounts.filter(
      found => facts.progress.selected?.includes(found.row.id) && facts.progress.dropped[found.row.id],
    )
    return {
      terms,
      accounts: accounts.map(found => showFound(facts, found)).sort(inOrder),
      dropped: gone.map(found => {
        const view = showFound(facts, found)
        return view.reason === null ? { ...view, status: 'ineligible', reason: 'skipped' } : view
      }),
      allocations: currentAllocations(facts),
      suggestion: suggested(facts),
      strategy: strategyOf(facts),
      loan_apr: terms.loan_apr ?? null,
      shortfall: shortfall(accounts.map(payable), terms),
    }
  },
  review: (_scope, facts) => ({
    terms: facts.config.terms!,
    accounts: chosen(facts)
      .map(found => showFound(facts, found))
      .sort(inOrder),
    allocations: facts.progress.draft ?? {},
    authorization,
  }),
  async done(scope, facts) {
    const { session, config } = facts
    const allocations = readAllocations(session)
    const ids = config.terms ? Object.keys(allocations) : (facts.progress.selected ?? [])
    const payments = await paymentStatuses(scope, session)
    return {
      accounts: facts.accounts
        .filter(found => ids.includes(found.row.id))
        .map(found => showFound(facts, found))
        .sort(inOrder),
      terms: config.terms,
      allocations,
      payout_status: config.terms ? session.payout_status : null,
      released_at: session.released_at === null ? null : showTime(session.released_at),
      completed_at: session.completed_at === null ? null : showTime(session.completed_at),
      agreed: await agreedTo(scope, session.id),
      payments,
      editable: config.terms !== null && session.released_at === null,
    }
  },
  async blocked(_scope, facts, at) {
    const { reason, retry, retryAt } = at as Extract<At, { step: 'blocked' }>
    const { terms } = facts.config
    return {
      reason,
      retry_at: retryAt === undefined ? null : showTime(retryAt),
      can_retry: retry,
      shortfall: reason === 'infeasible_terms' && terms ? shortfall(eligible(facts).map(payable), terms) : 0,
    }
  },
}

/** Noon of the business day by whose end what is sent now has reached any bank: two after it leaves. */
const arrival = (time: number) => `${addBusinessDays(pullDate(time), 2)}T18:00:00.000Z`

/** The account that has something to show next, by a session of this type, and which of how many it is. */
async function turn(scope: Scope, facts: Facts, type: 'standard' | 'network') {
  const { config, progress, session } = facts
  const left = waiting(facts)
  const { row } = left[0]!
  const proven = chosen(facts).filter(
    found => due(config, found.row) === null && (found.row.verified_at ?? 0) >= session.created_at,
  )
  const dropped = Object.keys(progress.dropped).filter(id => progress.selected?.includes(id))
  const past = proven.length + dropped.length
  const open = await openVerification(scope, row.id, type)
  const method = methods[type]!
  const data: SessionData = open ? verificationData(scope, open) : { tries: 0, ...method.begin(scope, row) }
  return {
    account: showFound(facts, left[0]!),
    tries_left: await triesLeft(scope, row.id, type, data),
    index: past + 1,
    count: past + left.length,
    skippable: modeRules[session.mode].accounts === 'found',
    data,
  }
}

/** Choosable ones first, the largest first. */
function inOrder(a: { status: string; balance: number | null; id: string }, b: typeof a): number {
  const rank = (view: typeof a) => (view.status === 'ineligible' ? 1 : 0)
  return rank(a) - rank(b) || (b.balance ?? -1) - (a.balance ?? -1) || (a.id < b.id ? -1 : 1)
}

/** Lists the documents agreed to in a session: each once, as of its last agreement, in the order of those times. */
async function agreedTo(scope: Scope, session: string): Promise<StepData['done']['agreed']> {
  const rows = await scope.db
    .selectFrom('consents')
    .select(['document', 'version', 'locale', 'created_at'])
    .where('team_id', '=', scope.team.id)
    .where('session_id', '=', session)
    .orderBy('id')
    .execute()
  const last = new Map(rows.map(row => [row.document, row]))
  return rows
    .filter(row => last.get(row.document) === row)
    .map(({ document, version, locale, created_at }) => ({ id: document, version, locale, at: showTime(created_at) }))
}

const ORDER: readonly Step[] = [
  'consent',
  'phone',
  'code',
  'details',
  'questions',
  'discovering',
  'selection',
  'number',
  'deposits',
  'card',
  'allocation',
  'review',
  'done',
]

function canGoBack({ step }: At, facts: Facts): boolean {
  if (step === 'code') return isTyped(facts.entity, 'phone')
  if (step === 'review') return true
  if (step === 'allocation') return true
  if (step === 'number' || step === 'card')
    return facts.session.completed_at === null && modeRules[facts.session.mode].accounts === 'found'
  return false
}

export interface Shown {
  errors?: StepError[]
  events?: FlowEvent[]
  expiresAt: number
  token: TokenRow
}

/** Whose the flow is and how it is to look. */
export function dress(team: Team, token: TokenRow): Pick<SessionView, 'brand' | 'appearance'> {
  const { brand, appearance } = team.settings
  const display = JSON.parse(token.display) as { name: string | null }
  return {
    brand: { ...brand, name: display.name ?? brand.name, logo: logoPath(team, token) },
    appearance: (token.appearance ?? appearance) as SessionView['appearance'],
  }
}

/** Place of the last step of a mode, for the progress that is shown. */
export const lastStep = (mode: Mode): number => ORDER.indexOf(modeRules[mode].last)

/** The whole session as the frame draws it. */
export async function showView(scope: Scope, facts: Facts, at: At, shown: Shown): Promise<SessionView> {
  const { session } = facts
  const last = lastStep(session.mode)
  const index = at.step === 'done' ? last : Math.min(last, Math.max(0, ORDER.indexOf(at.step)))
  const accounts = at.step === 'done' ? doneAccounts(facts) : []
  return {
    session_id: session.id,
    entity_id: session.entity_id ?? '',
    mode: session.mode,
    revision: session.revision,
    progress: { index, total: last },
    can_go_back: canGoBack(at, facts),
    ...dress(scope.team, shown.token),
    errors: shown.errors ?? [],
    events: shown.events ?? [],
    accounts,
    result: at.step === 'done' ? await signResult(scope, facts, accounts) : null,
    now: showTime(scope.now),
    expires_at: showTime(shown.expiresAt),
    step: at.step,
    data: await builders[at.step](scope, facts, at),
  } as SessionView
}

function doneAccounts(facts: Facts): string[] {
  return facts.config.terms ? Object.keys(readAllocations(facts.session)) : (facts.progress.selected ?? [])
}

/** A signed account of the end, so that a customer's server can check it without a call. */
function signResult(scope: Scope, { session }: Facts, accounts: string[]): Promise<string> {
  const claims = {
    iss: scope.deps.apiOrigin,
    aud: scope.team.id,
    sub: session.id,
    jti: randomText(22),
    mode: session.mode,
    entity_id: session.entity_id,
    accounts,
    ...(session.mode === 'balance_transfer' ? { allocated: total(readAllocations(session)) } : {}),
  }
  return scope.deps.keys.sign(claims, scope.deps.clock(), 600)
}
