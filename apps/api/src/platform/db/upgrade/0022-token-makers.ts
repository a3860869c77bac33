import type { Step } from './steps.js'

/** The key that created a token: an unspent token ends with its key. Tokens that exist already have none, and end by age. */
export const tokenMakers: Step = ({ id }) => [`alter table tokens add column created_by ${id}`]
