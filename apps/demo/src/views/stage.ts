import type { OpalSession, Payment } from '@causeway/sdk'
import { html } from 'hono/html'
import { isLost, paymentsOf, unpaidOf } from '../network.js'
import type { View } from './layout.js'

/** A label on a colored background. */
export const badge = ([label, tone]: readonly [string, string]): View =>
  html`<span class="badge ${tone}">${label}</span>`

/** Returns a case's state and its color. */
export function stageOf(session: OpalSession | null, payments: readonly Payment[]): [label: string, tone: string] {
  if (session?.bt?.payout_status === 'released') {
    const made = Object.values(paymentsOf(session, payments))
    if (unpaidOf(session, payments).length > 0) return [made.every(isLost) ? 'Failed' : 'Partly paid', 'bad']
    return made.some(isLost) ? ['Needs attention', 'bad'] : ['Released', 'good']
  }
  if (session?.bt?.completed) return ['Ready to release', 'busy']
  return [session ? 'Borrower is choosing' : 'Accounts not chosen', 'calm']
}
