/**
 * Writes docs/guides/troubleshooting.md: every error by code, from the tables that define the errors, with advice where
 * the message is not enough.
 *   tsx --conditions=source scripts/docs/docs-errors.ts            writes the page
 *   tsx --conditions=source scripts/docs/docs-errors.ts --check    fails if the page is out of date
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { frameErrors } from '../../apps/flow/src/frame-client.js'
import {
  type ErrorSubType,
  errors,
  publicSubType,
  type ResourceErrorCode,
  resourceErrors,
} from '../../packages/contract/src/errors.js'
import { type KitError, kitErrors } from '../../packages/elements/src/errors.js'
import { table } from './docs-table.js'

const page = fileURLToPath(new URL('../../docs/guides/troubleshooting.md', import.meta.url))

/** Advice for kit errors whose messages are not enough on their own. */
const ofKit: Partial<Record<KitError, string>> = {
  NOT_CONNECTED: 'Append the element, then call `open()`.',
  FRAME_ORIGIN_REQUIRED:
    'If you load the kit from npm or your own server, the element cannot derive the origin from the script’s address.',
  FRAME_ORIGIN_REFUSED: 'An http origin is accepted only on this device: see [on a phone](phone.md).',
  FRAME_UNREACHABLE:
    'Check the browser console. If `frame-ancestors` blocked the frame, add your page’s origin to [`allowed_origins`](security.md#allowed-origins). If the console shows `frame-src` or `ERR_BLOCKED_BY_RESPONSE`, fix [your headers](content-security-policy.md). Otherwise, check that the service is running. `open()` retries.',
  TOKEN_REQUIRED:
    'Each token opens the element once. Set `getToken` so that the element can get a new token each time.',
  TOKEN_CALLBACK_FAILED:
    'Return a token within 20 seconds. Return only the token string, not the JSON that contains it.',
}

const ofFrame = 'The person can retry, and their input is kept. Retrying never runs an action twice.'

const ofRequests: Partial<Record<ErrorSubType, string>> = {
  INVALID_REQUEST: 'The message names the field.',
  NOT_FOUND:
    'An id that belongs to another team also returns this error. Check that the key belongs to the right team.',
  TOO_MANY_REQUESTS: 'The SDK waits and retries automatically. See [the limits](../operations.md#rate-limits).',
  INTERNAL_ERROR: 'It is safe to retry a POST that has an `Idempotency-Key`.',
  INVALID_VERSION: 'See [the versions](../versions.md).',
  ENTITY_PHONE_VERIFICATION_MAX_ATTEMPTS:
    'The message gives the time when the next code can be sent. See [the limits](../operations.md#limits-on-codes-and-guesses).',
  VERIFICATION_SESSION_ATTEMPT_LIMIT_REACHED:
    'If you can try again later, the message says when. See [the limits](../operations.md#limits-on-codes-and-guesses).',
  INVALID_ACH_DESTINATION_NOT_ALLOWED: 'Allow it with `PATCH /team` and `"ach_destinations": true`.',
  INVALID_DESTINATION_CAPABILITIES:
    'A debt needs a way to be paid: its merchant in [the payee directory](providers/README.md#who-is-paid) or, with a connector, `payable`. An `ach` account must be verified.',
  ENTITY_VERIFICATION_MISSING: 'Open a `connect-element` for the person. It verifies both.',
  ENTITY_IDENTITY_VERIFICATION_MISSING: 'Open a `connect-element` for the person. It verifies both.',
  PRODUCT_CONSENT_MISSING:
    'The message lists what the person agreed to. To ask for more, create a token whose `products` include the product.',
  EXPIRED_TOKEN:
    'On a page, use `getToken` instead of `token`, so that the element gets a new token each time it opens. Using the same token in two tabs counts as two uses.',
  ORIGIN_NOT_ALLOWED:
    '[`allowed_origins`](security.md#allowed-origins) must contain the exact origin of your page, without a path.',
  SESSION_EXPIRED:
    'A session expires after 15 minutes of inactivity, or after one hour at most. With `getToken`, the element resumes it automatically.',
  STALE_REVISION: 'Another tab or device continued the session. The frame shows the session’s current step.',
  INVALID_MODE_CONFIG:
    'A `connect-element` accepts tokens of type `connect`. An `opal-balance-transfer-element` accepts the other types.',
  BT_NO_ALLOCATIONS: "Wait for `opal_session.update`, or wait until the session's `bt.completed` is true.",
  BT_ACCOUNT_NOT_PAYABLE: 'Create a new token for this session and let the person change the allocations.',
  URL_NOT_ALLOWED: 'Add the address to the list with `PATCH /team`.',
  PAYMENTS_STOPPED: 'The operator stopped payments: see [money](../operations.md#money).',
}

