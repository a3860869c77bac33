import { ServiceError } from '@causeway/contract/errors'
import { sensitiveFields, type sensitiveInput, sensitiveProduct } from '@causeway/contract/products/sensitive'
import type { z } from 'zod'
import { jsonColumn } from '../../../platform/db/json-column.js'
import { forDebt } from '../../holders/account-rules.js'
import { type AccountProduct, declaredAs } from '../../holders/product.js'
import { readNumber } from '../../holders/show-account.js'
import { networkCall } from '../network-call.js'

const fields: Readonly<Record<string, readonly string[]>> = sensitiveFields
const namesOf = (type: string): string[] => (fields[type] ?? []).map(key => `${type}.${key}`)
const sensitiveRequest = jsonColumn<{ fields: string[] }>('records.request')

/** Full account numbers and card details, for teams that may see them. Sealed at rest. Each read is audited. */
export const sensitive: AccountProduct = {
  ...declaredAs(sensitiveProduct),
  initialStatus: 'in_progress',
  waits: true,
  sealed: true,
  creatable: true,
  unreachable: 24001,
  request({ expand }: z.output<typeof sensitiveInput>, { liability_type: type }) {
    // Rejects names that belong to other debt types, because such names would return nothing. The availability check
    // later rejects a type that has no names.
    const allowed = type !== null && type in fields ? namesOf(type) : expand
    if (!expand.every(name => allowed.includes(name)))
      throw new ServiceError(
        'INVALID_REQUEST',
        `expand must contain only names that this type of account supports: ${allowed.join(', ')}.`,
      )
    return { fields: [...new Set(expand)] }
  },
  subscriptions: [],
  availability(team, account) {
    if (!(account.liability_type !== null && account.liability_type in fields))
      return { status: 'unavailable', subType: 'PRODUCT_UNAVAILABLE' }
    return forDebt(team, account, { supports: 'sensitive', proven: 'any' })
  },
  async fetchData(scope, account, record) {
    const answer = await scope.deps.ports.network.sensitive(networkCall(scope, account, record))
    if (answer.status === 'failed') return answer
    const { status: _, ...details } = { ...answer, number: answer.number ?? readNumber(scope, account) }
    const requested = new Set(sensitiveRequest.read(record.request).fields)
    const type = account.liability_type ?? ''
    const entries = Object.entries(details).map(([key, value]) => [key, requested.has(`${type}.${key}`) ? value : null])
    return { status: 'completed', data: Object.fromEntries(entries) }
  },
  show({ data }, account) {
    const type = account.liability_type
    if (type === null) return { type }
    return { type, [type]: Object.fromEntries((fields[type] ?? []).map(key => [key, data?.[key] ?? null])) }
  },
}
