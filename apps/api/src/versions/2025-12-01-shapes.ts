import { classicAccountAttributes } from '@causeway/contract/account-attributes'
import { endpoints } from '@causeway/contract/endpoints/team'
import { creditHealth } from '@causeway/contract/entity-attributes'
import { merchant } from '@causeway/contract/fields/merchant'
import { ALL_INSTRUMENTS, productName, teamProducts } from '@causeway/contract/fields/names'
import { timestamp } from '@causeway/contract/fields/shared'
import { z } from 'zod'
import type { Body } from './step.js'

/**
 * The body of a request for an entity's attributes. Each attribute had to be listed, and only credit health attributes
 * were available.
 */
export const namedEntityAttributes = z.object({ attributes: z.array(z.enum(creditHealth)).min(1) })

/** The body of a request for an account's attributes. Individual attributes could be listed. */
export const namedAccountAttributes = z.object({
  attributes: z.array(z.enum(classicAccountAttributes)).min(1).optional().describe('Default: all six'),
})

/** A product of a team in versions up to 2025-12-01. */
export const teamProduct = z.object({ type: productName, enabled: z.boolean() })

/** The settings that a team may change, with `products` either as names or as these versions show them. */
export const olderTeamPatch = endpoints.updateTeam.body.extend({
  products: z.array(z.union([z.enum([...teamProducts, ALL_INSTRUMENTS]), teamProduct])).optional(),
})

/** Returns the names of the enabled products. */
export const upTeamPatch = ({ products, ...body }: z.output<typeof olderTeamPatch>): Body => ({
  ...body,
  ...(products && {
    products: products.flatMap(each => (typeof each === 'string' ? each : each.enabled ? each.type : [])),
  }),
})

/** Lists every product, because these versions show the products that a team does not have as well. */
export const downTeamProducts = (enabled: unknown): z.output<typeof teamProduct>[] =>
  teamProducts.map(type => ({ type, enabled: (enabled as string[]).includes(type) }))

/** A merchant's identifiers in versions up to 2025-12-01. */
export const olderProviders = merchant.shape.provider_ids.omit({ rpps: true })

export const downProviders = (ids: unknown): unknown => {
  const { rpps: _, ...older } = ids as Record<string, unknown>
  return older
}

/** A managed account in versions up to 2025-12-01. */
export const managedAccount = z.object({
  id: z.string(),
  type: z.literal('managed'),
  status: z.literal('active'),
  routing_number: z.string().nullable(),
  account_number: z.string().nullable(),
  balance: z.int().nullable(),
  created_at: timestamp,
  updated_at: timestamp,
})

/** A managed account transaction in versions up to 2025-12-01. */
export const managedTransaction = z.object({
  id: z.string(),
  managed_account_id: z.string(),
  amount: z.int().describe('In cents: positive for deposits, negative for withdrawals'),
  type: z.enum(['credit', 'debit']),
  status: z.literal('posted'),
  description: z.string().nullable(),
  created_at: timestamp,
  updated_at: timestamp,
})

export const downManagedAccount = ({ id, routing, number, current_balance, opened_at }: Body): Body => ({
  id,
  type: 'managed',
  status: 'active',
  routing_number: routing,
  account_number: number,
  balance: current_balance,
  created_at: opened_at,
  updated_at: opened_at,
})

export const downManagedTransaction = ({ id, managed_account_id, amount, description, date }: Body): Body => ({
  id,
  managed_account_id,
  amount,
  type: Number(amount) < 0 ? 'debit' : 'credit',
  status: 'posted',
  description,
  created_at: midnight(String(date)),
  updated_at: midnight(String(date)),
})

/** Returns midnight on a given day, because transactions have only a date. */
const midnight = (day: string) => `${day}T00:00:00.000Z`
