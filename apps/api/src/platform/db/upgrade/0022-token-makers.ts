import type { Step } from './steps.js'

/**
 * Adds the key that created a token, so that revoking the key ends its unspent tokens. Existing tokens have no key
 * recorded and end when they expire.
 */
export const tokenMakers: Step = ({ id }) => [`alter table tokens add column created_by ${id}`]
