import { total } from '@causeway/contract/allocations'
import { type FlowEvent, type Mode, type SessionView, type StepError, steps } from '@causeway/contract/session'
import { randomText } from '../../platform/crypto/random.js'
import type { Scope } from '../../platform/scope.js'
import { showTime } from '../../platform/show.js'
import type { Team } from '../../platform/team.js'
import { logoPath, shownName } from '../session/brand.js'
import type { Facts, StepPosition } from '../session/facts.js'
import { modeRules } from '../session/modes.js'
import { recipientsOf } from '../session/recipients.js'
import { readAllocations } from '../session/session.js'
import type { TokenRow } from '../session/store.js'
import { RESULT_LIFETIME_S } from '../tokens/lifetimes.js'
import { registry } from './registry.js'

export interface Shown {
  errors?: StepError[]
  events?: FlowEvent[]
  expiresAt: number
  token: TokenRow
}

/** Returns the flow's brand and appearance. */
export function showBrand(team: Team, token: TokenRow): Pick<SessionView, 'brand' | 'appearance'> {
  const { brand, appearance } = team.settings
  return {
    brand: { ...brand, name: shownName(team, token), logo: logoPath(team, token) },
    appearance: (token.appearance ?? appearance) as SessionView['appearance'],
  }
}

/** Returns the position of a mode's last step, for the progress display. */
export const lastStepIndex = (mode: Mode): number => steps.indexOf(modeRules[mode].last)

/** Returns the whole session in the frame's format. */
export async function showView(scope: Scope, facts: Facts, at: StepPosition, shown: Shown): Promise<SessionView> {
  const { session } = facts
  const last = lastStepIndex(session.mode)
  const step = registry[at.step]
  const ends = step.place === 'end'
  const index = ends ? last : step.place === 'aside' ? 0 : Math.min(last, steps.indexOf(at.step))
  const accounts = ends ? doneAccounts(facts) : []
  return {
    session_id: session.id,
    entity_id: session.entity_id ?? '',
    mode: session.mode,
    revision: session.revision,
    progress: { index, total: last },
    can_go_back: step.back?.offered(facts) ?? false,
    ...showBrand(scope.team, shown.token),
    recipients: recipientsOf(scope.deps, facts.progress),
    errors: shown.errors ?? [],
    events: shown.events ?? [],
    accounts,
    result: ends ? await signResult(scope, facts, accounts) : null,
    now: showTime(scope.now),
    expires_at: showTime(shown.expiresAt),
    step: at.step,
    data: await step.show(facts, scope, at),
  } as SessionView
}

function doneAccounts(facts: Facts): string[] {
  return facts.config.terms ? Object.keys(readAllocations(facts.session)) : (facts.progress.selected ?? [])
}

/** Signs a summary of the result, so that a customer's server can verify it without an API call. */
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
  return scope.deps.keys.sign(claims, scope.deps.clock(), RESULT_LIFETIME_S)
}
