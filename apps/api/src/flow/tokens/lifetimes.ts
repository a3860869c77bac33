/** The lifetimes of tokens and of the sessions that they open. */
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '@causeway/contract/time'

/** The time in which a token can be redeemed. */
export const TOKEN_LIFETIME_MS = 30 * MINUTE_MS
/** The time in which a hosted link can be opened. The person needs time to read the email that contains it. */
export const LINK_LIFETIME_MS = DAY_MS
/** The time during which a repeated exchange returns the same session, in case the first response was lost. */
export const EXCHANGE_LIFETIME_MS = MINUTE_MS

/** The maximum duration of a session. */
export const SESSION_LIFETIME_MS = HOUR_MS
/** The idle time after which a session ends. */
export const IDLE_LIFETIME_MS = 15 * MINUTE_MS
/** The idle limit is written only if it changes by more than this time. */
export const MIN_IDLE_EXTENSION_MS = 30 * SECOND_MS
/** The time after which a prepared session that was not opened ends. */
export const PREPARED_LIFETIME_MS = 10 * MINUTE_MS

/** The validity of a signed result, in seconds. */
export const RESULT_LIFETIME_S = 600
