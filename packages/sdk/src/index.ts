export type { Account } from '@causeway/contract/resources/account'
export type { Entity } from '@causeway/contract/resources/entity'
export type { OpalSession } from '@causeway/contract/resources/opal'
export type { Payment, PaymentStatus } from '@causeway/contract/resources/payment'
export type {
  AccountVerificationSession,
  Balance,
  Connect,
  EntityVerificationSession,
  Update,
} from '@causeway/contract/resources/product'
export type { Secret } from '@causeway/contract/resources/secret'
export type { Webhook } from '@causeway/contract/resources/webhook'
export * from './client.js'
export * from './errors.js'
export type { ListParams, Page } from './page.js'
export type * from './resources/accounts.js'
export type * from './resources/elements.js'
export type * from './resources/entities.js'
export type * from './resources/opal.js'
export type * from './resources/payments.js'
export type * from './resources/simulate.js'
export type * from './resources/team.js'
export type * from './resources/webhooks.js'
export { type ClientOptions, type RequestOptions, VERSION } from './transport.js'
export type { ExpandParams } from './verbs.js'
