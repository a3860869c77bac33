import { ServiceError } from '@causeway/contract/errors'
import { z } from 'zod'
import type { EntityRow } from '../entities/entity.js'
import { lockEntity } from '../entities/store.js'
import { parse } from '../http/body.js'
import { readMetadata } from '../http/metadata.js'
import { type Answer, one } from '../http/route.js'
import type { Liability } from '../network/port.js'
import { OutsideError } from '../ports.js'
import { approveAccounts } from '../products/new-account.js'
import { pointers } from '../products/store.js'
import type { Ctx, Scope } from '../scope.js'
import type { AccountRow } from './account.js'
import { asked } from './asked.js'
import { tellNewAccount, updateAccount } from './change.js'
import { type Ach, type NamedDebt, readAch, readLiability } from './input.js'
import { showAccount } from './show.js'
import { insertAccount, lockAccount } from './store.js'
import { provision } from './verification.js'

const input = z.object({ holder_id: z.string(), type: z.enum(['ach', 'liability']).optional() })

type Vouched = 'auto_verify' | 'trusted_provisioner' | null
/** What was read and asked before the transaction. */
type Prepared = { ach: Ach; vouched: Vouched } | { debt: NamedDebt; found: Liability }

const call = (ctx: Ctx) => ({ request_id: ctx.requestId, team_id: ctx.team.id, now: ctx.now })

/** Asks whether the network vouches for a bank account; where it cannot be asked, it does not. */
async function vouch(ctx: Ctx, { routing, number }: Ach): Promise<Vouched> {
  try {
    return await ctx.deps.ports.network.vouch({ ...call(ctx), routing, number })
  } catch (error) {
    if (error instanceof OutsideError) return null
    throw error
  }
}

/** Reads the body and asks the network what the account is. */
export async function prepareAccount(ctx: Ctx): Promise<Prepared> {
  const body = ctx.body()
  const { type } = parse(input, body)
  const kinds = (['ach', 'liability'] as const).filter(kind => body[kind] !== undefined && body[kind] !== null)
  const [kind] = kinds
  if (kind === undefined || kinds.length > 1 || (type !== undefined && type !== kind))
    throw new ServiceError(
      'INVALID_REQUEST',
      'Send ach with routing, number and type, or liability with mch_id and account_number.',
    )
  if (kind === 'ach') {
    const ach = readAch(body['ach'])
    return { ach, vouched: await vouch(ctx, ach) }
  }
  const debt = readLiability(body['liability'])
  if (ctx.deps.ports.network.merchants([debt.mch_id]).length === 0) throw new ServiceError('INVALID_MERCHANT_ID')
  const found = await asked(() =>
    ctx.deps.ports.network.describe({ ...call(ctx), mch_id: debt.mch_id, number: debt.number }),
  )
  if (!found) throw new ServiceError('INVALID_ACCOUNT_DETAILS')
  return { debt, found }
}

/** The numbers of an account that was disabled are not taken again. */
async function refuseDisabled(scope: Scope, numberHash: string): Promise<void> {
  const disabled = await scope.db
    .selectFrom('accounts')
    .select('id')
    .where('team_id', '=', scope.team.id)
    .where('number_hash', '=', numberHash)
    .where('status', '=', 'disabled')
    .executeTakeFirst()
  if (disabled) throw new ServiceError('EXISTING_ACCOUNT_DISABLED')
}

async function createAch(
  ctx: Ctx,
  holder: EntityRow,
  { ach, vouched }: { ach: Ach; vouched: Vouched },
  metadata: string | null,
): Promise<Record<string, unknown>> {
  const numberHash = ctx.deps.vault.hash('ach', `${ach.routing} ${ach.number}`)
  await refuseDisabled(ctx, numberHash)
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
  const session = vouched ? await provision(ctx, row, vouched) : null
  return tellNewAccount(ctx, row, session ? { account_verification_session: session } : {})
}

/**
 * A debt that the holder has already, found or named before, is answered as it is, with the metadata that it had: what is
 * sent is kept where it had none. Whoever names it has the holder's consent.
 */
async function createDebt(
  ctx: Ctx,
  holder: EntityRow,
  { debt, found }: { debt: NamedDebt; found: Liability },
  metadata: string | null,
): Promise<Record<string, unknown>> {
  const row = await insertAccount(
    ctx,
    {
      holder_id: holder.id,
      type: 'liability',
      status: found.status,
      mch_id: found.mch_id,
      mask: debt.number.slice(-4),
      ownership: 'unknown',
      liability_type: found.type,
      sub_type: found.sub_type,
      name: found.name,
      reference: found.reference,
      payable: found.payable,
      supports: JSON.stringify(found.supports),
      metadata,
    },
    debt.number,
    debt.card,
  )
  if (row) return tellNewAccount(ctx, row)
  const before = await knownDebt(ctx, holder.id, found.reference)
  if (before.status === 'disabled') throw new ServiceError('EXISTING_ACCOUNT_DISABLED')
  await approveAccounts(ctx, [before.id])
  const approved = (await lockAccount(ctx, before.id))!
  const known =
    metadata !== null && approved.metadata === null ? await updateAccount(ctx, approved, { metadata }) : approved
  return showAccount(ctx, known, (await pointers(ctx, [known.id])).get(known.id) ?? {})
}

/** The account of a holder that is that debt. */
async function knownDebt(scope: Scope, holder: string, reference: string): Promise<AccountRow> {
  return scope.db
    .selectFrom('accounts')
    .selectAll()
    .where('team_id', '=', scope.team.id)
    .where('holder_id', '=', holder)
    .where('reference', '=', reference)
    .executeTakeFirstOrThrow()
}

/** Makes an account for a holder, of what {@link prepareAccount} found. */
export async function createAccount(ctx: Ctx): Promise<Answer> {
  const body = ctx.body()
  const { holder_id } = parse(input, body)
  const metadata = readMetadata(body, 'MAX_ACCOUNT_METADATA_SIZE_EXCEEDED')
  const holder = await lockEntity(ctx, holder_id)
  if (!holder || holder.status === 'disabled') throw new ServiceError('INVALID_HOLDER_ID')
  const prepared = ctx.prepared as Prepared
  return one(
    'ach' in prepared
      ? await createAch(ctx, holder, prepared, metadata)
      : await createDebt(ctx, holder, prepared, metadata),
  )
}
