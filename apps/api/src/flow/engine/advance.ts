import { OutsideError } from '@causeway/connector/ports/outside-error'
import type { FlowEvent } from '@causeway/contract/session'
import { createPortCall } from '../../network/ports.js'
import { attemptsLeft, type RemainingAttempts } from '../../people/entities/attempts.js'
import { openQuestions } from '../../people/entities/methods/kba/open-questions.js'
import { createSession, type VerdictHooks } from '../../people/entities/sessions.js'
import { writeEntityLater } from '../../people/entities/store.js'
import { isVerified } from '../../people/holders/entity.js'
import { readDetails } from '../../people/holders/show-entity.js'
import { limitAccess } from '../../people/lifecycle/limit-access.js'
import { storeMatch } from '../../people/lifecycle/match-entity.js'
import { preparePage } from '../../people/links/pages.js'
import { connect } from '../../people/products/connect/product.js'
import { update } from '../../people/products/update/product.js'
import { createRecord } from '../../people/records/store.js'
import { batchWrites, type Deps, reading, type Scope, transact, withoutSlot } from '../../platform/scope.js'
import type { Team } from '../../platform/team.js'
import { askedProducts } from '../session/consent-terms.js'
import { findEarlierChoice, findReusableConnect } from '../session/debts.js'
import { recordEvents } from '../session/events.js'
import { eligibleAccounts, type Facts, type Position, position, type StepPosition } from '../session/facts.js'
import { loadSession } from '../session/load-session.js'
import { beginChange, writeLockedSession } from '../session/locked-session.js'
import { modeRules } from '../session/modes.js'
import { recipientsOf } from '../session/recipients.js'
import { readConfig, readProgress, type SessionRow } from '../session/session.js'
import { findSessionRows, type SessionRows, saveProgress, withProgress } from '../session/store.js'
import { chooseAccounts } from '../steps/selection/step.js'
import type { Visitor } from '../tokens/bearer.js'
import { finishSession } from './finish.js'
import { nextPosition } from './next-position.js'
import { transitionTo } from './transitions.js'

/** The maximum number of actions before the session must reach a step for the person. */
const MAX_ACTIONS = 12

/**
 * Runs the service's own actions until the person has to act. Each action is stored when it completes, so a crash loses
 * nothing.
 * @param current the session's current data, if known. Each action rereads, under its lock, the data that it depends on
 * @returns the session's data and resulting position, and the events of the actions
 */
export async function advance(
  deps: Deps,
  team: Team,
  { session: id, token: { handle }, bearer }: Pick<Visitor, 'session' | 'token' | 'bearer'>,
  current?: Facts,
): Promise<{ facts: Facts; at: StepPosition; events: FlowEvent[] }> {
  const events: FlowEvent[] = []
  let next = current
  for (let count = 0; count < MAX_ACTIONS; count++) {
    const scope = reading(deps, team)
    const facts = next ?? (await loadCurrent(scope, id, bearer))
    const at = position(facts)
    if ('step' in at) return { facts, at, events }
    next = undefined
    try {
      const input = { facts, handle, bearer }
      const action = await outsideActions[at.auto as OutsideAuto]?.(scope, input)
      const done = await transact(deps, team, outer =>
        batchWrites(outer, async tx => {
          const rows = await findSessionRows(tx, id, bearer, 'person')
          return rows ? (action ?? runNextAction)(tx, rows, input) : noResult
        }),
      )
      const settled = await awaitAction(scope, done)
      events.push(...settled.events)
      next = settled.facts ?? undefined
    } catch (error) {
      if (!(error instanceof OutsideError)) throw error
      await transact(deps, team, tx => saveProgress(tx, id, () => ({ unavailable: true })))
    }
  }
  throw new Error('A session did not reach a stable step.')
}

async function loadCurrent(scope: Scope, id: string, bearer: string): Promise<Facts> {
  const rows = (await findSessionRows(scope, id, bearer))!
  return loadSession(scope, rows.session, bearer, rows)
}

type Auto = Extract<Position, { auto: string }>['auto']
type OutsideAuto = 'match' | 'link'

interface ActionInput {
  /** The session's data when the action was chosen. The action rereads, under its lock, the data that it depends on. */
  facts: Facts
  handle: string
  bearer: string
}

/** The result of an action within its transaction. */
export interface ActionResult {
  /** The session's data after the action; null if other changes may have affected it. */
  facts: Facts | null
  events: FlowEvent[]
  /** A job that the caller waits for after the commit. */
  job: string | null
  /** Returns the result of the action that ran in the job's transaction, once that transaction is committed. */
  resultOfJob?: () => ActionResult | null
}

const asksOf = (deps: Deps, session: SessionRow) =>
  askedProducts(deps, { session, config: readConfig(session), progress: readProgress(session) })

const noResult: ActionResult = { facts: null, events: [], job: null }

/** An action, run in a transaction that has locked the person and the session. */
type Action = (tx: Scope, rows: SessionRows, input: ActionInput) => Promise<ActionResult>

/** The maximum time to wait for questions. */
const QUESTIONS_TIMEOUT_MS = 8_000

