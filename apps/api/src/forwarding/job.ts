import { ServiceError } from '@causeway/contract/errors'
import { readJson } from '../platform/http/json-reader.js'
import type { JobHandler } from '../platform/jobs/jobs.js'
import { type OutboundAnswer, OutboundError } from '../platform/outbound/outbound.js'
import type { Scope } from '../platform/scope.js'
import { decodeResponse } from '../platform/text.js'
import { check, fill, type Given, hide, hideInText } from './forwarding.js'
import { type Ending, findForwarding, finish, openRequest, type Response, takeTurn } from './store.js'
import { valuesOf } from './values.js'

/**
 * The timeout for a forwarded request, in ms. The timeout is slightly shorter than the caller's wait, so that the
 * caller receives the stored outcome.
 */
const PATIENCE = 9_500
/** The maximum number of response bytes to store. */
const ANSWER_LIMIT = 262_144

/** The limits of a response that is stored as JSON. Any other response is stored as text. */
const answerLimits = { values: 50_000, depth: 32, items: 50_000, isStrict: true }

function responseOf({ status, headers, body }: OutboundAnswer, filled: ReadonlyMap<string, string>): Response {
  const text = decodeResponse(body, headers['content-type'] ?? null, body.length === ANSWER_LIMIT)
  const read = text === null ? { value: null } : readJson(text, answerLimits)
  return {
    status_code: status,
    headers: hide(headers, filled) as Record<string, string>,
    body: text !== null && read.fault ? hideInText(text, filled) : hide(read.value, filled),
  }
}

/** Sends the request and returns its outcome. */
async function send(scope: Scope, given: Given, filled: ReadonlyMap<string, string>): Promise<Ending> {
  const named = Object.keys(given.headers).map(name => name.toLowerCase())
  const started = performance.now()
  const duration = () => Math.round(performance.now() - started)
  try {
    const answer = await scope.deps.outbound.call({
      method: given.method,
      url: given.url,
      headers: {
        ...(given.body !== '' && !named.includes('content-type') ? { 'Content-Type': 'application/json' } : {}),
        ...(named.includes('user-agent') ? {} : { 'User-Agent': 'Causeway-Forwarding/1' }),
        ...given.headers,
        'Accept-Encoding': 'identity',
      },
      ...(given.body === '' ? {} : { body: given.body }),
      timeout: PATIENCE,
      limit: ANSWER_LIMIT,
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
async function ready(scope: Scope, given: Given) {
  try {
    const { lookUp, filled } = await valuesOf(scope, given.bindings, check(given))
    return { whole: fill(given, lookUp), filled }
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
    const request = await ready(scope, openRequest(scope, row))
    const ending: Ending =
      request === null
        ? { fault: 'binding', duration: null }
        : (await takeTurn(scope, id))
          ? await send(scope, request.whole, request.filled)
          : { fault: 'unknown', duration: null }
    return async tx => {
      await finish(tx, id, ending)
      return undefined
    }
  },
  async exhausted(scope, payload) {
    const id = payload['request'] ?? ''
    const row = await findForwarding(scope, id)
    if (row?.status === 'processing') await finish(scope, id, { fault: 'unknown', duration: null })
    return undefined
  },
}
