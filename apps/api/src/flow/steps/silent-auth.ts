import { OutsideError } from '../../network/ports.js'
import { beginSession, dataOf, requestOf, SESSION } from '../../people/entities/sessions.js'
import { findRecord } from '../../people/products/store.js'
import { reading, transact } from '../../platform/scope.js'
import { isSilent, silentOrigins } from '../sessions/silent-auth.js'
import { saveProgress } from '../sessions/store.js'
import { answerPhone, type Call, fine, type Handler, save } from './call.js'
import { code as byCode, keepNumber, readNumber, sendCode } from './identity.js'

/** The most requests to a carrier in a session; after that a code is texted at once. Source: flows, identity_verification. */
const MOST = 5
/** The longest wait for the carrier's addresses, in ms. */
const PATIENCE = 4_000

/** Returns true where the carrier is asked first and has addresses that the frame may open. */
async function begin(call: Call, typed: string | null): Promise<boolean> {
  const { deps, team } = call.scope
  if (call.facts.progress.silent >= MOST || silentOrigins(deps, team).length === 0) return false
  const begun = await transact(deps, team, async tx => {
    const kept = await keepNumber(tx, call.facts.entity.id, typed)
    if (Array.isArray(kept)) return null
    const begun = await beginSession(tx, kept.row, 'phone', 'sna', {}, true)
    await saveProgress(tx, call.session, progress => ({
      phone_session: begun.row.id,
      silent: progress.silent + 1,
      silent_bearer: call.bearer,
    }))
    return begun
  })
  // The text that is sent instead reports the errors of the number.
  if (begun === null) return false
  const { row, job } = begun
  if (job) await deps.jobs.settle(job, PATIENCE)
  const asked = await findRecord(reading(deps, team), SESSION, row.id)
  const urls = asked?.status === 'in_progress' ? (dataOf(asked).urls ?? []) : []
  return urls.length > 0 && urls.every(url => isSilent(deps, team, url))
}

/** A text message in place of what the carrier could not say. The wait is over, whether one can be sent or not. */
async function textInstead(call: Call, typed: string | null = null) {
  await save(call, () => ({ phone_session: null }))
  return sendCode(call, typed)
}

export const phone: Handler = async (call, input) => {
  const number = readNumber(call, input)
  if (Array.isArray(number)) return number
  if (input['silent'] !== true) return sendCode(call, number)
  return (await begin(call, number)) ? fine : textInstead(call, number)
}

export const code: Handler = async (call, input) => {
  const { phoneSession } = call.facts
  const waits = phoneSession && requestOf(phoneSession).method === 'sna'
  if (!waits || input['action'] === 'change') return byCode(call, input)
  if (input['action'] !== 'silent') return textInstead(call)
  try {
    const row = await answerPhone(call, phoneSession.id, {})
    return row.status === 'verified' ? fine : await textInstead(call)
  } catch (error) {
    if (error instanceof OutsideError) return textInstead(call)
    throw error
  }
}
