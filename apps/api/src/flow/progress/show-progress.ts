import { shortfall } from '@causeway/contract/allocations'
import { type Step, steps } from '@causeway/contract/session'
import type { Tables } from '../../platform/db/tables.js'
import type { Scope } from '../../platform/scope.js'
import { showTime } from '../../platform/show.js'
import { registry } from '../engine/registry.js'
import {
  chosenAccounts,
  type Facts,
  type Position,
  position,
  requiredProof,
  toDebt,
  unprovenAccounts,
} from '../session/facts.js'
import { loadSession } from '../session/load-session.js'
import { modeRules } from '../session/modes.js'
import { eventData, type SessionRow } from '../session/session.js'

/** A step that was shown. Times are on the team's clock, in epoch ms. */
interface Shown {
  step: Step
  first: number
  last: number
  tries: number
}

/** The maximum number of events to read from a session, latest first. */
const MAX_EVENTS = 500

/** Returns the step in an event that reports a shown step; undefined for any other event. */
export function readShownStep({ type, data }: Pick<Tables['session_events'], 'type' | 'data'>): Step | undefined {
  if (!type.endsWith('.step.started') || data === null) return undefined
  const { step } = eventData.read(data)
  return steps.find(known => known === step)
}

/** Returns the steps shown in a session, in the order in which each was first shown. */
async function stepsShown({ db, team }: Scope, { id }: SessionRow): Promise<Shown[]> {
  const rows = await db
    .selectFrom('session_events')
    .select(['type', 'data', 'created_at'])
    .where('team_id', '=', team.id)
    .where('session_id', '=', id)
    .orderBy('id', 'desc')
    .limit(MAX_EVENTS)
    .execute()
  const entriesByStep = new Map<Step, Shown>()
  for (const { created_at, ...event } of rows.reverse()) {
    const step = readShownStep(event)
    if (!step) continue
    const entry = entriesByStep.get(step)
    entriesByStep.set(step, {
      step,
      first: entry?.first ?? created_at,
      last: created_at,
      tries: (entry?.tries ?? 0) + 1,
    })
  }
  return [...entriesByStep.values()]
}

/** Returns the most recently created bearer. The flow continues where that bearer left off. */
async function latestBearer({ db, team }: Scope, { id }: SessionRow): Promise<string | undefined> {
  const row = await db
    .selectFrom('bearers')
    .select('hash')
    .where('team_id', '=', team.id)
    .where('session_id', '=', id)
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.hash
}

/** Returns the attempts at the current step; null if the step does not count attempts. */
async function triesAt(scope: Scope, facts: Facts, at: Position) {
  const tries = 'step' in at ? registry[at.step].tries : undefined
  if (!tries) return { tries_left: null, tries_used: null }
  const left = await tries.left(facts, scope)
  return { tries_left: left, tries_used: tries.most - left }
}

/** Returns the account to which a step applies: the first account without proof. Pure. */
function accountAt(facts: Facts, at: Position): string | null {
  const next = 'step' in at ? unprovenAccounts(facts)[0] : undefined
  return next && requiredProof(facts.config, next.row) === (at as { step: Step }).step ? next.row.id : null
}

/** Returns true if the person can skip an account, and the others that they chose are enough for the session. Pure. */
function canSkip(facts: Facts, account: string): boolean {
  const { session, config } = facts
  const others = chosenAccounts(facts).filter(({ row }) => row.id !== account)
  if (modeRules[session.mode].accounts !== 'found' || others.length === 0) return false
  return config.terms === null || shortfall(others.map(toDebt), config.terms) <= 0
}

/** Returns the party that must act next. Pure. */
function waitsFor(at: Position, { config, payout_status }: { config: Facts['config'] } & SessionStatus) {
  if (!('step' in at) || at.step === 'discovering') return 'network'
  if (at.step === 'manage') return 'nothing'
  if (at.step === 'done') return config.terms !== null && payout_status === 'pending_release' ? 'release' : 'nothing'
  return at.step === 'blocked' && !at.retry ? 'nothing' : 'person'
}
type SessionStatus = Pick<SessionRow, 'payout_status'>

/** Returns a session's current step, its start time, and the steps before it. */
export async function showProgress(scope: Scope, session: SessionRow) {
  const entries = await stepsShown(scope, session)
  const history = entries.map(({ step, first, tries }) => ({ step, at: showTime(first), tries }))
  // The entity is created when the token is redeemed.
  if (session.entity_id === null)
    return {
      step: 'consent',
      since: showTime(session.created_at),
      tries_left: null,
      tries_used: null,
      account: null,
      can_skip: false,
      waits_for: 'person',
      last_code: null,
      retry_at: null,
      steps: history,
    }
  const facts = await loadSession(scope, session, await latestBearer(scope, session))
  const at = position(facts)
  const account = accountAt(facts, at)
  const step = 'step' in at ? at.step : (facts.progress.shown ?? 'discovering')
  const blocked = 'step' in at && at.step === 'blocked' ? at : null
  return {
    step,
    since: showTime(entries.find(each => each.step === step)?.last ?? session.updated_at),
    ...(await triesAt(scope, facts, at)),
    account,
    can_skip: account !== null && canSkip(facts, account),
    waits_for: waitsFor(at, { config: facts.config, payout_status: session.payout_status }),
    last_code: blocked?.reason ?? null,
    retry_at: blocked?.retryAt === undefined ? null : showTime(blocked.retryAt),
    steps: history,
  }
}
