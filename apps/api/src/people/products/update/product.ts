import { updateProduct } from '@causeway/contract/products/update'
import { showBlock } from '@causeway/contract/update-fields'
import { callAbout } from '../../../network/ports.js'
import { jsonColumn } from '../../../platform/db/json-column.js'
import { showTime } from '../../../platform/show.js'
import { closeAccount } from '../../accounts/close.js'
import { moved } from '../amount-change.js'
import { type AccountProduct, declaredAs } from '../product.js'
import { available, notOffered, supported } from '../rules.js'
import { changing, monthly, recordOf } from '../watch.js'

export const updateRequest = jsonColumn<{ source?: 'direct' | 'snapshot' }>('records.request')
export const updateData = jsonColumn<{ as_of?: string; block?: Record<string, unknown> }>('records.data')

export const update: AccountProduct = {
  ...declaredAs(updateProduct),
  first: 'pending',
  waits: false,
  creatable: true,
  unreachable: 21001,
  request: () => ({ source: 'direct' }),
  subscriptions: [
    {
      name: 'update',
      watch: changing('update', (_scope, _account, change) =>
        recordOf(
          update,
          change,
          { source: 'direct' },
          { status: 'completed', data: { as_of: showTime(change.at), block: change.data } },
        ),
      ),
    },
    {
      name: 'update.snapshot',
      availability: ({ settings }, account) => {
        if (account.type !== 'liability' || account.status !== 'active' || account.fingerprint === null)
          return { status: 'unavailable', because: 'PRODUCT_UNAVAILABLE' }
        return settings.products.includes('update') ? available : notOffered
      },
      watch: monthly(
        () => update,
        () => ({ source: 'snapshot' }),
      ),
    },
  ],
  availability: (team, account) => supported(team, account, 'update'),
  async ask(scope, account, record) {
    const request = updateRequest.read(record.request)
    const found = await scope.deps.ports.network.update({
      ...callAbout(scope, record.id),
      account: account.reference ?? '',
      source: request.source ?? 'direct',
    })
    return found.status === 'completed'
      ? { status: 'completed', data: { as_of: showTime(found.as_of), block: found.data } }
      : found
  },
  async settle(scope, account, _record, data) {
    const { closed_at } = data['block'] as { closed_at?: string | null }
    if (closed_at) await closeAccount(scope, account.id)
    return data
  },
  tells(data, before) {
    const [now, then] = [data['block'], before?.['block'] ?? {}] as Record<string, unknown>[]
    // A snapshot can be older than an update received directly from the institution.
    if (String(before?.['as_of'] ?? '') > String(data['as_of'])) return []
    return [
      ...moved('balance', now?.['balance'], then?.['balance']),
      ...moved('credit_limit', now?.['credit_limit'], then?.['credit_limit']),
    ]
  },
  show({ request, data }, account) {
    const type = account.liability_type
    const source = request['source'] ?? 'direct'
    return {
      source,
      type,
      ...(type === null
        ? {}
        : { [type]: showBlock(type, source, data?.['block'] as Record<string, unknown> | undefined) }),
      data_as_of: data?.['as_of'] ?? null,
    }
  },
}
