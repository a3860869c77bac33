export * from './client.js'
export type * from './contract.gen.js'
export { SDK_VERSION, VERSION } from './contract.gen.js'
export { createEncryptedFetch, type EncryptedFetchOptions } from './crypto/encrypted-fetch.js'
export { type SignWebhookParams, signWebhook } from './crypto/sign-webhook.js'
export type { ResultClaims } from './crypto/verify-result.js'
export * from './crypto/verify-webhook.js'
export type { Body, Params, Query, Result } from './endpoints.js'
export {
  ApiError,
  AuthorizationError,
  CausewayError,
  type CausewayErrorFields,
  ConnectionError,
  IdempotencyError,
  InvalidRequestError,
  type LocalSubType,
  VerificationError,
} from './errors.js'
export type { LastResponse, WithResponse } from './last-response.js'
export type { ClientOptions, Logger, RequestEvent, RequestOptions, ResponseEvent } from './options.js'
export type { Page, Pages } from './page.js'
export type { Records, RecordsPath } from './records.js'
export type * from './resources/accounts.js'
export type * from './resources/elements.js'
export type * from './resources/entities.js'
export type * from './resources/forwarding.js'
export type * from './resources/merchants.js'
export type * from './resources/opal.js'
export { releaseOutcome } from './resources/opal.js'
export type * from './resources/payments.js'
export type * from './resources/reports.js'
export type * from './resources/requests.js'
export type * from './resources/team.js'
export type * from './resources/webhooks.js'
