import type { z } from 'zod'
import type { PortCall } from '../ports/call.js'

/**
 * The effect of sending a call twice. `read`: none, because a read changes nothing. `check`: calls that have the same
 * `request_id` and ask the same question are one attempt and get the same answer. `act`: the action is performed once
 * per `request_id`, whatever the rest of the call contains.
 */
type MethodKind = 'read' | 'check' | 'act'

/** The contract's description of a port method. */
export interface Method {
  kind: MethodKind
  what: string
  question: z.ZodType
  answer: z.ZodType
  /**
   * Returns the reason that an answer contradicts its question, although both match their schemas. Returns null if the
   * question and the answer are consistent.
   */
  impossible?(question: unknown, answer: unknown): string | null
  /** The answer to use if a connector does not implement an optional method. */
  absent?: unknown
}

/** The result of a method that returns no data. Its answer, null, only confirms the call. */
type Nothing = ReturnType<() => void>

/** Describes a port's methods that make external calls. The port's other methods return values from tables. */
export type Methods<P> = {
  [K in keyof P as P[K] extends (call: infer _) => Promise<unknown> ? K : never]: P[K] extends (
    call: infer C,
  ) => Promise<infer A>
    ? Omit<Method, 'question' | 'answer'> & {
        question: z.ZodType<Omit<C, keyof PortCall>>
        answer: z.ZodType<[A] extends [Nothing] ? unknown : A>
      }
    : never
}

/**
 * The errors that a connector can return instead of an answer, and their meanings. After any other response, the
 * outcome is `unknown`.
 */
export const connectorErrors = {
  INVALID_CALL: {
    status: 400,
    outcome: 'nothing',
    retryable: false,
    what: 'The body does not match the contract. A retry would not help.',
  },
  INVALID_SIGNATURE: {
    status: 401,
    outcome: 'nothing',
    retryable: true,
    what: 'The signature is missing, incorrect or too old, or it was made for a different body.',
  },
  UNKNOWN_METHOD: {
    status: 404,
    outcome: 'nothing',
    retryable: false,
    what: 'The connector has no such method.',
  },
  IN_PROGRESS: {
    status: 409,
    outcome: 'unknown',
    retryable: true,
    what: 'The same action is in progress. Query its outcome in a moment.',
  },
  BUSY: { status: 429, outcome: 'nothing', retryable: true, what: 'Too many calls.' },
  UNAVAILABLE: {
    status: 503,
    outcome: 'nothing',
    retryable: true,
    what: 'The provider behind the connector did not respond, and nothing was done.',
  },
} as const satisfies Record<
  string,
  { status: number; outcome: 'nothing' | 'unknown'; retryable: boolean; what: string }
>

export type ConnectorErrorCode = keyof typeof connectorErrors
