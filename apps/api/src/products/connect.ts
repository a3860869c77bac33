import { ServiceError } from '@causeway/contract/errors'
import { z } from 'zod'
import { connectAccounts } from '../accounts/connect.js'
import { parse } from '../http/body.js'
import type { Liability } from '../network/port.js'
import type { Scope } from '../scope.js'
import type { EntityProduct } from './product.js'

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
  first: 'in_progress',
  waits: true,
  creatable: true,
  unreachable: 24001,
  request: input => ({ products: parse(body, input).products ?? [] }),
  allow(scope, entity) {
    if (entity.type !== 'individual') throw new ServiceError('INVALID_ENTITY_TYPE')
    if (!scope.team.settings.products.includes('connect')) throw new ServiceError('TEAM_CAPABILITY_RESTRICTED')
    if (entity.status === 'disabled' || entity.phone_verified_at === null || entity.identity_verified_at === null)
      throw new ServiceError('ENTITY_VERIFICATION_MISSING')
  },
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
    return { accounts: await connectAccounts(scope, entity, data['liabilities'] as Liability[], products ?? []) }
  },
  show: ({ request, data }) => ({
    accounts: data?.['accounts'] ?? null,
    requested_products: request['products'] ?? [],
    requested_subscriptions: [],
  }),
}

/** The newest connect of an entity that found its accounts, or null. */
export async function latestConnect(scope: Scope, entity: string): Promise<string | null> {
  const row = await scope.db
    .selectFrom('records')
    .select('id')
    .where('team_id', '=', scope.team.id)
    .where('holder_id', '=', entity)
    .where('product', '=', 'connect')
    .where('status', '=', 'completed')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.id ?? null
}
