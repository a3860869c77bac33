import { type Step, steps } from '@causeway/contract/session'
import { registry } from '../steps/registry.js'
import type { NewFlowEvent } from './events.js'

const flowOf = (step: Step) => registry[step].flow

/** Returns the detailed stream's events for a move from one step to another. */
export function moves(from: Step | null, to: Step, entity_id: string | null): NewFlowEvent[] {
  if (from === to) return []
  const line = (step: Step, action: string): NewFlowEvent[] =>
    flowOf(step) ? [{ type: `${flowOf(step)}.step.${action}`, data: { step } }] : []
  const left = from && flowOf(from)
  const flow = flowOf(to)
  const entered = flow !== left && steps.indexOf(to) > (from ? steps.indexOf(from) : 0)
  // Other flows end with their session, and the session's event reports their end. The person's own page requires only
  // the phone, which does not prove identity.
  const known = left === 'identity_verification' && flow !== left && flow !== 'manage' && registry[to].place !== 'aside'
  return [
    ...(from ? line(from, 'completed') : []),
    ...(known ? identified(entity_id) : []),
    ...((entered || from === null) && flow ? [{ type: `${flow}.flow.started`, data: null }] : []),
    ...line(to, 'started'),
  ]
}

/** The events for a proven identity. */
const identified = (entity_id: string | null): NewFlowEvent[] =>
  ['identity', 'flow'].map(object => ({ type: `identity_verification.${object}.completed`, data: { entity_id } }))

/**
 * The type of {@link moves}. Steps receive the function with their call, because importing it would create a cycle
 * through the registry.
 */
export type Moves = typeof moves
