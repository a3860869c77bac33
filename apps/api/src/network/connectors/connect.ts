import { createExchange, type Exchange } from '@causeway/connector/http/exchange'
import type { SharedKeys } from '@causeway/connector/http/signature'
import { OutsideError } from '@causeway/connector/ports/outside-error'
import { randomText } from '../../platform/crypto/random.js'
import type { Metrics } from '../../platform/metrics.js'
import type { ProviderUsage } from '../ports.js'

/** A connector's address and the settings for calling it. */
export interface Connection {
  url: string
  keys: SharedKeys
  /** The time limit for an answer, in ms. */
  timeout: number
}

interface CountDeps {
  metrics: Metrics
  providerUsage: ProviderUsage
}

/** Counts the calls of an exchange. @param provider its name in the metrics */
export function countCalls(exchange: Exchange, provider: string, { metrics, providerUsage }: CountDeps): Exchange {
  return async (path, call) => {
    const startedAt = performance.now()
    const countCall = (outcome: 'ok' | 'refused' | 'broken', error?: unknown) => {
      metrics.connectorCall(provider, path, outcome, performance.now() - startedAt)
      providerUsage.countCall(provider, path, error)
    }
    try {
      const answer = await exchange(path, call)
      countCall('ok')
      return answer
    } catch (error) {
      countCall(error instanceof OutsideError && !error.retryable ? 'refused' : 'broken', error)
      throw error
    }
  }
}

/**
 * Creates the exchange with an operator's connector.
 * @param clock returns the real time, in epoch milliseconds. Signatures are valid for one minute
 */
export const connectExchange = (
  connection: Connection,
  { clock, fetch: send, ...deps }: CountDeps & { clock(): number; fetch: typeof fetch },
): Exchange =>
  countCalls(createExchange({ ...connection, fetch: send, clock, id: () => randomText(20) }), 'connector', deps)
