import type { z } from 'zod'
import type { Call } from '../ports.js'

/**
 * The effect of sending a call twice. `read`: none, because nothing changes. `check`: a call with the same `request_id`
 * and the same question is the same attempt and gets the same answer. `act`: the action is performed once per
 * `request_id`, regardless of the rest of the call.
 */
type Kind = 'read' | 'check' | 'act'

/** The contract's description of a port method. */
export interface Method {
  kind: Kind
  what: string
  question: z.ZodType
  answer: z.ZodType
  /**
   * Returns the reason that an answer contradicts its question, even though each matches its schema. Null if there is
   * no contradiction.
   */
  impossible?(question: unknown, answer: unknown): string | null
  /** The answer to use if a connector does not implement an optional method. */
  absent?: unknown
}

/** The result of a method that returns only a confirmation, which is sent as null. */
type Nothing = ReturnType<() => void>

/** Describes the methods of a port that make external calls. The other methods return values from tables. */
export type Methods<P> = {
  [K in keyof P as P[K] extends (call: infer _) => Promise<unknown> ? K : never]: P[K] extends (
    call: infer C,
  ) => Promise<infer A>
    ? Omit<Method, 'question' | 'answer'> & {
        question: z.ZodType<Omit<C, keyof Call>>
        answer: z.ZodType<[A] extends [Nothing] ? unknown : A>
      }
    : never
}

/**
 * The errors that a connector can return instead of an answer, and their meanings. After any other response, the
 * outcome is `unknown`.
 */
export const refusals = {
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
    what: 'The signature is missing, incorrect, for a different body or too old.',
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

export type RefusalCode = keyof typeof refusals
