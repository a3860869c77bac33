import { olderEntities } from '@causeway/contract/endpoints/entities'
import { ANY_KIND, corporationKinds } from '@causeway/contract/products/entity'
import { accountFields } from '@causeway/contract/products/of-accounts'
import { entityFields } from '@causeway/contract/products/of-entities'
import type { z } from 'zod'
import { account, blockFields, type Capability, entity, sourceless } from './2020-12-06-shapes.js'
import type { Facts } from './facts.js'
import { type Body, declareRequest, omitting, type Step } from './step.js'

const productLists = [
  'products',
  'restricted_products',
  'subscriptions',
  'available_subscriptions',
  'restricted_subscriptions',
]

/**
 * A holder's capabilities: available now, available after verification, or available once missing information is
 * provided.
 */
interface Capabilities {
  capabilities: Capability[]
  available_capabilities: Capability[]
  pending_capabilities: Capability[]
}
const noCapabilities: Capabilities = { capabilities: [], available_capabilities: [], pending_capabilities: [] }

const listIncludes = (body: Body, list: string, name: string) =>
  ((body[list] as string[] | undefined) ?? []).includes(name)

type Proofs = { identity: { verified: boolean }; phone: { verified: boolean } }

function entityCapabilities(body: Body, facts: Facts): Capabilities {
  if (body['type'] === null || body['status'] === 'disabled') return noCapabilities
  // A corporation needs no verification. An active corporation can send and receive payments.
  if (body['type'] === 'corporation') return { ...noCapabilities, capabilities: ['payments:send', 'payments:receive'] }
  const person = body['individual'] as Record<string, unknown> | undefined
  const isNamed = person
    ? Boolean(person['first_name'] && person['phone'])
    : facts.entity.get(String(body['id']))?.nameable === true
  const isVerified = (body['verification'] as Proofs).identity.verified
  const hasConnect = listIncludes(body, 'products', 'connect')
  const isGranted: Record<Capability, boolean> = {
    'payments:send': isVerified,
    'payments:receive': isNamed,
    'data:retrieve': hasConnect,
    'data:sync': hasConnect && isVerified,
  }
  const offersConnect =
    hasConnect || (facts.offeredProducts.includes('connect') && listIncludes(body, 'restricted_products', 'connect'))
  const all = (Object.keys(isGranted) as Capability[]).filter(
    name => isGranted[name] || offersConnect || name.startsWith('payments:'),
  )
  const missing = all.filter(name => !isGranted[name])
  return {
    capabilities: all.filter(name => isGranted[name]),
    available_capabilities: isNamed ? missing : [],
    pending_capabilities: isNamed ? [] : missing,
  }
}

function accountCapabilities(body: Body, facts: Facts): Capabilities {
  if (body['type'] === null || body['status'] !== 'active') return noCapabilities
  const awaitsPayment =
    facts.offeredProducts.includes('payment') && listIncludes(body, 'restricted_products', 'payment')
  const hasPayment = listIncludes(body, 'products', 'payment')
  if (body['type'] === 'ach')
    return {
      ...noCapabilities,
      capabilities: hasPayment ? ['payments:send'] : [],
      available_capabilities: awaitsPayment ? ['payments:send'] : [],
    }
  return {
    capabilities: [
      ...(hasPayment ? (['payments:receive'] as const) : []),
      // An account that the customer identified by number has no fingerprint.
      ...((body['liability'] as Body | undefined)?.['fingerprint'] == null ? [] : (['data:retrieve'] as const)),
      ...(listIncludes(body, 'products', 'update') ? (['data:sync'] as const) : []),
    ],
    available_capabilities: [],
    // An account can't be paid until its number is known.
    pending_capabilities: awaitsPayment ? ['payments:receive'] : [],
  }
}

const withoutNewer = omitting(['verification', ...entityFields, ...productLists])
const withoutSsn = omitting(['ssn', 'ssn_4'])

function downEntity(body: Body, facts: Facts): Body {
  // An event about withdrawn data contains only the id.
  if (!('type' in body)) return body
  const entityFacts = facts.entity.get(String(body['id']))
  const out: Body = {
    ...withoutNewer(body),
    ...entityCapabilities(body, facts),
  }
  if (body['type'] === 'corporation') out['type'] = entityFacts?.kind ?? ANY_KIND
  if (body['individual']) {
    const isVerified = (body['verification'] as Proofs).phone.verified
    out['individual'] = {
      ...withoutSsn(body['individual'] as Body),
      phone_verification_type: isVerified ? 'sms' : null,
      phone_verification_timestamp: isVerified ? (entityFacts?.phone_verified_at ?? null) : null,
    }
  }
  return out
}

const dataStatus: Record<string, string> = { completed: 'active', failed: 'failed' }
const dataSource: Record<string, string> = { direct: 'financial_institution', snapshot: 'credit_report' }