/**
 * Waits for the job that an action enqueued.
 * @returns the session's data, if still known, and the events of the action and of the action that followed in the job
 */
export async function awaitAction(
  { deps, team }: Scope,
  { facts, events, job, resultOfJob }: ActionResult,
): Promise<Pick<ActionResult, 'facts' | 'events'>> {
  if (job === null) return { facts, events }
  await withoutSlot(deps, () => deps.jobs.settle(team.id, job, QUESTIONS_TIMEOUT_MS))
  const done = resultOfJob?.()
  return { facts: done?.facts ?? null, events: [...events, ...(done?.events ?? [])] }
}

/**
 * Runs the session's next action in the same transaction, which has locked the person and the session. Does nothing if
 * the next step requires the person or an external service.
 */
export const runNextAction: Action = async (tx, rows, input) => {
  const at = position(input.facts)
  return 'step' in at || isOutside(at.auto) ? noResult : actions[at.auto](tx, rows, input)
}

async function matchIdentity(scope: Scope, { facts }: ActionInput): Promise<Action> {
  const { entity } = facts
  const call = { ...createPortCall(scope, entity.id), details: readDetails(scope, entity) }
  const result = await withoutSlot(scope.deps, () => scope.deps.ports.identity.match(call))
  return async (tx, rows, input) => {
    const { session: before, entity: row } = rows
    // If the details have been replaced since the match started, the match runs again.
    if (row.details !== entity.details) return noResult
    const matched = row.matched === 0 ? await storeMatch(tx, row, result) : undefined
    const change = () => ({ missing: result.matched ? [] : result.missing })
    const session = withProgress(tx, before, change)
    if (matched && before.progress === facts.session.progress) {
      const attempts = await attemptsLeft(tx, matched.row)
      const next = { ...facts, session, progress: readProgress(session), entity: matched.row, attempts }
      const read = { latest: matched.latest, attempts }
      // The next action writes the session's row together with its own change.
      if ('auto' in position(next))
        return runNextAction(tx, { ...rows, session, entity: matched.row, read }, { ...input, facts: next })
    }
    await saveProgress(tx, before, change)
    return noResult
  }
}

/** Returns an action's input data, updated with the rows that the action's transaction has locked and changed. */
const withCurrentRows = (
  facts: Facts,
  { session, entity, connect }: SessionRows,
  attempts: RemainingAttempts,
): Facts => ({
  ...facts,
  session,
  progress: readProgress(session),
  entity,
  connect,
  phoneDue: false,
  attempts,
})

/**
 * Runs the session's next action in the transaction that records the proof of a phone or an identity.
 * @param input the session's data when the proof was requested. If the session has changed since then, no action runs,
 * and the data is reread before the page is shown
 * @param recordBearerProof records the bearer's proof; returns false if the bearer has been revoked
 * @returns the work for that transaction, and a function that returns the work's result once the transaction is
 *   committed. Calling the function ends the wait. If a proof arrives later, the page's next call runs the action and
 *   receives the action's events
 */
export function createProofHooks(
  input: ActionInput,
  recordBearerProof?: (tx: Scope, entity: string) => Promise<boolean>,
): { proving: VerdictHooks; done: () => ActionResult | null } {
  let rows: SessionRows | undefined
  let done: ActionResult | null = null
  let isCallerWaiting = true
  return {
    done() {
      isCallerWaiting = false
      return done
    },
    proving: {
      async hold(tx) {
        rows = await findSessionRows(tx, input.facts.session.id, input.bearer, 'person')
        return rows?.entity
      },
      async verified(tx, verified, { latest }) {
        const isProven = recordBearerProof ? await recordBearerProof(tx, verified.id) : rows?.isProven
        // Once the person is verified, the customer can use products, whether or not the session continues.
        if (!rows) return
        const isLimiting = modeRules[rows.session.mode].accounts === 'found' && isVerified(verified)
        // mutant: access-is-limited-at-the-proof (false)
        const entity = isLimiting ? await limitAccess(tx, verified, asksOf(tx.deps, rows.session), latest) : verified
        if (!isProven || !isCallerWaiting) return
        const { session, connect } = rows
        const { facts } = input
        const isSame = session.revision === facts.session.revision && session.progress === facts.session.progress
        if (!isSame || connect?.id !== facts.connect?.id) return
        const attempts = await attemptsLeft(tx, entity)
        const proven = { ...rows, entity, isProven: true, read: { latest, attempts } }
        const result = await runNextAction(tx, proven, { ...input, facts: withCurrentRows(facts, proven, attempts) })
        tx.after(() => {
          done = result
        })
      },
    },
  }
}

/** The actions that begin with a call to an external service, before their transaction. */
const outsideActions: Record<OutsideAuto, (scope: Scope, input: ActionInput) => Promise<Action>> = {
  match: matchIdentity,
  link: prepareLinks,
}
const isOutside = (auto: Auto): auto is OutsideAuto => auto in outsideActions

/**
 * Reads the institutions that the person has linked and prepares the page for linking more. The step is skipped if all
 * of them work and their accounts have been found since.
 */
