import { z } from 'zod'
import type { AccountRow } from '../accounts/account.js'
import { connectAccounts } from '../accounts/connect.js'
import { parse } from '../http/body.js'
import type { Liability } from '../network/port.js'
import type { Scope } from '../scope.js'
import { balance } from './balance.js'
import { connectFields, expandConnects } from './expand.js'
import type { EntityProduct } from './product.js'
import { forVerified } from './rules.js'
import { completedRecord, createRecord } from './store.js'
import { update } from './update.js'

const body = z.object({
  products: z.array(z.enum(['balance', 'update'])).optional(),
  subscriptions: z.array(z.never('No product can be subscribed to yet.')).optional(),
})

export const connect: EntityProduct = {
  holder: 'entity',
  name: 'connect',
  path: 'connect',
  prefix: 'connect',
  events: { create: 'connect.create', update: 'connect.update' },
  first: 'pending',
  waits: ({ products }, manner) => !manner.async && (products as string[]).length === 0,
  creatable: true,
  unreachable: 24001,
  request: input => ({ products: parse(body, input).products ?? [] }),
  subscriptions: [{ name: 'connect' }],
  availability: (team, entity) => forVerified(team, entity, 'connect'),
  async ask(scope, entity, record) {
    const found = await scope.deps.ports.network.discover({
      request_id: record.id,
      team_id: scope.team.id,
      now: scope.now,
      person: entity.person ?? '',
    })
    return found.status === 'completed' ? { status: 'completed', data: { liabilities: found.liabilities } } : found
  },
  async settle(scope, entity, record, data) {
    const { products } = JSON.parse(record.request) as { products?: string[] }
    const found = await connectAccounts(scope, entity, data['liabilities'] as Liability[])
    for (const account of found) await firstRecords(scope, account, products ?? [])
    return { accounts: found.map(account => account.id) }
  },
  show: ({ request, data }) => ({
    accounts: data?.['accounts'] ?? null,
    requested_products: request['products'] ?? [],
    requested_subscriptions: [],
  }),
  expand: { fields: connectFields, show: expandConnects },
}

/** Every new account gets a snapshot, a direct update where its institution gives one, and the products asked for. */
async function firstRecords(scope: Scope, account: AccountRow, wanted: readonly string[]): Promise<void> {
  if (account.status !== 'active') return
  const supports = new Set(JSON.parse(account.supports) as string[])
  await createRecord(scope, update, account, { source: 'snapshot' })
  if (supports.has('update')) await createRecord(scope, update, account, { source: 'direct' })
  if (wanted.includes('balance') && supports.has('balance')) await createRecord(scope, balance, account)
}

/** The newest connect of an entity that found its accounts, or null. */
export async function latestConnect(scope: Scope, entity: string): Promise<string | null> {
  return (await completedRecord(scope, entity, 'connect'))?.id ?? null
}
