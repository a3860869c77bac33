/**
 * Writes docs/connectors.md from the contract in packages/connector. This way, the page describes exactly
 * the data that the service sends and accepts.
 *   tsx --conditions=source scripts/docs/docs-connectors.ts            writes the page
 *   tsx --conditions=source scripts/docs/docs-connectors.ts --check    fails if the page is out of date
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { retryLimits } from '../../apps/api/src/network/connectors/ask.js'
import { createDescriber } from '../../apps/api/src/network/connectors/describe.js'
import { PUSH_PATH } from '../../apps/api/src/network/connectors/pushes.js'
import { answerLimits, tableLimits } from '../../packages/connector/src/http/exchange.js'
import { SIGNATURE_HEADER } from '../../packages/connector/src/http/signature.js'
import {
  CAPABILITIES_PATH,
  endpointsByPath,
  envelope,
  MAX_ANSWER_BYTES,
  OUTCOME_PATH,
  outcomeAnswer,
  outcomeQuestion,
  ownMethods,
  pushSchema,
} from '../../packages/connector/src/methods/contract.js'
import { connectorErrors } from '../../packages/connector/src/methods/method.js'
import { failureCodes } from '../../packages/connector/src/methods/shapes.js'
import { resourceErrors } from '../../packages/contract/src/errors.js'
import { table } from './docs-table.js'

const page = new URL('../../docs/connectors.md', import.meta.url)
const code = (text: string) => `\`${text}\``

const { describeType: typeOf, fields: fieldsOf, namedTypes } = createDescriber()
const shown = (schema: Parameters<typeof typeOf>[0]) => code(typeOf(schema))

const kinds = { read: 'read', check: 'check', act: '**act**' }
const methods = (port: string) =>
  table(
    ['Path', 'Kind', 'What it does', 'question', 'answer'],
    [...endpointsByPath]
      .filter(([, endpoint]) => endpoint.port === port)
      .map(([path, { method }]) => [
        code(path),
        kinds[method.kind],
        method.what,
        shown(method.question),
        shown(method.answer),
      ]),
  )
const fields = table(
  ['Field', 'Type', 'Meaning'],
  fieldsOf(envelope).map(({ name, type, what }) => [code(name), code(type), what]),
)
const [network, identity, rail] = ['network', 'identity', 'rail'].map(methods)
const pushes = pushSchema.options.map(each => [shown(each), each.description ?? ''])
const errorTable = table(
  ['Status', 'Code', 'Meaning', 'Effect', 'What the service does'],
  Object.entries(connectorErrors).map(([name, { status, what, outcome, retryable }]) => [
    String(status),
    code(name),
    what,
    outcome === 'nothing' ? 'none' : 'unknown',
    outcome === 'unknown' ? 'queries the outcome' : retryable ? 'retries' : 'gives up',
  ]),
)
const shapes = table(
  ['Name', 'Shape'],
  [...namedTypes].map(([name, shape]) => [
    code(name),
    name === 'code' ? 'one of the failure codes below' : code(shape),
  ]),
)

const text = `<!-- Made by scripts/docs/docs-connectors.ts from packages/connector. Do not edit. -->

# Connectors

The service reaches institutions, bureaus, phones and payment rails through three ports: ${code('network')}, ${code('identity')} and ${code('rail')}.
In the sandbox, the service simulates them. In production, **your connector** provides them. A connector is your own HTTP service,
which Causeway calls with POST requests. Each method of a port has its own path. This page is the complete contract.

This repository contains a [connector with providers](guides/providers/README.md#in-a-process-of-its-own), which reaches banks and carriers, and an example connector, which serves the sandbox over this contract in a separate process:

\`\`\`sh
export CONNECTOR_KEY=$(openssl rand -base64 32)
node apps/api/dist/main/connector.js                                # http://127.0.0.1:4600
CONNECTOR_URL=http://127.0.0.1:4600 node apps/api/dist/main/server.js   # the service, with the same key
node apps/api/dist/main/conformance.js --url http://127.0.0.1:4600 --sandbox
\`\`\`

The last line runs the conformance test, which you can also run against your own connector. It prints one line per rule,
describes any failure, and exits 1 if any rule fails. It runs an act (which texts a code or sends money) only if the
file that you pass with ${code('--inputs FILE')} contains a question for it, such as
${code('{"rail/submit": {...}, "identity/send_code": {"phone": "..."}}')}. Other questions in the file replace the default
questions. Run the test only against a connector that moves no real money. The example can also simulate faults, so that
you can test how the service handles them: ${code('--slow MS')}, ${code('--twice CHANCE')}, ${code('--silent CHANCE')}, ${code('--broken CHANCE')} (chances
from 0 to 1), ${code('--row N')} (the maximum number of consecutive faults for one request), ${code('--hurry')} (slow institutions respond
immediately).

## A call

The service sends ${code('POST {CONNECTOR_URL}/{path}')} with ${code('Content-Type: application/json')} and these fields:

${fields}

Respond with status 200 and ${code('{ "answer": ... }')}, in the shape given in the tables below. Both sides ignore unknown
fields, so either side can run a newer version than the other. An answer must be at most ${MAX_ANSWER_BYTES / 1024 / 1024} MiB with at most
${answerLimits.values.toLocaleString('en')} values (${code('network/tables')}: ${tableLimits.values.toLocaleString('en')}), and arrive within ${code('CONNECTOR_TIMEOUT')}
(8 seconds by default). The service does not follow redirects. Money is in whole cents, times are in epoch milliseconds,
and days are ${code('YYYY-MM-DD')}.

## Signatures

Every call, every answer and every push has a ${code(SIGNATURE_HEADER)} header: a compact JWS (HS256) with these claims.

${table(
  ['Claim', 'In a call', 'In an answer or an error', 'In a push'],
  [
    [code('iss'), code('causeway'), code('connector'), code('connector')],
    [code('aud'), code('connector'), code('causeway'), code('causeway')],
    [code('sub'), 'the path, such as `rail/submit`', 'the `jti` of the call', '`push`'],
    [code('jti'), 'a new one for every attempt', 'a new one', 'the `id` of the push'],
    [code('iat'), 'now, in seconds', 'now', 'now'],
    [code('exp'), 'a minute later', 'a minute later', 'a minute later'],
    [code('sha256'), 'base64url of the SHA-256 of the body’s bytes', 'the same', 'the same'],
  ],
)}

The key is ${code('CONNECTOR_KEY')}: at least 32 bytes, in base64, the same on both sides. To rotate it, set both keys, separated
by a comma. The first key creates signatures, and either key verifies them. ${code('kid')} is the first 12 hex digits of the SHA-256 of
${code('connector key ')} followed by the key's
bytes. Clocks can differ by up to a minute. If a call has no valid signature, sign the answer with ${code('sub: "nobody"')}.

Connectors use a JWS instead of the hex HMAC that webhooks use, because a signature must bind an answer to its call, a call to
its path, and a push to its id. JWT claims can express these bindings, and any JWT library can check them. Connectors use one shared key
instead of key pairs, because you run both sides and neither side has to fetch keys.

## Repeated calls

An answer can be lost, and a call can arrive twice. Each method is therefore one of three kinds.

- A **read** has no effect. The service can repeat it at any time.
- A **check** is an attempt, such as an entered code. The same ${code('request_id')} with the same ${code('question')} is the same
  attempt: it counts once and returns the same answer.
- An **act** has an effect: it texts a code or moves money. Run it only once, ever, for each path and ${code('request_id')}, even
  if the rest of the call differs. If a call repeats an act, return the first answer. Store that answer in the same
  transaction as the effect.

The service never repeats an act without checking first. If the first attempt may have arrived (a timeout, a malformed answer, an
answer without
a valid signature, a crash), the service first queries the outcome at ${code(OUTCOME_PATH)}, with the ${code('request_id')} of the act:

${table(['Path', 'question', 'answer'], [[code(OUTCOME_PATH), shown(outcomeQuestion), shown(outcomeAnswer)]])}

${code('known: false')} means that the act never arrived, so the service sends it. If the act arrives after this answer, accept it
once.

## Errors

A business failure is an **answer**, such as ${code('{ "status": "failed", "code": 20001 }')} or ${code('{ "status": "refused" }')}. It is
final. An error means that there is no answer. Return an error as a signed
${code('{ "error": { "code": "...", "message": "..." } }')}, with a status from the table below. The service does not trust any
other response, whatever its status, because a proxy can return an unsigned 503 after your connector ran the act. The
service also rejects an answer that violates the contract (an incorrect shape, a code for another type of resource, or a
partial return that is not less than the amount that arrived). It then logs ${code('connector_fault')}, moves no money, and calls
again.

${errorTable}

The service sends a call up to ${retryLimits.maxAttempts} times, with pauses of ${new Intl.ListFormat('en-GB').format(retryLimits.delaysMs.map(ms => `${ms / 1000}`))} seconds, and
starts no attempt after ${retryLimits.maxElapsedMs / 1000} seconds. After that, the job that made the call retries it. The service retries a product record five times
in about half a minute. After that, the record fails with its own code. A payment is retried for about a week. A person who is waiting sees that a
provider can't be reached.

## Pushes

Your connector can notify the service of a change, so that the service does not have to poll. Send a signed POST to
${code(`{API_ORIGIN}${PUSH_PATH}`)}.

${table(['Body', 'When'], pushes)}

A push identifies only what changed. The service then makes the call in the table to read the new state. A push can arrive
late, twice, in any order or not at all, because the service also queries each payment at its ${code('next_at')} and each feed at its
${code('next')}. The service responds with 200 and ${code('{ "status": "accepted" }')}, ${code('duplicate')} (this ${code('id')}
was accepted in the last week) or ${code('unknown')} (the team does not exist). After a 503 or no response, retry with the same
${code('id')}. A 400 or 401 is final.

## Capabilities

The service calls these reads for itself. Both are optional.

${table(
  ['Path', 'What it does', 'question', 'answer'],
  [...ownMethods].map(([path, { what, question, answer }]) => [code(path), what, shown(question), shown(answer)]),
)}

The service calls ${code(CAPABILITIES_PATH)} at startup and every hour, and keeps the answer in memory and in the store.
${code('request_id')} and ${code('team_id')} are not used here. Answer a call of any other method with ${code('UNKNOWN_METHOD')}. No other provider takes over a
method that your connector does not list: if ${code('PROVIDERS')} has several names, put ${code('connector')} last, or name
the methods in ${code('PROVIDE')}.

## Network

${network}

The service calls ${code('network/tables')} at startup and every hour, and keeps the answer in memory and in the store.
${code('/readyz')} returns 503 until the first answer.

## Identity

${identity}

Either the frame or your app opens the URLs from ${code('identity/begin_sna')}. Your app reads them from a verification session.
The frame opens only URLs on the origins in [${code('SILENT_ORIGINS')}](operations.md), and every redirect must also be an
https URL on one of these origins. A URL must identify the phone by your own reference, never by the phone number. The service calls
${code('identity/check_sna')} after the URLs have been opened. For any answer except ${code('correct')}, the service asks the person for a
code from a text message. If you do not use a carrier, answer ${code('refused')}. See
[what people see](guides/mobile.md#without-a-code).

## Rail

${rail}

A payment can skip intermediate statuses: the service applies the transitions in between. A payment can be returned up to 60 days
after ${code('posted')}. In that case, answer ${code('reversal_required')} with a code, and send a push.

## Shapes

${shapes}

## Failure codes

${table(
  ['Code', 'Name', 'Message'],
  failureCodes.map(number => [String(number), code(resourceErrors[number].sub_type), resourceErrors[number].message]),
)}
`

const current = (() => {
  try {
    return readFileSync(page, 'utf8')
  } catch {
    return ''
  }
})()
if (!process.argv.includes('--check')) writeFileSync(page, text)
else if (current !== text) {
  console.error('docs/connectors.md is out of date: run scripts/docs/docs-connectors.ts')
  process.exitCode = 1
}
