/**
 * Writes docs/guides/troubleshooting.md: every error by its code, from the tables that throw them, and a cure where there is
 * something to say beyond the message.
 *   tsx --conditions=source scripts/docs-errors.ts            writes
 *   tsx --conditions=source scripts/docs-errors.ts --check    compares
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { frameErrors } from '../apps/flow/src/calls.js'
import {
  type ErrorSubType,
  errors,
  type ResourceErrorCode,
  resourceErrors,
  shownAs,
} from '../packages/contract/src/errors.js'
import { type KitError, kitErrors } from '../packages/elements/src/errors.js'

const page = fileURLToPath(new URL('../docs/guides/troubleshooting.md', import.meta.url))

/** Advice on each error whose message does not give it. */
const ofKit: Partial<Record<KitError, string>> = {
  NOT_CONNECTED: 'Append the element, then call `open()`.',
  FRAME_ORIGIN_REQUIRED: 'With the kit from npm or from your own server the script’s address does not tell.',
  FRAME_ORIGIN_REFUSED: 'http is taken on this device alone: [on a phone](phone.md).',
  FRAME_UNREACHABLE:
    'Look at the console. A refusal by `frame-ancestors`: add your page’s origin to [`allowed_origins`](security.md#allowed-origins). By `frame-src`, or `ERR_BLOCKED_BY_RESPONSE`: [your headers](content-security-policy.md). Neither: is the service there? `open()` tries again.',
  TOKEN_REQUIRED: 'A token is good for one opening. Set `getToken`, which is asked for each.',
  TOKEN_CALLBACK_FAILED: 'Answer the text of the token alone, not the JSON around it, within 20 seconds.',
}

const ofFrame = 'The person can try again, and what was typed is kept. Nothing was done twice.'

const ofRequests: Partial<Record<ErrorSubType, string>> = {
  INVALID_REQUEST: 'The message names the field.',
  NOT_FOUND: 'Also what another team’s id answers: is it the key of the right team?',
  TOO_MANY_REQUESTS: 'The SDK waits and repeats by itself. [The limits](../operations.md#rate-limits).',
  INTERNAL_ERROR: 'A POST with an `Idempotency-Key` can be sent again safely.',
  INVALID_VERSION: '[The versions](../versions.md).',
  ENTITY_PHONE_VERIFICATION_MAX_ATTEMPTS:
    'The message names the time of the next one. [The limits](../operations.md#limits-on-codes-and-guesses).',
  VERIFICATION_SESSION_ATTEMPT_LIMIT_REACHED:
    'The message names the time of the next attempt, where there is one. [The limits](../operations.md#limits-on-codes-and-guesses).',
  ENTITY_VERIFICATION_MISSING: 'Open a `connect-element` for the person: it asks for both.',
  ENTITY_IDENTITY_VERIFICATION_MISSING: 'Open a `connect-element` for the person: it asks for both.',
  EXPIRED_TOKEN:
    'In a page: use `getToken`, not `token`, so that each opening has its own. Two tabs with one token are two uses.',
  ORIGIN_NOT_ALLOWED: '[`allowed_origins`](security.md#allowed-origins) names your page exactly, without a path.',
  SESSION_EXPIRED: 'After 15 idle minutes, or an hour. With `getToken` the element does it by itself.',
  STALE_REVISION: 'Another tab or device went on. The frame shows where it stands.',
  INVALID_MODE_CONFIG:
    'A `connect-element` takes tokens of type `connect`, an `opal-balance-transfer-element` the others.',
  BT_NO_ALLOCATIONS: 'Wait for `opal_session.update`, or for `bt.completed` of the session.',
  BT_ACCOUNT_NOT_PAYABLE: 'Mint a new token for this session: the person changes the allocations.',
  URL_NOT_ALLOWED: 'Extend the list by `PATCH /team`.',
  PAYMENTS_STOPPED: 'By the operator: [money](../operations.md#money).',
}

const ofResources: Partial<Record<ResourceErrorCode, string>> = {
  18001: 'Ask again later.',
  20001: 'Ask again later.',
  21001: 'Ask again later.',
  23001: 'Ask again later.',
  19001: 'Create a new one.',
  25001: 'Switch it on again: [webhooks](../webhooks.md#what-counts-as-delivered).',
  25002: 'Switch it on again: [webhooks](../webhooks.md#what-counts-as-delivered).',
  25003: 'Switch it on again: [webhooks](../webhooks.md#what-counts-as-delivered).',
  25004: 'Answer first and work later, then switch it on again: [webhooks](../webhooks.md#what-counts-as-delivered).',
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(cell => cell.replaceAll('|', '\\|')).join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}

/** Braces of a template are text of a page, so they stand as code. */
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
    `\`${shownAs(name as ErrorSubType)}\``,
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

Every error by its code. Written by \`tsx --conditions=source scripts/docs-errors.ts\` from the tables that throw them; do not edit.

Branch on \`sub_type\`, never on the message. Every answer of the service carries a \`Request-Id\`, in the SDK
\`error.request_id\` and in \`element-error\` \`request_id\`: quote it, and the operator finds the request in the log by it.

Three kinds: what the element tells your page, what a request is refused with, and what stands in the \`error\` of a resource that failed later.

## In the page

\`element-error\`, with what the kit and the frame noticed by themselves. Errors of the service come through it too, as they are in the table below. Where it is
recoverable, the person can try again in the element; the others reject \`open()\`.

${table(['sub_type', 'What it says', 'Recoverable', 'What to do'], [...rows.kit, ...rows.frame])}

## Of a request

${table(['sub_type', 'Status', 'What it says', 'What to do'], rows.requests)}

## Of a resource

The request was taken and the thing itself failed: \`error\` of the resource, with a number for its code.

${table(['code', 'sub_type', 'What it says', 'What to do'], rows.resources)}
`

if (!process.argv.includes('--check')) writeFileSync(page, text)
else if (!existsSync(page) || readFileSync(page, 'utf8') !== text) {
  console.error('docs/guides/troubleshooting.md is out of date: run scripts/docs-errors.ts')
  process.exitCode = 1
}
