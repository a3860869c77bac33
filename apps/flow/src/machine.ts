/**
 * The app's state machine as a pure function: `reduce(state, message)` returns the next state and the commands to run.
 * The service controls the flow. This state machine handles only calls, tokens and failures.
 */

import type { AuthReason, ExitReason, ToHost } from '@causeway/contract/frame'
import type { ElementMode, RedeemAnswer, SessionView, Step } from '@causeway/contract/session'
import type { AnyInput, Fault } from './frame-client.js'

type Call =
  | { kind: 'redeem'; token: string; exchange_id: string; prepared: boolean }
  | { kind: 'open' }
  | { kind: 'step'; step: Step; revision: number; input: AnyInput }
  | { kind: 'refresh' }

/** `opening`: there is no view yet. `over`: the host provided no token. `refused`: this page may not embed the flow. */
export type Phase = 'opening' | 'flow' | 'over' | 'refused' | 'closed'

export interface State {
  phase: Phase
  view: SessionView | null
  bearer: string | null
  /** The embedding origin and the element's mode. Both are null on a hosted page. Some elements accept any mode: null. */
  origin: string | null
  mode: ElementMode | null
  /** The current call if `busy` is true. Otherwise, the call that `retry` repeats unchanged. */
  call: Call | null
  busy: boolean
  /** The number of the latest call, used to discard outdated responses. */
  turn: number
  fault: Fault | null
  /**
   * A step that the person submitted before the session started, or that was interrupted when the session ended. The
   * step is sent later if the view's step and revision are unchanged.
   */
  held: Extract<Call, { kind: 'step' }> | null
  /** The number of tokens rejected since the last view. */
  rejections: number
  /** The number of consecutive polls of the same step. `failures` is the number of consecutive failed polls. */
  polls: number
  failures: number
  ready: boolean
  /**
   * True while the session is prepared but not yet shown. Once the token is redeemed, the app makes no calls until
   * `open`.
   */
  hidden: boolean
}

export type Message =
  | { type: 'refused' }
  | { type: 'opened'; origin: string | null; mode: ElementMode | null; view: SessionView | null; hidden: boolean }
  | { type: 'open' }
  | { type: 'token'; token: string | null; exchange_id: string }
  | { type: 'redeemed'; turn: number; answer: RedeemAnswer }
  | { type: 'viewed'; turn: number; view: SessionView }
  | { type: 'failed'; turn: number; fault: Fault }
  | { type: 'submit'; input: AnyInput }
  | { type: 'retry' }
  | { type: 'edited' }
  | { type: 'online' }
  | { type: 'refresh' }
  | { type: 'exit'; reason: ExitReason }
  | { type: 'close' }
  | { type: 'leave' }

export type Command =
  | { do: 'call'; turn: number; call: Call; bearer: string | null }
  | { do: 'tell'; message: ToHost }
  | { do: 'poll'; after: number }
  | { do: 'rest' }
  | { do: 'leave'; bearer: string }

export const initial: State = {
  phase: 'opening',
  view: null,
  bearer: null,
  origin: null,
  mode: null,
  call: null,
  busy: false,
  turn: 0,
  fault: null,
  held: null,
  rejections: 0,
  polls: 0,
  failures: 0,
  ready: false,
  hidden: false,
}

type Next = [State, Command[]]

const grow = (first: number, most: number, polls: number) => Math.min(most, Math.round(first * 1.25 ** polls))

/**
 * Returns the delay before the next poll, in milliseconds: 700 at first, rising gradually to 2000, or 5000 while polls
 * keep failing.
 */
export const pollDelay = (polls: number, failures: number): number => (failures > 1 ? 5000 : grow(700, 2000, polls))

/**
 * The maximum number of polls on the last screen of a balance transfer. The polls span about half an hour in total, so
 * that a page left open doesn't stay signed in indefinitely.
 */
const MAX_DONE_POLLS = 40

/** Returns true if the service is waiting for something other than the person's input here. */
const isWaiting = (view: SessionView | null): boolean | undefined =>
  (view?.data as { waiting?: boolean } | undefined)?.waiting

/**
 * Schedules the next poll during a waiting step, or after the end of the flow while payments may still change. Payments
 * change slowly, so the polls after the end are 5 s to a minute apart.
 */
function nextPoll(view: SessionView | null, polls: number, failures: number): Command {
  const isPaying = view?.step === 'done' && view.data.terms && polls < MAX_DONE_POLLS
  const after = isWaiting(view) ? pollDelay(polls, failures) : isPaying && grow(5000, 60_000, polls)
  return after ? { do: 'poll', after } : { do: 'rest' }
}

const requestToken = (reason: AuthReason): Command => ({ do: 'tell', message: { type: 'auth.request', reason } })

