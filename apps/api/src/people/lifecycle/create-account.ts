import type { VouchedType } from '@causeway/connector/ports/account-data'
import type { Liability } from '@causeway/connector/ports/liability'
import { OutsideError } from '@causeway/connector/ports/outside-error'
import { ServiceError } from '@causeway/contract/errors'
import { callOutside } from '../../network/outside-call.js'
import { createPortCall } from '../../network/ports.js'
import type { Json, Metadata } from '../../platform/db/tables.js'
import { metadataText } from '../../platform/http/endpoint/metadata.js'
import { type Answer, one } from '../../platform/http/endpoint/route.js'
import type { Ctx, Scope } from '../../platform/scope.js'
import { auditReads } from '../../team/teams/reads.js'
import { emitNewAccount, updateAccount } from '../accounts/change.js'
import { type Ach, type Debt, type NewAccount, readDebt } from '../accounts/input.js'
import { hashAchNumber } from '../accounts/renumber.js'
import { insertAccount } from '../accounts/store.js'
import { insertVerified } from '../accounts/verification.js'
import type { AccountRow } from '../holders/account.js'
import type { EntityRow } from '../holders/entity.js'
import { isMasked, showAccount } from '../holders/show-account.js'
import { lockAccount, lockEntity } from '../holders/store.js'
import { findLatestIds } from '../records/store.js'
import { shareAccounts } from './new-account.js'

/** The input and the network's response to it, prepared before the transaction. */
type Prepared = { ach: Ach; vouched: VouchedType | null } | { debt: Debt; liability: Liability }

const call = (ctx: Ctx) => createPortCall(ctx, ctx.requestId)

/** Returns how the network verified a bank account; null if the network did not verify it or can't be reached. */
async function verifyAtNetwork(ctx: Ctx, { routing, number }: Ach): Promise<VouchedType | null> {
  try {
    return await ctx.deps.ports.network.vouch({ ...call(ctx), routing, number })
  } catch (error) {
    if (error instanceof OutsideError) return null
    throw error
  }
}

/** Requests data from the network: a debt's description, or how the network verified a bank account. */
export async function prepareAccount(ctx: Ctx, { body: { ach, liability } }: { body: NewAccount }): Promise<Prepared> {
  if (ach) return { ach, vouched: await verifyAtNetwork(ctx, ach) }
  const reason = ctx.deps.capabilities.missing('account', 'liability')
  if (reason !== null) throw new ServiceError('TEAM_CAPABILITY_RESTRICTED', reason)
  const debt = readDebt(liability!)
  if (ctx.deps.ports.network.merchants([debt.mch_id]).length === 0) throw new ServiceError('INVALID_MERCHANT_ID')
  const liabilityData = await callOutside(() =>
    ctx.deps.ports.network.describe({ ...call(ctx), mch_id: debt.mch_id, number: debt.number }),
  )
  if (!liabilityData) throw new ServiceError('INVALID_ACCOUNT_DETAILS')
  return { debt, liability: liabilityData }
}

/** Throws if the holder has a disabled account with this number. Other holders can still have the same account. */
async function rejectDisabled(scope: Scope, holder: string, numberHash: string): Promise<void> {
  const disabled = await scope.db
    .selectFrom('accounts')
    .select('id')
    .where('team_id', '=', scope.team.id)
    .where('holder_id', '=', holder)
    .where('number_hash', '=', numberHash)
    .where('status', '=', 'disabled')
    .executeTakeFirst()
  if (disabled) throw new ServiceError('EXISTING_ACCOUNT_DISABLED')
}

async function createAch(
  ctx: Ctx,
  holder: EntityRow,
  { ach, vouched }: { ach: Ach; vouched: VouchedType | null },
  metadata: Json<Metadata> | null,
): Promise<Record<string, unknown> & { id: string }> {
  const numberHash = hashAchNumber(ctx, ach.routing, ach.number)
  await rejectDisabled(ctx, holder.id, numberHash)
  const row = (await insertAccount(
    ctx,
    {
      holder_id: holder.id,
      type: 'ach',
      ach_type: ach.type,
      routing: ach.routing,
      number_hash: numberHash,
      mask: ach.number.slice(-4),
      payable: 'yes',
      verified_at: vouched ? ctx.now : null,
      metadata,
    },
    ach.number,
  ))!
  const session = vouched ? await insertVerified(ctx, row, vouched) : null
  return emitNewAccount(ctx, row, session ? { account_verification_session: session } : {})
}

/**
 * Stores a debt that was described by its number.
 * @returns undefined if the holder already has it
 */
export const insertDebt = (
  scope: Scope,
  holder: EntityRow,
  { debt, liability }: { debt: Debt; liability: Liability },
  more: Partial<AccountRow>,
): Promise<AccountRow | undefined> =>
  insertAccount(
    scope,
    {
      holder_id: holder.id,
      type: 'liability',
      status: liability.status,
      mch_id: liability.mch_id,
      mask: debt.number.slice(-4),
      ownership: 'unknown',
      liability_type: liability.type,
      sub_type: liability.sub_type,
      name: liability.name,
      reference: liability.reference,
      payable: liability.payable,
      supports: JSON.stringify(liability.supports),
      ...more,
    },
    debt.number,
    debt.card,
  )

/**
 * Creates a debt. If the holder already has an account for the debt, returns that account, whether a search found it or
 * the team added it. Stores the metadata only if the account had none. The account no longer awaits consent, because a
 * team that supplies the number has already obtained the holder's consent.
 */
async function createDebt(
  ctx: Ctx,
  holder: EntityRow,
  described: { debt: Debt; liability: Liability },
  metadata: Json<Metadata> | null,
): Promise<Record<string, unknown>> {
  const row = await insertDebt(ctx, holder, described, { metadata })
  if (row) return emitNewAccount(ctx, row)
  const existing = await findDebt(ctx, holder.id, described.liability.reference)
  if (existing.status === 'disabled') throw new ServiceError('EXISTING_ACCOUNT_DISABLED')
  await shareAccounts(ctx, holder, [existing.id])
  const account = (await lockAccount(ctx, existing.id))!
  const result =
    metadata !== null && account.metadata === null ? await updateAccount(ctx, account, { metadata }) : account
  return showAccount(ctx, result, (await findLatestIds(ctx, [result.id])).get(result.id) ?? {})
}

/** Finds the holder's account for a debt. */
async function findDebt(scope: Scope, holder: string, reference: string): Promise<AccountRow> {
  return scope.db
    .selectFrom('accounts')
    .selectAll()
    .where('team_id', '=', scope.team.id)
    .where('holder_id', '=', holder)
    .where('reference', '=', reference)
    .executeTakeFirstOrThrow()
}

/** Creates an account for a holder from the result of {@link prepareAccount}. */
export async function createAccount(
  ctx: Ctx,
  { body, prepared }: { body: NewAccount; prepared: Prepared },
): Promise<Answer> {
  const metadata = metadataText(body.metadata)
  const holder = await lockEntity(ctx, body.holder_id)
  if (!holder || holder.status === 'disabled') throw new ServiceError('INVALID_HOLDER_ID')
  if (!('ach' in prepared)) return one(await createDebt(ctx, holder, prepared, metadata))
  const shown = await createAch(ctx, holder, prepared, metadata)
  if (!isMasked(ctx)) await auditReads(ctx, 'account.number.create', [shown.id])
  return one(shown)
}
