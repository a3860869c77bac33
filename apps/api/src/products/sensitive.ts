import { sensitiveFields } from '@causeway/contract/resources/account-products'
import { z } from 'zod'
import { readNumber } from '../accounts/show.js'
import { parse } from '../http/body.js'
import { about } from './about.js'
import { forDebt } from './account-rules.js'
import type { AccountProduct } from './product.js'

const fields: Readonly<Record<string, readonly string[]>> = sensitiveFields
const namesOf = (type: string): string[] => (fields[type] ?? []).map(key => `${type}.${key}`)
const names = Object.keys(fields).flatMap(namesOf)
/** A name of another type of debt would be answered by nothing. What has no names at all is refused as a product. */
const bodyFor = (type: string) => z.object({ expand: z.array(z.enum(type in fields ? namesOf(type) : names)).min(1) })

/** Full numbers, for whoever may see them. Sealed at rest, each showing audited. */
export const sensitive: AccountProduct = {
  holder: 'account',
  name: 'sensitive',
  path: 'sensitive',
  prefix: 'sensitive',
  events: { create: 'sensitive.create', update: 'sensitive.update' },
  first: 'in_progress',
  waits: true,
  sealed: true,
  creatable: true,
  unreachable: 24001,
  request: (input, _manner, { liability_type }) => ({
    fields: [...new Set(parse(bodyFor(liability_type ?? ''), input).expand)],
  }),
  subscriptions: [],
  availability(team, account) {
    if (!(account.liability_type !== null && account.liability_type in fields))
      return { status: 'unavailable', because: 'PRODUCT_UNAVAILABLE' }
    return forDebt(team, account, { supports: 'sensitive', proven: 'any' })
  },
  async ask(scope, account, record) {
    const found = await scope.deps.ports.network.sensitive(about(scope, account, record))
    if (found.status === 'failed') return found
    const { status: _, ...known } = { ...found, number: found.number ?? readNumber(scope, account) }
    const wanted = new Set((JSON.parse(record.request) as { fields: string[] }).fields)
    const type = account.liability_type ?? ''
    const entries = Object.entries(known).map(([key, value]) => [key, wanted.has(`${type}.${key}`) ? value : null])
    return { status: 'completed', data: Object.fromEntries(entries) }
  },
  show({ data }, account) {
    const type = account.liability_type
    if (type === null) return { type }
    return { type, [type]: Object.fromEntries((fields[type] ?? []).map(key => [key, data?.[key] ?? null])) }
  },
}