function start(state: State, call: Call): Next {
  const turn = state.turn + 1
  const busy = call.kind === 'step' || (call.kind === 'redeem' && state.busy)
  const next = { ...state, call, turn, busy, fault: null }
  return [next, [{ do: 'call', turn, call, bearer: state.bearer }]]
}

/** Ends the host's loading state as soon as any content is visible. */
function shown(state: State): Next {
  return state.ready || (state.hidden && state.bearer === null && !state.fault)
    ? [state, []]
    : [{ ...state, ready: true }, [{ do: 'tell', message: { type: 'ready' } }]]
}

/**
 * Returns true on the screens with nothing left to finish: the flow's last screen, and the page where the person
 * manages sharing.
 */
export const isEnd = (view: SessionView | null): boolean => view?.step === 'done' || view?.step === 'manage'

function telling(view: SessionView, before: SessionView | null): Command[] {
  const out: Command[] = view.events.map(event => ({ do: 'tell', message: { type: 'event', event } }))
  if (!isEnd(view) || isEnd(before)) return out
  const { session_id, entity_id, accounts, result } = view
  if (before?.step === 'review' && view.step === 'done' && view.data.terms) {
    const { allocations, terms } = view.data
    // Calculate the remainder here, because importing the allocation rules would add them to the first screen's files.
    const residual_amount = Object.values(allocations).reduce((left, amount) => left - amount, terms.loan_amount)
    out.push({
      do: 'tell',
      message: { type: 'allocations.confirmed', session_id, entity_id, allocations, residual_amount },
    })
  }
  out.push({ do: 'tell', message: { type: 'success', session_id, entity_id, accounts, result } })
  return out
}

/** Handles a new view: shows it, reports its events to the host, and continues polling during a waiting step. */
function arrive(state: State, view: SessionView): Next {
  const before = state.view
  const polls = before?.step === view.step ? state.polls + 1 : 0
  const [next, first] = shown({
    ...state,
    phase: 'flow',
    view,
    call: null,
    busy: false,
    fault: null,
    held: null,
    rejections: 0,
    failures: 0,
    polls,
  })
  const commands = [...first, ...telling(view, before)]
  if (view.step === 'done' && view.data.continues) {
    // The screen stays until the first screen of the balance transfer arrives.
    const call: Call = { kind: 'step', step: view.step, revision: view.revision, input: { action: 'continue' } }
    const [further, sent] = start({ ...next, view: before ?? view }, call)
    return [further, [...commands, ...sent]]
  }
  if (state.held && state.held.step === view.step && state.held.revision === view.revision) {
    const [again, sent] = start(next, state.held)
    return [again, [...commands, ...sent]]
  }
  commands.push(state.hidden ? { do: 'rest' } : nextPoll(view, polls, 0))
  return [next, commands]
}

const report = (fault: Fault, recoverable: boolean): Command => ({
  do: 'tell',
  message: {
    type: 'error',
    error_type: fault.error_type,
    sub_type: fault.sub_type,
    message: fault.message,
    recoverable,
    request_id: fault.request_id,
  },
})

/** Requests another token from the host. Keeps the interrupted step and the person's input. */
function renew(state: State, reason: AuthReason): Next {
  const held = state.call?.kind === 'step' ? state.call : state.held
  return [{ ...state, bearer: null, call: null, busy: true, fault: null, held }, [{ do: 'rest' }, requestToken(reason)]]
}

function fail(state: State, fault: Fault): Next {
  if (fault.kind === 'expired' && state.call?.kind !== 'redeem') return renew(state, 'expired')
  if (fault.kind === 'rejected' || fault.kind === 'expired') {
    if (state.rejections === 0) {
      const [next, commands] = renew(state, 'rejected')
      return [{ ...next, rejections: 1 }, commands]
    }
    const [next, commands] = shown({ ...state, phase: 'over', busy: false, call: null, fault, rejections: 0 })
    return [next, [...commands, report(fault, true)]]
  }
  if (fault.kind === 'misplaced') {
    const [next, commands] = shown({ ...state, phase: 'refused', busy: false, call: null, fault })
    return [next, [...commands, { do: 'rest' }, report(fault, false)]]
  }
  if (state.call?.kind === 'refresh') {
    // Show the error of a background poll only if polls keep failing during a waiting step.
    const failures = state.failures + 1
    const waiting = isWaiting(state.view)
    const next = {
      ...state,
      call: waiting ? state.call : null,
      failures,
      fault: waiting && failures > 2 ? fault : null,
      polls: waiting ? state.polls : state.polls + 1,
    }
    return [next, [nextPoll(state.view, next.polls, failures)]]
  }
  const [next, commands] = shown({ ...state, busy: false, fault })
  return [next, [...commands, report(fault, true)]]
}

