import { DAY_MS } from '@causeway/contract/time'
import type { Limit } from '../../platform/limits/limit.js'

const limitError = 'VERIFICATION_SESSION_ATTEMPT_LIMIT_REACHED'

/**
 * Limits the daily number of failed attempts to verify a card by its security code, expiry and ZIP code. Counts the
 * attempts in all of the account's sessions.
 */
export const cardAttemptLimit: Limit = {
  kind: 'card',
  max: 5,
  window: DAY_MS,
  error: limitError,
  sentence: 'Five attempts to verify this card failed within a day.',
}

/**
 * Limits the daily number of failed attempts to verify an account's number, with or without a card's expiry. Counts the
 * attempts in all of the account's sessions.
 */
export const numberAttemptLimit: Limit = {
  kind: 'number',
  max: 10,
  window: DAY_MS,
  error: limitError,
  sentence: 'Ten incorrect numbers were entered for this account within a day.',
}

/** Limits how many sessions per day can send micro-deposits to an account, because each one sends real money. */
export const depositLimit: Limit = {
  kind: 'deposits',
  max: 3,
  window: DAY_MS,
  error: limitError,
  sentence: 'Micro-deposits were sent to this account three times within a day.',
}
