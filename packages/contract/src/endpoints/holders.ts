import { z } from 'zod'
import type { Endpoint, Family } from '../declaration/endpoint.js'
import { product as exampleProduct, subscription as exampleSubscription } from '../declaration/examples.js'
import { freeForm } from '../free-form.js'
import { product, subscription } from '../resources/subscription.js'

/** The body of an enrollment request. The payload depends on the subscription. */
export const enrollment = z.object({
  enroll: z.string().min(1).max(100).describe('The name of one of the `available_subscriptions`'),
  payload: freeForm.nullish(),
})

const productsOf = (holder: string, base: string, name: string): Record<string, Endpoint> => ({
  [`list${name}Products`]: {
    method: 'GET',
    path: `${base}/products`,
    summary: `List the products of ${holder}`,
    answer: product,
    shape: 'map',
    example: { answer: { update: exampleProduct } },
  },
  [`retrieve${name}Product`]: {
    method: 'GET',
    path: `${base}/products/:prd_id`,
    summary: `Retrieve a product of ${holder}`,
    answer: product,
    example: { answer: exampleProduct },
  },
})

const subscriptionsOf = (holder: string, base: string, name: string, enroll: string): Record<string, Endpoint> => ({
  [`create${name}Subscription`]: {
    method: 'POST',
    path: `${base}/subscriptions`,
    summary: `Enroll ${holder}`,
    description:
      'After you enroll, the service creates records automatically. Enrolling again returns the active subscription.',
    body: enrollment,
    answer: subscription,
    errors: [
      'ENTITY_VERIFICATION_MISSING',
      'INVALID_ENTITY_TYPE',
      'PRODUCT_UNAVAILABLE',
      'PRODUCT_CONSENT_MISSING',
      'PRODUCT_VERIFICATION_MISSING',
      'TEAM_CAPABILITY_RESTRICTED',
    ],
    example: { request: { enroll }, answer: { ...exampleSubscription, name: enroll } },
  },
  [`list${name}Subscriptions`]: {
    method: 'GET',
    path: `${base}/subscriptions`,
    summary: `List the active subscriptions of ${holder}`,
    answer: subscription,
    shape: 'map',
    example: { answer: { update: exampleSubscription } },
  },
  [`retrieve${name}Subscription`]: {
    method: 'GET',
    path: `${base}/subscriptions/:sub_id`,
    summary: `Retrieve a subscription of ${holder}`,
    answer: subscription,
    example: { answer: exampleSubscription },
  },
  [`end${name}Subscription`]: {
    method: 'DELETE',
    path: `${base}/subscriptions/:sub_id`,
    summary: `End a subscription of ${holder}`,
    description: 'Returns the subscription with status `inactive`.',
    answer: subscription,
    example: { answer: { ...exampleSubscription, status: 'inactive' } },
  },
})

const holders = [
  ['an entity', '/entities/:ent_id', 'Entity', 'connect'],
  ['an account', '/accounts/:acc_id', 'Account', 'update'],
] as const

export const productFamily: Family = {
  name: 'Products',
  about: 'The products of an entity or an account. If a product is not available, the response contains the reason.',
  endpoints: Object.assign({}, ...holders.map(([holder, base, name]) => productsOf(holder, base, name))),
}

export const subscriptionFamily: Family = {
  name: 'Subscriptions',
  about: 'Products that the service updates continuously.',
  endpoints: Object.assign(
    {},
    ...holders.map(([holder, base, name, enroll]) => subscriptionsOf(holder, base, name, enroll)),
  ),
}