export function reduce(state: State, message: Message): Next {
  if (state.phase === 'closed') return [state, []]
  switch (message.type) {
    case 'refused':
      return [{ ...state, phase: 'refused' }, []]
    case 'opened': {
      const { origin, mode, view, hidden } = message
      if (!view) return [{ ...state, origin, mode, hidden, busy: true }, [requestToken('initial')]]
      // The page was served with its first screen, which is shown while the token is exchanged.
      const [next, commands] = shown({ ...state, origin, mode, view, hidden, phase: 'flow' })
      return [next, [requestToken('initial'), ...commands]]
    }
    case 'open': {
      const [next, commands] = shown({ ...state, hidden: false })
      const [after, sent] = begin(next)
      return [after, [...commands, ...sent]]
    }
    case 'token': {
      if (state.bearer !== null || state.call?.kind === 'redeem') return [state, []]
      if (message.token === null) {
        const [next, commands] = shown({ ...state, phase: 'over', busy: false })
        return [next, commands]
      }
      return start(
        { ...state, phase: state.view ? 'flow' : 'opening' },
        { kind: 'redeem', token: message.token, exchange_id: message.exchange_id, prepared: state.hidden },
      )
    }
    case 'redeemed': {
      if (message.turn !== state.turn) return [state, []]
      const { bearer, view = state.view } = message.answer
      if (state.call?.kind !== 'redeem' || !state.call.prepared) return arrive({ ...state, bearer }, view!)
      const busy = state.held !== null
      const ready = { ...state, bearer, view, busy, call: null, fault: null, rejections: 0 }
      const [next, commands] = shown({ ...ready, phase: view ? 'flow' : 'opening' })
      const [after, sent] = next.hidden ? [next, []] : begin(next)
      return [after, [...commands, ...sent]]
    }
    case 'viewed':
      if (message.turn !== state.turn) return [state, []]
      return arrive(state, message.view)
    case 'failed':
      if (message.turn !== state.turn) return [state, []]
      return fail(state, message.fault)
    case 'submit': {
      if (state.phase !== 'flow' || state.busy || !state.view || state.hidden) return [state, []]
      const { step, revision } = state.view
      const call: Call = { kind: 'step', step, revision, input: message.input }
      if (state.bearer !== null && state.call?.kind !== 'open') return start(state, call)
      // The person submitted the step before the session started. Send it once the session has started.
      const next = { ...state, busy: true, held: call }
      return state.call && state.fault ? start(next, state.call) : [next, []]
    }
    case 'retry':
      if (state.busy) return [state, []]
      if (state.phase === 'over') return renew({ ...state, phase: state.view ? 'flow' : 'opening' }, 'expired')
      return state.call ? start({ ...state, busy: true }, state.call) : [state, []]
    case 'edited': {
      // The person changed the input of a failed or held step, or chose something else. Discard the old step.
      if (!state.fault) return [state, []]
      const next = { ...state, held: null }
      return [state.call?.kind === 'step' ? { ...next, call: null, fault: null } : next, []]
    }
    case 'online':
      // Repeating a step is safe, because the service applies it only once.
      return reduce(state, { type: isCutOff(state) ? 'retry' : 'refresh' })
    case 'refresh':
      // If a call is waiting to be retried, skip the poll. The response to that call will contain the current view.
      if (state.phase !== 'flow' || state.busy || !state.bearer || state.hidden) return [state, []]
      if (state.call && state.call.kind !== 'refresh') return [state, []]
      return keep(state.fault, start(state, { kind: 'refresh' }))
    case 'exit':
      return [state, [{ do: 'tell', message: { type: 'exit.request', reason: message.reason } }]]
    case 'close':
      return [
        { ...state, phase: 'closed', bearer: null, call: null, busy: false, held: null },
        [{ do: 'rest' }, ...leave(state)],
      ]
    case 'leave':
      return [state, leave(state)]
  }
}

/** Returns true if a call failed because it did not reach the service, unless the call was a poll. */
const isCutOff = ({ call, fault }: State): boolean =>
  call !== null && call.kind !== 'refresh' && (fault?.kind === 'offline' || fault?.kind === 'unavailable')

/** Starts a prepared session if its token has been exchanged. */
const begin = (state: State): Next => (state.bearer === null ? [state, []] : start(state, { kind: 'open' }))

/** Reports that the person left before the end of the flow. After the end, there is nothing to report. */
const leave = ({ bearer, view, hidden }: State): Command[] =>
  bearer !== null && !hidden && !isEnd(view) ? [{ do: 'leave', bearer }] : []

/** Keeps the error message on screen during a background poll to prevent flicker. */
function keep(fault: Fault | null, [state, commands]: Next): Next {
  return [{ ...state, fault }, commands]
}
