import type { LinkedResource } from '@causeway/connector/provider/provider'
import { findByKey, findTransfer, type Route, type Transfer } from './client.js'
import type { Context } from './settings.js'

/** Connects a transfer with its resource. The row is written last, so a transfer that has one is connected. */
export async function linkTransfer(
  { store, link }: Context,
  key: string,
  { id }: Transfer,
  resource: LinkedResource,
): Promise<void> {
  // mutant: transfer-is-linked (remove)
  await link(id, resource)
  await store.put('transfer', key, id)
}

/** Finds the transfer of a key, and connects it if the process ended before it did. */
export async function findLinked(
  context: Context,
  key: string,
  route: Route,
  resource: LinkedResource,
): Promise<Transfer | null> {
  const id = await context.store.get('transfer', key)
  if (typeof id === 'string') return findTransfer(context, route, id, key)
  const transfer = await findByKey(context, route, key)
  if (transfer) await linkTransfer(context, key, transfer, resource)
  return transfer
}
