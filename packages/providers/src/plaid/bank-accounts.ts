/** The bank accounts of linked institutions, which need no other verification. */
import type { AnswerOf, CallOf } from '@causeway/connector/provider/paths'
import { isId, isObject, type Json, objectsOf, post, refused } from './client.js'
import { findItem, type Item } from './items.js'
import type { Context } from './settings.js'

/** Reads the numbers of an item's bank accounts. An institution without them has none. */
async function readNumbers(context: Context, { token }: Item): Promise<Json[]> {
  const { value, refusal } = await post(context, '/auth/get', { access_token: token })
  if (refusal?.kind === 'later' || refusal?.kind === 'setup') throw refused(refusal)
  return objectsOf((value?.['numbers'] as Json | undefined)?.['ach'])
}

const keyOf = ({ fingerprint }: Context, routing: unknown, number: unknown) => fingerprint(`ach ${routing} ${number}`)

/** Stores which item has each bank account, so that `vouch` finds it by its numbers. */
export async function indexBankAccounts(context: Context, item: Item): Promise<void> {
  if (context.settings.PLAID_AUTH === 'off') return
  for (const { account_id, account, routing } of await readNumbers(context, item))
    if (isId(account_id))
      await context.store.put('ach', keyOf(context, routing, account), { item: item.id, account: account_id })
}

/** Returns `auto_verify` if a linked institution still has this account, and the owner has the person's name. */
export async function vouch(
  context: Context,
  { routing, number }: CallOf<'network/vouch'>,
): Promise<AnswerOf<'network/vouch'>> {
  const row = await context.store.get('ach', keyOf(context, routing, number))
  if (!isObject(row)) return null
  const item = await findItem(context, String(row['item']))
  const score = item?.accounts[String(row['account'])]?.score ?? null
  // An account of unknown ownership must be verified in another way.
  if (!item || score === null || score < context.settings.PLAID_NAME_SCORE) return null
  const numbers = await readNumbers(context, item)
  const isThere = numbers.some(
    each => each['account_id'] === row['account'] && each['routing'] === routing && each['account'] === number,
  )
  return isThere ? 'auto_verify' : null
}
