import { updateProduct } from '@causeway/contract/products/update'
import { showBlock } from '@causeway/contract/update-fields'
import { createPortCall } from '../../../network/ports.js'
import { jsonColumn } from '../../../platform/db/json-column.js'
import { showTime } from '../../../platform/show.js'
import { type AccountProduct, declaredAs } from '../../holders/product.js'
import { available, forSupportedDebt, notOffered } from '../../holders/product-rules.js'
import { closeAccount } from '../../lifecycle/close-account.js'
import { amountChangeEvents } from '../amount-change.js'
import { changeFeed, changeOf, monthlyFeed } from '../change-feeds.js'

export const updateRequest = jsonColumn<{ source?: 'direct' | 'snapshot' }>('records.request')
export const updateData = jsonColumn<{ as_of?: string; block?: Record<string, unknown> }>('records.data')

export const update: AccountProduct = {
  ...declaredAs(updateProduct),
  initialStatus: 'pending',
  waits: false,
  creatable: true,
  unreachable: 21001,
  request: () => ({ source: 'direct' }),
  subscriptions: [
    {
      name: 'update',
      feed: changeFeed('update', (_scope, _account, change) =>
        changeOf(
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
          return { status: 'unavailable', subType: 'PRODUCT_UNAVAILABLE' }
        return settings.products.includes('update') ? available : notOffered
      },
      feed: monthlyFeed(
        () => update,
        () => ({ source: 'snapshot' }),
      ),
    },
  ],
  availability: (team, account) => forSupportedDebt(team, account, 'update'),
  async fetchData(scope, account, record) {
    const request = updateRequest.read(record.request)
    const answer = await scope.deps.ports.network.update({
      ...createPortCall(scope, record.id),
      account: account.reference ?? '',
      source: request.source ?? 'direct',
    })
    return answer.status === 'completed'
      ? { status: 'completed', data: { as_of: showTime(answer.as_of), block: answer.data } }
      : answer
  },
  async complete(scope, account, _record, data) {
    const { closed_at } = data['block'] as { closed_at?: string | null }
    if (closed_at) await closeAccount(scope, account.id)
    return data
  },
  extraEvents(data, before) {
    const [now, then] = [data['block'], before?.['block'] ?? {}] as Record<string, unknown>[]
    // A snapshot can be older than an update received directly from the institution.
    if (String(before?.['as_of'] ?? '') > String(data['as_of'])) return []
    return [
      ...amountChangeEvents('balance', now?.['balance'], then?.['balance']),
      ...amountChangeEvents('credit_limit', now?.['credit_limit'], then?.['credit_limit']),
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
