/**
 * Writes docs/connectors.md from the contract in apps/api/src/network/connectors, so that an operator's connector is written against
 * what the service really sends and believes.
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
    ['Path', 'Kind', 'What it asks', 'question', 'answer'],
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
  ['Field', 'Type', 'What it is'],
  fieldsOf(envelope).map(({ name, type, what }) => [code(name), code(type), what]),
)
const [network, identity, rail] = ['network', 'identity', 'rail'].map(methods)
const pushes = push.options.map(each => [shown(each), each.description ?? ''])
const errorTable = table(
  ['Status', 'Code', 'Meaning', 'What happened', 'What the service does'],
  Object.entries(refusals).map(([name, { status, what, outcome, retryable }]) => [
    String(status),
    code(name),
    what,
    outcome === 'nothing' ? 'nothing' : 'not known yet',
    outcome === 'unknown' ? 'queries the outcome' : retryable ? 'retries' : 'gives up',
  ]),
)
const shapes = table(
  ['Name', 'Shape'],
  [...named].map(([name, shape]) => [
    code(name),
    name === 'code' ? 'a number of "Why something failed" below' : code(shape),
  ]),
)

const text = `<!-- Made by scripts/docs-connectors.ts from apps/api/src/network/connectors. Do not edit. -->

# Connectors

The service reaches institutions, bureaus, phones and payment rails through three ports: ${code('network')}, ${code('identity')} and ${code('rail')}.
In the sandbox tables answer for them. In production **your connector** does: a service of yours that the service POSTs to,
one path for each method of a port. This page is the whole contract.

An example is in this repository, the sandbox behind the contract, in a process of its own:

\`\`\`sh
export CONNECTOR_KEY=$(openssl rand -base64 32)
node apps/api/dist/main/connector.js                                # http://127.0.0.1:4400
CONNECTOR_URL=http://127.0.0.1:4400 node apps/api/dist/main/server.js   # the service, with the same key
node apps/api/dist/main/conformance.js --url http://127.0.0.1:4400 --sandbox
\`\`\`

The last line is the conformance test, for your connector too: one line a rule, what was wrong where one does not hold, and
exit code 1 then. It acts (texts a code, sends money) only where ${code('--inputs FILE')} has a question for the act, as in
${code('{"rail/submit": {...}, "identity/send_code": {"phone": "..."}}')}; other questions in the file replace those about nobody.
Run it against a connector that moves no real money. The example can be made to misbehave, to see how the service copes:
${code('--slow MS')}, ${code('--twice CHANCE')}, ${code('--silent CHANCE')}, ${code('--broken CHANCE')} (chances from 0 to 1), ${code('--row N')} (what is asked
about one request meets trouble so often in a row at most), ${code('--hurry')} (slow institutions answer at once).

## A call

${code('POST {CONNECTOR_URL}/{path}')} with ${code('Content-Type: application/json')} and

${fields}

The answer is status 200 with ${code('{ "answer": ... }')}, whose shape the tables below give. Fields that the contract does not have are
ignored on both sides; so both can be newer than the other. An answer is at most ${MOST_BYTES / 1024 / 1024} MiB, and comes within ${code('CONNECTOR_TIMEOUT')} (8
seconds). Redirects are not followed. Money is in whole cents, times are epoch milliseconds, days ${code('YYYY-MM-DD')}.

## Signatures

Every call, every answer and every push has the header ${code(SIGNATURE)}: a compact JWS (HS256) with these claims.

${table(
  ['Claim', 'In a call', 'In an answer, errors too', 'In a push'],
  [
    [code('iss'), code('causeway'), code('connector'), code('connector')],
    [code('aud'), code('connector'), code('causeway'), code('causeway')],
    [code('sub'), 'the path, such as `rail/submit`', 'the `jti` of the call that is answered', '`push`'],
    [code('jti'), 'a new one for every sending', 'a new one', 'the `id` of the push'],
    [code('iat'), 'now, in seconds', 'now', 'now'],
    [code('exp'), 'a minute later', 'a minute later', 'a minute later'],
    [code('sha256'), 'base64url of the SHA-256 of the body’s bytes', 'the same', 'the same'],
  ],
)}

The key is ${code('CONNECTOR_KEY')}: at least 32 bytes, in base64, the same on both sides. While one replaces another give both, separated
by a comma: the first one signs, all are believed. ${code('kid')} is the first 12 hex digits of the SHA-256 of ${code('connector key ')} and the key's
bytes. Clocks may differ by a minute. An answer to a call without a good signature is signed with ${code('sub: "nobody"')}.

Why a JWS and not the hex HMAC of webhooks: an answer must be bound to its call, a call to its path and a push to its id, and
claims say that by their names; any JWT library checks them. Why one shared key and not a pair each: both sides are yours,
and there is nothing to fetch and nothing that can be out of reach.

## What sending twice means

An answer can get lost, and a call can come twice. So each method is of one of three kinds.

- A **read** only asks. The service sends it again as it likes.
- A **check** is a try, such as a code that was typed: the same ${code('request_id')} with the same ${code('question')} is the same try, counted once,
  and has the same answer.
- An **act** does something: texts a code, moves money. It is done once for its path and ${code('request_id')}, for ever, whatever else is in
  the call; when it comes again its answer is the first one. Keep it in the transaction of what you do.

The service never sends an act a second time blindly. Where the first sending may have arrived (no answer in time, a broken
or foreign answer, a crash), it asks first, at ${code(OUTCOME)}, under the act's own ${code('request_id')}:

${table(['Path', 'question', 'answer'], [[code(OUTCOME), shown(outcomeQuestion), shown(outcomeAnswer)]])}

${code('known: false')}: it never came, and is sent. One that comes after that was said is taken all the same, once.

## Errors

What can go wrong in the world is an **answer**: ${code('{ "status": "failed", "code": 20001 }')}, ${code('{ "status": "refused" }')}. It is final. An error says that there is no
answer: a status of this table with ${code('{ "error": { "code": "...", "message": "..." } }')}, signed. Nothing else is believed, whatever its
status: an unsigned 503 may come from something in between, behind which your connector did the act. An answer that the contract rules out (another shape,
a code of something else, a part that is not less than what arrived) is none: it is logged as ${code('connector_fault')}, moves no money, and is asked for again.

${errorTable}

A call is sent up to ${trying.most} times, with pauses of ${trying.pauses.map(ms => ms / 1000).join(', ')} seconds, and not begun anew after ${trying.patience / 1000} seconds. Then its job waits and tries again: a record of
a product five times, about half a minute, until it fails by its own code; a payment for about a week. People who are waiting are told that
something can't be reached now.

## Pushes

Your connector can tell the service that something moved, so that it need not be asked for: POST to ${code(`{API_ORIGIN}${PUSHES}`)}, signed.

${table(['Body', 'When'], pushes)}

A push says where to look; what has become of it is asked of you, by the call of the table. So a push can come late, twice, in
any order or not at all, and nothing goes wrong: a payment is asked for at its ${code('next_at')} anyway,
a feed at its ${code('next')}. The answer is 200 with ${code('{ "status": "accepted" }')},
${code('duplicate')} (this ${code('id')} was taken before, in the last week) or ${code('unknown')} (no such team). On 503 or no answer send it again under the same ${code('id')}; 400 and 401 are final.

## Network

${network}

${code('network/tables')} is asked at the start and every hour, kept in memory and in the store; until it was answered once, ${code('/readyz')} is 503.

## Identity

${identity}

The addresses of ${code('identity/begin_sna')} are opened by a verification session that you read by the API, or by the frame: there only those
on the origins of [${code('SILENT_ORIGINS')}](operations.md), and what they redirect to must be https and named there too. An address names the
phone by something of yours, never by its number. ${code('identity/check_sna')} is asked when they were opened; the frame takes anything but ${code('correct')} as a no, and a
code is texted. Where no carrier is to be asked, answer ${code('refused')}. [What people see](guides/mobile.md#without-a-code).

## Rail

${rail}

A status may skip the ones in between: the service makes the moves that lead there. A payment can come back up to 60 days after
${code('posted')}: answer ${code('reversal_required')} with a code, and push.

## Shapes

${shapes}

## Why something failed

${table(
  ['Code', 'Name', 'What people read'],
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
