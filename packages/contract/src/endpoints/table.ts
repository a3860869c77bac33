import type { z } from 'zod'
import type { Endpoint, Family } from '../declaration/endpoint.js'
import { merchant } from '../fields/merchant.js'
import { productName, subscriptionName } from '../fields/names.js'
import { requestError, resourceError } from '../fields/shared.js'
import type { Prefix } from '../ids.js'
import { accountVerificationSession, entityVerificationSession } from '../methods/verification.js'
import { account } from '../products/account.js'
import { entity } from '../products/entity.js'
import { accountProducts } from '../products/of-accounts.js'
import { entityProducts } from '../products/of-entities.js'
import { type Declaration, familyOf, kindOf } from '../products/product.js'
import { serviceKey, teamPublicKey } from '../resources/encryption.js'
import { event, eventType } from '../resources/event.js'
import { file } from '../resources/file.js'
import { opalEvent, opalView, tokenResults } from '../resources/flow.js'
import { forwardingRequest } from '../resources/forwarding-request.js'
import { intent } from '../resources/intent.js'
import { managedAccount, managedTransaction } from '../resources/managed-account.js'
import { opalSession, sessionProgress } from '../resources/opal.js'
import { explanation, payment, postings, reversal } from '../resources/payment.js'
import { preauth } from '../resources/preauth.js'
import { report } from '../resources/report.js'
import { reportSchedule } from '../resources/report-schedule.js'
import { request, requestDetail, requestStats } from '../resources/request.js'
import { hit, searchResults } from '../resources/search.js'
import { secret } from '../resources/secret.js'
import { funnelStats, paymentStats } from '../resources/stats.js'
import { product, subscription } from '../resources/subscription.js'
import { key, newKey, newTeam, team } from '../resources/team.js'
import { moment, timeline } from '../resources/timeline.js'
import {
  attempt,
  delivery,
  deliveryRequest,
  newWebhook,
  webhook,
  webhookStats,
  webhookTest,
} from '../resources/webhook.js'
import { accountFamily, accountSessionFamily } from './accounts.js'
import { elementFamily } from './elements.js'
import { encryptionFamily } from './encryption.js'
import { entityFamily, entitySessionFamily } from './entities.js'
import { eventFamily } from './events.js'
import { fileFamily } from './files.js'
import { forwardingFamily } from './forwarding.js'
import { productFamily, subscriptionFamily } from './holders.js'
import { intentFamily } from './intents.js'
import { managedAccountFamily } from './managed-accounts.js'
import { merchantFamily } from './merchants.js'
import { opalFamily } from './opal.js'
import { paymentFamily } from './payments.js'
import { preauthFamily } from './preauths.js'
import { reportScheduleFamily } from './report-schedules.js'
import { reportFamily } from './reports.js'
import { requestFamily } from './requests.js'
import { searchFamily } from './search.js'
import { secretFamily } from './secrets.js'
import { serviceFamily } from './service.js'
import { simulateFamily } from './simulate.js'
import { statsFamily } from './stats.js'
import { teamFamily } from './team.js'
import { timelineFamily } from './timeline.js'
import { webhookFamily } from './webhooks.js'

/** An endpoint and its operation id. */
export type Operation = Endpoint & { readonly id: string }

/** Every endpoint of the API, in the order in which the reference lists them. */
export const families: readonly (Omit<Family, 'endpoints'> & { readonly endpoints: readonly Operation[] })[] = [
  entityFamily,
  entitySessionFamily,
  ...entityProducts.map(familyOf),
  accountFamily,
  accountSessionFamily,
  ...accountProducts.map(familyOf),
  productFamily,
  subscriptionFamily,
  merchantFamily,
  paymentFamily,
  elementFamily,
  opalFamily,
  webhookFamily,
  eventFamily,
  requestFamily,
  timelineFamily,
  searchFamily,
  statsFamily,
  secretFamily,
  forwardingFamily,
  reportFamily,
  reportScheduleFamily,
  managedAccountFamily,
  intentFamily,
  preauthFamily,
  fileFamily,
  teamFamily,
  encryptionFamily,
  simulateFamily,
  serviceFamily,
].map(family => ({
  ...family,
  endpoints: Object.entries<Endpoint>(family.endpoints).map(([id, each]) => ({ ...each, id })),
}))

