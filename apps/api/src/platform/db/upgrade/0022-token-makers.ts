import type { Step } from './steps.js'

/**
 * Records the key that created a token, so that revoking the key also revokes its unused tokens. Existing tokens have
 * no recorded key and remain valid until they expire.
 */
export const tokenMakers: Step = ({ id }) => [`alter table tokens add column created_by ${id}`]
