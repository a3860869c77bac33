import { ServiceError } from '@causeway/contract/errors'
import { prefixes } from '@causeway/contract/ids'
import { isAgreed } from '../people/holders/consent-rules.js'
import type { RecordRow } from '../people/holders/product.js'
import { findAccounts } from '../people/holders/store.js'
import { instrumentData, paymentInstruments } from '../people/products/payment-instrument/product.js'
import { readRecord } from '../people/records/sealing.js'
import { findRecords } from '../people/records/store.js'
import { type Scope, sealer } from '../platform/scope.js'
import type { LookUp, Reference } from './forwarding.js'

/**
 * The payment instrument values that a template can use, and the fields that contain them. Null marks a value that the
 * service never stores.
 */
const fields: Readonly<Record<string, Readonly<Record<string, string | null>>>> = {
  'payment_instrument.card': {
    'card.number': 'number',
    'card.exp_month': 'exp_month',
    'card.month': 'exp_month',
    'card.exp_year': 'exp_year',
    'card.year': 'exp_year',
    'card.billing_zip_code': 'billing_zip_code',
    'card.cvv': null,
  },
  'payment_instrument.network_token': { 'network_token.token': 'token' },
  'payment_instrument.inbound_achwire_payment': {
    'inbound_achwire_payment.account_number': 'account_number',
    'inbound_achwire_payment.routing_number': 'routing_number',
  },
}

const refuse = (subType: ConstructorParameters<typeof ServiceError>[0]) => new ServiceError(subType)

type BoundValues = Readonly<{ secrets: ReadonlyMap<string, string>; records: ReadonlyMap<string, RecordRow> }>

/** Loads every bound secret, and every bound record that the team can read, with one statement each. */
async function loadBound(scope: Scope, ids: ReadonlySet<string>): Promise<BoundValues> {
  const secretIds = [...ids].filter(id => id.startsWith(prefixes.secret))
  const rows =
    secretIds.length === 0
      ? []
      : await scope.db
          .selectFrom('secrets')
          .select(['id', 'value'])
          .where('team_id', '=', scope.team.id)
          .where('id', 'in', secretIds)
          .where('status', '=', 'active')
          .execute()
  const records = await findRecords(
    scope,
    [...ids].filter(id => id.startsWith(prefixes.payment_instrument)),
  )
  const accounts = await findAccounts(scope, [...new Set([...records.values()].map(({ holder_id }) => holder_id))])
  const byId = new Map(accounts.map(account => [account.id, account]))
  const readable = [...records].filter(([, { holder_id, product }]) => {
    const account = byId.get(holder_id)
    // mutant: no-value-of-a-hidden-account (true)
    return account !== undefined && isAgreed(account, product)
  })
  return { secrets: new Map(rows.map(({ id, value }) => [id, value])), records: new Map(readable) }
}

function secretValue(scope: Scope, { secrets }: BoundValues, id: string, path: string): string {
  const value = secrets.get(id)
  if (value === undefined) throw refuse('BINDING_NOT_FOUND')
  if (path !== 'value') throw refuse('DISALLOWED_TEMPLATE_PATH')
  return sealer(scope).open({ id, field: 'value' }, value)
}

function instrumentValue(scope: Scope, { records }: BoundValues, id: string, path: string): string {
  const row = records.get(id)
  const product = paymentInstruments.find(each => each.name === row?.product)
  if (!row || !product) throw refuse('BINDING_NOT_FOUND')
  const pathFields = fields[product.name]!
  if (!Object.hasOwn(pathFields, path)) throw refuse('DISALLOWED_TEMPLATE_PATH')
  const data = row.status === 'completed' ? readRecord(scope, product, row).data : null
  const block = data === null ? {} : (instrumentData.read(data).block ?? {})
  const value = block[pathFields[path] ?? '']
  if (value === undefined || value === null || value === '') throw refuse('REFERENCED_VALUE_IS_NULL')
  return String(value)
}

/** Looks up the values that the templates need. Throws if a value does not exist or can't be used. */
export async function loadValues(
  scope: Scope,
  bindings: Readonly<Record<string, string>>,
  references: readonly Reference[],
): Promise<{ lookUp: LookUp; filled: Map<string, string> }> {
  const keyOf = ({ name, path }: Reference) => `${name}.${path}`
  const bound = await loadBound(scope, new Set(references.map(({ name }) => bindings[name]!)))
  const values = new Map<string, string>()
  for (const reference of references) {
    if (values.has(keyOf(reference))) continue
    const id = bindings[reference.name]!
    const read = id.startsWith(prefixes.secret)
      ? secretValue
      : id.startsWith(prefixes.payment_instrument)
        ? instrumentValue
        : undefined
    if (!read) throw refuse('UNSUPPORTED_BINDING_VALUE')
    values.set(keyOf(reference), read(scope, bound, id, reference.path))
  }
  return {
    lookUp: reference => values.get(keyOf(reference))!,
    filled: new Map([...values].map(([key, value]) => [value, `{{${key}}}`])),
  }
}
