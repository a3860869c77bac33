import { methods } from '../../../people/accounts/methods/registry.js'
import { createVerification, openVerification, verificationData } from '../../../people/accounts/verification.js'
import { answerVerification } from '../../../people/accounts/verification-tries.js'
import { lockAccount } from '../../../people/holders/store.js'
import { addBusinessDays, pullDate } from '../../../platform/calendar/calendar.js'
import { LimitError } from '../../../platform/limits/counters.js'
import { type Scope, transact } from '../../../platform/scope.js'
import { showTime } from '../../../platform/show.js'
import { type Facts, type SessionAccount, showAccount, unprovenAccounts } from '../../session/facts.js'
import { lockSession, saveProgress } from '../../session/store.js'
import {
  afterCommit,
  type Call,
  noErrors,
  recordAttempt,
  recordCallEvents,
  type StepResult,
  stepErrors,
} from '../call.js'
import { defineStep } from '../define-step.js'

const TYPE = 'micro_deposits'
const fields = ['first', 'second'] as const
/**
 * The maximum time that a call waits for the deposits to be sent. The wait lets the page show an immediate
 * rejection by the bank.
 */
const SEND_TIMEOUT_MS = 3_000

/** Verifies a bank account with two deposits, whose amounts only the account holder can see. */
export const deposits = defineStep({
  name: 'deposits',
  flow: 'account_verification',
  tries: { most: methods[TYPE]!.maxAttempts, left: triesLeft },
  show(facts, scope) {
    const account = unprovenAccounts(facts)[0]!
    const open = openDeposits(account)
    // No deposit can arrive before both are sent.
    const isAwaited = open?.status === 'pending' || open?.id === facts.progress.awaited
    return {
      account: showAccount(facts, account),
      state: !open ? 'offer' : isAwaited ? 'sent' : 'amounts',
      sent_at: open?.status === 'in_progress' ? showTime(open.created_at) : null,
      arrive_by: open && arrival(open.created_at),
      tries_left: triesLeft(facts, scope),
    }
  },
  async take(call, input) {
    if (input['action'] === 'send') return afterCommit(call, () => send(call))
    // Any action ends the wait, so the `enter` action needs no further work.
    return input['action'] === 'enter' ? noErrors : afterCommit(call, () => answer(call, input))
  },
})

const openDeposits = ({ deposits }: SessionAccount) => (deposits?.status === 'failed' ? null : deposits)

function triesLeft(facts: Facts, scope: Scope): number {
  const open = openDeposits(unprovenAccounts(facts)[0]!)
  return methods[TYPE]!.maxAttempts - (open ? verificationData(scope, open).tries : 0)
}

/**
 * Returns noon on the second business day after the deposits are sent. Deposits arrive at every bank by the end of that
 * day.
 */
const arrival = (time: number) => `${addBusinessDays(pullDate(time), 2)}T18:00:00.000Z`

/** Starts a verification session, which sends the deposits. If the customer has already started one, uses that one. */
async function send(call: Call): Promise<StepResult> {
  const { scope, facts, session } = call
  const { id } = unprovenAccounts(facts)[0]!.row
  const begun = await transact(scope.deps, scope.team, async tx => {
    await lockSession(tx, session)
    const account = (await lockAccount(tx, id))!
    if (await openVerification(tx, id, TYPE)) return null
    const begun = await createVerification(tx, account, TYPE)
    await saveProgress(tx, session, () => ({ awaited: begun.row.id }))
    await recordCallEvents(call, tx, { type: 'account_verification.deposits.sent', data: { account: id } })
    return begun.job
  }).catch(error => {
    if (error instanceof LimitError) return error
    throw error
  })
  if (begun instanceof LimitError) return stepErrors(null, 'too_many_deposits', { retry_at: showTime(begun.retryAt) })
  if (begun !== null) await scope.deps.jobs.settle(scope.team.id, begun, SEND_TIMEOUT_MS)
  return noErrors
}

async function answer(call: Call, input: Record<string, unknown>): Promise<StepResult> {
  const { scope, facts } = call
  const { id } = unprovenAccounts(facts)[0]!.row
  const open = await openVerification(scope, id, TYPE)
  // The person can't confirm the deposit amounts now. The next view explains why.
  if (open?.status !== 'in_progress') return noErrors
  const errors = fields.flatMap(field => {
    const cents = input[field]
    if (cents === undefined || cents === null) return stepErrors(field, 'required')
    return Number.isInteger(cents) && Number(cents) >= 1 && Number(cents) <= 99 ? [] : stepErrors(field, 'invalid')
  })
  if (errors.length > 0) return errors
  const amounts = fields.map(field => Number(input[field]))
  const refused = recordAttempt(call, 'deposits', id)
  const row = await answerVerification(scope, open.id, { [TYPE]: { amounts } }, { refused })
  if (row.status === 'verified')
    await transact(scope.deps, scope.team, tx =>
      recordCallEvents(call, tx, { type: 'account_verification.account.verified', data: { account: id } }),
    )
  const left = methods[TYPE]!.maxAttempts - verificationData(scope, row).tries
  return row.status === 'in_progress' ? stepErrors('amounts', 'incorrect', { tries_left: left }) : noErrors
}
