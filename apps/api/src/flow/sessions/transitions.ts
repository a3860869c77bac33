import { type Step, steps } from '@causeway/contract/session'
import { registry } from '../steps/registry.js'
import type { NewFlowEvent } from './events.js'
import type { Progress } from './session.js'

const flowOf = (step: Step) => registry[step].flow

/** A move to another step: the detailed stream's events, and the progress to store with them. */
export interface Move {
  events: NewFlowEvent[]
  shown: Pick<Progress, 'shown' | 'interrupted'>
}

/** Returns the move from the step that a session last showed to another step. */
export function moves({ shown: from, interrupted }: Move['shown'], to: Step, entity_id: string | null): Move {
  if (from === to) return { events: [], shown: { shown: from, interrupted } }
  const line = (step: Step, action: string): NewFlowEvent[] =>
    flowOf(step) ? [{ type: `${flowOf(step)}.step.${action}`, data: { step } }] : []
  const left = from && flowOf(from)
  const flow = flowOf(to)
  const entered = flow !== left && steps.indexOf(to) > (from ? steps.indexOf(from) : 0)
  // Other flows end with their session, so the session's event reports the end of the flow. The person's own page
  // requires only the phone, which does not prove identity.
  const isOpen = left === 'identity_verification' || interrupted
  const isAside = registry[to].place === 'aside'
  const known = isOpen && flow !== 'identity_verification' && flow !== 'manage' && !isAside
  const events = [
    ...(from ? line(from, 'completed') : []),
    ...(known ? identified(entity_id) : []),
    ...((entered || from === null) && flow ? [{ type: `${flow}.flow.started`, data: null }] : []),
    ...line(to, 'started'),
  ]
  return { events, shown: { shown: to, interrupted: isAside && isOpen } }
}

/** Returns the events for a verified identity. */
const identified = (entity_id: string | null): NewFlowEvent[] =>
  ['identity', 'flow'].map(object => ({ type: `identity_verification.${object}.completed`, data: { entity_id } }))

/**
 * The type of {@link moves}. Steps receive the function as part of their call, because importing it would create a
 * cycle through the registry.
 */
export type Moves = typeof moves
