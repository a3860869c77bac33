import { classicAccountAttributes } from '@causeway/contract/account-attributes'
import { olderPublicKey } from '@causeway/contract/endpoints/encryption'
import { webhookTypes } from '@causeway/contract/events'
import { connectFiles } from '@causeway/contract/products/connect'
import { z } from 'zod'
import {
  downManagedAccount,
  downManagedTransaction,
  downProviders,
  downTeamProducts,
  managedAccount,
  managedTransaction,
  namedAccountAttributes,
  namedEntityAttributes,
  olderProviders,
  olderTeamPatch,
  teamProduct,
  upTeamPatch,
} from './2025-12-01-shapes.js'
import { rateAttributes } from './credit-health.js'
import { type Body, declareRequest, type Step } from './step.js'

const subscriptionLists = ['subscriptions', 'available_subscriptions', 'restricted_subscriptions']

/**
 * The next version added the posting date, the idempotency key and the bank's return code to payments, the capabilities to teams, and the underlying reports to `connect`
 * records. That version also replaced the rated credit health attributes with a larger set of attributes, and made
 * account attributes available as a subscription.
 */
export const downTo202512: Step = {
  version: '2025-12-01',
  newerParameters: ['provider_id.rpps'],
  newerFields: {
    payment: ['destination_posted_date', 'idempotency_key', 'returned_as'],
    connect: ['credit_reports'],
    team_jwk: ['type', 'contact', 'well_known_endpoint', 'status'],
    team: ['ein', 'contacts', 'address', 'capabilities'],
    webhook: ['api_version', 'hmac_secret', 'store_responses', 'weak_secret'],
  },
  olderFields: { managed_account_transaction: ['managed_account_id'], team: ['api_version', 'keys'] },
  internalFields: { managed_account: ['opened_at'], account_attribute: ['classic_attributes'] },
  names: {
    // Account attributes could be requested but not subscribed to.
    subscription: (name, holder) => (holder === 'account' && name === 'attribute' ? null : name),
  },
  // Only credit health attributes had events.
  isNewerEvent: type => /^(entity|account)_attribute\./.test(type) && !webhookTypes.has(olderEventType(type)),
  behaviors: ['calling_team'],
  fields: {
    connect: { files: connectFiles.optional() },
    team: { products: z.array(teamProduct) },
    merchant: { provider_ids: olderProviders },
  },
  shapes: { 'GET /teams': 'one' },
  schemas: { managed_account: managedAccount, managed_account_transaction: managedTransaction },
  requests: {
    'POST /entities/:ent_id/attributes': declareRequest({
      body: namedEntityAttributes,
      up: ({ attributes }) => ({ named: attributes }),
      example: { attributes: ['credit_health_credit_card_usage'] },
    }),
    'POST /entities/:ent_id/subscriptions': { up: (body: Body) => ({ ...body, named: true }) },
    'POST /accounts/:acc_id/attributes': declareRequest({
      body: namedAccountAttributes,
      up: ({ attributes }) => ({ classic: attributes ?? classicAccountAttributes }),
      example: { attributes: ['utilization'] },
    }),
    'PATCH /team': declareRequest({ body: olderTeamPatch, up: upTeamPatch }),
    'POST /teams/mle/public_keys': declareRequest({
      body: olderPublicKey,
      up: body => ({ type: 'direct', contact: null, ...body }),
    }),
  },
  examples: {
    entity_attribute: { attributes: { credit_health_credit_card_usage: { value: 25.7, rating: 'good' } } },
  },
  down: {
    entity_attribute: ({ attributes, ...body }) => ({
      ...body,
      attributes: attributes && rateAttributes(attributes as Record<string, Record<string, unknown>>),
    }),
    account(body) {
      const out = { ...body }
      for (const list of subscriptionLists)
        if (Array.isArray(out[list])) out[list] = out[list].filter(name => name !== 'attribute')
      return out
    },
    account_attribute: ({ classic_attributes, ...body }) => ({
      ...body,
      ...('attributes' in body
        ? { attributes: selectClassicAttributes(classic_attributes ?? body['attributes']) }
        : {}),
    }),
    // Account attributes could not be subscribed to. In an event, `account_id` indicates that the product belongs to an
    // account.
    product: body =>
      'account_id' in body && body['name'] === 'attribute' ? { ...body, is_subscribable: false } : body,
    connect: ({ files, ...body }) => (Array.isArray(files) && files.length > 0 ? { ...body, files } : body),
    team: body => ({ ...body, products: downTeamProducts(body['products']) }),
    merchant: body => ({ ...body, provider_ids: downProviders(body['provider_ids']) }),
    managed_account: downManagedAccount,
    managed_account_transaction: downManagedTransaction,
    event: body => ({ ...body, ...renameEvent(body) }),
  },
  notes: [
    {
      resource: 'Connect',
      in: 'answer',
      says: '`files` is always present. Previously, only a connect that returned files had it.',
    },
    {
      resource: 'EntityAttribute',
      in: 'request',
      says: 'The service computes the attributes listed in `requested_attributes` and `bundles`, or all attributes if both are omitted. Previously, `attributes` listed each attribute, only credit health attributes were available, and the POST waited for the result.',
    },
    {
      resource: 'EntityAttribute',
      in: 'answer',
      says: 'An attribute is `{ value, error }`. Previously, it was `{ value, rating }`, and only credit health attributes were available.',
    },
    {
      resource: 'AccountAttribute',
      in: 'answer',
      says: `Each attribute is \`{ value, error }\`, and the liability's type determines which attributes exist. Previously, each was \`{ value }\`, the POST waited for the result, and there were six attributes: ${classicAccountAttributes.map(name => `\`${name}\``).join(', ')}.`,
    },
    {
      resource: 'Account',
      in: 'answer',
      says: 'You can subscribe to `attribute`. Previously, the lists of subscriptions did not contain it, and `enroll` did not accept it.',
    },
    {
      resource: 'TeamPublicKey',
      in: 'request',
      says: '`type` and `contact` are required. Previously, only `jwk` was required.',
    },
    {
      resource: 'ManagedAccount',
      in: 'answer',
      says: 'The fields are `routing`, `number`, `current_balance` and `available_balance`. Previously, they were `type`, `status`, `routing_number`, `account_number`, `balance`, `created_at` and `updated_at`.',
    },
    {
      resource: 'ManagedAccountTransaction',
      in: 'answer',
      says: 'The response has a `date`, and `amount` is negative for outgoing money. Previously, it had `managed_account_id`, `type`, `status`, `created_at` and `updated_at`. `amount` was already negative for outgoing money.',
    },
    {
      resource: 'Event',
      in: 'answer',
      says: 'Attributes other than credit health have events. Previously, they had no events, so lists in earlier versions omit them.',
    },
    {
      resource: 'Team',
      in: 'answer',
      says: '`GET /teams` returns a list of the child teams. Previously, it returned the calling team, like `GET /team`.',
    },
    {
      resource: 'Team',
      in: 'answer',
      says: '`products` is a list of the names of the enabled products. Previously, it was a list of `{ type, enabled }`, with every product. In a request, these versions accept both.',
    },
    {
      resource: 'Merchant',
      in: 'answer',
      says: 'New: `provider_ids.rpps`, which is empty, and the filter `provider_id.rpps`. Previously, the filter was ignored, like any other unknown parameter.',
    },
    {
      resource: 'Event',
      in: 'answer',
      says: 'The types are `entity_attribute.*` and `account_attribute.*`. Previously, both were `attribute.*`.',
    },
  ],
}

/** Selects the six attributes that accounts had in this version. */
function selectClassicAttributes(attributes: unknown): Record<string, unknown> | null {
  if (attributes === null) return null
  const values = attributes as Record<string, { value: unknown } | undefined>
  return Object.fromEntries(
    classicAccountAttributes.flatMap(name => {
      const attribute = values[name]
      return attribute ? [[name, { value: attribute.value }]] : []
    }),
  )
}

/** Renames attribute events. Entity and account attribute events used to share the type prefix `attribute`. */
function renameEvent({ type, resource_type }: Record<string, unknown>): Record<string, unknown> {
  return {
    ...(type ? { type: olderEventType(type) } : {}),
    ...(resource_type ? { resource_type: olderEventType(resource_type) } : {}),
  }
}

function olderEventType(text: unknown): string {
  return String(text)
    .replace(/^(entity|account)_attribute\b/, 'attribute')
    .replace(/_value\.(increased|decreased)$/, '.$1')
}
