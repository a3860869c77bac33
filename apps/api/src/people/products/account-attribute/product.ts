import type { AttributeValue } from '@causeway/connector/ports/account-data'
import {
  accountAttributeBundles,
  accountAttributes,
  classicAccountAttributes,
} from '@causeway/contract/account-attributes'
import { resourceError } from '@causeway/contract/errors'
import { accountAttributeProduct, accountAttributesInput } from '@causeway/contract/products/account-attribute'
import { z } from 'zod'
import { jsonColumn } from '../../../platform/db/json-column.js'
import { parse } from '../../../platform/http/request/body.js'
import type { AccountRow } from '../../holders/account.js'
import { forConnectedDebt, forDebt } from '../../holders/account-rules.js'
import { type AccountProduct, declaredAs } from '../../holders/product.js'
import { monthlyFeed } from '../change-feeds.js'
import { networkCall } from '../network-call.js'

type AttributesInput = z.output<typeof accountAttributesInput>

/** Returns the requested attribute names; null means all names for the account's type. */
function readNames({ requested_attributes, bundles }: AttributesInput): string[] | null {
  if (!requested_attributes?.length && !bundles?.length) return null
  return [
    ...new Set([
      ...(requested_attributes ?? []),
      ...(bundles ?? []).flatMap(bundle => accountAttributeBundles[bundle] ?? []),
    ]),
  ]
}

/** Returns all attribute names for an account's liability type. */
const namesOf = ({ liability_type }: AccountRow): readonly string[] => accountAttributes[liability_type ?? ''] ?? []

/** `names` is null if all of the account's attributes are requested. */
const attributesRequest = jsonColumn<{ names: string[] | null }>('records.request')

const payloadSchema = z.object({ attributes: accountAttributesInput })

/** Attributes that describe how an account is used and paid. */
export const accountAttribute: AccountProduct = {
  ...declaredAs(accountAttributeProduct),
  initialStatus: 'in_progress',
  waits: ({ classic }) => classic === true,
  creatable: true,
  unreachable: 24001,
  /**
   * @param body `classic` contains the names in versions whose requests list them and whose POST waits for the result
   */
  request: ({ classic, ...body }: AttributesInput & { classic?: readonly string[] }) =>
    classic ? { classic: true, names: classic } : { names: readNames(body) },
  subscriptions: [
    {
      name: 'attribute',
      availability: (team, account) => forConnectedDebt(team, account, { supports: 'attribute' }),
      payload(value) {
        if (value === null) return null
        const { attributes } = parse(payloadSchema, value, 'payload')
        return { attributes }
      },
      feed: monthlyFeed(
        () => accountAttribute,
        payload => ({ names: readNames(accountAttributesInput.parse(payload?.['attributes'] ?? {})) }),
      ),
    },
  ],
  availability: (team, account) => forDebt(team, account, { supports: 'attribute', closed: true }),
  async fetchData(scope, account, record) {
    const request = attributesRequest.read(record.request)
    // Includes the older names, because a request in an older version may read the record.
    const names = request.names ?? [...new Set([...namesOf(account), ...classicAccountAttributes])]
    const answer = await scope.deps.ports.network.attributes({ ...networkCall(scope, account, record), names })
    if (answer.status === 'failed') return answer
    return { status: 'completed', data: { values: names.map(name => [name, answer.values[name] ?? null]) } }
  },
  show({ request, data }, account) {
    const values = data?.['values'] as [string, AttributeValue][] | undefined
    const entry = (value: AttributeValue) => ({ value, error: value === null ? resourceError(28001) : null })
    const select = (names: readonly string[]) => {
      const selected = values?.filter(([name]) => names.includes(name))
      return selected ? Object.fromEntries(selected.map(([name, value]) => [name, entry(value)])) : null
    }
    return {
      attributes: select((request['names'] as string[] | null) ?? namesOf(account)),
      // The older names, for versions that lack the names above.
      classic_attributes: select(classicAccountAttributes),
    }
  },
}
