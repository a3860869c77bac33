import { type Exchange, UnknownMethodError } from '@causeway/connector/http/exchange'
import { OUTCOME_PATH, outcomeAnswer } from '@causeway/connector/methods/contract'
import type { Method } from '@causeway/connector/methods/method'
import type { PortCall } from '@causeway/connector/ports/call'
import { OutsideError } from '@causeway/connector/ports/outside-error'
import { safeParse } from '@causeway/connector/wire/proto-member'
import { SECOND_MS } from '@causeway/contract/time'
import type { Log } from '../../platform/log.js'
import type { SentCalls } from './sent-calls.js'

export interface ConnectorCallerDeps {
  exchange: Exchange
  sentCalls: SentCalls
  sleep(ms: number): Promise<void>
  log: Log
}

/**
 * Calls a connector method until an answer arrives or no attempts remain.
 * @returns the answer, which matches its schema, or the method's own answer if the connector lacks an optional method.
 * Throws {@link OutsideError}
 */
export type CallConnector = (path: string, method: Method, call: PortCall) => Promise<unknown>

/**
 * The maximum number of attempts for a call, the pauses between them, and the time after which no new attempt starts.
 * The pauses are short, because a person may be waiting.
 */
export const retryLimits = { maxAttempts: 4, delaysMs: [100, 400, 1_600], maxElapsedMs: 10 * SECOND_MS } as const

/**
 * Returns the answer in the port's format. Throws if the answer does not match its schema. The outcome is then unknown.
 */
function parseAnswer(path: string, { answer }: Pick<Method, 'answer'>, value: unknown): unknown {
  const parsed = safeParse(answer, value)
  if (!parsed.success) throw new OutsideError(`The connector's response to ${path} does not match the contract.`)
  return parsed.data
}

/**
 * Resends calls of kind `read` and `check` if their answers are lost. Before resending an action, even in another
 * process after a crash, the service queries the outcome of the earlier attempt.
 */
export function createConnectorCaller({ exchange, sentCalls, sleep, log }: ConnectorCallerDeps): CallConnector {
  return async (path, method, { request_id, team_id, now, cause, ...question }) => {
    const deadline = performance.now() + retryLimits.maxElapsedMs
    const callFields = { request_id, team_id, now }
    // mutant: outcome-before-crash-is-queried (= false)
    let uncertain = method.kind === 'act' && (await sentCalls.recordSend(path, request_id, team_id))
    for (let attempts = 1; ; attempts++) {
      try {
        if (uncertain) {
          const outcome = outcomeAnswer.safeParse(
            await exchange(OUTCOME_PATH, { ...callFields, question: { method: path, question } }),
          )
          if (!outcome.success)
            throw new OutsideError(`The connector's response to ${OUTCOME_PATH} does not match the contract.`)
          if (outcome.data.known) return parseAnswer(path, method, outcome.data.answer)
          uncertain = false
        }
        return parseAnswer(path, method, await exchange(path, { ...callFields, question }))
      } catch (error) {
        if (!(error instanceof OutsideError)) throw error
        if (error instanceof UnknownMethodError && method.absent !== undefined) return method.absent
        // The service wrote this message, which contains nothing from the question or the answer.
        const logFields = { request_id: cause, team_id, route: path }
        log('warn', 'connector_fault', { ...logFields, attempts, fault: error.message })
        // mutant: unknown-outcome-is-queried (remove)
        if (method.kind === 'act' && error.outcome === 'unknown') uncertain = true
        const delayMs = retryLimits.delaysMs[attempts - 1] ?? 0
        if (!error.retryable || attempts >= retryLimits.maxAttempts || performance.now() + delayMs > deadline)
          throw error
        await sleep(delayMs)
      }
    }
  }
}