async function prepareLinks(scope: Scope, { facts }: ActionInput): Promise<Action> {
  const { entity, progress } = facts
  const save = await withoutSlot(scope.deps, () => preparePage(scope, entity, progress.came ?? 0))
  return async (tx, { session }) => {
    const links = await save(tx)
    const isComplete = links.institutions.length > 0 && links.institutions.every(({ status }) => status !== 'repair')
    if (progress.linked !== null || !isComplete || session.progress !== facts.session.progress) return noResult
    if (await findReusableConnect(tx, session, links.linked_at))
      await saveProgress(tx, session, () => ({ linked: true }))
    return noResult
  }
}

const actions: Record<Exclude<Auto, OutsideAuto>, Action> = {
  async finish(tx, rows, { handle, bearer }) {
    // Rereads the accounts, which may have changed during an external call.
    const facts = await loadSession(tx, rows.session, bearer, rows, 'accounts')
    const at = position(facts)
    return 'auto' in at && at.auto === 'finish' ? finishSession(tx, rows, facts, handle) : noResult
  },

  async questions(tx, { session, entity, read }, input) {
    const { facts } = input
    if (entity.identity_verified_at !== null || session.progress !== facts.session.progress) return noResult
    // A person's questions and attempt limit are the same for all of their tokens. The entity points to its latest
    // session.
    const open = entity.identity_session === null ? undefined : await openQuestions(tx, entity.id)
    if (open) {
      await saveProgress(tx, session, () => ({ identity_session: open.id }))
      return noResult
    }
    // The session's new row exists only after the job is enqueued, so `facts` is replaced below.
    const proofInput = { ...input }
    const { proving, done } = createProofHooks(proofInput)
    const verification = await createSession(
      tx,
      entity,
      'identity',
      'kba',
      {},
      { inFrame: true, read: read ?? {}, proving },
    )
    const after = await saveProgress(tx, session, () => ({ identity_session: verification.row.id }))
    proofInput.facts = { ...facts, session: after! }
    return { ...noResult, job: verification.job, resultOfJob: done }
  },

  /** Continues without asking if the person already agreed to everything in earlier sessions. */
  async agree(tx, rows, { handle, bearer }) {
    const { session } = rows
    const facts = await loadSession(tx, session, bearer, rows)
    const at = position(facts)
    if (!('auto' in at) || at.auto !== 'agree') return noResult
    const { carried } = facts.outstanding!
    const move = transitionTo(facts.progress, { step: 'consent' }, session)
    await saveProgress(tx, session, () => ({
      consented: true,
      carried: carried.map(({ id }) => id),
      locale: carried.at(-1)!.locale,
      recipients: recipientsOf(tx.deps, facts.progress),
      ...move.shown,
    }))
    return { ...noResult, events: await recordEvents(tx, session, handle, move.events) }
  },

  async connect(tx, { session, entity, isProven, read }, { facts, handle, bearer }) {
    if (session.connect_id !== null || session.progress !== facts.session.progress) return noResult
    const isFirst = read?.latest !== undefined && read.latest['connect'] === undefined
    const reusable = isFirst ? undefined : await findReusableConnect(tx, session, facts.link?.links?.linked_at)
    const limited = await limitAccess(tx, entity, asksOf(tx.deps, session), read?.latest)
    const chosen = facts.config.sharing === 'chosen'
    const record = reusable ?? (await createRecord(tx, connect, limited, { products: [], chosen })).row
    if (entity.element_connect_at === null) await writeEntityLater(tx, entity.id, { element_connect_at: tx.now })
    const earlier = facts.config.terms && !isFirst ? await findEarlierChoice(tx, session) : null
    const changed = earlier ? withProgress(tx, session, () => ({ earlier })) : session
    const row = { ...changed, connect_id: record.id, revision: session.revision + 1, updated_at: tx.now }
    // The accounts from an earlier search have not been read yet.
    const held = { tx, row, stored: session, events: [], isStale: reusable !== undefined, entity: limited }
    const after = await nextPosition(
      held,
      { ...facts, phoneDue: !isProven, session: row, connect: record, entity: limited },
      bearer,
    )
    return { facts: after.facts, events: await writeLockedSession(held, handle), job: null }
  },

  /** Carries over the choice from the person's last connect session. */
  async select(tx, rows, { bearer, handle }) {
    const facts = await loadSession(tx, rows.session, bearer, rows, 'accounts')
    const at = position(facts)
    if (!('auto' in at) || at.auto !== 'select') return noResult
    const held = beginChange(tx, rows.session)
    const call = { scope: tx, session: rows.session.id, handle, bearer, facts, address: undefined, held, events: [] }
    const ids = eligibleAccounts(facts).map(({ row }) => row.id)
    await chooseAccounts(call, ids)
    const after = await nextPosition(held, facts, bearer)
    return { facts: after.facts, events: await writeLockedSession(held, handle), job: null }
  },

  async refresh(tx, rows) {
    // Reads the data under the lock, so that two pages opened by the same person make only one request.
    const { stale } = await loadSession(tx, rows.session, undefined, rows)
    for (const row of stale) await createRecord(tx, update, row, { source: 'direct' })
    return noResult
  },
}
