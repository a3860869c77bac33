/**
 * Writes docs/guides/providers/README.md from the declarations in packages/providers.
 *   tsx --conditions=source scripts/docs/docs-providers.ts            writes the page
 *   tsx --conditions=source scripts/docs/docs-providers.ts --check    fails if the page is out of date
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { allNeeds, kindNames } from '../../apps/api/src/network/capabilities/needs.js'
import { endpointsByPath } from '../../packages/connector/src/methods/contract.js'
import type { Setting } from '../../packages/connector/src/provider/settings.js'
import { providers } from '../../packages/providers/src/index.js'
import { table } from './docs-table.js'

const page = new URL('../../docs/guides/providers/README.md', import.meta.url)
const code = (text: string) => `\`${text}\``
const all = Object.values(providers)

const overview = table(
  ['Provider', 'Serves', 'Webhook address', 'Proven with'],
  all.map(({ name, title, provides, hooks, proven }) => [
    `[${title}](${name}.md)`,
    [...new Set(Object.keys(provides).map(path => path.split('/')[0]!))].map(code).join(', '),
    hooks ? code(`{API_ORIGIN}/hooks/${name}`) : 'none',
    `${{ emulator: 'its emulator', sandbox: "the provider's sandbox", live: 'live payments' }[proven.level]}, ${proven.on}`,
  ]),
)
const matrix = table(
  ['Method', ...all.map(({ title }) => title)],
  [...endpointsByPath.keys()]
    .filter(path => all.some(({ provides }) => provides[path]))
    .map(path => [code(path), ...all.map(({ provides }) => (provides[path] ? 'yes' : ''))]),
)
/** Returns true if the provider serves the method unless a setting turns it off, and it is off by default. */
function isOffByDefault({ settings, capabilities }: (typeof all)[number], path: string): boolean {
  const defaults = Object.entries(settings as Record<string, Setting<unknown>>).map(([name, { fallback, read }]) => [
    name,
    fallback === undefined ? undefined : read(fallback),
  ])
  return capabilities(Object.fromEntries(defaults)).without?.some(each => each === path) ?? false
}
const providersOf = (paths: readonly string[]) => {
  const names = all.flatMap(each => {
    const served = paths.filter(path => each.provides[path])
    if (served.length === 0) return []
    return [served.some(path => isOffByDefault(each, path)) ? `${each.title} (off by default)` : each.title]
  })
  const isServed = paths.every(path => all.some(({ provides }) => provides[path]))
  return [...names, ...(isServed ? [] : ['your connector'])].join(', ')
}
const offered = table(
  ['Kind', 'Name', 'Needs', 'Served by'],
  allNeeds
    .filter(({ paths }) => paths.length > 0)
    .map(({ kind, name, paths }) => [kindNames[kind], code(name), paths.map(code).join(', '), providersOf(paths)]),
)
const missing = [...endpointsByPath.keys()].filter(path => !all.some(({ provides }) => provides[path]))
const variables = all.flatMap(({ title, settings }) =>
  Object.entries(settings as Record<string, Setting<unknown>>).map(([name, { what, mustBe, fallback }]) => [
    title,
    code(name),
    fallback === undefined ? 'required' : fallback === '' ? 'none' : code(fallback),
    `${what}. Must be ${mustBe}`,
  ]),
)

