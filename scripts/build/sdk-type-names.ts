/**
 * Names the objects inside the SDK's types. In a response, each has a name, which is composed of its place:
 * `EntityAddress` is the type of `address` in `Entity`. In a request, only the objects that several requests share have
 * one; the others are part of types such as `Body<'POST /payments'>`. Equal objects share a name.
 */

export type Side = 'input' | 'output'

/** The names of objects in responses whose place does not make a good name. */
const outputNames = new Map([
  ['Entity.verification.identity', 'EntityVerificationState'],
  ['CreditScore.scores', 'Score'],
  ['CreditScore.scores.factors', 'ScoreFactor'],
  ['Identity.identities', 'IdentityRecord'],
  ['Identity.identities.address', 'IdentityAddress'],
  ['EntityAttribute.attributes', 'EntityAttributeValue'],
  ['AccountAttribute.attributes', 'AccountAttributeValue'],
  ['Vehicles.vehicles', 'Vehicle'],
  ['AccountVerificationSession.plaid', 'AccountVerificationSessionAggregator'],
  ['Update.auto_loan', 'UpdateInstallmentLoan'],
  ['Update.student_loans', 'UpdateStudentLoan'],
  ['Update.student_loans.disbursements', 'UpdateDisbursement'],
  ['Update.loan', 'UpdateOtherLiability'],
  ['CardBrand.brands', 'CardBrandResult'],
  ['Sensitive.auto_loan', 'SensitiveNumber'],
  ['PaymentInstrument.inbound_achwire_payment', 'PaymentInstrumentInboundPayment'],
  ['PaymentPostings.data', 'PaymentPosting'],
  ['OpalSession.bt', 'OpalBalanceTransfer'],
  ['OpalTokenSession.cxn', 'OpalTokenSessionStep'],
  ['PaymentStats.data', 'PaymentStatsRow'],
  ['FunnelStats.data', 'FunnelStatsRow'],
  ['FunnelStats.data.reasons', 'FunnelStatsReason'],
  ['ForwardingRequest.request', 'ForwardedRequest'],
  ['ForwardingRequest.response', 'ForwardedResponse'],
  ['ForwardingRequest.status_history', 'ForwardingRequestStatus'],
  ['TeamPublicKey.jwk', 'PublicJwk'],
])

/** The names of objects that requests share, by the first of their places. */
const inputNames = new Map([
  ['POST /entities.query', 'EntityQuery'],
  ['POST /entities.body.individual', 'IndividualInput'],
  ['POST /entities.body.corporation.owners', 'OwnerInput'],
  ['POST /entities.body.corporation.owners.address', 'AddressInput'],
  ['GET /entities/:ent_id/verification_sessions.query', 'ListQuery'],
  ['POST /entities/:ent_id/connect.query', 'ConnectQuery'],
  ['POST /entities/:ent_id/subscriptions.body', 'EnrollmentInput'],
  ['PUT /accounts/:acc_id/verification_sessions/:id.body.pre_auth', 'CardVerificationInput'],
  ['PUT /accounts/:acc_id/verification_sessions/:id.body.plaid', 'AggregatorInput'],
  ['POST /elements/token.body.entity', 'EntityInput'],
  ['POST /elements/token.body.balance_transfer', 'BalanceTransferInput'],
  ['POST /elements/token.body.balance_transfer.account_filters', 'AccountFilters'],
  ['POST /elements/token.body.balance_transfer.account_filters.include', 'IncludedAccounts'],
  ['POST /elements/token.body.balance_transfer.account_filters.exclude', 'ExcludedAccounts'],
  ['GET /webhooks/:whk_id/stats.query', 'StatsQuery'],
  ['PATCH /team.body.address', 'TeamAddressInput'],
  ['PATCH /team.body.contacts', 'TeamContactInput'],
])

/** Returns a part of a name: `address` in Pascal case, or the singular of `keys[]`. */
const partOf = (field: string) =>
  field
    .replace(/(?:ies\[\])$/, 'y')
    .replace(/s?\[\]$/, '')
    .replace(/(?:^|_)([a-z\d])/g, (_, letter: string) => letter.toUpperCase())

/** The declared objects by name. */
export const nested = new Map<string, string>()
const namesByText = new Map<string, string>()

/**
 * Returns the name of an object, or its text if it has none.
 * @param place the path to the object, such as `Entity.address`, or `Team.keys[]` for the items of a list
 * @param text the object as TypeScript
 */
export function nameOf(place: string, text: string, side: Side): string {
  const [owner = '', ...fields] = place.split('.')
  // Objects of one field in different resources are equal only by chance.
  const isShared = text.split('\n').length > 3
  const key = `${side} ${isShared ? '' : owner} ${text}`
  const known = namesByText.get(key)
  if (known !== undefined) return known
  const chosen = (side === 'input' ? inputNames : outputNames).get(place.replaceAll('[]', ''))
  const isResource = side === 'output' && /^\w+$/.test(owner) && fields.length > 0
  const name = chosen ?? (isResource ? [owner, ...fields].map(partOf).join('') : undefined)
  if (name === undefined) return text
  if (nested.has(name)) throw new Error(`${place} and another object are both named ${name}`)
  namesByText.set(key, name)
  nested.set(name, text)
  return name
}
