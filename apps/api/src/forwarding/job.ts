import { readJson } from '@causeway/connector/wire/json-reader'
import { decodeResponse } from '@causeway/connector/wire/text'
import { ServiceError } from '@causeway/contract/errors'
import type { JobHandler } from '../platform/jobs/jobs.js'
import { type OutboundAnswer, OutboundError } from '../platform/outbound/outbound.js'
import type { Scope } from '../platform/scope.js'
import { checkTemplates, type ForwardingRequest, fillTemplates, hideValues, hideValuesInText } from './forwarding.js'
import { claimSending, findForwarding, type Outcome, openRequest, type StoredResponse, storeOutcome } from './store.js'
import { loadValues } from './values.js'

/**
 * The timeout for a forwarded request, in ms. The timeout is slightly shorter than the caller's wait, so that the
 * caller receives the stored outcome.
 */
const SEND_TIMEOUT_MS = 9_500
/** The maximum number of response bytes to store. */
const MAX_RESPONSE_BYTES = 262_144

/** The limits of a response that is stored as JSON. Any other response is stored as text. */
const answerLimits = { values: 50_000, depth: 32, items: 50_000, isStrict: true }

function responseOf({ status, headers, body }: OutboundAnswer, filled: ReadonlyMap<string, string>): StoredResponse {
  const text = decodeResponse(body, headers['content-type'] ?? null, body.length === MAX_RESPONSE_BYTES)
  const read = text === null ? { value: null } : readJson(text, answerLimits)
  return {
    status_code: status,
    headers: hideValues(headers, filled) as Record<string, string>,
    body: text !== null && read.fault ? hideValuesInText(text, filled) : hideValues(read.value, filled),
  }
}

/** Sends the request and returns its outcome. */
async function send(scope: Scope, request: ForwardingRequest, filled: ReadonlyMap<string, string>): Promise<Outcome> {
  const headerNames = Object.keys(request.headers).map(name => name.toLowerCase())
  const startedAt = performance.now()
  const duration = () => Math.round(performance.now() - startedAt)
  try {
    const answer = await scope.deps.outbound.call({
      method: request.method,
      url: request.url,
      headers: {
        ...(request.body !== '' && !headerNames.includes('content-type') ? { 'Content-Type': 'application/json' } : {}),
        ...(headerNames.includes('user-agent') ? {} : { 'User-Agent': 'Causeway-Forwarding/1' }),
        ...request.headers,
        'Accept-Encoding': 'identity',
      },
      ...(request.body === '' ? {} : { body: request.body }),
      timeout: SEND_TIMEOUT_MS,
      limit: MAX_RESPONSE_BYTES,
    })
    return { response: responseOf(answer, filled), duration: duration() }
  } catch (error) {
    if (error instanceof OutboundError) return { fault: error.fault, duration: duration() }
    throw error
  }
}

/**
 * Replaces the templates with values. Returns null if any value was deleted after the check; the service then sends
 * nothing.
 */
async function fillRequest(scope: Scope, request: ForwardingRequest) {
  try {
    const { lookUp, filled } = await loadValues(scope, request.bindings, checkTemplates(request))
    return { whole: fillTemplates(request, lookUp), filled }
  } catch (error) {
    if (error instanceof ServiceError) return null
    throw error
  }
}

/** Sends a request at most once. First claims the request in a transaction. Only one claim can succeed. */
export const sendForwarded: JobHandler = {
  async run(scope, payload) {
    const id = payload['request'] ?? ''
    const row = await findForwarding(scope, id)
    if (row?.status !== 'processing') return async () => undefined
    const request = await fillRequest(scope, openRequest(scope, row))
    const ending: Outcome =
      request === null
        ? { fault: 'binding', duration: null }
        : (await claimSending(scope, id))
          ? await send(scope, request.whole, request.filled)
          : { fault: 'unknown', duration: null }
    return async tx => {
      await storeOutcome(tx, id, ending)
      return undefined
    }
  },
  async exhausted(scope, payload) {
    const id = payload['request'] ?? ''
    const row = await findForwarding(scope, id)
    if (row?.status === 'processing') await storeOutcome(scope, id, { fault: 'unknown', duration: null })
    return undefined
  },
}