const text = `<!-- Made by scripts/docs/docs-providers.ts from packages/providers. Do not edit. -->

# Providers

A provider is a company whose API the service calls itself, so that you don't have to write a [connector](../../connectors.md). Set
${code('PROVIDERS')} to a list of names, and set each provider's variables:

\`\`\`sh illustration: needs accounts at both companies
export PROVIDERS=twilio,increase
pnpm admin doctor
\`\`\`

${overview}

**Proven with its emulator** means that the provider follows the company's public API documents and has passed our tests
against an emulator, but no run against the company itself has been reported. Follow the staging run on the provider's page before
you rely on it. It includes a [live run](../../contributing/providers.md#live-runs) against the company's test system:

\`\`\`sh illustration: needs accounts at both companies
pnpm providers:live increase
pnpm providers:live plaid
pnpm providers:live twilio --phone +15125550142
\`\`\`

## Who serves what

Each method of the [three ports](../../connectors.md) goes to the first provider in ${code('PROVIDERS')} that serves it.
${code('PROVIDE')} names exceptions, such as ${code('PROVIDE=network/deposit:increase')}. ${code('connector')} is your own connector,
and ${code('sandbox')} is the sandbox, which production refuses. Methods that belong together, such as submitting a payment
and reading its status, always have the same provider. If a provider finds accounts only for people that it matched itself, it also
matches them.

${matrix}

No provider serves the other ${missing.length} methods yet. Without a connector that serves them, the service does not offer what needs
them. A provider whose people link their institutions first also serves ${code('network/link')}, ${code('network/linked')} and
${code('network/unlink')}. These three always have the provider of ${code('network/discover')}.

## What is offered

The service offers only what the configured providers serve together:

- Products and subscriptions that are not served are ${code('restricted')}, and their ${code('status_error')} names the missing methods. Requests for them
  get ${code('TEAM_CAPABILITY_RESTRICTED')} with the same message.
- Verification methods that are not served are not listed, and sessions with them are refused.
- Tokens for sessions that are not served are refused. The frame offers no silent check, and no account that it can't verify.
- Payments are refused unless a rail is served.
- ${code('pnpm admin doctor')} lists what is not offered.

A connector lists its methods at [${code('capabilities')}](../../connectors.md#capabilities). Without this list, it serves every method.

What needs no method is not in the table.

${offered}

## Settings

Each variable can instead be read from a file: ${code('NAME_FILE')} is the path to a file that contains the value of ${code('NAME')}. A missing or
invalid variable stops the start, with a message that names the variable and what it must be. No message, log line or page
contains a secret.

${table(['Provider', 'Variable', 'Default', 'Meaning'], variables)}

A provider's test system belongs to ${code('ENVIRONMENT=sandbox')}, which makes a staging system, and its live system to
${code('ENVIRONMENT=production')}. The service refuses to start with the other combinations.

## Dry run without a contract

Except Upstream, whose other side can be [a second installation](upstream.md), each provider has an emulator, which behaves as the
company documents. In a checkout, install and build once, and then serve the three emulators, each in a terminal of its own:

\`\`\`sh illustration: each emulator runs until you stop it
pnpm install && pnpm build
pnpm providers:emulate twilio
pnpm providers:emulate plaid
pnpm providers:emulate increase
\`\`\`

Each command prints the variables to set, each as \`NAME=value\`: export them. \`--port\` changes the emulator's port, \`--hooks\` the address
to which it sends webhooks (\`http://127.0.0.1:4000/hooks/NAME\`), and \`--speed\` how fast the bank's days pass. An emulator keeps
everything in memory, so it forgets it when it stops.

The emulators are test systems, so the rehearsal runs with \`ENVIRONMENT=sandbox\`, which is the default, and without the provider
${code('sandbox')}:

\`\`\`sh illustration: needs the variables that the emulators printed
export PROVIDERS=twilio,plaid,increase OUTBOUND_LOOPBACK=allow CONSOLE_PORT=4400
pnpm serve          # prints the addresses; the first team's key is in data/bootstrap.key
pnpm admin doctor   # in another terminal, with the same variables
\`\`\`

1. Create a corporation and its \`ach\` account with the numbers that [Increase's page](increase.md#dry-run-without-a-contract) names.
   Verify it: \`POST /accounts/{id}/verification_sessions\` with \`"type": "micro_deposits"\`, read the two amounts from
   \`GET /accounts/{id}/verification_sessions/{avf}/amounts\` once the bank has sent them (in production, from the account's
   statement), and \`PUT\` them to the session as \`micro_deposits.amounts\`.
2. Import a payee for each merchant that you pay, and [confirm it](#who-is-paid).
3. Open your page with any mobile phone. \`GET /emulator/codes/{phone}\` of Twilio's emulator returns the code.
4. Sign in at an institution of [Plaid's page](plaid.md#dry-run-without-a-contract), choose accounts, split the loan, and release it.

To rehearse without Plaid, set ${code('PROVIDERS=twilio,increase,sandbox')}. The sandbox then finds the accounts and, because it finds
only people that it matched, also matches them.

Payments to an \`ach\` account need a team that may send them: \`PATCH /team\` with \`"ach_destinations": true\`.

## Change the rail

A payment stays with the provider that served \`rail/submit\` when it was created. That provider submits, follows, cancels and
reverses it, even after new payments go to another one. So put the new rail first, and keep the old one in \`PROVIDERS\`:

\`\`\`sh illustration: two rails, of which new payments use the first
export PROVIDERS=connector,increase
\`\`\`

Remove the old one once no payment of it can change, which is about 90 days after its last payment. If it is removed earlier, its
payments wait, requests to cancel them are answered with 503, and \`pnpm admin doctor\` names the provider to add again.

## In a process of its own

By default, providers run in the service's process. To keep the companies' keys apart from it, run the same providers in a process
of their own. It is a [connector](../../connectors.md), which is part of this repository and of the image:

\`\`\`sh illustration: needs an account at the company
export CONNECTOR_KEY=$(openssl rand -base64 32)   # the same for both processes
export ENCRYPTION_KEY=$(openssl rand -base64 32)  # the connector's own
API_ORIGIN=https://api.example.com node apps/api/dist/main/connector.js --providers increase
\`\`\`

Set the providers' variables and \`ENVIRONMENT\` for this process, not for the service. The service needs only:

\`\`\`sh illustration: settings of the service
CONNECTOR_URL=https://connector.example.com   # or http on the same machine
CONNECTOR_TIMEOUT=20000                       # a call may need several requests, each of up to 8 seconds
PROVIDERS=connector
\`\`\`

| Variable of the connector | Default | Meaning |
| --- | --- | --- |
| \`API_ORIGIN\` | \`http://127.0.0.1:4000\` | the origin of the service's API, for pushes. Required in production, with https unless it is on this machine |
| \`CONNECTOR_KEY\` | required | the secret that it shares with the service |
| \`DATABASE_URL\` | \`file:data/connector/connector.db\` | a store of its own. It creates and updates the tables when it starts. It refuses the service's store, and the service refuses its store |
| \`ENCRYPTION_KEY\` | created in the sandbox | 32 bytes in base64, different from the service's |
| \`HOST\`, \`PORT\` | \`127.0.0.1\`, 4600 | the listener of the service's calls and of the companies' webhooks. Also \`--host\` and \`--port\` |
| \`OPS_HOST\`, \`OPS_PORT\` | \`127.0.0.1\`, 4601 | the listener of \`/livez\`, \`/readyz\` and \`/metrics\` |
| \`TRUSTED_PROXIES\` and the other settings of the database | | as for [the service](../../operations.md) |

To try it against the emulator, with the [conformance test](../../connectors.md):

\`\`\`sh
export INCREASE_API_URL=http://127.0.0.1:4720 INCREASE_API_KEY=emulator_api_key INCREASE_WEBHOOK_SECRET=emulated_subscription_secret
export CONNECTOR_KEY=$(openssl rand -base64 32) DATABASE_URL=file:$(mktemp -d)/connector.db
node packages/providers/dist/emulate.js increase &
node apps/api/dist/main/connector.js --providers increase &
trap 'kill %1 %2' EXIT
curl --silent --retry 30 --retry-delay 1 --retry-connrefused http://127.0.0.1:4601/readyz
node apps/api/dist/main/conformance.js --url http://127.0.0.1:4600
\`\`\`

- The address of webhooks is \`/hooks/NAME\` on the connector's listener. Expose only these paths to the internet. The connector
  verifies each webhook, and pushes the change to the service. It keeps a push until the service accepts it, for up to a day,
  and logs \`push_failed\` or \`push_given_up\`.
- \`node apps/api/dist/main/connector.js --providers increase --check\` checks the settings, the companies, and that the service
  accepts the connector's pushes. \`pnpm admin doctor\` checks that the connector responds to the service.
- Payments, returns, payees and statements work as in the service's process. The payee directory stays in the service, which
  sends the payee with each payment. The service learns which methods the connector serves from [capabilities](../../connectors.md#capabilities).
- The store has the providers' rows, encrypted with a key for each team, their first answers, and the ids of transfers. Back it up
  with \`DATABASE_URL=file:connector.db pnpm admin backup FOLDER\` or, with PostgreSQL, with pg_dump. Without it, no payment is made twice, because the companies recognize repeated requests, but webhooks
  about earlier payments are ignored, and these payments are polled.
- Several processes can share a PostgreSQL store. On SIGTERM, a process finishes the calls in progress. In a container, set
  \`OPS_PORT=4200\` for the image's health check.
- With providers in both processes, such as \`PROVIDERS=twilio,connector\`, a connector that discovers no debts needs
  \`PROVIDE=identity/match:twilio\`, because the service otherwise lets the connector match people, too.
- The service has one connector. If you already have one for other methods, let the providers run in the service's process.

## Who is paid

A payment to a debt needs to know how its merchant is paid. The payee directory holds this:

\`\`\`csv illustration: a file of yours
merchant,route,routing,account,account_type,sec,addenda,name,line1,line2,city,state,zip,memo,max_amount,note
mch_1,ach,021000021,number,,ccd,,,,,,,,,,pays into the debt's own number
mch_2,check,,,,,,Card Services,PO Box 15123,,Wilmington,DE,19850,{number},500000,
\`\`\`

\`\`\`sh illustration: needs a store and a file
pnpm admin payee import payees.csv --by "Ana Diaz" --dry-run
pnpm admin payee import payees.csv --by "Ana Diaz"
pnpm admin payee list
pnpm admin payee confirm PAYEE --by "Ben Okafor"   # or all
\`\`\`

- The import reports each line, and proposes nothing if a line is invalid.
- Merchant ids come from \`GET /merchants\`. The column names and the SEC codes are in lower case. A file has at most 20,000 rows.
- A second person must confirm each payee. The audit log records both. A new proposal for a merchant
  replaces an earlier one.
- The file is CSV in UTF-8.
- ${code('{number}')}, ${code('{mask}')} and ${code('{payment}')} in ${code('addenda')} and ${code('memo')} stand for the debt's number, its last four
  digits and the payment's id.
- ${code('account')} is an account number, or ${code('number')} to credit the debt's own number.
- ${code('max_amount')} limits one payment, in cents.
- A debt whose merchant has no payee is never offered for payment. ${code('pnpm admin payee remove PAYEE')} stops payments to a merchant
  at once.

Account numbers are encrypted, and shown with only their last four digits.

## Compare statements

Every day, a worker compares the statement of each provider that has one with the store, team by team. What differs is an exception, which
an operator must explain or correct: [Statements](../../operations.md#statements) lists the exceptions and what to do about each.

\`\`\`sh illustration: needs a store and a provider
pnpm admin payments exceptions
pnpm admin payments statement 2026-11-01 2026-11-30
\`\`\`

The second command compares the days from the first to the last, inclusive, in UTC. It exits with 1 if there is an exception
without an explanation.

## Failures

| Failure | Effect |
| --- | --- |
| The provider limits requests (429) | Nothing was done; the service retries |
| A timeout, a broken connection, a 5xx status or an unreadable answer to an act | The service asks the provider for the outcome before it sends the act again |
| The provider rejects the key (401, 403) | Nothing was done. The service logs ${code('provider_key_rejected')}, and ${code('pnpm admin doctor')} reports it until the provider accepts a key |
| A status that the provider's documents don't list | The payment stays as it is, and the service logs ${code('provider_status_unknown')} |
| A webhook is lost, late, repeated or out of order | Payments are also polled, so only time is lost |
`

if (!process.argv.includes('--check')) writeFileSync(page, text)
else if (readFileSync(page, 'utf8') !== text) {
  console.error('docs/guides/providers/README.md is out of date: run scripts/docs/docs-providers.ts')
  process.exit(1)
}