export const endpoints: readonly Operation[] = families.flatMap(family => family.endpoints)

/**
 * A resource under its OpenAPI name. `kind` is set if the resource has its own id prefix. A resource without a `kind`
 * has the same form in every API version.
 */
export interface Component {
  readonly name: string
  readonly schema: z.ZodType
  readonly kind?: Prefix
}

function componentsOf({ resource: [name, schema], resources = {}, prefixes }: Declaration): Component[] {
  const others = Object.entries(resources).map(([other, each]) => ({ name: other, schema: each }))
  return [{ name, schema, kind: kindOf({ prefixes }) as Prefix }, ...others]
}

export const components: readonly Component[] = [
  { name: 'Entity', schema: entity, kind: 'entity' },
  {
    name: 'EntityVerificationSession',
    schema: entityVerificationSession,
    kind: 'entity_verification_session',
  },
  ...entityProducts.flatMap(componentsOf),
  { name: 'Account', schema: account, kind: 'account' },
  {
    name: 'AccountVerificationSession',
    schema: accountVerificationSession,
    kind: 'account_verification_session',
  },
  ...accountProducts.flatMap(componentsOf),
  { name: 'Product', schema: product, kind: 'product' },
  { name: 'Subscription', schema: subscription, kind: 'subscription' },
  { name: 'Merchant', schema: merchant, kind: 'merchant' },
  { name: 'Payment', schema: payment, kind: 'payment' },
  { name: 'PaymentPostings', schema: postings },
  { name: 'PaymentExplanation', schema: explanation },
  { name: 'PaymentReversal', schema: reversal, kind: 'reversal' },
  { name: 'TokenResults', schema: tokenResults },
  { name: 'OpalSession', schema: opalSession, kind: 'opal_session' },
  { name: 'SessionProgress', schema: sessionProgress },
  { name: 'OpalTokenSession', schema: opalView, kind: 'opal_session' },
  { name: 'OpalEvent', schema: opalEvent },
  { name: 'Webhook', schema: webhook, kind: 'webhook' },
  { name: 'NewWebhook', schema: newWebhook, kind: 'webhook' },
  { name: 'Delivery', schema: delivery, kind: 'delivery' },
  { name: 'DeliveryAttempt', schema: attempt },
  { name: 'DeliveryRequest', schema: deliveryRequest },
  { name: 'WebhookStats', schema: webhookStats },
  { name: 'WebhookTest', schema: webhookTest },
  { name: 'Event', schema: event, kind: 'event' },
  { name: 'EventType', schema: eventType },
  { name: 'Timeline', schema: timeline },
  { name: 'Moment', schema: moment },
  { name: 'SearchResults', schema: searchResults },
  { name: 'SearchHit', schema: hit },
  { name: 'PaymentStats', schema: paymentStats },
  { name: 'FunnelStats', schema: funnelStats },
  { name: 'Request', schema: request },
  { name: 'RequestDetail', schema: requestDetail },
  { name: 'RequestStats', schema: requestStats },
  { name: 'Secret', schema: secret, kind: 'secret' },
  { name: 'ForwardingRequest', schema: forwardingRequest, kind: 'forwarding_request' },
  { name: 'Report', schema: report, kind: 'report' },
  { name: 'ReportSchedule', schema: reportSchedule, kind: 'report_schedule' },
  { name: 'Team', schema: team, kind: 'team' },
  { name: 'NewTeam', schema: newTeam, kind: 'team' },
  { name: 'Key', schema: key, kind: 'key' },
  { name: 'NewKey', schema: newKey, kind: 'key' },
  { name: 'TeamPublicKey', schema: teamPublicKey, kind: 'team_jwk' },
  { name: 'ServiceKey', schema: serviceKey, kind: 'service_jwk' },
  { name: 'ManagedAccount', schema: managedAccount, kind: 'managed_account' },
  { name: 'ManagedAccountTransaction', schema: managedTransaction, kind: 'managed_account_transaction' },
  { name: 'Preauth', schema: preauth, kind: 'preauth' },
  { name: 'File', schema: file, kind: 'file' },
  { name: 'Intent', schema: intent, kind: 'intent' },
  { name: 'ProductName', schema: productName },
  { name: 'SubscriptionName', schema: subscriptionName },
  { name: 'ResourceError', schema: resourceError },
  { name: 'RequestError', schema: requestError },
]
