/**
 * Two services in a chain, each in its own process with its own store. The upper one reaches people, debts and banks
 * only through the lower one, as its upstream. The lower one is the sandbox.
 */
import { randomBytes } from 'node:crypto'

/** The secret key of the team at the lower service. */
export const lowerKey = `sk_${randomBytes(24).toString('hex')}`
/** The secret of the lower service's webhooks to the upper one. */
const HOOK_SECRET = randomBytes(24).toString('hex')

/** The variables of the lower service. It may call the upper one, which is on this machine. */
export const lowerEnv = { OUTBOUND_LOOPBACK: 'allow', BOOTSTRAP_SECRET_KEY: lowerKey }

/** Returns the variables of the upper service. @param lower the address of the lower service's API */
export const upperEnv = lower => ({
  OUTBOUND_LOOPBACK: 'allow',
  PROVIDERS: 'upstream',
  UPSTREAM_API_URL: lower,
  UPSTREAM_API_KEY: lowerKey,
  UPSTREAM_WEBHOOK_SECRET: HOOK_SECRET,
})

/**
 * Creates the webhook with which the lower service reports payments to the upper one.
 * @param theirs calls the lower service, see lender.mjs
 */
export const createHook = (theirs, upper) =>
  theirs.must('POST', '/webhooks', {
    type: 'payment.update',
    url: `${upper}/hooks/upstream`,
    hmac_secret: HOOK_SECRET,
  })
