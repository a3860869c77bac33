import type { Tradeline } from '@causeway/connector/ports/entity-data'
import type { Liability } from '@causeway/connector/ports/liability'
import { manualConnectProduct } from '@causeway/contract/products/manual-connect'
import type { tradelines } from '@causeway/contract/products/tradelines'
import type { z } from 'zod'
import { createPortCall } from '../../../network/ports.js'
import { jsonColumn } from '../../../platform/db/json-column.js'
import { connectAccounts } from '../../accounts/connect.js'
import { idsByReference } from '../../accounts/store.js'
import { declaredAs, type EntityProduct } from '../../holders/product.js'
import { forIndividual } from '../../holders/product-rules.js'
import { describeAccount, shareAccounts } from '../../lifecycle/new-account.js'

const manualRequest = jsonColumn<z.output<typeof tradelines>>('records.request')

/** Finds accounts in a credit report that the team provides. */
export const manualConnect: EntityProduct = {
  ...declaredAs(manualConnectProduct),
  initialStatus: 'pending',
  waits: true,
  creatable: true,
  listed: false,
  sealed: true,
  unreachable: 24001,
  request: (body: z.output<typeof tradelines>) => body,
  subscriptions: [],
  availability: (team, entity) => forIndividual(team, entity, 'manual_connect'),
  async fetchData(scope, _entity, record) {
    const { bureau, tradelines: lines } = manualRequest.read(record.request)
    const answer = await scope.deps.ports.network.readTradelines({
      ...createPortCall(scope, record.id),
      bureau,
      tradelines: lines as Tradeline[],
    })
    if (answer.status !== 'completed') return answer
    const readLines = answer.liabilities.flatMap((liability, index) =>
      liability ? [{ liability, external_id: lines[index]?.external_id ?? null }] : [],
    )
    return { status: 'completed', data: { lines: readLines } }
  },
  async complete(scope, entity, _record, data) {
    const lines = data['lines'] as { liability: Liability; external_id: string | null }[]
    // A team that has the report also has the person's consent to use its contents.
    const accounts = await connectAccounts(
      scope,
      entity,
      lines.map(({ liability }) => liability),
      null,
      // mutant: own-report-is-not-limited (remove)
      { agreed: null },
    )
    for (const account of accounts) await describeAccount(scope, account)
    const ids = await idsByReference(scope, entity.id)
    await shareAccounts(
      scope,
      entity,
      lines.flatMap(({ liability }) => ids.get(liability.reference) ?? []),
    )
    return {
      accounts: lines.map(({ liability, external_id }) => ({ account_id: ids.get(liability.reference), external_id })),
    }
  },
  show: ({ data }) => ({
    accounts: data?.['accounts'] ?? null,
    requested_products: [],
    requested_subscriptions: [],
  }),
}
