/** Checks an emulator against a provider's documents, in a test. */
import { expect, onTestFinished } from 'vitest'
import { type Answer, type CheckedOptions, type Document, recordViolations } from './document.js'

/**
 * Wraps an emulator's answers, and fails the current test if a request or an answer violates the documents. A request
 * may have no parameter and no member that the documents don't name.
 * @returns the wrapped answers, and the operations that were called, such as `POST /v2/Services 201`
 */
export function checked(documents: readonly Document[], answer: Answer, options?: CheckedOptions) {
  const { violations, calls, answer: wrapped } = recordViolations(documents, answer, options)
  onTestFinished(() => expect(violations, 'violations of the provider’s document').toEqual([]))
  return { answer: wrapped, calls }
}
