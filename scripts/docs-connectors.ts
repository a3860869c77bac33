/**
 * Writes docs/connectors.md from the contract in apps/api/src/network/connectors, so that the page describes exactly
 * what the service sends and accepts.
 * `tsx --conditions=source scripts/docs-connectors.ts` writes it; with `--check` it fails if the page is out of date.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { trying } from '../apps/api/src/network/connectors/ask.js'
import {
  endpoints,
  envelope,
  MOST_BYTES,
  OUTCOME,
  outcomeAnswer,
  outcomeQuestion,
  push,
} from '../apps/api/src/network/connectors/contract.js'
import { createDescriber } from '../apps/api/src/network/connectors/describe.js'
import { refusals } from '../apps/api/src/network/connectors/method.js'
import { PUSHES } from '../apps/api/src/network/connectors/pushes.js'
import { codes } from '../apps/api/src/network/connectors/shapes.js'
import { SIGNATURE } from '../apps/api/src/network/connectors/signature.js'
import { resourceErrors } from '../packages/contract/src/errors.js'

const page = new URL('../docs/connectors.md', import.meta.url)
const code = (text: string) => `\`${text}\``
const cell = (text: string) => text.replaceAll('|', '\\|')
function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(cell).join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}

const { shown: typeOf, fields: fieldsOf, named } = createDescriber()
const shown = (schema: Parameters<typeof typeOf>[0]) => code(typeOf(schema))

const kinds = { read: 'read', check: 'check', act: '**act**' }
const methods = (port: string) =>
  table(
    ['Path', 'Kind', 'What it does', 'question', 'answer'],
    [...endpoints]
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
const pushes = push.options.map(each => [shown(each), each.description ?? ''])
const errorTable = table(
  ['Status', 'Code', 'Meaning', 'Effect', 'What the service does'],
  Object.entries(refusals).map(([name, { status, what, outcome, retryable }]) => [
    String(status),
    code(name),
    what,
    outcome === 'nothing' ? 'none' : 'unknown',
    outcome === 'unknown' ? 'queries the outcome' : retryable ? 'retries' : 'gives up',
  ]),
)
const shapes = table(
  ['Name', 'Shape'],
  [...named].map(([name, shape]) => [code(name), name === 'code' ? 'one of the failure codes below' : code(shape)]),
)

const text = `<!-- Made by scripts/docs-connectors.ts from apps/api/src/network/connectors. Do not edit. -->

# Connectors

The service reaches institutions, bureaus, phones and payment rails through three ports: ${code('network')}, ${code('identity')} and ${code('rail')}.
In the sandbox, tables simulate them. In production, **your connector** provides them: your own HTTP service, which Causeway calls with
POST requests. Each method of a port has its own path. This page is the complete contract.

This repository contains an example, which serves the sandbox through the contract in a separate process:

\`\`\`sh
export CONNECTOR_KEY=$(openssl rand -base64 32)
node apps/api/dist/main/connector.js                                # http://127.0.0.1:4600
CONNECTOR_URL=http://127.0.0.1:4600 node apps/api/dist/main/server.js   # the service, with the same key
node apps/api/dist/main/conformance.js --url http://127.0.0.1:4600 --sandbox
\`\`\`

The last line runs the conformance test, which you can also run against your connector. It prints one line per rule, with the problem if
a rule fails, and exits with code 1 if any rule fails. It runs an act (texts a code, sends money) only if the file of ${code('--inputs FILE')} contains a question for it, such as
${code('{"rail/submit": {...}, "identity/send_code": {"phone": "..."}}')}. Other questions in the file replace the default questions.
Run it against a connector that moves no real money. To test how the service handles faults, the example can simulate them:
${code('--slow MS')}, ${code('--twice CHANCE')}, ${code('--silent CHANCE')}, ${code('--broken CHANCE')} (chances from 0 to 1), ${code('--row N')} (the most
consecutive faults for one request), ${code('--hurry')} (slow institutions respond at once).

## A call

${code('POST {CONNECTOR_URL}/{path}')} with ${code('Content-Type: application/json')} and

${fields}

The answer has status 200 and ${code('{ "answer": ... }')}, with the shape in the tables below. Both sides ignore unknown fields, so
either one can be newer than the other. An answer must be at most ${MOST_BYTES / 1024 / 1024} MiB and arrive within ${code('CONNECTOR_TIMEOUT')} (8
seconds). Redirects are not followed. Money is in whole cents, times are epoch milliseconds, days are ${code('YYYY-MM-DD')}.

## Signatures

Every call, every answer and every push has the header ${code(SIGNATURE)}: a compact JWS (HS256) with these claims.

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

The key is ${code('CONNECTOR_KEY')}: at least 32 bytes, in base64, the same on both sides. To replace it, set both keys, separated
by a comma: the first one signs, and all are accepted. ${code('kid')} is the first 12 hex digits of the SHA-256 of ${code('connector key ')} and the key's
bytes. Clocks can differ by a minute. An answer to a call without a valid signature is signed with ${code('sub: "nobody"')}.

Connectors use a JWS instead of the hex HMAC of webhooks, because the signature must bind an answer to its call, a call to its path and a
push to its id. Claims express this, and any JWT library checks them. They use one shared key instead of key pairs, because you run both
sides, and no key has to be fetched.

## Repeated calls

An answer can be lost, and a call can arrive twice. Each method is therefore one of three kinds.

- A **read** has no effect. The service can repeat it at any time.
- A **check** is an attempt, such as an entered code. The same ${code('request_id')} with the same ${code('question')} is the same attempt: it counts
  once and has the same answer.
- An **act** has an effect: it texts a code or moves money. Run it only once for each path and ${code('request_id')}, permanently, regardless of the rest
  of the call. A repeated act returns the first answer. Store that answer in the same transaction as the effect.

The service never repeats an act without a check. If the first attempt may have arrived (a timeout, a malformed answer, an answer without
a valid signature, a crash), the service first queries the outcome at ${code(OUTCOME)}, with the ${code('request_id')} of the act:

${table(['Path', 'question', 'answer'], [[code(OUTCOME), shown(outcomeQuestion), shown(outcomeAnswer)]])}

${code('known: false')}: the act never arrived, so the service sends it. Accept an act that arrives after this answer, once.

## Errors

A business failure is an **answer**: ${code('{ "status": "failed", "code": 20001 }')}, ${code('{ "status": "refused" }')}. It is final. An error means that there is no
answer: a status of this table with ${code('{ "error": { "code": "...", "message": "..." } }')}, signed. The service ignores any other response, whatever its
status, because a proxy can return an unsigned 503 after your connector ran the act. The service also rejects an answer that violates the contract (an incorrect shape,
a code of another resource, a returned part that is not less than the amount that arrived). It logs ${code('connector_fault')}, moves no money, and calls again.

${errorTable}

The service sends a call up to ${trying.most} times, with pauses of ${trying.pauses.map(ms => ms / 1000).join(', ')} seconds, and starts no attempt after ${trying.patience / 1000} seconds. Then its job retries: a record of
a product five times in about half a minute, until it fails with its own code; a payment for about a week. A person who is waiting sees that
a provider can't be reached.

## Pushes

Your connector can notify the service of a change, so that the service does not have to poll: send a signed POST to ${code(`{API_ORIGIN}${PUSHES}`)}.

${table(['Body', 'When'], pushes)}

A push only says what changed. The service then requests the new state with the call in the table. A push can therefore arrive late, twice, in
any order or not at all: the service calls for a payment at its ${code('next_at')} in any case, and for
a feed at its ${code('next')}. The answer is 200 with ${code('{ "status": "accepted" }')},
${code('duplicate')} (this ${code('id')} was accepted in the last week) or ${code('unknown')} (the team does not exist). After a 503 or no answer, retry with the same ${code('id')}; 400 and 401 are final.

## Network

${network}

The service calls ${code('network/tables')} at startup and every hour, and keeps the answer in memory and in the store. ${code('/readyz')} is 503 until the first answer.

## Identity

${identity}

Your app opens the URLs from ${code('identity/begin_sna')}, which it reads from a verification session, or the frame opens them. The frame opens only URLs
on the origins of [${code('SILENT_ORIGINS')}](operations.md), and their redirects must be https and on these origins too. A URL must identify the
phone by a reference of yours, never by its number. The service calls ${code('identity/check_sna')} after the URLs have been opened. For any answer except ${code('correct')}, the frame
texts a code. If you use no carrier, answer ${code('refused')}. See [what people see](guides/mobile.md#without-a-code).

## Rail

${rail}

A payment can skip intermediate statuses: the service applies the transitions in between. A payment can be returned up to 60 days after
${code('posted')}: answer ${code('reversal_required')} with a code, and push.

## Shapes

${shapes}

## Failure codes

${table(
  ['Code', 'Name', 'Message'],
  codes.map(number => [String(number), code(resourceErrors[number].sub_type), resourceErrors[number].message]),
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
  console.error('docs/connectors.md is out of date: run scripts/docs-connectors.ts')
  process.exitCode = 1
}
