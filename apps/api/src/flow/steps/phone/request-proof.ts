import { dataOf } from '../../../people/entities/methods/method.js'
import { createSession, SESSION } from '../../../people/entities/sessions.js'
import { findRecord } from '../../../people/records/store.js'
import { reading } from '../../../platform/scope.js'
import { afterCommit, type Call, changeProgress, inTransaction, noErrors, type StepResult } from '../call.js'
import { savePhone, sendCode, sendCodeInstead } from '../phone-proof.js'
import { isSilentUrl, silentOrigins } from './silent-origins.js'

/** The maximum number of silent checks in a session. After that, codes are texted immediately. */
const MAX_SILENT_CHECKS = 5
/** The maximum time to wait for the carrier's URLs. */
const CARRIER_TIMEOUT_MS = 4_000

/**
 * Texts a code to the person's number or, if the device is on a mobile network, asks the carrier first.
 * @param typed the number that the person typed; null for the number on file
 */
export const requestProof = (call: Call, typed: string | null, isMobile: boolean): Promise<StepResult> =>
  isMobile ? askCarrier(call, typed) : sendCode(call, typed)

/** Starts a silent check. Sends a code instead if the carrier has no URLs that the frame can open. */
async function askCarrier(call: Call, typed: string | null): Promise<StepResult> {
  const { deps, team } = call.scope
  if (call.facts.progress.silent >= MAX_SILENT_CHECKS || silentOrigins(deps, team).length === 0)
    return sendCodeInstead(call, typed)
  const begun = await inTransaction(call, async tx => {
    const saved = await savePhone(call, tx, typed)
    if (Array.isArray(saved)) return null
    const begun = await createSession(tx, saved.row, 'phone', 'sna', {}, { inFrame: true })
    await changeProgress(call, tx, progress => ({
      phone_session: begun.row.id,
      silent: progress.silent + 1,
      silent_bearer: call.bearer,
    }))
    return begun
  })
  // `sendCodeInstead` also reports any errors in the number.
  if (begun === null) return sendCodeInstead(call, typed)
  const { row, job } = begun
  return afterCommit(call, async () => {
    if (job) await deps.jobs.settle(team.id, job, CARRIER_TIMEOUT_MS)
    const record = await findRecord(reading(deps, team), SESSION, row.id)
    const urls = record?.status === 'in_progress' ? (dataOf(record).urls ?? []) : []
    // mutant: silent-proof-at-listed-origins (drop 2)
    const isReady = urls.length > 0 && urls.every(url => isSilentUrl(deps, team, url))
    return isReady ? noErrors : sendCodeInstead(call, typed)
  })
}