const ofResources: Partial<Record<ResourceErrorCode, string>> = {
  18001: 'Retry later.',
  20001: 'Retry later.',
  21001: 'Retry later.',
  23001: 'Retry later.',
  19001: 'Create a new one.',
  25001: 'Enable it again: see [webhooks](../webhooks.md#what-counts-as-delivered).',
  25002: 'Enable it again: see [webhooks](../webhooks.md#what-counts-as-delivered).',
  25003: 'Enable it again: see [webhooks](../webhooks.md#what-counts-as-delivered).',
  25004:
    'Respond before you process the delivery, then enable the webhook again: see [webhooks](../webhooks.md#what-counts-as-delivered).',
}

/** Formats double braces as code, because the site would otherwise interpret them as a template. */
const sentence = (text: string) => text.replace(/\{\{[^}]*\}\}/g, '`$&`')

const rows = {
  frame: Object.entries(frameErrors).map(([name, message]) => [`\`${name}\``, sentence(message), 'yes', ofFrame]),
  kit: Object.entries(kitErrors).map(([name, { message, recoverable }]) => [
    `\`${name}\``,
    sentence(message),
    recoverable ? 'yes' : 'no',
    ofKit[name as KitError] ?? '',
  ]),
  requests: Object.entries(errors).map(([name, { status, message }]) => [
    `\`${publicSubType(name as ErrorSubType)}\``,
    String(status),
    sentence(message),
    ofRequests[name as ErrorSubType] ?? '',
  ]),
  resources: Object.entries(resourceErrors).map(([code, { sub_type, message }]) => [
    code,
    `\`${sub_type}\``,
    sentence(message),
    ofResources[Number(code) as ResourceErrorCode] ?? '',
  ]),
}

const text = `# Troubleshooting

This page lists every error with its code. \`tsx --conditions=source scripts/docs/docs-errors.ts\` generates this page from the error tables; do not edit it.

Branch on \`sub_type\`, never on the message. Every response has a \`Request-Id\`, which is \`error.request_id\` in the SDK
and \`request_id\` in \`element-error\`. Include it when you report a problem, so that the operator can find the request in the log.

There are three kinds of errors: errors that the element reports to your page, errors that reject a request, and errors in the \`error\` field of a resource that failed after its request was accepted.

## In the page

\`element-error\` reports errors that the kit and the frame detect. It also reports the service's errors, exactly as listed under the request errors below.
If an error is recoverable, the person can retry in the element. Other errors reject \`open()\`.

${table(['sub_type', 'Message', 'Recoverable', 'What to do'], [...rows.kit, ...rows.frame])}

## Response headers

Read these headers if you call the API without the SDK, which handles them:

| header | meaning |
| --- | --- |
| \`Request-Id\` | The request's id. Look it up with \`pnpm admin request\` or in the console. |
| \`Service-Unknown-Fields\` | The names of any fields and query parameters that the endpoint does not support, such as a misspelled filter. The service ignored them. The SDK logs a warning. |
| \`Idempotency-Replayed: true\` | The response was stored for an earlier request with the same \`Idempotency-Key\`. |
| \`Idempotency-Mismatch: true\` | The key was already used for a different request. If only the body differs, you received that request's response; if the path differs, you received an error. The SDK throws an error. Use a new key for each request. |
| \`Retry-After\` | The number of seconds to wait before you send the request again. |

## Request errors

${table(['sub_type', 'Status', 'Message', 'What to do'], rows.requests)}

## Resource errors

The request was accepted, but the resource failed later. Its \`error\` field has a numeric code.

${table(['code', 'sub_type', 'Message', 'What to do'], rows.resources)}
`

if (!process.argv.includes('--check')) writeFileSync(page, text)
else if (!existsSync(page) || readFileSync(page, 'utf8') !== text) {
  console.error('docs/guides/troubleshooting.md is out of date: run scripts/docs/docs-errors.ts')
  process.exitCode = 1
}
