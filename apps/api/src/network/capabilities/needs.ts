import type { MethodPath } from '@causeway/connector/provider/paths'
import type { capabilityKinds, identityMethods, subscriptionNames, teamProducts } from '@causeway/contract/fields/names'
import type { cardMethods } from '@causeway/contract/methods/card'
import type { linkingProviderMethods } from '@causeway/contract/methods/linking-provider'
import type { microDepositsMethod } from '@causeway/contract/methods/micro-deposits'
import type { standardMethod } from '@causeway/contract/methods/standard'
import type { vouchedMethods } from '@causeway/contract/methods/vouched'
import type { entityProducts } from '@causeway/contract/products/of-entities'
import type { Mode } from '@causeway/contract/session'

/** The methods that something needs. An empty list means that the service needs no provider for it. */
type Needs = readonly (MethodPath | 'network/tables')[]

type TeamProduct = (typeof teamProducts)[number]
type EntityProduct = (typeof entityProducts)[number]['name']
/** Both people and accounts have attributes. */
type AccountProduct = Exclude<TeamProduct, EntityProduct> | 'attribute'
type Subscription = (typeof subscriptionNames)[number]
type EntitySubscription = Extract<Subscription, EntityProduct>
type AccountSubscription = Exclude<Subscription, EntityProduct> | 'attribute'
type AccountMethod = (
  | typeof standardMethod
  | typeof microDepositsMethod
  | (typeof cardMethods)[number]
  | (typeof linkingProviderMethods)[number]
  | (typeof vouchedMethods)[number]
)['name']

const codes = ['identity/send_code', 'identity/check_code'] as const satisfies Needs
/** A person who matches either answers questions or, if the provider has none, is verified. */
const person = [...codes, 'identity/match', 'identity/questions'] as const satisfies Needs
const discovery = ['network/tables', 'network/discover'] as const satisfies Needs
const payments = ['rail/accepts', 'rail/submit', 'rail/cancel', 'rail/status'] as const satisfies Needs

/**
 * The methods that each part of the service needs. What needs a method that is not served is not offered. The compiler
 * requires an entry for every product, subscription, verification method and mode of the contract.
 */
const needs = {
  entity_product: {
    connect: discovery,
    credit_score: ['network/credit_score'],
    identity: ['network/identities'],
    attribute: ['network/entity_attributes'],
    vehicle: ['network/vehicles'],
    manual_connect: ['network/tables', 'network/read_tradelines'],
  } satisfies Record<EntityProduct, Needs>,
  account_product: {
    balance: ['network/balance'],
    update: ['network/update'],
    card_brand: ['network/tables', 'network/card_brand'],
    payoff: ['network/payoff'],
    payment: payments,
    'payment_instrument.card': ['network/instrument'],
    'payment_instrument.network_token': ['network/instrument'],
    'payment_instrument.inbound_achwire_payment': ['network/instrument'],
    attribute: ['network/attributes'],
    sensitive: ['network/sensitive'],
    transaction: ['network/changes'],
  } satisfies Record<AccountProduct, Needs>,
  entity_subscription: {
    connect: [...discovery, 'network/changes'],
    credit_score: ['network/credit_score'],
    attribute: ['network/entity_attributes'],
  } satisfies Record<EntitySubscription, Needs>,
  account_subscription: {
    update: ['network/changes'],
    'update.snapshot': ['network/update'],
    card_brand: ['network/tables', 'network/changes'],
    transaction: ['network/changes'],
    'payment_instrument.card': ['network/instrument', 'network/changes'],
    'payment_instrument.network_token': ['network/instrument', 'network/changes'],
    attribute: ['network/attributes'],
  } satisfies Record<AccountSubscription, Needs>,
  entity_method: {
    sms: codes,
    sna: ['identity/begin_sna', 'identity/check_sna'],
    kba: ['identity/match', 'identity/questions', 'identity/answer'],
    byo_sms: [],
    byo_kyc: ['identity/match'],
    element: person,
    opal: person,
  } satisfies Record<(typeof identityMethods)[number], Needs>,
  account_method: {
    standard: ['network/verify_number'],
    instant: ['network/check_card'],
    pre_auth: ['network/check_card'],
    network: ['network/check_card'],
    micro_deposits: ['network/deposit'],
    plaid: [],
    mx: [],
    teller: [],
    auto_verify: ['network/vouch'],
    trusted_provisioner: ['network/vouch'],
  } satisfies Record<AccountMethod, Needs>,
  mode: {
    identity_verification: person,
    connect: [...person, ...discovery],
    card_connect: [...person, ...discovery, 'network/check_card'],
    account_verification: person,
    transactions: [...person, ...discovery, 'network/check_card', 'network/changes'],
    balance_transfer: [...person, ...discovery, 'network/update', ...payments],
    manage: codes,
  } satisfies Record<Mode, Needs>,
  payment: {
    reversal: ['rail/reverse', 'rail/reversal'],
  },
  account: {
    ach: [],
    liability: ['network/tables', 'network/describe'],
    managed: ['rail/managed_accounts', 'rail/managed_transactions'],
  } satisfies Record<'ach' | 'liability' | 'managed', Needs>,
  file: {
    credit_report: [...discovery, 'network/credit_report'],
  },
  simulation: {
    connect: ['network/opened'],
    attribute: ['network/entity_attributes'],
  },
} as const satisfies Record<CapabilityKind, Readonly<Record<string, Needs>>>

export type CapabilityKind = (typeof capabilityKinds)[number]

/** Every part of the service that needs methods, in order. */
export const allNeeds: readonly { kind: CapabilityKind; name: string; paths: Needs }[] = Object.entries(needs).flatMap(
  ([kind, byName]) =>
    Object.entries(byName).map(([name, paths]) => ({ kind: kind as CapabilityKind, name, paths: paths as Needs })),
)

/** What a name of each kind is. */
export const kindNames: Readonly<Record<CapabilityKind, string>> = {
  entity_product: 'product of a person',
  account_product: 'product of an account',
  entity_subscription: 'subscription of a person',
  account_subscription: 'subscription of an account',
  entity_method: 'verification of a person',
  account_method: 'verification of an account',
  mode: 'session',
  payment: 'payment',
  account: 'account',
  file: 'file',
  simulation: 'simulation',
}
