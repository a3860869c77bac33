/** Bank accounts, by the upstream's accounts. */
import type { RailAccount } from '@causeway/connector/ports/rail'
import type { AnswerOf, CallOf } from '@causeway/connector/provider/paths'
import { vouchedTypes } from '@causeway/contract/methods/vouched'
import { accepted, idOf, keyOf, list, request } from './client.js'
import type { Context } from './settings.js'

type BankAccount = Pick<RailAccount, 'routing' | 'number' | 'holder' | 'account_type'>

/** Returns the body of an entity that holds an account. */
function holderOf({ holder }: BankAccount): object {
  const name = holder?.name ?? 'Customer'
  if (holder?.kind !== 'person') return { type: 'corporation', corporation: { name } }
  const [first_name, ...rest] = name.split(' ')
  return { type: 'individual', individual: { first_name, last_name: rest.join(' ') || name } }
}

/**
 * Creates the upstream's account for a bank account, or finds the one that was created before.
 * @param kind the kind of the row that keeps the account's id
 */
async function findOrCreate(context: Context, kind: 'bank' | 'vouch', account: BankAccount): Promise<string> {
  const { routing, number, account_type = 'checking' } = account
  const key = context.fingerprint(`${kind} account ${routing} ${number} ${account_type}`)
  const storedId = await context.store.get(kind, key)
  if (typeof storedId === 'string') return storedId
  const holder = { body: holderOf(account), key: keyOf('holder', key) }
  const entity = idOf(accepted(await request(context, 'POST', '/entities', holder)))
  const body = { holder_id: entity, type: 'ach', ach: { routing, number, type: account_type } }
  const id = idOf(accepted(await request(context, 'POST', '/accounts', { body, key: keyOf(kind, key) })))
  await context.store.put(kind, key, id, { days: null })
  return id
}

/** Returns the upstream's account that payments from and to a bank account use. */
export const bankAccount = (context: Context, account: BankAccount): Promise<string> =>
  findOrCreate(context, 'bank', account)

/**
 * Returns how the upstream verified a bank account automatically. The upstream's account for this is not used for payments,
 * because its holder is not known yet.
 */
export async function vouch(
  context: Context,
  { routing, number }: CallOf<'network/vouch'>,
): Promise<AnswerOf<'network/vouch'>> {
  const id = await findOrCreate(context, 'vouch', { routing, number })
  for await (const { type, status } of list(context, `/accounts/${id}/verification_sessions`)) {
    const vouched = vouchedTypes.find(each => each === type)
    if (vouched && status === 'verified') return vouched
  }
  return null
}
