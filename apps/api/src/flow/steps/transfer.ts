import { type Allocations, problems } from '@causeway/contract/allocations'
import type { StepError } from '@causeway/contract/session'
import { z } from 'zod'
import { parse } from '../../platform/http/body.js'
import { transact } from '../../platform/scope.js'
import { chosen, payable } from '../sessions/facts.js'
import { confirm } from '../sessions/finish.js'
import { authorization } from '../sessions/modes.js'
import { saveProgress } from '../sessions/store.js'
import { agreedIn, fine, type Handler, keepConsents, save, wrong } from './call.js'

/** The problems of allocations as the frame shows them. */
function asErrors(found: ReturnType<typeof problems>): StepError[] {
  return found.map(problem => {
    const { code, ...rest } = problem
    const { account, ...values } = { account: null, ...rest } as { account: string | null } & Record<string, number>
    return { field: account, code, values }
  })
}

export const allocation: Handler = async (call, input) => {
  const accounts = chosen(call.facts).map(payable)
  const amounts = parse(
    z.record(z.string().max(64), z.number()),
    input['allocations'] ?? {},
    'allocations',
  ) as Allocations
  const found = problems(amounts, accounts, call.facts.config.terms!)
  if (found.length > 0) return asErrors(found)
  await save(call, () => ({ draft: amounts, reviewing: true }))
  return fine
}

export const review: Handler = async (call, input) => {
  const { facts } = call
  const locale = parse(z.string().max(35).optional(), input['locale'], 'locale')
  const amounts = facts.progress.draft ?? {}
  const found = problems(amounts, chosen(facts).map(payable), facts.config.terms!)
  if (found.length > 0) {
    await save(call, () => ({ reviewing: false }))
    return asErrors(found)
  }
  await transact(call.scope.deps, call.scope.team, async tx => {
    await keepConsents(tx, call, [authorization], locale ?? (await agreedIn(tx, call.session)))
    await confirm(tx, facts, amounts, call.handle)
  })
  return fine
}

export const done: Handler = async (call, input) => {
  if (input['action'] !== 'edit' || !call.facts.config.terms || call.facts.session.released_at !== null)
    return wrong(null, 'changed')
  await save(call, () => ({ editing: true, reviewing: false, draft: null }))
  return fine
}

export const blocked: Handler = async call => {
  await transact(call.scope.deps, call.scope.team, tx =>
    saveProgress(
      tx,
      call.session,
      () => ({
        unavailable: false,
        ...(call.facts.identitySession?.status === 'failed' ? { identity_session: null } : {}),
      }),
      call.facts.connect?.status === 'failed' ? { connect_id: null } : {},
    ),
  )
  return fine
}
