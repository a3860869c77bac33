import { z } from 'zod'
import { endpoint, type Family, metadataInput } from '../declaration/endpoint.js'
import * as examples from '../declaration/examples.js'
import { forwardingMethods, forwardingRequest } from '../resources/forwarding-request.js'

const MAX_HEADERS = 50
const MAX_BINDINGS = 20

const HEADER = /^[\w!#$%&'*+.^`|~-]+$/
/** Headers that the service sets itself. */
const RESERVED_HEADER =
  /^(host|content-length|transfer-encoding|connection|keep-alive|upgrade|te|trailer|expect|accept-encoding|proxy-.*)$/i

export const endpoints = {
  createForwardingRequest: endpoint({
    method: 'POST',
    path: '/forwarding_requests',
    scope: 'sensitive',
    summary: 'Forward a request',
    description:
      'Sends `body` to `url`, at most once, and waits about 10 seconds for the response. `url` must be under an address in ' +
      "the team's `forwarding_allow_list`. The service replaces `{{name.path}}` in header values and strings of the body " +
      'with values from `bindings`: `value` of a secret; `card.number`, `card.exp_month`, `card.exp_year`, `card.billing_zip_code`, ' +
      '`network_token.token`, `inbound_achwire_payment.account_number` and `.routing_number` of a payment instrument. ' +
      'The service returns a 4xx or 5xx response from the destination like any other response. After a 504 or a 500, the ' +
      'service cannot tell whether the request arrived: check with the destination.',
    body: z.object({
      url: z.string().min(1).max(2_000),
      method: z.enum(forwardingMethods, 'INVALID_METHOD'),
      headers: z
        .record(z.string().max(200), z.string().max(8_192))
        .refine(headers => Object.keys(headers).length <= MAX_HEADERS, {
          error: `must have at most ${MAX_HEADERS} headers`,
          abort: true,
        })
        .refine(
          headers => Object.keys(headers).every(name => name.includes('{{') || HEADER.test(name)),
          'must have header names of letters, digits and characters such as - and _',
        )
        .refine(
          headers => !Object.keys(headers).some(name => RESERVED_HEADER.test(name)),
          'must not set host, content-length, accept-encoding, or a connection or proxy header',
        )
        .meta({ maxProperties: MAX_HEADERS }),
      body: z
        .string()
        .describe('The body, as JSON text. Send an empty string for a GET, or for a DELETE without a body'),
      bindings: z
        .record(z.string().max(100), z.string().max(100))
        .refine(bindings => Object.keys(bindings).length <= MAX_BINDINGS, `must have at most ${MAX_BINDINGS} bindings`)
        .meta({ maxProperties: MAX_BINDINGS })
        .describe('The ids of secrets and payment instruments, keyed by the names that the templates use'),
      metadata: metadataInput('INVALID_REQUEST'),
    }),
    answer: forwardingRequest,
    errors: [
      'URL_NOT_ALLOWED',
      'INVALID_CONTENT_TYPE',
      'BODY_JSON_INVALID',
      'INVALID_TEMPLATE',
      'TEMPLATE_IN_KEYS_NOT_ALLOWED',
      'BINDING_NAME_MISSING',
      'BINDING_NAME_NOT_REFERENCED',
      'BINDING_NOT_FOUND',
      'UNSUPPORTED_BINDING_VALUE',
      'DISALLOWED_TEMPLATE_PATH',
      'REFERENCED_VALUE_IS_NULL',
      'FORWARDED_REQUEST_TIMEOUT',
      'FORWARDED_REQUEST_NETWORK_ERROR',
    ],
    example: {
      request: {
        url: 'https://vault.example/charges',
        method: 'POST',
        headers: { Authorization: 'Bearer {{token.value}}' },
        body: '{"amount":5000}',
        bindings: { token: examples.secret.id },
      },
      answer: examples.forwardingRequest,
    },
  }),
  retrieveForwardingRequest: endpoint({
    method: 'GET',
    path: '/forwarding_requests/:freq_id',
    scope: 'sensitive',
    summary: 'Retrieve a forwarded request',
    description:
      "Shows the template in place of each inserted value, even where the destination's response repeats the value. A " +
      'destination can repeat a value in another form, such as in groups of four digits, so this also requires the ' +
      '`sensitive` scope.',
    answer: forwardingRequest,
    example: { answer: examples.forwardingRequest },
  }),
}

export const forwardingFamily: Family = {
  name: 'Forwarding',
  about: 'Requests to addresses that you choose, with secrets and card numbers that your servers never hold.',
  endpoints,
}
