/** Runs a provider against its emulator, in this process. */

import type { FaultyAnswer } from '@causeway/connector/emulator/faults'
import type { Exchange } from '@causeway/connector/http/exchange'
import { type Envelope, endpointsByPath, OUTCOME_PATH } from '@causeway/connector/methods/contract'
import { OutsideError } from '@causeway/connector/ports/outside-error'

/** Returns a `fetch` that gets its responses from an emulator, and breaks connections where the emulator does. */
export const fetchFrom =
  (answer: (request: Request) => Promise<FaultyAnswer>): typeof fetch =>
  async (input, init) => {
    const response = await answer(new Request(input, init))
    if (response instanceof Response) return response
    if (response === null) throw new TypeError('fetch failed')
    return new Promise((_, reject) => {
      const signal = init?.signal
      signal?.addEventListener('abort', () => reject(signal.reason))
    })
  }

/**
 * Calls a provider until there is an answer, as the service does: after an act whose outcome is unknown, it asks for the
 * outcome first.
 */
export async function callUntilAnswered(exchange: Exchange, path: string, call: Envelope, maxAttempts = 20) {
  const isAct = endpointsByPath.get(path)!.method.kind === 'act'
  let isUnknown = false
  for (let attempts = 1; ; attempts++) {
    try {
      if (isUnknown) {
        const question = { method: path, question: call.question }
        const outcome = (await exchange(OUTCOME_PATH, { ...call, question })) as { known: boolean; answer?: unknown }
        if (outcome.known) return outcome.answer
        isUnknown = false
      }
      return await exchange(path, call)
    } catch (error) {
      if (!(error instanceof OutsideError) || !error.retryable || attempts >= maxAttempts) throw error
      isUnknown ||= isAct && error.outcome === 'unknown'
    }
  }
}
