import { DAY, type Limit } from '../../platform/limits/limit.js'

const error = 'VERIFICATION_SESSION_ATTEMPT_LIMIT_REACHED'

/**
 * Limits failed attempts to verify a card by its security code, expiry and ZIP code, per account per day, across all
 * sessions.
 */
export const cardGuesses: Limit = {
  kind: 'card',
  most: 5,
  window: DAY,
  error,
  sentence: 'Five attempts to verify this card failed within a day.',
}

/**
 * Limits failed attempts to verify an account by its number, with or without a card's expiry, per account per day,
 * across all sessions.
 */
export const numberGuesses: Limit = {
  kind: 'number',
  most: 10,
  window: DAY,
  error,
  sentence: 'Ten incorrect numbers were entered for this account within a day.',
}

/** Limits the sessions that send micro-deposits, per account per day, because each one sends real money. */
export const depositSends: Limit = {
  kind: 'deposits',
  most: 3,
  window: DAY,
  error,
  sentence: 'Micro-deposits were sent to this account three times within a day.',
}
