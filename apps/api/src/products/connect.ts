import { z } from 'zod'
import { connectAccounts } from '../accounts/connect.js'
import { idsByReference } from '../accounts/store.js'
import { consume, openBehaviours } from '../behaviours/store.js'
import type { EntityRow } from '../entities/entity.js'
import { parse } from '../http/body.js'
import type { Failed, Liability } from '../network/port.js'
import type { Scope } from '../scope.js'
import { connectFields, expandConnects } from './expand.js'
import { newAccount } from './new-account.js'
import type { EntityProduct } from './product.js'
import { forVerified } from './rules.js'
import { automatic } from './run.js'
import { completedRecord } from './store.js'
import { nextDay } from './when.js'

const body = z.object({
  products: z.array(z.enum(automatic)).optional(),
  subscriptions: z.array(z.enum(['card_brand', 'update', 'update.snapshot', 'transaction'])).optional(),
})

type Request = { products?: string[]; subscriptions?: string[] }

export const connect: EntityProduct = {
  holder: 'entity',
  name: 'connect',
  path: 'connect',
  prefix: 'connect',
  events: { create: 'connect.create', update: 'connect.update' },
  first: 'pending',
  waits: ({ products = [], subscriptions = [] }: Request, manner) =>
    !manner.async && products.length + subscriptions.length === 0,
  creatable: true,
  unreachable: 24001,
  request: input => {
    const { products = [], subscriptions = [] } = parse(body, input)
    return { products: [...new Set(products)], subscriptions: [...new Set(subscriptions)] }
  },
  subscriptions: [
    {
      name: 'connect',
      next: nextDay,
      request: () => ({ products: [], subscriptions: [] }),
      async news(scope, entity) {
        if ((await openBehaviours(scope, entity.id, 'connect')).length > 0) return true
        const found = await discover(scope, entity, entity.id)
        const known = await idsByReference(scope, entity.id)
        return found.status === 'completed' && found.liabilities.some(({ reference }) => !known.has(reference))
      },
    },
  ],
  availability: (team, entity) => forVerified(team, entity, 'connect'),
  async ask(scope, entity, record) {
    const found = await discover(scope, entity, record.id)
    if (found.status !== 'completed') return found
    const behaviours = await openBehaviours(scope, entity.id, 'connect')
    const opened = behaviours.length === 0 ? [] : await open(scope, entity, record.id, behaviours)
    const liabilities = [...found.liabilities, ...opened]
    return { status: 'completed', data: { liabilities, behaviours: behaviours.map(({ id }) => id) } }
  },
  async settle(scope, entity, record, data) {
    const { products = [], subscriptions = [] } = JSON.parse(record.request) as Request
    const later = (await completedRecord(scope, entity.id, 'connect', record.id)) !== undefined
    const found = await connectAccounts(scope, entity, data['liabilities'] as Liability[])
    for (const account of found) await newAccount(scope, account, { products, subscriptions, opened: later })
    await consume(scope, data['behaviours'] as string[])
    return { accounts: found.map(account => account.id) }
  },
  show: ({ request, data }) => ({
    accounts: data?.['accounts'] ?? null,
    requested_products: request['products'] ?? [],
    requested_subscriptions: request['subscriptions'] ?? [],
  }),
  expand: { fields: connectFields, show: expandConnects },
  tells: (data, _before, subscribed) =>
    subscribed && (data['accounts'] as string[]).length > 0 ? ['connect.available'] : [],
}

const callOf = (scope: Scope, entity: EntityRow, request_id: string) => ({
  request_id,
  team_id: scope.team.id,
  now: scope.now,
  person: entity.person ?? '',
})

function discover(scope: Scope, entity: EntityRow, id: string) {
  return scope.deps.ports.network.discover(callOf(scope, entity, id)) as Promise<
    { status: 'completed'; liabilities: Liability[] } | Failed
  >
}

function open(scope: Scope, entity: EntityRow, id: string, behaviours: { id: string; name: string }[]) {
  return scope.deps.ports.network.opened({ ...callOf(scope, entity, id), behaviours })
}

/** The newest connect of an entity that found its accounts, or null. */
export async function latestConnect(scope: Scope, entity: string): Promise<string | null> {
  return (await completedRecord(scope, entity, 'connect'))?.id ?? null
}
