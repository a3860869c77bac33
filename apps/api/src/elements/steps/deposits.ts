import type { StepError } from '@causeway/contract/session'
import { methods } from '../../accounts/methods.js'
import { lockAccount } from '../../accounts/store.js'
import {
  answerVerification,
  beginVerification,
  openVerification,
  verificationData,
} from '../../accounts/verification.js'
import { transact } from '../../scope.js'
import { waiting } from '../facts.js'
import { lockSession, saveProgress } from '../store.js'
import { type Call, fine, type Handler, say, wrong } from './call.js'

const TYPE = 'micro_deposits'
const fields = ['first', 'second'] as const
/** How long sending is waited for, so that a bank that refuses at once is told of at once. */
const PATIENCE = 3_000

/** A bank account is the person's who can say which two amounts were sent to it. */
export const deposits: Handler = async (call, input) => {
  if (input['action'] === 'send') return send(call)
  // Whoever does anything waits no longer: that is all there is to it.
  return input['action'] === 'enter' ? fine : answer(call, input)
}

/** Begins a verification session, which sends them; one that the customer began meanwhile is as good. */
async function send(call: Call): Promise<StepError[]> {
  const { scope, facts, session } = call
  const { id } = waiting(facts)[0]!.row
  const job = await transact(scope.deps, scope.team, async tx => {
    await lockSession(tx, session)
    const account = (await lockAccount(tx, id))!
    if (await openVerification(tx, id, TYPE)) return null
    const begun = await beginVerification(tx, account, TYPE)
    await saveProgress(tx, session, () => ({ awaited: begun.row.id }))
    await say(call, tx, { type: 'account_verification.deposits.sent', data: { account: id } })
    return begun.job
  })
  if (job !== null) await scope.deps.jobs.settle(job, PATIENCE)
  return fine
}

async function answer(call: Call, input: Record<string, unknown>): Promise<StepError[]> {
  const { scope, facts } = call
  const { id } = waiting(facts)[0]!.row
  const open = await openVerification(scope, id, TYPE)
  // Nothing to answer any more, or not yet: what is shown next says so.
  if (open?.status !== 'in_progress') return fine
  const errors = fields.flatMap(field => {
    const cents = input[field]
    if (cents === undefined || cents === null) return wrong(field, 'required')
    return Number.isInteger(cents) && Number(cents) >= 1 && Number(cents) <= 99 ? [] : wrong(field, 'invalid')
  })
  if (errors.length > 0) return errors
  const row = await answerVerification(scope, open.id, {
    [TYPE]: { amounts: fields.map(field => Number(input[field])) },
  })
  if (row.status === 'verified')
    await transact(scope.deps, scope.team, tx =>
      say(call, tx, { type: 'account_verification.account.verified', data: { account: id } }),
    )
  const left = methods[TYPE]!.tries - verificationData(scope, row).tries
  return row.status === 'in_progress' ? wrong('amounts', 'incorrect', { tries_left: left }) : fine
}
