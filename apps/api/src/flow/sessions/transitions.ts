import { type Step, steps } from '@causeway/contract/session'
import type { NewFlowEvent } from './events.js'

const flows: Partial<Record<Step, string>> = {
  consent: 'identity_verification',
  phone: 'identity_verification',
  code: 'identity_verification',
  details: 'identity_verification',
  questions: 'identity_verification',
  discovering: 'connect',
  selection: 'connect',
  number: 'account_verification',
  deposits: 'account_verification',
  card: 'account_verification',
  allocation: 'balance_transfer',
  review: 'balance_transfer',
}

/** What moving from one step to another means for the detailed stream. */
export function moves(from: Step | null, to: Step, entity_id: string | null): NewFlowEvent[] {
  if (from === to) return []
  const line = (step: Step, action: string): NewFlowEvent[] =>
    flows[step] ? [{ type: `${flows[step]}.step.${action}`, data: { step } }] : []
  const left = from && flows[from]
  const entered = flows[to] !== left && steps.indexOf(to) > steps.indexOf(from ?? 'consent')
  // Other flows end with their session, which tells of it.
  const known = left === 'identity_verification' && flows[to] !== left && to !== 'blocked'
  return [
    ...(from ? line(from, 'completed') : []),
    ...(known ? identified(entity_id) : []),
    ...((entered || from === null) && flows[to] ? [{ type: `${flows[to]}.flow.started`, data: null }] : []),
    ...line(to, 'started'),
  ]
}

/** The person is who they say they are. */
const identified = (entity_id: string | null): NewFlowEvent[] =>
  ['identity', 'flow'].map(object => ({ type: `identity_verification.${object}.completed`, data: { entity_id } }))
