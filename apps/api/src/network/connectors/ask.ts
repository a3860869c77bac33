import { safeParse } from '../../platform/http/request/proto-member.js'
import type { Log } from '../../platform/log.js'
import { type Call, OutsideError } from '../ports.js'
import { OUTCOME, outcomeAnswer } from './contract.js'
import type { Exchange } from './exchange.js'
import type { Method } from './method.js'
import type { Sent } from './sent-calls.js'

export interface AskDeps {
  exchange: Exchange
  sent: Sent
  sleep(ms: number): Promise<void>
  log: Log
}

/**
 * Calls a connector method until an answer arrives or no attempts remain.
 * @returns the answer, which matches its schema. Throws {@link OutsideError}
 */
export type Ask = (path: string, method: Method, call: Call) => Promise<unknown>

/**
 * The maximum number of attempts for a call, the pauses between them, and the time after which no new attempt starts.
 * Times are in ms. The pauses are short, because a person may be waiting.
 */
export const trying = { most: 4, pauses: [100, 400, 1_600], patience: 10_000 } as const

/**
 * Returns the answer in the port's format. Throws if the answer does not match its schema. The outcome is then unknown.
 */
function fit(path: string, { answer }: Pick<Method, 'answer'>, value: unknown): unknown {
  const read = safeParse(answer, value)
  if (!read.success) throw new OutsideError(`The connector's response to ${path} does not match the contract.`)
  return read.data
}

/**
 * Resends calls of kind `read` and `check` if their answers are lost. Before resending an action, even in another
 * process after a crash, the service queries the outcome of the earlier attempt.
 */
export function createAsk({ exchange, sent, sleep, log }: AskDeps): Ask {
  return async (path, method, { request_id, team_id, now, cause, ...question }) => {
    const deadline = performance.now() + trying.patience
    const about = { request_id, team_id, now }
    // mutant: outcome-before-crash-is-queried (= false)
    let uncertain = method.kind === 'act' && (await sent.before(path, request_id, team_id))
    for (let tries = 1; ; tries++) {
      try {
        if (uncertain) {
          const said = outcomeAnswer.safeParse(await exchange(OUTCOME, { ...about, question: { method: path } }))
          if (!said.success)
            throw new OutsideError(`The connector's response to ${OUTCOME} does not match the contract.`)
          if (said.data.known) return fit(path, method, said.data.answer)
          uncertain = false
        }
        return fit(path, method, await exchange(path, { ...about, question }))
      } catch (error) {
        if (!(error instanceof OutsideError)) throw error
        // The service wrote this message, which contains nothing from the question or the answer.
        const about = { request_id: cause, team_id, route: path }
        log('warn', 'connector_fault', { ...about, attempts: tries, fault: error.message })
        // mutant: unknown-outcome-is-queried (remove)
        if (method.kind === 'act' && error.outcome === 'unknown') uncertain = true
        const pause = trying.pauses[tries - 1] ?? 0
        if (!error.retryable || tries >= trying.most || performance.now() + pause > deadline) throw error
        await sleep(pause)
      }
    }
  }
}