function downLiability(body: Body, facts: Facts): Body {
  const { name, fingerprint, sub_type, ...liability } = body['liability'] as Body
  const accountFacts = facts.account.get(String(body['id']))
  const { latest, update, payoff } = accountFacts ?? { latest: null, update: null, payoff: null }
  const type = String(liability['type'])
  const values: Body = {
    ...update?.block,
    payoff_amount: payoff?.['amount'],
    payoff_amount_term: payoff?.['term'],
    per_diem_amount: payoff?.['per_diem_amount'],
    name,
    sub_type,
  }
  return {
    ...liability,
    payment_status: listIncludes(body, 'products', 'payment')
      ? 'active'
      : accountFacts?.verifying
        ? 'activating'
        : 'unavailable',
    data_status:
      latest && listIncludes(body, 'products', 'update') ? (dataStatus[latest.status] ?? 'syncing') : 'unavailable',
    data_last_successful_sync: update?.as_of ?? null,
    data_updated_at: update?.as_of ?? null,
    data_status_error: latest?.error ?? null,
    data_source: update ? (dataSource[update.source] ?? null) : null,
    hash: fingerprint ?? null,
    [type]: Object.fromEntries(blockFields(type).map(field => [field, values[field] ?? null])),
  }
}

const withoutProducts = omitting([...accountFields, ...productLists])

function downAccount(body: Body, facts: Facts): Body {
  if (!('type' in body)) return body
  return {
    ...withoutProducts(body),
    ach: body['ach'] ?? null,
    liability: body['liability'] ? downLiability(body, facts) : null,
    clearing: null,
    ...accountCapabilities(body, facts),
  }
}

type OlderEntity = z.output<typeof olderEntities.create | typeof olderEntities.update>

/**
 * Converts a body from an older version. Moves a corporation's kind and the customer's own phone verification into
 * fields of the newer entity.
 */
function upEntity({ individual: older, ...body }: OlderEntity): Body {
  const {
    phone_verification_type: verificationType,
    phone_verification_timestamp: verifiedAt,
    ...individual
  } = older ?? {}
  const kind = 'type' in body ? corporationKinds.find(each => each === body.type) : undefined
  return {
    ...body,
    ...(older && { individual }),
    ...(kind && { type: 'corporation', kind }),
    ...(verificationType != null && { phone_proof: verifiedAt }),
  }
}

const derived = 'and `capabilities`, `available_capabilities` and `pending_capabilities`'

/**
 * The next version replaced capabilities with products and verifications. That version also replaced a holder's sync
 * with separate records.
 */
export const downTo202012: Step = {
  version: '2020-12-06',
  newerParameters: ['expand[]', 'expand'],
  needs: ['entity', 'account'],
  behaviors: ['match_verifies', 'one_merchant_per_provider_id'],
  down: { entity: downEntity, account: downAccount },
  schemas: { entity, account },
  requests: {
    'POST /entities': declareRequest({ body: olderEntities.create, up: upEntity }),
    'PUT /entities/:ent_id': declareRequest({ body: olderEntities.update, up: upEntity }),
    'GET /entities': { query: { type: olderEntities.type() } },
  },
  sourceless,
  notes: [
    {
      resource: 'Entity',
      in: 'behavior',
      says: 'A person is verified by verification sessions. Previously, no endpoint verified a person, so in the sandbox an entity with a name, phone and birth date that match a person is verified automatically.',
    },
    {
      resource: 'Entity',
      in: 'request',
      says: `A corporation's type is \`corporation\`. Previously, it was one of ${corporationKinds.map(kind => `\`${kind}\``).join(', ')}. The service stores the specific kind and returns it in version 2020-12-06.`,
    },
    {
      resource: 'Entity',
      in: 'request',
      says: 'If you verify a phone yourself, you create a `byo_sms` verification session. Previously, you set the entity’s `individual.phone_verification_type` and `individual.phone_verification_timestamp`, which now create that session.',
    },
    {
      resource: 'Entity',
      in: 'answer',
      says: `\`individual.ssn\`, \`individual.ssn_4\`, \`verification\`, the five lists of products and subscriptions and the ids of the latest records are new. Previously, an entity instead had \`individual.phone_verification_type\` and \`individual.phone_verification_timestamp\`, ${derived}.`,
    },
    {
      resource: 'Account',
      in: 'answer',
      says: `\`liability.name\`, \`liability.sub_type\`, \`liability.fingerprint\`, the five lists and the ids of the latest records are new. Previously, an account instead had \`liability.hash\` for the fingerprint, the latest update under \`liability.<type>\` with its status in \`liability.data_status\` and related fields, \`liability.payment_status\`, \`clearing\` (always null), ${derived}; \`ach\` and \`liability\` were both present, one of them null.`,
    },
    {
      resource: 'Merchant',
      in: 'behavior',
      says: "A filter by a provider's id returns every merchant with that id. Previously, it returned only the latest one.",
    },
    {
      resource: 'Every resource',
      in: 'request',
      says: '`expand[]` is new. Previously, it was ignored, like any other unknown parameter.',
    },
  ],
}
