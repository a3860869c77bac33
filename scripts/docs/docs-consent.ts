/**
 * Writes docs/guides/consent.md: what each product adds to a consent, from the declarations that the service uses.
 *   tsx --conditions=source scripts/docs/docs-consent.ts            writes the page
 *   tsx --conditions=source scripts/docs/docs-consent.ts --check    fails if the page is out of date
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { intents } from '../../apps/api/src/flow/session/config.js'
import { consentData, isNamed } from '../../apps/api/src/flow/session/consent-terms.js'
import { documentsOf, modeRules } from '../../apps/api/src/flow/session/modes.js'
import { offers } from '../../apps/api/src/people/products/registry.js'
import { en } from '../../apps/flow/src/words/en.js'
import { consentProducts } from '../../packages/contract/src/fields/names.js'
import { modes, type Recipients } from '../../packages/contract/src/session.js'
import { table } from './docs-table.js'

const page = fileURLToPath(new URL('../../docs/guides/consent.md', import.meta.url))
const recipients = { service: 'Causeway', bureau: null }
const code = (names: readonly string[]) => names.map(name => `\`${name}\``).join(', ')
const bases = { entity: '/entities/:ent_id', account: '/accounts/:acc_id' } as const

/** Returns the words on the consent screen for the products, and the documents whose text names them. */
function named(documents: readonly { id: string }[], products: readonly string[] | null) {
  const kinds = (ids: readonly { id: string }[]) => consentData({ offers }, ids, products, recipients)
  return {
    words: kinds(documents).map(kind => en.consent.data[kind]),
    documents: documents.filter(document => kinds([document]).length > 0).map(({ id }) => id),
  }
}

const connect = documentsOf('connect', recipients)
const products = consentProducts.map(name => {
  const own = offers.filter(offer => offer.name === name)
  const paths = own.flatMap(({ holder, ...offer }) => ('path' in offer ? `${bases[holder]}/${offer.path}` : []))
  const subscriptions = own.flatMap(offer => offer.subscriptions.map(each => each.name))
  const text = named(connect, [name])
  const reads =
    paths.length > 0
      ? code([...new Set(paths)])
      : name === 'payment'
        ? '`POST /payments`'
        : '`/accounts/:acc_id/transactions`'
  return [`\`${name}\``, text.words.join(', '), code(text.documents), reads, code([...new Set(subscriptions)])]
})

const asks: Record<(typeof modes)[number], string> = {
  identity_verification: '`identity`',
  connect: '`products` of the token, or every product',
  card_connect: '`products` of the token, or every product',
  account_verification: `those that the account can have, by \`intent\`: ${Object.entries(intents)
    .map(([intent, { asks }]) =>
      intent === 'none' ? 'without it, every product of the account' : `for \`${intent}\`, ${code(asks)}`,
    )
    .join('; ')}`,
  transactions: 'every product',
  balance_transfer:
    '`products` of the token, or every product. By confirming, the person agrees to `payment` for the accounts that are paid',
  manage: 'nothing',
}
const byMode = modes.map(mode => [
  `\`${mode}\``,
  code(modeRules[mode].documents.map(({ id }) => id)),
  asks[mode],
  modeRules[mode].accounts === 'found'
    ? 'limits access to them'
    : mode === 'manage'
      ? ''
      : 'adds them to a limited access',
])

const sources: [string, Recipients, string][] = [
  ['a network with a bureau', { service: 'Causeway', bureau: 'Example Bureau' }, 'your service, the bureau'],
  ['Plaid', { service: 'Causeway', aggregator: 'Plaid' }, 'your service, Plaid'],
  ['an upstream', { service: 'Causeway', bureau: null, network: 'Example Network' }, 'your service, the upstream'],
  ['another network', { service: 'Causeway' }, 'your service'],
]
const bySource = sources.map(([source, to, names]) => [
  source,
  names,
  code(documentsOf('connect', to).map(({ id }) => id)),
  code(consentProducts.filter(name => isNamed({ offers }, 'connect', to, name))),
])

const text = `<!-- Made by scripts/docs/docs-consent.ts from the products and the modes. Do not edit. -->

# What the person agrees to share

A person who comes through the flow agrees to share exactly the products that your token asks for. The consent screen
and the documents name only their data, and you can use only these products for the person.

Send the products that you need in \`products\`:

\`\`\`json
{ "type": "connect", "entity_id": "ent_…", "connect": { "products": ["balance"] } }
\`\`\`

If \`products\` is missing or empty, the person is asked to share every product. \`transactions\` and \`transaction\` are
equivalent. All of this applies to tokens created under \`/enveloped\`, too.

## What each product adds

The person always shares the list of their accounts: the lender’s name, the type, the last digits and the status
(\`connect\`). You also see the name, address, phone number and date of birth that the person enters. Every other kind of
data belongs to a product:

${table(['Product', 'Words on the screen', 'Documents that name it', 'Endpoints', 'Subscriptions'], products)}

Endpoints and subscriptions of products that the person did not agree to share return \`PRODUCT_CONSENT_MISSING\`. The
product is in \`restricted_products\`, its id in the person or account is null, \`expand[]\` returns null for it, and it
sends no events. A payment to an account requires \`payment\`.

## What each mode asks for

${table(['Mode', 'Documents', 'Products that it asks for', 'Effect'], byMode)}

Without a credit bureau, no session presents \`credit_report\` or names the bureau. A session then asks only for products
whose data the other documents name, and a token that lists another product is rejected.

## Whom the documents name

${table(['Data from', 'Recipients besides you', 'Documents of a `connect` session', 'Products that it can ask for'], bySource)}

The person’s receipts keep the names that they saw. If the names change, a later session presents the documents again.

## Asking for more

Create another token whose \`products\` include what you need. The session asks only for what is new: its documents and
its data. If nothing is new and the person’s phone is verified, the session shows no consent screen. Access grows when
the session has verified the person, never before. Consents add up until the person withdraws consent.

## People whom you connected through the API

If you verified and connected a person through the API, you obtained their consent, and a later session does not limit
your access to them. The same applies if your connect was still running when the session verified the person. If you
only used other products of the person before their first session, such as \`credit_score\`, those products stay
available. Accounts that you created through the API or found in your own credit report (\`manual_connect\`) are not
limited. An account that the session had found before keeps its limit.
`

if (process.argv.includes('--check')) {
  if (!existsSync(page) || readFileSync(page, 'utf8') !== text) {
    console.error('docs/guides/consent.md is out of date: run scripts/docs/docs-consent.ts')
    process.exitCode = 1
  }
} else writeFileSync(page, text)
