import type { StepError } from '@causeway/contract/session'
import { OutsideError } from '../../network/ports.js'
import { openFields } from '../../people/accounts/methods/card.js'
import type { SessionData } from '../../people/accounts/methods/method.js'
import { methods } from '../../people/accounts/methods/registry.js'
import { lockAccount } from '../../people/accounts/store.js'
import {
  answerVerification,
  beginVerification,
  openVerification,
  triesLeft,
  verificationData,
} from '../../people/accounts/verification.js'
import { LimitError } from '../../platform/limits/counters.js'
import { type Scope, transact } from '../../platform/scope.js'
import { chosen, due, type Facts, showFound, waiting } from '../sessions/facts.js'
import { modeRules } from '../sessions/modes.js'
import { fine, type Handler, save, say, wrong } from './call.js'
import type { WayBack } from './define-step.js'

/**
 * A step that verifies the account whose turn it is, by a verification session like any other.
 * @param refused the code of an account that can't be verified so, or not any more
 * @param read what was typed as the session takes it, or what is wrong with it
 */
export function prove(
  type: 'standard' | 'network',
  refused: string,
  read: (input: Record<string, unknown>, asked: readonly string[]) => StepError[] | Record<string, string>,
): Handler {
  return async (call, input) => {
    const { scope, facts } = call
    const { id } = waiting(facts)[0]!.row
    const drop = (why: 'skipped' | 'refused') =>
      save(call, progress => ({ dropped: { ...progress.dropped, [id]: why } }))
    if (input['action'] === 'skip') {
      await drop('skipped')
      return fine
    }
    const refuse = async () => {
      await drop('refused')
      return wrong(null, refused, { account: id })
    }
    try {
      const session = await transact(scope.deps, scope.team, async tx => {
        const account = (await lockAccount(tx, id))!
        return (await openVerification(tx, id, type)) ?? (await beginVerification(tx, account, type)).row
      })
      const given = read(input, type === 'network' ? openFields(verificationData(scope, session)) : [])
      if (Array.isArray(given)) return given
      const row = await answerVerification(scope, session.id, { [type]: given })
      if (row.status === 'verified') {
        const what = type === 'network' ? 'card' : 'account'
        await transact(scope.deps, scope.team, tx =>
          say(call, tx, { type: `account_verification.${what}.verified`, data: { account: id } }),
        )
        return fine
      }
      const data = verificationData(scope, row)
      const tries_left = await triesLeft(scope, id, type, data)
      if (row.status !== 'pending' || tries_left === 0) return await refuse()
      const fields = type === 'network' ? openFields(data) : ['number']
      return fields.flatMap(field => wrong(field, 'incorrect', { tries_left }))
    } catch (error) {
      if (error instanceof OutsideError) return wrong(null, 'unavailable')
      if (error instanceof LimitError) return refuse()
      throw error
    }
  }
}

/** The account that has something to show next, by a session of this type, and which of how many it is. */
export async function turn(scope: Scope, facts: Facts, type: 'standard' | 'network') {
  const { config, progress, session } = facts
  const left = waiting(facts)
  const { row } = left[0]!
  const proven = chosen(facts).filter(
    found => due(config, found.row) === null && (found.row.verified_at ?? 0) >= session.created_at,
  )
  const dropped = Object.keys(progress.dropped).filter(id => progress.selected?.includes(id))
  const past = proven.length + dropped.length
  const open = await openVerification(scope, row.id, type)
  const method = methods[type]!
  const data: SessionData = open ? verificationData(scope, open) : { tries: 0, ...method.begin(scope, row) }
  return {
    account: showFound(facts, left[0]!),
    tries_left: await triesLeft(scope, row.id, type, data),
    index: past + 1,
    count: past + left.length,
    skippable: modeRules[session.mode].accounts === 'found',
    data,
  }
}

/** The way back from a step that verifies the accounts of a choice. */
export const backToSelection: WayBack = {
  offered: ({ session }) => session.completed_at === null && modeRules[session.mode].accounts === 'found',
  async take(call) {
    await save(call, () => ({ choosing: true }))
    return fine
  },
}
