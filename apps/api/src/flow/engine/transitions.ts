import { type BlockedReason, type Step, steps } from '@causeway/contract/session'
import type { NewFlowEvent } from '../session/events.js'
import type { Progress, SessionRow, ShownProgress } from '../session/session.js'
import { registry } from './registry.js'

/** Returns a step's flow. In the `transactions` mode, accounts are searched and chosen in the flow of that name. */
function flowOf(mode: SessionRow['mode'], step: Step) {
  const { flow } = registry[step]
  return mode === 'transactions' && flow === 'connect' ? 'transactions' : flow
}

/** A move to another step: the detailed stream's events, and the progress to store with them. */
export interface Transition {
  events: NewFlowEvent[]
  shown: ShownProgress
}

/** A step to show. `reason` is set for `blocked`. */
type StepToShow = { step: Step; reason?: BlockedReason }

/** Returns the move from the step that a session last showed to another step. */
export function transitionTo(
  progress: Progress,
  { step: to, reason }: StepToShow,
  { mode, entity_id }: TransitionSession,
): Transition {
  const { shown: from, interrupted } = progress
  if (from === to) return { events: [], shown: { shown: from, interrupted } }
  const line = (step: Step, action: string): NewFlowEvent[] =>
    flowOf(mode, step) ? [{ type: `${flowOf(mode, step)}.step.${action}`, data: { step } }] : []
  const previousFlow = from && flowOf(mode, from)
  const flow = flowOf(mode, to)
  const isNewFlow = flow !== previousFlow && steps.indexOf(to) > (from ? steps.indexOf(from) : 0)
  // The person's own page requires only the phone, which does not prove identity.
  const isOpen = previousFlow === 'identity_verification' || interrupted
  const isAside = registry[to].place === 'aside'
  const provesIdentity = isOpen && flow !== 'identity_verification' && flow !== 'manage' && !isAside
  // Other flows end with their session, which reports their end.
  const isDone = isNewFlow && !isAside && (previousFlow === 'connect' || previousFlow === 'account_verification')
  const events = [
    ...(from ? line(from, 'completed') : []),
    ...(provesIdentity ? identityEvents(entity_id) : []),
    ...(isDone
      ? [{ type: `${previousFlow}.flow.completed`, data: { entity_id, accounts: keptAccounts(progress) } }]
      : []),
    ...((isNewFlow || from === null) && flow ? [{ type: `${flow}.flow.started`, data: null }] : []),
    ...line(to, 'started'),
    // The event for a number that belongs to someone else was already sent.
    ...(reason === undefined || reason === 'not_me' ? [] : [sessionError(reason)]),
  ]
  return { events, shown: { shown: to, interrupted: isAside && isOpen } }
}

type TransitionSession = Pick<SessionRow, 'mode' | 'entity_id'>

/** Returns the chosen accounts that were not dropped. */
const keptAccounts = ({ selected, dropped }: Progress): string[] => (selected ?? []).filter(id => !(id in dropped))

/** Returns the event for a session that can't continue. It contains only the reason's code. */
const sessionError = (reason: BlockedReason): NewFlowEvent => ({
  type: 'opal.session.errored',
  data: {
    type: reason === 'unavailable' ? 'API_ERROR' : 'INVALID_REQUEST',
    sub_type: reason.toUpperCase(),
    message: `The session can't continue. The reason is ${reason}.`,
  },
})

/** Returns the events for a verified identity. */
const identityEvents = (entity_id: string | null): NewFlowEvent[] =>
  ['identity', 'flow'].map(object => ({ type: `identity_verification.${object}.completed`, data: { entity_id } }))
